"""One look at a settled page: snapshot and details of the same moment, joined into an observation."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from playwright.async_api import ElementHandle, Frame, Page
from playwright.async_api import Error as PlaywrightError

from pipeline.domain.observation import Element, Form, Observation, Unreachable
from pipeline.domain.observation import Locator as Wanted
from pipeline.domain.redact import Redactor
from pipeline.domain.values import clean_text, squeezed
from pipeline.environments.details import NODE_LIMIT, SCRIPT, TEXT_LIMIT, Details, FramePlace, read
from pipeline.environments.elements import Document, elements_of
from pipeline.environments.faults import CALL_SECONDS, document_went, within
from pipeline.environments.session import BrowserSession
from pipeline.environments.settle import Settled
from pipeline.environments.tree import Node, parse
from pipeline.errors import BrowserFault

ELEMENT_LIMIT = 1500
_LOOKS = 6
_SHIFTS = 2
"""Looks after which a page that moves all the time is taken as it is."""
_VALUED = frozenset({"textbox", "searchbox", "checkbox", "radio", "spinbutton", "combobox", "listbox"})
_WISH = {"nodes": NODE_LIMIT, "text": TEXT_LIMIT}


async def look(session: BrowserSession, only: Sequence[Wanted] | None = None) -> Observation:
    """Wait until settled and observe; looks again when the document was replaced meanwhile, a few times at most.

    ``only`` names the elements (by role and name) that count: no others are read then.

    Raises:
        BrowserFault: the page crashed, does not answer, or never stands still long enough to be read.
    """
    navigations = session.happenings.navigations
    for tries in range(_LOOKS):
        settled = await session.settle(fresh=False)
        page, seen_before = session.page, navigations.committed(session.page)
        async with within(CALL_SECONDS, "looking at the page"):
            try:
                if only is None:
                    details, tree = await _both(page, session.redactor)
                else:
                    details, tree = await _in_short(page, only, session.redactor)
                documents = await _documents(page, tree, details, session.redactor)
            except PlaywrightError as error:
                if document_went(error) or (page.is_closed() and not session.happenings.crashed):
                    continue
                raise
        if page is session.page and navigations.committed(page) == seen_before and not navigations.pending(page):
            seen = _observation(session, page, settled, tree, documents)
            if tries >= _SHIFTS or only is not None or not _shifted(seen, documents):
                return seen
    raise BrowserFault("The page was replaced again and again while it was being looked at.")


async def _both(page: Page, redactor: Redactor) -> tuple[Details, Node]:
    """Details and tree of the main document, asked for together: the page answers one right after the other."""
    answers = await asyncio.gather(
        page.evaluate(SCRIPT, _WISH), page.aria_snapshot(mode="ai", boxes=True), return_exceptions=True
    )
    for answer in answers:
        if isinstance(answer, BaseException):
            raise answer
    details, snapshot = answers
    return read(redactor.clean(str(details))), parse(redactor.clean(str(snapshot)))


async def _in_short(page: Page, only: Sequence[Wanted], redactor: Redactor) -> tuple[Details, Node]:
    """Details of the main document, and a tree of no more than what is wanted and shown."""
    details = read(redactor.clean(str(await page.evaluate(SCRIPT, _WISH))))
    written = {(entry.role, squeezed(entry.text)) for entry in details.entries}
    found = [w for w in only if (w.role, w.name) in written or await _is_shown(page, w)]
    return details, Node(role="document", children=[Node(role=w.role, name=w.name) for w in found])


async def _is_shown(page: Page, wanted: Wanted) -> bool:
    """Asked of playwright, whose own script each new document has to take in first."""
    return await page.get_by_role(wanted.role, name=wanted.name, exact=True).count() > 0  # type: ignore[arg-type]  # ARIA's


async def _documents(page: Page, tree: Node, details: Details, redactor: Redactor) -> dict[str, Document]:
    """The main document under "", each readable frame under the ref of its iframe node."""
    documents = {"": Document(details)}
    if not details.frames:
        return documents
    for node in [n for n in tree.walk() if n.role == "iframe" and n.ref and n.children]:
        handle = await page.query_selector(f"aria-ref={node.ref}")
        frame = await handle.content_frame() if handle else None
        if handle is None or frame is None:
            continue
        box = await handle.bounding_box() or {"x": 0.0, "y": 0.0}
        inner = read(redactor.clean(await frame.evaluate(SCRIPT, _WISH)))
        name = await _frame_name(handle, frame, len(documents))
        documents[node.ref] = Document(inner, name, box["x"], box["y"])
    return documents


async def _frame_name(handle: ElementHandle, frame: Frame, number: int) -> str:
    title = await handle.get_attribute("title") or await handle.get_attribute("id") or ""
    return clean_text(frame.name or title or f"frame {number}")


def _observation(
    session: BrowserSession, page: Page, settled: Settled, tree: Node, documents: dict[str, Document]
) -> Observation:
    main = documents[""].details
    if main.url == "" or (not main.url and not tree.children):
        raise BrowserFault("The page gave an empty snapshot, as a crashed page does.")
    _learn(session, documents)
    elements, forms = _joined(tree, documents)
    notes = [*filter(None, [settled.note]), *main.notes]
    if len(elements) > ELEMENT_LIMIT:
        notes.append(f"cut at {ELEMENT_LIMIT} elements")
    answer = session.happenings.navigations.answer(page)
    return Observation(
        location=main.url,
        title=main.title,
        elements=_within_limit(elements),
        text="\n".join(d.details.text for d in documents.values() if d.details.text)[:TEXT_LIMIT],
        forms=forms,
        unreachable=_unreachable(session, documents),
        status=answer.status if answer else None,
        notes=tuple(notes),
        settled=not settled.note,
    )


def _shifted(seen: Observation, documents: dict[str, Document]) -> bool:
    """Whether the page moved between snapshot and details: a control is left over on both sides."""
    left = documents[""].details.untaken()
    bare = [e for e in seen.elements if e.control is None and not e.frame] if left else []
    words = {squeezed(entry.text) for entry in left if entry.role == "button"}
    return any(e.role in _VALUED or (e.role == "button" and e.name in words) for e in bare)


def _within_limit(elements: list[Element]) -> tuple[Element, ...]:
    """The first elements in reading order; on a page that is too long, what can be acted on goes before words."""
    if len(elements) <= ELEMENT_LIMIT:
        return tuple(elements)
    first = sorted(range(len(elements)), key=lambda i: (_is_words(elements[i]), i))[:ELEMENT_LIMIT]
    return tuple(elements[i] for i in sorted(first))


def _is_words(element: Element) -> bool:
    return element.control is None and element.role not in ("link", "button", "heading") and not element.leads_to


def _learn(session: BrowserSession, documents: dict[str, Document]) -> None:
    session.carried_over = documents[""].details.carried_over
    for document in documents.values():
        session.slow_requests.update(document.details.slow_requests)
        if document.details.session_entries or document.details.window_name:
            session.tab_is_used = True


def _joined(tree: Node, documents: dict[str, Document]) -> tuple[list[Element], tuple[Form, ...]]:
    """Elements and forms; forms of embedded frames are numbered after those of the main document."""
    forms: list[Form] = []
    first: dict[str, int] = {}
    for document in documents.values():
        first[document.frame] = len(forms)
        forms += [f.model_copy(update={"index": f.index + len(forms)}) for f in document.details.forms]
    elements = elements_of(tree, documents)
    if len(documents) > 1:
        elements = [_renumbered(e, first[e.frame]) for e in elements]
    return elements, tuple(forms)


def _renumbered(element: Element, first: int) -> Element:
    control = element.control
    if not first or control is None or control.form is None:
        return element
    return element.model_copy(update={"control": control.model_copy(update={"form": control.form + first})})


def _unreachable(session: BrowserSession, documents: dict[str, Document]) -> tuple[Unreachable, ...]:
    found = [u for d in documents.values() for u in d.details.unreachable]
    for document in documents.values():
        found += [
            Unreachable(kind="foreign-frame", name=f.name or f.source, box=f.box)
            for f in document.details.frames
            if _is_foreign(session, f)
        ]
    return tuple(found)


def _is_foreign(session: BrowserSession, frame: FramePlace) -> bool:
    return session.origins.is_network(frame.source) and not session.origins.allows(frame.source)
