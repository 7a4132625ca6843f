"""The loader of the word lists in this folder: one entry per line, `#` for comments.

The order of a list determines every item made from it. Change a list only together with the version of the dataset.
"""

from __future__ import annotations

from importlib.resources import files

from generators.word_problems.english.inflection import plural
from generators.word_problems.wording import Vocabulary

__all__ = ["MASSES", "PLURALS", "PRONOUNS", "VOCABULARY"]


def _lines(name: str) -> list[str]:
    text = files("generators.word_problems.english").joinpath(f"{name}.txt").read_text("utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def _plurals(lines: list[str]) -> dict[str, str]:
    """Singular -> plural; a line without a second word has a regular plural."""
    pairs = (line.partition(" ") for line in lines)
    return {word: irregular or plural(word) for word, _, irregular in pairs}


def _fitting(name: str) -> list[tuple[str, list[str]]]:
    """(noun, followed by its plural if irregular; the words that it fits) of each line `noun: word word`."""
    return [(noun, fits.split()) for noun, _, fits in (line.partition(": ") for line in _lines(name))]


def _pairs(name: str) -> tuple[tuple[str, str], ...]:
    return tuple((word, noun.split()[0]) for noun, fits in _fitting(name) for word in fits)


_WOMEN = _lines("names_women")
_MEN = _lines("names_men")
_OBJECTS = _plurals(_lines("objects"))

PRONOUNS = dict.fromkeys(_WOMEN, ("she", "her")) | dict.fromkeys(_MEN, ("he", "his"))
"""Name -> (subject, possessive)."""

MASSES = frozenset(_lines("masses"))
"""Entities without a plural."""

_NOUNS = [noun for name in ("units", "containers") for noun, _ in _fitting(name)]
PLURALS = _OBJECTS | _plurals(_lines("goods")) | _plurals(_NOUNS)
"""Noun -> plural, for objects, goods, units and containers."""

VOCABULARY = Vocabulary(
    names=tuple(name for pair in zip(_WOMEN, _MEN, strict=True) for name in pair),
    countable=tuple(_OBJECTS),
    attributes=tuple(_lines("attributes")),
    measured=_pairs("units"),
    packed=tuple((noun, word) for word, noun in _pairs("containers")),
)
