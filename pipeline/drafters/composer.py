"""From a goal to an English sentence: what a person would ask for, with every value verbatim.

No control names beyond the words a person uses for the value, no ids, no mechanics. Wording varies by seed only.
"""

from __future__ import annotations

import random
import re

import inflection

from pipeline.domain.feature import Feature, Fixed, Parameter
from pipeline.domain.goal import Choice, Goal, GoalPart
from pipeline.domain.known_app import KnownApp
from pipeline.domain.routes import SLOT

_VALUES = re.compile(r"per page|\bmax|\blimit|\bday|\bfrom\b|\bto\b|\bsince\b|\bcolumn", re.IGNORECASE)
"""What says how a list is shown rather than what it shows."""
_BY = re.compile(r"(group|sort|order)\b.* by", re.IGNORECASE)
_SORTING = re.compile(r"(sort(ing|ed)?|order(ing|ed)?)( by)?", re.IGNORECASE)
_WHETHER = re.compile(r"(is|in|has|are|was|with|without)\b", re.IGNORECASE)
"""How labels begin that ask for a yes or a no."""
_OF = re.compile(r"\s(?:of|per|for|in)\s")
_ANYTHING = re.compile(r"search( .*)?|query|q|keywords?|text|terms?", re.IGNORECASE)
_DOING = re.compile(r"\b(actions?|bulk|operation|do|resolve)\b", re.IGNORECASE)
_CIRCLE = re.compile(r"\b(group|team)\b", re.IGNORECASE)
_WORDS_LEFT = frozenset({"comment", "review", "note", "message", "reply", "feedback"})
_RIGHTS = frozenset({"permission", "privilege", "role", "right"})
_BARE = r"save|apply|update|yes|no|ok|okay|go|done|confirm|continue|next|submit|here|more"
_SAID = re.compile(rf"(?!({_BARE})\b)[a-z]+( [a-z]+){{0,4}}", re.IGNORECASE)
"""Words that can be said as they stand: not those that only answer or go on."""
_AFTER_THE_THING = re.compile(r"(to|into|from|in|on|for|as)\s")
_PARTICLE = re.compile(r"up|down|on|off|in|out|over|back|away", re.IGNORECASE)
"""Ends of a verb of two words, such as ``switch off``."""
_NAMING = re.compile(r"^(full |display )?(name|title|summary|subject|headline)$", re.IGNORECASE)


def compose(app: KnownApp, goal: Goal, rng: random.Random) -> str:
    """The instruction: one sentence a part, joined in order."""
    sentences = [_placed(app, part, _sentence(app, part, rng)) for part in goal.parts]
    if len(sentences) == 1:
        return sentences[0]
    joined = sentences[0]
    for sentence in sentences[1:]:
        link = rng.choice(("Then", "After that,", "Next,"))
        joined = f"{joined} {link} {sentence[0].lower()}{sentence[1:]}"
    return joined


def _placed(app: KnownApp, part: GoalPart, sentence: str) -> str:
    """What is picked in a list of one thing's own is told with that thing's page."""
    feature = app.features[part.feature]
    if feature.pick is None or SLOT not in feature.route.partition("?")[0] or not feature.heading:
        return sentence
    return f"{sentence[:-1]} on the page {_quoted(feature.heading)}."


def _sentence(app: KnownApp, part: GoalPart, rng: random.Random) -> str:
    feature = app.features[part.feature]
    match part.operation:
        case "create":
            return _create(feature, part, rng)
        case "edit":
            return _edit(app, feature, part, rng)
        case "delete":
            return rng.choice(("Delete {0}.", "Remove {0}.", "Please delete {0}.")).format(_gone(feature, part))
        case "assign":
            return _assign(feature, part, rng)
        case "set":
            return _set(app, feature, part, rng)
        case "search":
            return _search(app, feature, part, rng)
        case "filter":
            return _filter(feature, part, rng)
        case "sort":
            shown = _column(part.choices[0].shown)
            forms = ("Sort {0} by {1}.", "Order {0} by {1}.", "Show {0} sorted by {1}.")
            return rng.choice(forms).format(f"the list {_quoted(feature.heading)}", shown)
        case "navigate":
            forms = ("Go to the page {0}.", "Open the page {0}.", "Find the page {0} and open it.")
            return rng.choice(forms).format(_quoted(feature.heading))
        case "read":
            return _read(feature, part, rng)


def _quoted(text: str) -> str:
    return f"“{text}”"


def _column(name: str) -> str:
    """A column in the middle of a sentence; one that is a sentence itself is quoted."""
    if len(name.split()) > 3 or not name[-1:].isalnum():
        return _quoted(name)
    return " ".join(word if word.isupper() and len(word) > 1 else word.lower() for word in name.split())


