"""Scores of model replies: whole puzzles, single characters, by set and size, beside what guessing gives.

Items come from a release, replies from a model; pure functions from both to records, after TruthQuest (Mondorf and
Plank, 2024): a puzzle is right only if every character is right, and an unparsed reply is wrong and counted apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import nan

from generators.errors import InputError
from generators.item import Item
from generators.knights_knaves.reply import Reading, read_number, read_one, read_reply

__all__ = ["Baselines", "Score", "baselines", "score", "score_all"]


@dataclass(frozen=True)
class Score:
    """One reply against one item."""

    id: str
    set: str
    """Which kinds of statement occur: S, I, E, ..."""
    n: int
    """Characters of the puzzle."""
    right: bool
    """Whether the whole answer is right: every character, every solution, the number of solutions."""
    parsed: bool
    """Whether the reply had a clear answer at all."""
    characters: int
    """Characters that were asked for: n, 1, or 0 where the answer is not one assignment."""
    characters_right: int
    """How many of them are right; 0 where the reply is unparsed or says that there is no one solution."""
    reason: str
    """Why it is unparsed, or how it is wrong, in words; empty where it is right."""


@dataclass(frozen=True)
class Baselines:
    """What answers without reading reach on the items of one set and size."""

    set: str
    n: int
    items: int
    random: float
    """Mean chance of a uniform guess: 2^-n, or 1 / number of choices. NaN where answers are open lists."""
    majority: float
    """Share of the most frequent answer: what always giving that one reaches."""
    majority_character: float
    """Share of the commoner identity among all characters asked for. NaN where there are none."""


def score(item: Item, reply: str | None) -> Score:
    """The score of one reply; None is a missing reply, which is unparsed.

    Items with `choices` none, one, several are read as numbers, items with `metadata["asked"]` as one character,
    the others as assignments; where a puzzle has not exactly one solution, every solution must be listed and
    nothing else, or `no solution` said. Raises InputError where the metadata is not that of a puzzle.
    """
    names, terms, solutions = _puzzle(item)
    text = reply or ""
    if item.choices and "several" in item.choices:
        return _of_number(item, read_number(text), reply)
    asked = item.metadata.get("asked")
    if asked is not None:
        if asked not in names:
            raise InputError(f"item {item.id!r}: metadata.asked is {asked!r}, not one of {', '.join(names)}")
        return _of_reading(item, read_one(text, asked, terms), [solutions[0][names.index(asked)]], reply)
    return _of_reading(item, read_reply(text, names, terms, several=len(solutions) != 1), solutions, reply)


def score_all(items: Sequence[Item], replies: Mapping[str, str | None]) -> list[Score]:
    """The scores of replies keyed by item id, in the order of `items`; a missing reply is unparsed.

    Raises InputError for replies whose id no item has, since they would otherwise vanish from the mean.
    """
    known = {item.id for item in items}
    if len(known) < len(items):
        raise InputError("two items have one id; score each subset's file once")
    strange = sorted(id for id in replies if id not in known)
    if strange:
        raise InputError(f"{len(strange)} replies belong to no item, the first one to {strange[0]!r}")
    return [score(item, replies.get(item.id)) for item in items]


def baselines(items: Sequence[Item]) -> list[Baselines]:
    """Random and majority baselines by set and n, in order of first occurrence, computed from the golds alone."""
    groups: dict[tuple[str, int], list[Item]] = {}
    for item in items:
        _puzzle(item)
        groups.setdefault((item.metadata["set"], item.metadata["n"]), []).append(item)
    found = []
    for (set_, n), some in groups.items():
        answers = Counter(_gold(item) for item in some)
        identities = Counter("".join(_gold(item) for item in some if _characters(item)))
        chances = [1 / len(item.choices) if item.choices else 2.0**-n for item in some]
        one_each = all(item.choices or len(item.metadata["solutions"]) == 1 for item in some)
        most = max(identities.values()) / identities.total() if identities else nan
        random = sum(chances) / len(some) if one_each else nan
        found.append(Baselines(set_, n, len(some), random, max(answers.values()) / len(some), most))
    return found


def _puzzle(item: Item) -> tuple[list[str], list[str], list[str]]:
    """Names, terms and solutions, after a look at what `score` and `baselines` rely on."""
    data = item.metadata
    missing = [key for key in ("names", "terms", "solutions", "n", "set") if key not in data]
    if missing:
        raise InputError(f"item {item.id!r}: metadata lacks {', '.join(missing)}; is it of knights-knaves?")
    names, terms, solutions = list(data["names"]), list(data["terms"]), list(data["solutions"])
    wrong = [one for one in solutions if len(one) != len(names) or set(one) - {"K", "N"}]
    if data["n"] != len(names) or wrong:
        raise InputError(f"item {item.id!r}: n, names and solutions do not fit each other")
    if "asked" in data and len(solutions) != 1:
        raise InputError(f"item {item.id!r}: asks for one character, but has {len(solutions)} solutions")
    return names, terms, solutions


def _characters(item: Item) -> int:
    """How many characters an item asks for; 0 where it asks for a number or for a list of solutions."""
    if item.choices and "several" in item.choices:
        return 0
    if item.metadata.get("asked") is not None:
        return 1
    return int(item.metadata["n"]) if len(item.metadata["solutions"]) == 1 else 0


def _gold(item: Item) -> str:
    solutions = item.metadata["solutions"]
    asked = item.metadata.get("asked")
    if item.choices and "several" in item.choices:
        return item.answer
    return solutions[0][item.metadata["names"].index(asked)] if asked is not None else "|".join(solutions)


def _of_number(item: Item, read: str, reply: str | None) -> Score:
    right = read == item.answer
    reason = "" if right else f"says {read}" if read else _lacking(reply, "no line is one of the words asked for")
    data = item.metadata
    return Score(item.id, data["set"], data["n"], right, bool(read), 0, 0, reason)


def _of_reading(item: Item, reading: Reading, solutions: Sequence[str], reply: str | None) -> Score:
    parsed = reading.kind != "unparsed"
    right = parsed and sorted(reading.solutions) == sorted(solutions)
    if not solutions:
        right = reading.kind == "none"
    elif reading.kind == "none":
        right = False
    characters = len(solutions[0]) if len(solutions) == 1 else 0
    hits = 0
    if characters and reading.kind == "identities":
        hits = sum(said == true for said, true in zip(reading.solutions[0], solutions[0], strict=True))
    data = item.metadata
    reason = "" if right else _wrong(reading, hits, characters) if parsed else _lacking(reply, reading.reason)
    return Score(item.id, data["set"], data["n"], right, parsed, characters, hits, reason)


def _wrong(reading: Reading, hits: int, characters: int) -> str:
    if reading.kind == "none":
        return "says that there is no solution"
    if reading.kind == "several":
        return f"lists {len(reading.solutions)} solutions" if reading.solutions else "says several, but lists none"
    return f"{hits} of {characters} characters are right" if characters else "gives one solution"


def _lacking(reply: str | None, reason: str) -> str:
    return "there is no reply" if reply is None else reason
