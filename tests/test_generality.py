"""Nothing about one application stands outside its profile: no name, route, table or label of the bundled ones."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from project_files import ROOT, tracked

BUNDLED = ROOT / "pipeline" / "apps" / "bundled"
PROFILES = sorted(BUNDLED.glob("*.toml"))
CODE = sorted(
    p
    for p in tracked()
    if p.relative_to(ROOT).parts[0] in ("pipeline", "storage", "prompts") and not p.is_relative_to(BUNDLED)
)

ROUTES = {
    "trac": "/newticket /ticket /report /roadmap /timeline /query /prefs /milestone /attachment /admin/ticket /wiki",
    "oscar": "/dashboard /basket /catalogue /checkout /reviews /offers /vouchers /partners /shipping",
    "spirit": "/category /topic /comment /st /poll /flag /private",
}
TABLES = {
    "trac": "session_attribute ticket ticket_change ticket_custom node_change auth_cookie milestone enum permission",
    "oscar": "catalogue_product partner_stockrecord order_order basket_basket offer_range voucher_voucher auth_user",
    "spirit": "spirit_topic_topic spirit_comment_comment spirit_category_category spirit_user_userprofile",
}
LABELS = {
    "trac": ["View Tickets", "Active Tickets", "Custom Query", "Create ticket", "Edit this page", "New Ticket"],
    "oscar": ["Add to basket", "Write a review", "Product types", "Low stock alerts", "Store dashboard", "Fulfilment"],
    "spirit": ["Create a topic", "Mark solved", "Uncategorized", "Flag comment", "Private topics", "Bulk action"],
}


def _texts(value: Any) -> set[str]:
    """Every text of a part of a profile."""
    if isinstance(value, str):
        return {value}
    if isinstance(value, dict):
        return {t for v in value.values() for t in _texts(v)}
    return {t for v in value for t in _texts(v)} if isinstance(value, list) else set()


def _own_words(profile: Path) -> set[str]:
    """What stands for this application alone: what it is called, where it leads, how it stores and what it shows."""
    told = tomllib.loads(profile.read_text(encoding="utf-8"))
    name = profile.stem
    ignored = {t for state in told.get("state", []) for t in state.get("ignore_in_hash", [])}
    return {
        name,
        *ROUTES[name].split(),
        *(t for t in TABLES[name].split() if "_" in t),
        *(t for t in ignored if "_" in t),
        *LABELS[name],
        *(t for t in _texts(told["ready"]) if t.startswith("/") and "login" not in t and len(t) > 1),
    }


def _stands(word: str, text: str) -> bool:
    return re.search(rf"(?<![\w/]){re.escape(word)}(?!\w)", text, re.IGNORECASE) is not None


@pytest.mark.parametrize("profile", PROFILES, ids=lambda p: p.stem)
def test_no_code_knows_a_bundled_application(profile: Path) -> None:
    found = {
        (str(path.relative_to(ROOT)), word)
        for path in CODE
        for word in _own_words(profile)
        if _stands(word, path.read_text(encoding="utf-8"))
    }
    assert found <= {("pipeline/cli/options.py", "trac")}  # the application that is measured where none is named


def test_every_bundled_application_is_looked_for() -> None:
    assert {p.stem for p in PROFILES} == set(ROUTES) == set(TABLES) == set(LABELS)


def test_a_word_of_an_application_would_be_found() -> None:
    assert _stands("/newticket", "Open(location='/newticket')")
    assert _stands("session_attribute", 'table="session_attribute"')
    assert not _stands("trac", "types.TracebackType")
