"""Plausible values for form controls: of the right type, within the control's limits, and easy to tell apart."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable
from datetime import date, timedelta

from pipeline.domain.feature import Parameter

_ADJECTIVES = (
    "Amber Brisk Cedar Coastal Copper Crimson Dapper Eastern Fabled Gentle Golden Granite Hazel Hidden Ivory Jolly "
    "Lunar Maple Mellow Misty Northern Opal Orchid Placid Quiet Rapid Russet Saffron Silver Solar Sturdy Timber "
    "Velvet Vivid Western Willow Winter Woven"
).split()
_NOUNS = (
    "Anchor Beacon Bridge Canyon Compass Cottage Delta Ember Falcon Garden Harbor Horizon Island Junction Kettle "
    "Lantern Ledger Lighthouse Meadow Mill Orchard Otter Pavilion Pioneer Quarry Ridge River Saddle Sparrow Summit "
    "Thicket Tower Tunnel Valley Voyage Wharf Windmill Workshop"
).split()
_SENTENCES = (
    "Reported by the {n} team after the {a} review",
    "Please follow up with the {a} {n} group this week",
    "The {a} {n} schedule has been updated",
    "Checked together with the {n} office, nothing urgent",
    "Notes from the {a} meeting about the {n} plan",
    "Waiting for an answer from the {a} {n} desk",
)
_LONG = re.compile(r"descri|comment|text|body|message|notes?\b|content|summary of|reply", re.IGNORECASE)
_WORD = re.compile(r"keyword|tag|label|slug|code|nick|alias", re.IGNORECASE)
_MAIL = re.compile(r"e-?mail|\bcc\b", re.IGNORECASE)
_LINK = re.compile(r"\burl\b|website|homepage|\blink\b", re.IGNORECASE)
_PERSON = re.compile(r"\b(reporter|owner|assignee|login|user ?name)\b", re.IGNORECASE)
_PEOPLE = "amelia bastian clara dominik elena farid greta hugo irene jonas katya leon mira nadia oskar paula".split()
_COUNT = re.compile(
    r"\b(timeout|count|number of|quantity|amount|price|per page|limit|days|hours|minutes|seconds|percent(age)?"
    r"|size|width|height|age|year)\b",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<!per )(?<!a )(?<!each )(?<!every )\byear\b", re.IGNORECASE)
_DATED = re.compile(r"\b(date|datetime|due|deadline|birthday)\b", re.IGNORECASE)
_POSTCODE = re.compile(r"\b(post(al)?[ -]?code|zip([ -]?code)?)\b", re.IGNORECASE)
_PHONE = re.compile(r"\b(tele)?phone\b|\bmobile( number)?\b", re.IGNORECASE)
_CODED = re.compile(
    r"\b(query|sql|code|script|css|html|json|xml|yaml|template|expression|pattern|regexp?|config(uration)?)\b",
    re.IGNORECASE,
)
_CODE = re.compile(r"\bselect\b.+\bfrom\b|^\w+:\?|^\s*[{\[]\s*\"|[;}]\s*$", re.IGNORECASE | re.DOTALL)
_NUMBER = re.compile(r"-?\d+(?P<rest>[.,]\d{1,2})?")
_DAY = re.compile(r"\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}|[A-Z][a-z]{2,8} \d{1,2}, \d{4}\b")
_NO_CHOICE = re.compile(r"\(.*\)|<.*>|-.*-|.*(…|\.\.\.)|(default|choose|select|please)\b.*|\W*", re.IGNORECASE)
"""What a list says where nothing is chosen."""


def plausible(parameter: Parameter, rng: random.Random, today: date) -> str:
    """A value for a typed control; of a choice, one of its labels other than the default.

    Returns the empty string where there is nothing to choose.
    """
    match parameter.kind:
        case "number" | "range":
            return _number(parameter, rng)
        case "date":
            return _day(parameter, rng, today)
        case "datetime":
            day = _day(parameter, rng, today)
            return f"{day}T10:30" if day else ""
        case "time":
            return _time(parameter, rng)
        case "checkbox":
            return "off" if parameter.default == "on" else "on"
        case "select" | "radio":
            free = telling_options(parameter) or [o for o in parameter.options if o.strip() and o != parameter.default]
            return rng.choice(free) if free else ""
        case "email":
            return _fitting(mail(rng), parameter)
        case "url":
            return _fitting(link(rng), parameter)
        case _:
            return _fitting(_typed(parameter, rng, today), parameter)


def telling_options(parameter: Parameter) -> list[str]:
    """Labels other than the default that choose something."""
    free = [o for o in parameter.options if o.strip() and o != parameter.default]
    return [o for o in free if not _NO_CHOICE.fullmatch(o.strip())]


def _number(parameter: Parameter, rng: random.Random) -> str:
    """A whole number within the limits, between 2 and 90 where they allow it; a year is one of the last decades."""
    usual = _usual(f"{parameter.label} {parameter.key}".replace("_", " "))
    bounds = _bounds(_limit(parameter.minimum, math.ceil), _limit(parameter.maximum, math.floor), *usual)
    return str(rng.choice(bounds)) if bounds else ""


def _usual(hint: str) -> tuple[int, int]:
    """From and to which number, by what is asked for."""
    return (1950, 2025) if _YEAR.search(hint) else (2, 90)


def _bounds(low: int | None, high: int | None, first: int, last: int) -> range:
    """From ``first`` to ``last`` as far as the limits allow, else as many at the nearer limit; empty for no number."""
    start = first if low is None else max(first, low)
    end = last if high is None else min(last, high)
    if start > end and high is not None and high < first:
        start, end = (high - last + first if low is None else low), high
    elif start > end and low is not None:
        start, end = low, (low + last - first if high is None else high)
    return range(start, end + 1)


def _limit(text: str, whole: Callable[[float], int]) -> int | None:
    try:
        return whole(float(text))
    except (ValueError, OverflowError):
        return None


def _day(parameter: Parameter, rng: random.Random, today: date) -> str:
    """A day of the next months, or one that the limits allow."""
    low, high = (_days_from(today, text) for text in (parameter.minimum, parameter.maximum))
    days = _bounds(low, high, 3, 300)
    return (today + timedelta(days=rng.choice(days))).isoformat() if days else ""


def _days_from(today: date, text: str) -> int | None:
    try:
        return (date.fromisoformat(text[:10]) - today).days
    except ValueError:
        return None


def _time(parameter: Parameter, rng: random.Random) -> str:
    """A quarter of an hour of the working day, or one that the limits allow."""
    quarters = [f"{hour:02d}:{minute:02d}" for hour in range(24) for minute in (0, 15, 30, 45)]
    low, high = parameter.minimum[:5] or "00:00", parameter.maximum[:5] or "23:59"
    allowed = [q for q in quarters if low <= q <= high]
    usual = [q for q in allowed if "08:00" <= q <= "19:45"]
    return rng.choice(usual or allowed or [low])


def _fitting(text: str, parameter: Parameter) -> str:
    """The text within the control's length: words are left off, a single one is cut; an address cannot be cut."""
    limit = parameter.max_length
    if limit is None or len(text) <= limit:
        return text
    if "@" in text or "://" in text:
        return ""
    words = text.split()
    while len(words) > 1 and len(" ".join(words)) > limit:
        words.pop()
    return " ".join(words)[: max(limit, 0)]