def _thing(part: GoalPart) -> str:
    assert part.entity is not None  # callers speak of entities only
    return f"the {part.entity.noun} {_quoted(part.entity.name)}"


def _gone(feature: Feature, part: GoalPart) -> str:
    """What is removed: the thing itself, or what the values name where it has no place of its own."""
    if part.entity is not None:
        return _thing(part)
    free = [p for p in feature.parameters if p.key not in dict(feature.pinned)]
    return _listed([f"the {p.label} {_value(_choice(part, p), p)}" for p in free]) or f"the {feature.noun}"


def _choice(part: GoalPart, parameter: Parameter) -> Choice:
    return next(c for c in part.choices if c.parameter == parameter.key)


def _value(choice: Choice, parameter: Parameter) -> str:
    return _quoted(choice.spoken)


def naming(feature: Feature) -> Parameter | None:
    """The parameter that names the new thing, or is the thing itself, as a comment's ``comment`` is."""
    given = [p for p in feature.parameters if p.key not in dict(feature.pinned)]
    named = [p for p in given if _NAMING.match(p.label)] or [p for p in given if p.label == feature.noun] or given
    return named[0] if named else None


def _create(feature: Feature, part: GoalPart, rng: random.Random) -> str:
    name = naming(feature)
    if name is None:
        return f"Create a new {feature.noun}."
    choice = _choice(part, name)
    rest = [p for p in feature.parameters if p is not name and p.key not in dict(feature.pinned)]
    extra = _listed([" ".join(_setting(p, _choice(part, p))) for p in rest])
    if feature.noun in _RIGHTS and len(rest) == 1 and part.entity is None:
        given = _value(_choice(part, rest[0]), rest[0])
        if _CIRCLE.search(rest[0].label):
            return f"Add {_value(choice, name)} to the {rest[0].label} {given}."
        said = rng.choice(("Give {1} the {0} {2}.", "Grant the {0} {2} to {1}."))
        return said.format(feature.noun, _value(choice, name), given)
    if part.entity is not None:
        third = "Leave the {0} {1} on {2}." if feature.noun in _WORDS_LEFT else "Give {2} the {0} {1}."
        forms = ("Add the {0} {1} to {2}.", "On {2}, add the {0} {1}.", third)
        said = rng.choice(forms).format(feature.noun, _value(choice, name), _thing(part))
        return f"{said[:-1]}, with {extra}." if extra else said
    if not _NAMING.match(name.label):
        called = f"with the {' '.join(_setting(name, choice))}"
    else:
        called = rng.choice(("called {0}", "named {0}") if name.label == "name" else ("titled {0}", "called {0}"))
        called = called.format(_value(choice, name))
    verb = rng.choice(("Create", "Add", "Make"))
    noun = feature.noun
    joint = rng.choice((", with {0}", " with {0}")).format(extra) if extra else ""
    return f"{verb} a new {noun} {called}{joint}."


def _listed(items: list[str]) -> str:
    if len(items) < 2:
        return "".join(items)
    return ", ".join(items[:-1]) + " and " + items[-1]


def _edit(app: KnownApp, feature: Feature, part: GoalPart, rng: random.Random) -> str:
    free = [p for p in feature.parameters if p.key not in dict(feature.pinned)]
    if not free:
        return _set(app, feature, part, rng)
    changes = [_setting(p, _choice(part, p)) for p in free]
    if part.entity is not None and _SAID.fullmatch(feature.deed):
        done = _done(feature, part) or f"{feature.deed.capitalize()} for {_thing(part)}"
        return f"{done}, with {_listed([f'the {label} {value}' for label, value in changes])}."
    if part.entity is not None and any(p.kind == "checkbox" for p in free):
        return _set(app, feature, part, rng)
    if part.entity is not None and [label for label, _ in changes] == ["name"]:
        return rng.choice(("Rename {0} to {1}.", "Change the name of {0} to {1}.")).format(_thing(part), changes[0][1])
    if part.entity is not None:
        forms = ("Change the {0} of {2} to {1}.", "Update the {0} of {2} to {1}.", "Edit {2}: its {0} should be {1}.")
        first = rng.choice(forms).format(*changes[0], _thing(part))
        more = [f"the {label} to {value}" for label, value in changes[1:]]
        return first if not more else f"{first[:-1]}, and {_listed(more)}."
    what = _listed([f"{_whose(app, feature)} {label} to {value}" for label, value in changes])
    return rng.choice(("Set {0}{1}.", "Change {0}{1}.")).format(what, _where(app, feature))


