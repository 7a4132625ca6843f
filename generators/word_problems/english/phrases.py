"""The phrases for a thing: `red pen`, `kilograms of flour`. They are built once per thing."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from generators.word_problems.english.inflection import plural
from generators.word_problems.english.vocabulary import MASSES, PLURALS
from generators.word_problems.forms import Thing

__all__ = ["Phrases", "phrases"]


class Phrases(NamedTuple):
    """The phrases that name a thing; `templates` explains its slots."""

    singular: str
    """red pen; kilogram of flour"""
    plural: str
    """red pens; kilograms of flour"""
    as_many: str
    """as many red pens; as much flour"""
    bare: str
    """as many; as much"""
    kind: str
    """What `bare` counts: red pens; flour"""
    stuff: str
    """The thing when it is packed, without its unit: red pens; flour"""
    stuff_are: str
    """red pens are; flour is"""
    each_singular: str
    """pen; kilogram"""
    each_plural: str
    """pens; kilograms"""


@lru_cache(8192)
def phrases(thing: Thing) -> Phrases:
    """The phrases for a thing. A noun that is on no list gets a regular plural."""
    entity, attribute, unit = thing
    before = f"{attribute} " if attribute else ""
    mass = entity in MASSES
    stuff = before + (entity if mass else PLURALS.get(entity) or plural(entity))
    if unit:
        units = PLURALS.get(unit) or plural(unit)
        single, many, each_one, each = f"{unit} of {stuff}", f"{units} of {stuff}", unit, units
    elif mass:
        single = many = each_one = each = stuff
    else:
        single, many, each_one, each = before + entity, stuff, entity, PLURALS.get(entity) or plural(entity)
    return Phrases(
        single,
        many,
        f"as much {stuff}" if mass else f"as many {many}",
        "as much" if mass else "as many",
        stuff if mass else many,
        stuff,
        f"{stuff} {'is' if mass else 'are'}",
        each_one,
        each,
    )
