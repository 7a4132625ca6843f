"""The vocabulary of English: names, and the nouns of all settings with what one person may plausibly have of them.

The order of the lists determines every item made from them. Change them only together with the version of the dataset.
"""

from __future__ import annotations

from importlib.resources import files

from generators.word_problems.english.inflection import plural
from generators.word_problems.english.scenery import SETTINGS, Group, Setting
from generators.word_problems.forms import Thing
from generators.word_problems.wording import Stock, Vocabulary

__all__ = ["HOMES", "MASSES", "MEASURES", "PLURALS", "PRONOUNS", "VOCABULARY"]


def _names(name: str) -> list[str]:
    text = files("generators.word_problems.english").joinpath(f"{name}.txt").read_text("utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


_WOMEN, _MEN = _names("names_women"), _names("names_men")

PRONOUNS = dict.fromkeys(_WOMEN, ("she", "her", "her")) | dict.fromkeys(_MEN, ("he", "his", "him"))
"""Name -> (subject, possessive, object)."""

MEASURES = ("kilogram", "gram", "litre", "millilitre", "metre")
"""Units of what is measured: less flour. All other units and nouns are counted: fewer bags of flour."""

HOMES: dict[tuple[str, str], tuple[Setting, Group]] = {}
"""(entity, unit) -> the setting and the group that it belongs to."""

PLURALS: dict[str, str] = {}
"""Noun -> plural, for whatever is counted: things, units and containers."""

MASSES = frozenset(noun.stuff for setting in SETTINGS for group in setting.groups for noun in group.nouns if noun.stuff)
"""What stands after the `of` of a unit, as it is written there: flour, socks."""


def _stocked() -> tuple[Stock, ...]:
    stock = []
    for setting in SETTINGS:
        for group in setting.groups:
            for _, held in group.holders:
                PLURALS.update((holder, plural(holder)) for holder, _ in held)
            for singular, irregular, stuff, least, most, attributes in group.nouns:
                PLURALS[singular] = irregular or plural(singular)
                thing = Thing(stuff, "", singular) if stuff else Thing(singular)
                assert (thing.entity, thing.unit) not in HOMES, thing
                HOMES[thing.entity, thing.unit] = setting, group
                name = f"{singular} of {stuff}" if stuff else singular
                holders = tuple(
                    (Thing(holder), top) for nouns, held in group.holders if name in nouns for holder, top in held
                )
                stock.append(Stock(thing, least, most, setting.name, attributes, holders))
    return tuple(stock)


VOCABULARY = Vocabulary(
    names=tuple(name for pair in zip(_WOMEN, _MEN, strict=True) for name in pair),
    stock=_stocked(),
)
