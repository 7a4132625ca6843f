"""The story of a problem, the kinds of its sentences, and the phrases for its things."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from hansproof.generators.word_problems.english.vocabulary import HOMES, MASSES, MEASURES, PLURALS, SETTINGS, plural
from hansproof.generators.word_problems.forms import (
    Comparison,
    Container,
    Form,
    Problem,
    Question,
    Rate,
    Thing,
    Transfer,
)

__all__ = [
    "FULL",
    "HAPPENING",
    "Story",
    "alike",
    "eventful",
    "extra_words",
    "kinds",
    "naming_of",
    "phrases",
    "story_of",
]

HAPPENING = ("moving", "gain", "lose", "gain holders", "lose holders", "dividing")
"""Kinds of sentences in which something happens; all others say how things are."""


def kinds(problem: Problem) -> list[str]:
    """One kind per sentence, the question last.

    A question is `changed` or `reduced` exactly where something has come or gone since the amount that it asks for was
    first known: only then may it say after that, or in the end; and `reduced`, which may say left, where nothing of it
    has come.
    """
    forms, question = problem
    last: dict[tuple[str, Thing], str] = {}
    seen: list[str] = []
    told = []
    for place, form in enumerate(forms):
        if isinstance(form, Container):
            told.append("start" if not place else "also" if form.agent in seen else "other")
            last[form.agent, form.thing] = ""
            seen.append(form.agent)
        elif isinstance(form, Comparison):
            told.append("additive" if form.relation in "+-" else "multiplicative")
            for agent in (form.agent, form.other):
                last.setdefault((agent, form.thing), "")
            seen += (form.agent, form.other)
        elif isinstance(form, Transfer):
            alone = "gain" if form.receiver else "lose"
            # What happens to things of the setting does not fit the boxes that they come in.
            strange = (form.thing.entity, form.thing.unit) not in HOMES
            told.append("moving" if form.receiver and form.sender else f"{alone} holders" if strange else alone)
            for agent, sign in ((form.receiver, "changed"), (form.sender, "reduced")):
                own = agent, form.thing
                if own in last and last[own] != "changed":
                    last[own] = sign
            seen += (form.receiver, form.sender)
        else:
            divides = (form.agent, form.thing) in last
            told.append("dividing" if divides else "multiplying")
            last[form.agent, form.per if divides else form.thing] = "filled" if divides else ""
    signs = [last.get((agent, question.thing), "") for agent in question.agents]
    if question.kind == "count":
        asked = signs[0] or "count"
        # What one can do with things of the setting does not fit the boxes that they come in.
        holders = (question.thing.entity, question.thing.unit) not in HOMES and asked != "filled"
        told.append(f"{asked} holders" if holders else asked)
    else:
        changed = any(sign in ("changed", "reduced") for sign in signs)
        told.append(f"{question.kind} changed" if changed else question.kind)
    return told


def eventful(problem: Problem) -> bool:
    """Whether things change hands or are packed."""
    return any(isinstance(form, Transfer | Rate) for form in problem.forms)


_ELSEWHERE = ("own", "deliver", "keep", "look after")
"""Verbs that need no place, or another one."""


class Story(NamedTuple):
    """What all sentences of a problem share; plain data."""

    setting: str
    group: int
    voice: str
    """`had`: people have things; `did`: they do something with them; `spot`: the things are in places of theirs."""
    words: tuple[str, str]
    """Base form and past tense of the verb, or preposition and noun of the spot."""
    anchor: str
    """The place that the first sentence names, if it is none of the setting; else ""."""
    mate: str
    """What two people of the story are to each other."""
    first: str
    """How the first sentence is told: `open` by a sentence of the setting, `did`, `spot`, or "" for having."""


def story_of(problems: Sequence[Problem], bits: int) -> tuple[Story, bool]:
    """The story by 64 random bits; and whether all is about the same thing, which need not be named every time.

    Only where nothing changes hands and nothing is packed can people do anything else than have things.
    """
    things: dict[Thing, None] = {}
    quiet = True
    for problem in problems:
        quiet = quiet and not eventful(problem) and problem.question.kind == "count"
        for form in problem.forms:
            things[form.thing] = None
            if isinstance(form, Rate):
                things[form.per] = None
    homes = [HOMES[thing.entity, thing.unit] for thing in things if (thing.entity, thing.unit) in HOMES]
    setting, group = homes[0] if homes else (SETTINGS[0], SETTINGS[0].groups[0])
    first = problems[0].forms[0].thing if problems[0].forms else None
    at_home = first is not None and (first.entity, first.unit) in HOMES
    plain = len(things) < 2
    voice, words, anchor, start = "had", ("", ""), "", ""
    which, pick, place, friend = bits & 0xFF, bits >> 8 & 0xFF, bits >> 16 & 0xFF, bits >> 24 & 0xFF
    mate = setting.mates[friend % len(setting.mates)]
    quiet = quiet and plain
    if quiet and which < 236:
        voice = start = "did"
        # Nobody counts litres.
        verbs = [did for did in group.did if did[0] != "count" or first is None or first.unit not in MEASURES]
        words = verbs[pick % len(verbs)]
        anchor = setting.place[place % len(setting.place)] if words[0] not in _ELSEWHERE else ""
    elif quiet and which < 246:
        voice = start = "spot"
        words = setting.spot[pick % len(setting.spot)]
    elif not at_home:
        anchor = setting.place[place % len(setting.place)]
    else:
        start = "open"
    return Story(setting.name, setting.groups.index(group), voice, words, anchor, mate, start), plain


# A thing is named in full, in short or not at all: 3 red pens, 3 pens, 3; 3 jars of plum jam, 3 jars, 3.

FULL, SHORT, BARE = 0, 1, 2
"""How a sentence names a thing."""


class Phrases(NamedTuple):
    """The phrases that name a thing in one of the three ways; each is preceded by a number, a word or a space."""

    plural: str
    """` red pens` of 3 red pens; empty where the thing is not named."""
    singular: str
    more: str
    """` more red pens`; ` kilograms more flour`."""
    fewer: str
    """` fewer red pens`; ` kilograms less flour`."""
    one_more: str
    one_fewer: str
    as_many: str
    """` as many red pens`; ` as much flour`."""
    words: int
    """How many words `plural` has."""


@lru_cache(8192)
def phrases(thing: Thing, style: int = FULL) -> Phrases:
    """The phrases for a thing. A noun that is on no list gets a regular plural."""
    entity, attribute, unit = thing
    before = f"{attribute} " if attribute and style == FULL else ""
    if unit in MEASURES:
        units, of = PLURALS[unit], "" if style else f" of {before}{entity}"
        stuff = "" if style == BARE else f" {before}{entity}"
        tail = "" if style else stuff
        return Phrases(
            f" {units}{of}", f" {unit}{of}", f" {units} more{tail}", f" {units} less{tail}", f" {unit} more{tail}",
            f" {unit} less{tail}", f" as much{stuff}", 1 + of.count(" "),
        )  # fmt: skip
    if style == BARE:
        return Phrases("", "", " more", " fewer", " more", " fewer", " as many", 0)
    if unit:
        of = "" if style else f" of {before}{entity}"
        single, many = f" {unit}{of}", f" {PLURALS.get(unit) or plural(unit)}{of}"
    else:
        mass = entity in MASSES and entity not in PLURALS
        single, many = f" {before}{entity}", f" {before}{entity if mass else PLURALS.get(entity) or plural(entity)}"
    return Phrases(
        many, single, f" more{many}", f" fewer{many}", f" more{single}", f" fewer{single}", f" as many{many}",
        many.count(" "),
    )  # fmt: skip


def alike(thing: Thing, other: Thing) -> bool:
    """Whether two things may have the same short name."""
    return thing != other and thing.entity in (other.entity, other.unit)


def naming_of(line: Form | Question, place: int, chance: int, plain: bool, asks: bool, clear: bool) -> int:
    """How a sentence names its thing: in full at first, later often in short; not at all only where there is but one.

    An attribute is told once, at first.

    `clear` says that no other thing of the problem is called the same for short.
    """
    if not place:
        return FULL
    described = bool(line.thing.attribute)
    if not plain:
        return SHORT if clear and (described or chance > 90) else FULL
    if asks:
        return FULL if chance < 140 and not described else SHORT
    alone = isinstance(line, Container) or (isinstance(line, Transfer) and not (line.sender and line.receiver))
    return FULL if chance < 56 and not described else SHORT if chance < 112 or alone else BARE


def extra_words(line: Form | Question, naming: int) -> int:
    """How many words the number and the noun have beyond one for their slot."""
    words = phrases(line.thing, naming).words
    if isinstance(line, Question):
        return words - 1
    if not isinstance(line, Comparison):
        return words
    if line.relation in "+-":
        return words + 1
    named = words - 2 if line.thing.unit in MEASURES and naming == FULL else words
    return named + (2 if line.quantity == 2 else 3)
