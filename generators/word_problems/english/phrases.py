"""The phrases for a thing: `red pens`, `3 kilograms less flour`, `twice as many`. They are built once per thing.

A thing is named in full, in short or not at all: 3 red pens, 3 pens, 3; 3 jars of plum jam, 3 jars, 3.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from generators.word_problems.english.inflection import plural
from generators.word_problems.english.vocabulary import MASSES, MEASURES, PLURALS
from generators.word_problems.forms import Comparison, Container, Form, Question, Thing, Transfer

__all__ = ["BARE", "FULL", "SHORT", "Phrases", "alike", "extra_words", "naming_of", "phrases"]

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
