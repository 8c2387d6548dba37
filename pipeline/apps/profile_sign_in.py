"""What a profile says about signing in: the form as a person finds it, and accounts without their passwords."""

from __future__ import annotations

import re
from typing import Annotated, Self

from pydantic import AfterValidator, Field, field_validator, model_validator

from pipeline.domain.aria import known_role
from pipeline.domain.observation import Locator, Observation
from pipeline.domain.values import Value


def _begins_at_root(path: str) -> str:
    if not path.startswith("/") or path.startswith("//"):
        raise ValueError(f"{path!r} has to begin with one '/'; it is a path on the application's own origin")
    return path


Place = Annotated[str, AfterValidator(_begins_at_root)]
"""A path on the application's own origin."""
Role = Annotated[str, AfterValidator(known_role)]
"""A role of WAI-ARIA."""
_USER_NAME = re.compile(r"[A-Za-z0-9._@-]+")


class Control(Value):
    """A control of the sign-in page, as a person finds it."""

    role: Role = "textbox"
    """Role of the control, such as ``textbox`` or ``button``."""
    name: str
    """Accessible name of the control, exact."""


class Sign(Value):
    """Something that is visible only when signed in: give ``role`` and ``name``, or ``text``."""

    role: Role = ""
    """Role of the element."""
    name: str = ""
    """Accessible name of the element, exact."""
    text: str = ""
    """Visible text that only a signed-in page holds; ``{user}`` stands for the user's name."""

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not self.text and not (self.role and self.name):
            raise ValueError("needs role and name, or text")
        return self

    def stands_in(self, seen: Observation, user: str) -> bool:
        """Whether the screen shows it, as it is for this user."""
        if self.text:
            return self.text.replace("{user}", user) in seen.text
        return bool(seen.named(self.role, self.name))

    @property
    def element(self) -> Locator | None:
        """The element that is the sign, None where it is a text."""
        return None if self.text else Locator(role=self.role, name=self.name)

    def in_words(self, user: str) -> str:
        """What a person would look for."""
        return f"the text {self.text.replace('{user}', user)!r}" if self.text else f"the {self.role} {self.name!r}"


class User(Value):
    """One account of the application. The first in the list is the one that tasks use."""

    name: str
    """Name typed into the sign-in form."""
    password: str = "generated"
    """``env:NAME`` (read from our environment) or ``generated`` (made with the template); never the password itself."""

    @field_validator("name")
    @classmethod
    def _plain(cls, name: str) -> str:
        if not _USER_NAME.fullmatch(name):
            raise ValueError("may hold only letters, digits and . _ @ -")
        return name

    @field_validator("password")
    @classmethod
    def _named_not_written(cls, password: str) -> str:
        if password != "generated" and not re.fullmatch(r"env:[A-Za-z_][A-Za-z0-9_]*", password):
            raise ValueError("must be 'generated' or 'env:NAME'; a password is never written into a profile")
        return password


class SignIn(Value):
    """How a person signs in."""

    path: Place
    """Path of the sign-in page."""
    username: Control
    """Textbox for the user's name."""
    password: Control
    """Textbox for the password."""
    submit: Control
    """Button that sends the form."""
    signed_in: Sign
    """What is visible only when signed in."""
    users: tuple[User, ...] = Field(min_length=1)
    """Accounts; the first is the one that tasks use."""

    @field_validator("users")
    @classmethod
    def _distinct(cls, users: tuple[User, ...]) -> tuple[User, ...]:
        if len({user.name for user in users}) != len(users):
            raise ValueError("names a user twice")
        return users
