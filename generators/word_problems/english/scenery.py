"""The settings of stories, one file each in `settings`: what people have there, and the words that belong to the place.

A file has lines `key: text`, then nouns in groups. `open` is a first sentence, which names a `place`, and no container;
`event` lists circumstances in order of time; `at` is the place in short, `close` the end of the story, and `habit` what
people do there; `intro`, a day, may precede a first sentence without `^`; `mate` is what
they are to each other, and `spot` a place of each person's own. Of each group of
nouns, `did` is what one does with them (base form, past tense), `gain` and `lose` say how they come and go, `habit`
overrides that of the setting, and `in` lists containers, how many there may be, and what comes in them by the
half-dozen. Nobody is named by the same word in two sentences of a group, nor is `the` said of anything that the
opening does not name.
A noun line is `noun[/plural] [of stuff] [least-]most[: attribute, attribute]`, the bounds being
what one person may plausibly have.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from typing import NamedTuple

from generators.errors import InputError

__all__ = ["SETTINGS", "Group", "Noun", "Setting"]

_FOLDER = "generators.word_problems.english"
NAMES = (
    "allotment", "bakery", "beach", "building", "camp", "classroom", "collectors", "crafts", "farm", "football",
    "jumble", "kitchen", "library", "market", "office", "orchard", "party", "playground", "tailor", "theatre", "woods",
    "workshop",
)  # fmt: skip
"""The settings in the order in which nouns are drawn; a setting that is added comes last."""

_NOUN = re.compile(r"([^0-9/:]+?)(?:/([a-z ]+?))?(?: of ([a-z ]+?))? (?:(\d+)-)?(\d+)(?:: (.+))?")


class Noun(NamedTuple):
    """A line of a group: `loaf/loaves of bread 300` is Noun("loaf", "loaves", "bread", 2, 300, ())."""

    singular: str
    irregular: str
    """Its plural if it is irregular, else ""."""
    stuff: str
    """What the noun is a unit of: the bread of a loaf; "" if it is counted itself."""
    least: int
    most: int
    attributes: tuple[str, ...]


class Group(NamedTuple):
    """Nouns with the same verbs and containers."""

    did: tuple[tuple[str, str], ...]
    gain: tuple[str, ...]
    lose: tuple[str, ...]
    habits: tuple[str, ...]
    """What people do with them, as in Setting."""
    holders: tuple[tuple[frozenset[str], tuple[tuple[str, int], ...]], ...]
    """(nouns, (container, how many one person may have) for each that they come in by the half-dozen)."""
    nouns: tuple[Noun, ...]


class Setting(NamedTuple):
    """A place where stories happen."""

    name: str
    open: tuple[str, ...]
    event: tuple[str, ...]
    close: tuple[str, ...]
    at: str
    habits: tuple[str, ...]
    """`trade`: people buy and sell things there; `bulky`: nobody hands them over."""
    place: tuple[str, ...]
    intro: tuple[str, ...]
    mates: tuple[str, ...]
    too: tuple[str, ...]
    """How somebody is brought in who is first named in the middle; empty where it suffices that they are there, too."""
    spot: tuple[tuple[str, str], ...]
    """(preposition, noun)."""
    groups: tuple[Group, ...]


def _read(name: str) -> Setting:
    text = files(_FOLDER).joinpath(f"settings/{name}.txt").read_text("utf-8")
    head, *groups = re.split(r"^group: .*\n", text, flags=re.MULTILINE)
    lines = _keyed(head, name)
    texts = {key: tuple(values) for key, values in lines.items()}
    return Setting(
        name=name,
        open=texts["open"],
        event=texts["event"],
        at=texts["at"][0],
        habits=tuple(texts["habit"][0].split(", ")),
        close=texts["close"],
        place=texts["place"],
        intro=texts.get("intro", ()),
        mates=texts["mate"],
        too=texts.get("too", ()),
        spot=tuple((preposition, noun) for preposition, _, noun in (line.partition(" ") for line in texts["spot"])),
        groups=tuple(_group(text, name, lines["habit"]) for text in groups),
    )


def _group(text: str, name: str, habit: list[str]) -> Group:
    lines = _keyed(text, name)
    return Group(
        tuple(
            (base.replace("_", " "), past.replace("_", " "))
            for base, _, past in (line.partition(" ") for line in lines["did"])
        ),
        tuple(lines["gain"]),
        tuple(lines["lose"]),
        tuple(lines.get("habit", habit)[0].split(", ")),
        tuple(_holders(line) for line in lines.get("in", ())),
        tuple(_nouns(lines[""], name)),
    )


def _holders(line: str) -> tuple[frozenset[str], tuple[tuple[str, int], ...]]:
    holders, _, nouns = line.partition(" < ")
    each = (holder.rpartition(" ") for holder in holders.split(", "))
    return frozenset(nouns.split(", ")), tuple((noun, int(most)) for noun, _, most in each)


def _keyed(text: str, name: str) -> dict[str, list[str]]:
    """Key -> its texts in order; nouns have the key ""."""
    lines: dict[str, list[str]] = {}
    for line in text.splitlines():
        match = re.match(r"(open|event|at|habit|close|place|intro|too|mate|spot|did|gain|lose|in): ", line)
        lines.setdefault(match[1] if match else "", []).append(line[match.end() :] if match else line)
    return lines


def _nouns(lines: list[str], name: str) -> Iterator[Noun]:
    for line in lines:
        match = _NOUN.fullmatch(line)
        if match is None:
            raise InputError(f"{line!r} is not a noun with a bound, such as 'roll 600: crusty'", f"settings/{name}.txt")
        singular, irregular, stuff, least, most, attributes = match.groups(default="")
        yield Noun(
            singular, irregular, stuff, int(least or 2), int(most), tuple(attributes.split(", ") if attributes else ())
        )


SETTINGS = tuple(_read(name) for name in NAMES)
"""Every setting, in the order of NAMES."""
