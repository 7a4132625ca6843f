"""The phrases for a thing: `red pens`, `3 kilograms less flour`, `twice as many`. They are built once per thing.

A thing is named in full, in short or not at all: 3 red pens, 3 pens, 3; 3 jars of plum jam, 3 jars, 3.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from generators.word_problems.english.inflection import plural
from generators.word_problems.english.vocabulary import MASSES, MEASURES, PLURALS
from generators.word_problems.forms import Thing

__all__ = ["BARE", "FULL", "SHORT", "Phrases", "phrases"]

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
