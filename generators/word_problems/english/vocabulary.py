"""The words of English: settings, names, nouns with what one person may have of them, and inflection."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from typing import NamedTuple

from hansproof.generators.errors import InputError
from hansproof.generators.word_problems.forms import Stock, Thing, Vocabulary

__all__ = [
    "HOMES",
    "MASSES",
    "MEASURES",
    "PARTS",
    "PLURALS",
    "PRONOUNS",
    "SETTINGS",
    "TIMES",
    "VOCABULARY",
    "Setting",
    "plural",
]

# The word lists spell out irregular plurals; nothing here guesses them.

TIMES = {2: "twice", 3: "three times", 4: "four times", 5: "five times", 6: "six times"}
PARTS = {2: "half", 3: "a third", 4: "a quarter", 5: "a fifth", 6: "a sixth"}
"""What stands before `as many`, by the factor; no design has another."""


def plural(noun: str) -> str:
    """The regular plural: watch -> watches, cherry -> cherries, toy -> toys."""
    if noun.endswith(("s", "x", "z", "ch", "sh")):
        return noun + "es"
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + "s"


# A file of `settings` has lines `key: text`, then nouns in groups. `open` is a first sentence, which names a `place`;
# `event` lists circumstances in order of time; `at` is the place in short, `close` the end, `habit` what people do
# there; `intro`, a day, may precede a first sentence; `mate` is what they are to each other. Of each group of nouns,
# `did` is what one does with them (base form, past tense), `gain` and `lose` say how they come and go, and `habit`
# overrides that of the setting. A noun line is `noun[/plural] [of stuff] [least-]most[: attribute, attribute]`, the
# bounds being what one person may plausibly have.

_FOLDER = "hansproof.generators.word_problems.english"
NAMES = (
    "allotment", "bakery", "beach", "building", "camp", "classroom", "collectors", "crafts", "farm", "football",
    "jumble", "kitchen", "library", "market", "office", "orchard", "party", "tailor", "theatre", "woods",
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
        tuple(_nouns(lines[""], name)),
    )


def _keyed(text: str, name: str) -> dict[str, list[str]]:
    """Key -> its texts in order; nouns have the key ""."""
    lines: dict[str, list[str]] = {}
    for line in text.splitlines():
        match = re.match(r"(open|event|at|habit|close|place|intro|too|mate|did|gain|lose): ", line)
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

# The order of the lists determines every item made from them: change them only together with the dataset's version.


def _names(name: str) -> list[str]:
    text = files("hansproof.generators.word_problems.english").joinpath(f"{name}.txt").read_text("utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


_WOMEN, _MEN = _names("names_women"), _names("names_men")

PRONOUNS = dict.fromkeys(_WOMEN, ("she", "her", "her")) | dict.fromkeys(_MEN, ("he", "his", "him"))
"""Name -> (subject, possessive, object)."""

MEASURES = ("kilogram", "gram", "litre", "millilitre", "metre")
"""Units of what is measured: less flour. All other units and nouns are counted: fewer bags of flour."""

HOMES: dict[tuple[str, str], tuple[Setting, int]] = {}
"""(entity, unit) -> the setting, and the number of the group there, to which it belongs."""

PLURALS: dict[str, str] = {}
"""Noun -> plural, for whatever is counted: things and units."""

MASSES = frozenset(noun.stuff for setting in SETTINGS for group in setting.groups for noun in group.nouns if noun.stuff)
"""What stands after the `of` of a unit, as it is written there: flour, socks."""


def _stocked() -> tuple[Stock, ...]:
    stock = []
    for setting in SETTINGS:
        for number, group in enumerate(setting.groups):
            for singular, irregular, stuff, least, most, attributes in group.nouns:
                PLURALS[singular] = irregular or plural(singular)
                thing = Thing(stuff, "", singular) if stuff else Thing(singular)
                assert (thing.entity, thing.unit) not in HOMES, thing
                HOMES[thing.entity, thing.unit] = setting, number
                stock.append(Stock(thing, least, most, attributes))
    return tuple(stock)


VOCABULARY = Vocabulary(names=tuple(name for pair in zip(_WOMEN, _MEN, strict=True) for name in pair), stock=_stocked())
