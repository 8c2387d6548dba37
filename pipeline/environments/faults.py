"""Where playwright's errors become ours, and where deadlines live. Refuses to judge what an error means for a task."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import TimeoutError as PlaywrightTimeout

from pipeline.errors import AppFault, BrowserFault

CALL_SECONDS = 10.0
"""Deadline of one exchange with the browser; a page that blocks longer counts as a broken browser."""
NAVIGATION_SECONDS = 15.0
"""Deadline for the first byte of a document."""

_APP_IS_DOWN = ("ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET", "ERR_EMPTY_RESPONSE", "ERR_CONNECTION_CLOSED")
_DRIVER_WENT = "Connection closed while reading from the driver"
_DOCUMENT_WENT = (
    "Execution context was destroyed",
    "Cannot find context",
    "Frame was detached",
    "frame was detached",
    "Unable to adopt element handle",
)
_NO_DOCUMENT = (
    "ERR_ABORTED",
    "ERR_TOO_MANY_REDIRECTS",
    "Download is starting",
    "is interrupted by another navigation",
)


@asynccontextmanager
async def within(seconds: float, doing: str) -> AsyncIterator[None]:
    """Run browser calls under a deadline.

    Raises:
        BrowserFault: the deadline passed or playwright failed.
        AppFault: the application's server does not answer.
    """
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError as error:
        raise BrowserFault(f"The browser did not answer within {seconds:g} s while {doing}.") from error
    except PlaywrightTimeout as error:
        raise AppFault(f"The application did not answer in time while {doing}.") from error
    except PlaywrightError as error:
        raise fault_of(error, doing) from error
    except Exception as error:
        if _DRIVER_WENT not in str(error):  # a plain Exception, told by its words only
            raise
        raise BrowserFault(f"The browser's driver ended while {doing}.") from error


def fault_of(error: PlaywrightError, doing: str) -> BrowserFault | AppFault:
    """Our error for playwright's, with its first line as reason."""
    reason = first_line(error)
    if any(code in reason for code in _APP_IS_DOWN):
        return AppFault(f"The application did not answer while {doing}: {reason}.")
    return BrowserFault(f"The browser failed while {doing}: {reason}.")


def document_went(error: PlaywrightError) -> bool:
    """True when the call died only because its document was replaced meanwhile; looking again is right."""
    return any(text in error.message for text in _DOCUMENT_WENT)


def no_document(error: PlaywrightError) -> bool:
    """True when a location was opened and gave no page: a file, nothing, one that moved on or leads in a circle."""
    return any(text in error.message for text in _NO_DOCUMENT)


def first_line(error: PlaywrightError) -> str:
    """The error's own sentence, without the call log that follows it."""
    return error.message.strip().splitlines()[0].rstrip(".") if error.message.strip() else type(error).__name__
