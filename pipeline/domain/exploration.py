"""What exploring an application yields: pages, transitions, executions and features, as values."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from pipeline.domain.action import Action
from pipeline.domain.feature import Feature
from pipeline.domain.observation import Observation
from pipeline.domain.state import RowMask, StateDiff
from pipeline.domain.values import Value

StopReason = Literal["frontier", "budget", "time", "interrupted", ""]


class Page(Value):
    """One concrete place that was seen on the unchanged start state."""

    id: str
    """Its location without origin; for a place reached by a click without a new location, ``<page>§<n>`` is added."""
    location: str
    """Without origin."""
    state_key: str
    """Key of its state abstraction."""
    observation: Observation
    """Locations inside keep the placeholder origin ``app:``."""
    mask: tuple[str, ...] = ()
    """What changed between two looks without acting, as ``role|name``."""
    depth: int = 0


class Transition(Value):
    """One edge of the UI graph."""

    id: str
    source: str
    """Page id."""
    action: Action
    target: str
    """Page id, or the location of a place not visited yet."""
    status: Literal["observed", "inferred"] = "observed"
    """Inferred: a link's declared target; becomes observed when it was followed."""


class Execution(Value):
    """One submission of a form with chosen values, and what it did."""

    values: dict[str, str]
    """By parameter key: what was typed, or the label that was chosen."""
    stored: dict[str, str] = Field(default_factory=dict)
    """By parameter key: what is submitted for it (an option's value)."""
    entity_key: str = ""
    diff: StateDiff
    """Masked only for what looking alone changes."""
    end_location: str
    end_heading: str = ""
    perturbed: bool = False
    """Ran on a state that another execution had changed."""
    error: str = ""
    """Why it counts for nothing: no change, refused value, message of the application."""


class Exploration(Value):
    """Everything known of one application at one template hash."""

    id: str = ""
    """Where the catalogue keeps it."""
    app: str
    template_hash: str
    home: str
    """Start location, without origin."""
    user: str
    pages: tuple[Page, ...] = ()
    transitions: tuple[Transition, ...] = ()
    features: tuple[Feature, ...] = ()
    masks: tuple[RowMask, ...] = ()
    actions: int = 0
    forms: int = 0
    """Distinct forms that were submitted."""
    routes: int = 0
    stopped_by: StopReason = ""
    sign_outs: int = 0
