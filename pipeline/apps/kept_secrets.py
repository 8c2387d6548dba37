"""Every secret that templates under a cache keep, for redaction and for refusing exports. Reads only."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pipeline.apps.profile import AppProfile
from pipeline.apps.template import Template

_WORD, _RANDOM = 8, 16
"""Lengths from which a password and a stored value are told from ordinary words."""
_TOKEN = 12
"""Stored session values shorter than this are settings such as a language, not tokens."""


def kept_secrets(root: Path) -> frozenset[str]:
    """Generated passwords and session tokens of all templates below ``root``; files that cannot be read add nothing."""
    found: set[str] = set()
    for folder in root.glob("templates/*/*"):
        found |= {str(word) for word in _json(folder / "passwords.json").values()}
        found |= {word for word in _values(_json(folder / "sessions.json")) if len(word) >= _TOKEN}
    return frozenset(found)


def secrets_from_environment(profile: AppProfile) -> frozenset[str]:
    """Passwords that the profile takes from our environment, as far as they are set."""
    users = profile.sign_in.users if profile.sign_in else ()
    names = [u.password.removeprefix("env:") for u in users if u.password.startswith("env:")]
    return frozenset(os.environ[name] for name in names if os.environ.get(name))


def template_secrets(template: Template) -> frozenset[str]:
    """Secrets of a template that no page may be read with.

    A password from our environment that is a plain word, and stored values that do not look random, stay: they would
    be taken out of innocent text.
    """
    words = {w for w in template.passwords.values() if len(w) >= _WORD and not w.isalpha()}
    stored = {w for s in template.sessions.values() for w in _values(s.stored) if _looks_random(w)}
    return frozenset(words | stored)


def _looks_random(word: str) -> bool:
    letters, digits = any(c.isalpha() for c in word), any(c.isdigit() for c in word)
    return len(word) >= _RANDOM and letters and digits and not any(c.isspace() for c in word) and "://" not in word


def _json(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}


def _values(stored: Any) -> Iterator[str]:
    """Cookie and storage values within what an adapter saved."""
    if isinstance(stored, dict):
        for name, part in stored.items():
            if name == "value" and isinstance(part, str):
                yield part
            else:
                yield from _values(part)
    elif isinstance(stored, list):
        for part in stored:
            yield from _values(part)