def asks_for_a_day(parameter: Parameter) -> bool:
    """Whether a plain text field is for a day."""
    hint = f"{parameter.label} {parameter.key}".replace("_", " ")
    return parameter.kind == "text" and bool(_DATED.search(hint))


def written_day(text: str) -> str:
    """The form in which a day is written, with ``{day}`` for its ISO date; empty for any other text or form."""
    found = re.fullmatch(r"\d{4}-\d\d-\d\d(?P<time>[ T]\d\d:\d\d(?P<seconds>:\d\d)?)?", text.strip())
    if not found:
        return ""
    time = f"{found['time'][0]}10:30{':00' if found['seconds'] else ''}" if found["time"] else ""
    return "{day}" + time


def _written_day(parameter: Parameter, rng: random.Random, today: date, hint: str) -> str:
    day = _day(parameter, rng, today)
    return f"{day} 10:30" if day and re.search(r"date ?time", hint, re.IGNORECASE) else day


def _typed(parameter: Parameter, rng: random.Random, today: date) -> str:
    """A text like those that stand there; empty where only a text of a certain form makes sense."""
    hint = f"{parameter.label} {parameter.key}".replace("_", " ")
    number = _NUMBER.fullmatch(parameter.default.strip())
    if number or (_COUNT.search(parameter.label) and not parameter.default and parameter.kind == "text"):
        return str(rng.randint(*_usual(hint))) + ((number and number["rest"]) or "")
    if _CODE.search(parameter.default) or (parameter.kind == "multiline" and _CODED.search(hint)):
        return ""
    form = written_day(parameter.default or parameter.example) if parameter.kind == "text" else ""
    if form and (day := _day(parameter, rng, today)):
        return form.format(day=day)
    if _DAY.match(parameter.default) or (asks_for_a_day(parameter) and not parameter.default):
        # In which form a day is written here is not known: only where nothing goes without one, the plainest is tried.
        return _written_day(parameter, rng, today, hint) if parameter.required and not parameter.default else ""
    if _POSTCODE.search(hint):
        return str(rng.randint(10115, 79999))
    if _PHONE.search(hint):
        return f"+44 20 7946 0{rng.randint(100, 999)}"  # numbers kept for drama (Ofcom)
    if _PERSON.search(parameter.label) and parameter.kind == "text":
        return rng.choice(_PEOPLE)
    if _MAIL.search(hint):
        return mail(rng)
    if _LINK.search(hint):
        return link(rng)
    if parameter.kind == "multiline" or (_LONG.search(hint) and parameter.kind == "text"):
        return sentence(rng)
    if _WORD.search(hint):
        return rng.choice(_NOUNS).lower() + str(rng.randint(11, 98))
    return title(rng)


def title(rng: random.Random) -> str:
    """Two or three words that nothing else is called."""
    words = [rng.choice(_ADJECTIVES), rng.choice(_NOUNS)]
    if rng.random() < 0.4:
        words.append(rng.choice(_NOUNS))
    return " ".join(dict.fromkeys(words))


def sentence(rng: random.Random) -> str:
    """One sentence without a final stop, so that it can be quoted."""
    return rng.choice(_SENTENCES).format(a=rng.choice(_ADJECTIVES).lower(), n=rng.choice(_NOUNS).lower())


def mail(rng: random.Random) -> str:
    """An address in the domain reserved for examples (RFC 2606)."""
    return f"{rng.choice(_NOUNS).lower()}.{rng.choice(_ADJECTIVES).lower()}@example.org"


def link(rng: random.Random) -> str:
    """A location in the domain reserved for examples (RFC 2606)."""
    return f"https://example.org/{rng.choice(_ADJECTIVES).lower()}-{rng.choice(_NOUNS).lower()}"