def _where(app: KnownApp, feature: Feature) -> str:
    word = app.place_word(feature)
    page = f" on the {_quoted(word)} page" if word else ""
    return f"{page} under {_quoted(feature.heading)}" if feature.heading else page


def _assign(feature: Feature, part: GoalPart, rng: random.Random) -> str:
    parameter = next(p for p in feature.parameters if p.key not in dict(feature.pinned))
    shown = _quoted(_choice(part, parameter).spoken)
    if re.search(r"\bto\b|assign|owner", f"{parameter.label} {dict(feature.pinned)}"):
        return rng.choice(("Assign {0} to {1}.", "Make {1} the owner of {0}.")).format(_thing(part), shown)
    return f"Make {shown} the {parameter.label} of {_thing(part)}."


def _set(app: KnownApp, feature: Feature, part: GoalPart, rng: random.Random) -> str:
    free = [p for p in feature.parameters if p.key not in dict(feature.pinned)]
    if not free:
        state = outcome_word(app, feature, part)
        if feature.pinned and (not state or _says_of_what(feature)):
            return _set_pinned(app, feature, part, rng)
        done = _done(feature, part) if not state and _SAID.fullmatch(feature.deed) else ""
        if done:
            return rng.choice(("{0}.", "Please {1}.")).format(done, done[0].lower() + done[1:])
        thing = _thing(part) if part.entity else f"the {feature.noun}"
        return rng.choice(("Mark {0} as {1}.", "Set {0} to {1}.")).format(thing, _quoted(state))
    parts = [_setting(p, _choice(part, p)) for p in free]
    if part.entity is not None:
        whose = f" of {_thing(part)}"
        return rng.choice(("Set {0}.", "Change {0}.")).format(
            _listed([f"the {label}{whose} to {value}" for label, value in parts])
        )
    named = [(_default_of(feature, label), value) for label, value in parts]
    return rng.choice(("Set {0}{1}.", "Change {0}{1}.")).format(
        _listed([f"{_whose(app, feature)} {label} to {value}" for label, value in named]), _where(app, feature)
    )


def _whose(app: KnownApp, feature: Feature) -> str:
    """What is kept under the signed-in user's name is the user's own."""
    rows = [row for row in feature.effects.rows if not row.optional]
    own = {b.value for row in rows for b in row.key.values() if isinstance(b, Fixed)}
    return "my" if app.exploration.user and app.exploration.user in own else "the"


def _says_of_what(feature: Feature) -> bool:
    """Whether the choice that is part of the feature stands under a label of its own, not under ``action``."""
    labels = {p.key: p.label for p in feature.parameters if p.kind == "select"}
    return all(key in labels and not _DOING.search(labels[key]) for key, _ in feature.pinned)


def _done(feature: Feature, part: GoalPart) -> str:
    """The words for the doing, with the thing in the place of its kind; empty where they leave no place for it."""
    said = re.sub(r"^(\W*\w+)\s+(?:the|this|a|an)\s+", r"\1 ", feature.deed[0].upper() + feature.deed[1:].lower())
    if part.entity is not None:
        many = inflection.pluralize(part.entity.noun)
        noun = re.compile(rf"\b(?:selected )?(?:{re.escape(part.entity.noun)}|{re.escape(many)})\b", re.IGNORECASE)
        if noun.search(said):
            said = noun.sub(lambda _: _thing(part), said, count=1)
        else:
            verb, _, rest = said.partition(" ")
            if _AFTER_THE_THING.match(rest):
                said = f"{verb} {_thing(part)} {rest}"
            elif not rest or _PARTICLE.fullmatch(rest):
                said = f"{said} {_thing(part)}"
            else:
                return ""  # ``Take one the book`` is no sentence
    return said


def _default_of(feature: Feature, label: str) -> str:
    """A default says of what: ``default component``, ``colour default for labels``."""
    if not label.endswith("default") or feature.noun in label or not feature.noun.isascii():
        return label
    return f"default {feature.noun}" if label == "default" else f"{label} for {inflection.pluralize(feature.noun)}"


def _set_pinned(app: KnownApp, feature: Feature, part: GoalPart, rng: random.Random) -> str:
    """A choice that is part of the feature, said by its label."""
    labels = {p.key: p.label for p in feature.parameters}
    asked = [_made(v, feature.noun) for _, v in feature.pinned]
    if part.entity is not None and len(asked) == 1 and asked[0]:
        return f"Make {_thing(part)} {asked[0]}."
    whose = f" of {_thing(part)}" if part.entity is not None else ""
    named = [(_without_new(labels.get(key, feature.noun)), v) for key, v in feature.pinned]
    what = _listed([f"the {label}{whose} to {_quoted(v)}" for label, v in named])
    where = "" if whose else _where(app, feature)
    return rng.choice(("Set {0}{1}.", "Change {0}{1}.")).format(what, where)


