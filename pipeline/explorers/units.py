"""Units of exploration: what is done from one reset, as data that is saved and never done twice."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from pipeline.domain.action import Click
from pipeline.domain.exploration import Execution, Page, Transition
from pipeline.domain.feature import Feature
from pipeline.domain.observation import Locator
from pipeline.domain.state import RowMask
from pipeline.domain.values import Value


class Visit(Value):
    """Open a location and look, twice where the place is new."""

    kind: Literal["visit"] = "visit"
    location: str
    depth: int = 0
    twice: bool = False
    trusted: bool = True
    """False where the link's words name a consequence: then what the visit changes is not taken for browsing."""

    @property
    def key(self) -> str:
        """Unique name of the unit."""
        return f"visit {self.location}"


class Poke(Value):
    """Click something on a page that is no plain link: a toggle, a tab, a button."""

    kind: Literal["poke"] = "poke"
    page: str
    location: str
    prelude: tuple[Click, ...] = ()
    click: Click

    @property
    def key(self) -> str:
        """Unique name of the unit."""
        return f"poke {self.page} {self.click.target.model_dump_json()}"


class Site(Value):
    """One place where a form can be filled in: an entity's page, or the only page."""

    location: str
    key: str = ""
    """Key of the entity the page belongs to, as it stands in the location."""
    names: tuple[str, ...] = ()
    """Texts under which the entity was seen: links to it, headings of its page."""
    row: str = ""
    """Name of the list row that is picked, where the entity is chosen in a list."""
    pick: Locator | None = None


class Trial(Value):
    """Submit one form with some of its parameters, on up to two places, with different values."""

    kind: Literal["trial"] = "trial"
    form: str
    leads_to: str = ""
    """Where the form submits to, given only where that is all that tells it from an alike one on its page."""
    route: str
    prelude: tuple[Click, ...] = ()
    parameters: tuple[str, ...] = ()
    pinned: tuple[tuple[str, str], ...] = ()
    """Choices that stay the same in every execution."""
    submit: str
    sites: tuple[Site, ...]
    pick_field: str = ""
    sensitive: bool = False
    """The submit button names a consequence."""

    @property
    def key(self) -> str:
        """Unique name of the unit."""
        names = ",".join(self.parameters) + "|" + ",".join(f"{k}={v}" for k, v in self.pinned)
        form = f"{self.form}@{self.leads_to}" if self.leads_to else self.form
        return f"trial {self.route} {form} {self.submit} {self.pick_field} {names}"


Unit = Visit | Poke | Trial


class Result(Value):
    """What one unit yielded."""

    key: str
    kind: Literal["visit", "poke", "trial"]
    actions: int
    page: Page | None = None
    transition: Transition | None = None
    masks: tuple[RowMask, ...] = ()
    feature: Feature | None = None
    executions: tuple[Execution, ...] = ()
    problem: str = ""
    signed_out: bool = False
    follow_ups: tuple[Trial, ...] = Field(default=())
    """Trials that this one showed to be needed: one for each option whose effect no cell carries."""
