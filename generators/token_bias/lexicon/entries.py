"""Reads the texts of this folder: lists of lines, entries under headings, and the people of an item."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

__all__ = ["GENDERS", "NAMES", "Entry", "entries", "gendered", "listed", "sections"]

# A heading is `[theme]` or `[theme/place]`, with or without ` near: place, place` after it; `#` starts a comment. The
# order of a file is part of every item made from it: change one only together with the version of the dataset.

_FOLDER = "hansproof.generators.token_bias.lexicon"
_PRONOUNS = {
    "woman": {"he": "she", "him": "her", "his": "her", "himself": "herself", "He": "She", "His": "Her"},
    "man": {word: word for word in ("he", "him", "his", "himself", "He", "His")},
}


@dataclass(frozen=True, eq=False)
class Entry:
    """One entry: a persona, a story, a disease."""

    name: str
    """Where it stands: `birds-2`."""
    theme: str
    """What it shares with the entries that are like it: `nature`."""
    values: dict[str, str]
    near: frozenset[str] = frozenset()
    """Places of other themes with which it might be confused."""

    @property
    def place(self) -> str:
        """`birds` of `birds-2`."""
        return self.name.rpartition("-")[0]


@cache
def listed(name: str) -> tuple[str, ...]:
    """The lines of `name.txt`."""
    text = files(_FOLDER).joinpath(f"{name}.txt").read_text("utf-8")
    return tuple(line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#"))


@cache
def sections(name: str) -> Mapping[str, tuple[str, ...]]:
    """Heading -> the lines under it, of `name.txt`."""
    made: dict[str, list[str]] = {}
    for line in listed(name):
        if line.startswith("["):
            made[line[1:-1]] = []
        else:
            made[next(reversed(made))].append(line)
    return {heading: tuple(lines) for heading, lines in made.items()}


@cache
def entries(*names: str) -> tuple[Entry, ...]:
    """The entries of several files, in order. The first key of an entry opens it."""
    lines = [line for name in names for line in listed(name)]
    first = next(line.partition(": ")[0] for line in lines if not line.startswith("["))
    made: list[Entry] = []
    theme = place = ""
    near: frozenset[str] = frozenset()
    count = 0
    for line in lines:
        if line.startswith("["):
            heading, _, others = line.removeprefix("[").partition("]")
            theme, _, place = heading.partition("/")
            near = frozenset(others.removeprefix(" near: ").split(", ")) if others else frozenset()
            count = 0
            continue
        key, _, value = line.partition(": ")
        if key == first:
            count += 1
            made.append(Entry(f"{place or theme}-{count}", theme, {}, near))
        made[-1].values[key] = value
    return tuple(made)


def gendered(text: str, gender: str) -> str:
    """The text with {he}, {him}, {his} and {himself} put for a `woman` or a `man`; {name} and the like stay."""
    for word, pronoun in _PRONOUNS[gender].items():
        text = text.replace("{" + word + "}", pronoun)
    return text


GENDERS = ("woman", "man")
"""As `metadata.gender` has them."""

NAMES = {"woman": listed("names_women"), "man": listed("names_men")}
"""Gender -> given names, of many origins, none of them in both lists."""