def _made(choice: str, noun: str) -> str:
    """What ``Make products public`` makes of a product; empty for a choice that is no such sentence."""
    found = re.match(r"(?:make|mark)\s+(?:(?:the|selected|as)\s+)*(?P<rest>\w.*)", choice, re.IGNORECASE)
    words = found["rest"].lower().split() if found else []
    return " ".join(w for w in words if inflection.singularize(w) not in noun.lower().split() and w != "as")


def _setting(parameter: Parameter, choice: Choice) -> tuple[str, str]:
    if parameter.kind == "checkbox":
        return f"option {_quoted(parameter.label)}", choice.typed or choice.value
    return _without_new(parameter.label), _quoted(choice.spoken)


def _without_new(label: str) -> str:
    """What a form calls the ``new status`` is the thing's status to everybody else."""
    return label.removeprefix("new ")


def outcome_word(app: KnownApp, feature: Feature, part: GoalPart) -> str:
    """What the thing becomes: the constant text that a changed column takes and did not have."""
    row = app.row(part.entity) if part.entity else {}
    found = []
    for effect in feature.effects.rows:
        if feature.entity is None or effect.table != feature.entity.table or effect.change != "changed":
            continue
        for column, binding in effect.cells.items():
            if isinstance(binding, Fixed) and isinstance(binding.value, str) and _is_state(app, binding.value):
                found.append((not row.get(column), column, binding.value))
    return min(found)[2] if found else ""


def _is_state(app: KnownApp, word: str) -> bool:
    """Whether a constant reads as a state: a word, no code of a letter, no user's name."""
    return len(word) > 1 and word.isalpha() and word not in app.people


def _search(app: KnownApp, feature: Feature, part: GoalPart, rng: random.Random) -> str:
    """Where several lists can be searched, the list is named and what it is searched by."""
    value = _quoted(part.choices[0].shown)
    others = [f for f in app.features.values() if f.operation == "search" and _end(f) != _end(feature)]
    if others and feature.heading and _end(feature) == feature.location.partition("?")[0]:
        label = feature.parameters[0].label
        sought = value if _ANYTHING.fullmatch(label) else f"the {label} {value}"
        forms = ("On the page {0}, search for {1}.", "Search the page {0} for {1}.", "Look for {1} on the page {0}.")
        return rng.choice(forms).format(_quoted(feature.heading), sought)
    return rng.choice(("Search for {0}.", "Look up {0} with the search.", "Use the search to find {0}.")).format(value)


def _end(feature: Feature) -> str:
    """The path where a search ends."""
    place = feature.effects.location
    return str(place.path.value) if place is not None and isinstance(place.path, Fixed) else ""


def _filter(feature: Feature, part: GoalPart, rng: random.Random) -> str:
    parts = [_setting(p, _choice(part, p)) for p in feature.parameters]
    what = _listed([f"{label} {value}" for label, value in parts])
    if len(parts) == 1 and _WHETHER.match(parts[0][0]):
        return f"On the page {_quoted(feature.heading)}, set {_quoted(parts[0][0])} to {parts[0][1]}."
    if len(parts) == 1 and _SORTING.fullmatch(parts[0][0]):
        return f"Sort the page {_quoted(feature.heading)} by {parts[0][1]}."
    if len(parts) == 1 and _BY.fullmatch(parts[0][0]):
        return f"On the page {_quoted(feature.heading)}, {what}."
    shown = [_choice(part, p).shown for p in feature.parameters if p.kind not in ("select", "radio")]
    if any(_VALUES.search(label) for label, _ in parts) or any(v.isdigit() for v in shown):
        what = _listed([f"the {label} to {value}" for label, value in parts])
        return f"On the page {_quoted(feature.heading)}, set {what}."
    forms = ("On the page {0}, show only {1}.", "Narrow the page {0} down to {1}.")
    return rng.choice(forms).format(_quoted(feature.heading), what)


def _read(feature: Feature, part: GoalPart, rng: random.Random) -> str:
    label, thing = feature.answer_label, _thing(part)
    if label.endswith(" by"):
        return rng.choice(("Who is {1} {0}?", "By whom is {1} {2}?")).format(label, thing, label.removesuffix(" by"))
    head = _OF.split(label)[0].split()  # of “number of vouchers” it is the number
    last = head[-1] if head else ""
    many = last.endswith("s") and inflection.pluralize(last) == last != inflection.singularize(last)
    verb = "are" if many else "is"
    forms = ("What {2} the {0} of {1}?", "Tell me the {0} of {1}.", "Look up {1}: what {2} its {0}?")
    return rng.choice(forms).format(label, thing, verb)
