"""What a blind strategy sees of a puzzle, and how it guesses characters and whole answers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache

from hansproof.generators.answering.scorer import BlindStrategy, Guess
from hansproof.generators.item import Item
from hansproof.generators.knights_knaves.puzzle import answer, asks

__all__ = [
    "accused",
    "by_character",
    "commonest",
    "cut",
    "denials",
    "denied",
    "denying_statements",
    "everybody",
    "guessed",
    "identified",
    "mentions",
    "plain_claims",
    "profile",
    "reputation",
    "said",
    "share_denied",
    "size",
    "statement",
    "talk",
]


# What a blind strategy sees of a puzzle, and how it puts a guess.
#
# It sees who speaks when, the kind of each statement, whom it names, and which of them it calls no truth-teller.

_MENTION = re.compile(r"(~?)([A-Z]+)")


@lru_cache(maxsize=65_536)
def said(notation: str) -> tuple[tuple[int, bool], ...]:
    """(the place of a character, whether it is denied to be a truth-teller) for each mention in a statement."""
    told = [(_place(letters), bool(denial)) for denial, letters in _MENTION.findall(notation)]
    if notation.startswith("(("):  # an alternative names its condition once, the notation twice
        del told[2]
    return tuple(told)


def _place(letters: str) -> int:
    place = 0
    for letter in letters:  # A ... Z, AA, AB, ... as in a spreadsheet
        place = place * 26 + ord(letter) - 64
    return place - 1


def mentions(item: Item) -> list[tuple[int, bool]]:
    """All mentions of a puzzle, statement by statement."""
    return [mention for notation in item.metadata["statements"] for mention in said(notation)]


def denials(item: Item) -> int:
    """How many mentions call somebody no truth-teller."""
    return sum(denied for _, denied in mentions(item))


def size(item: Item) -> int:
    """The number of characters."""
    return len(item.metadata["names"])


def meaning(item: Item) -> str | None:
    """The answer of a learned item, whatever its words: K and N for the characters asked about, else as it stands."""
    if item.answer is None or asks(item) not in ("all", "one"):
        return item.answer
    truthful = item.metadata["terms"][0]
    return "".join("K" if part.rpartition(": ")[2] == truthful else "N" for part in item.answer.split("; "))


def guessed(item: Item, truthful: Callable[[int], bool]) -> Guess:
    """The answer in which the characters for whom `truthful` holds tell the truth and the others lie.

    None where the item asks for a number or for a list of solutions: one assignment is no answer to that.
    """
    ask = asks(item)
    if ask == "one":
        return worded(item, "K" if truthful(item.metadata["names"].index(item.metadata["asked"])) else "N")
    if ask != "all":
        return None
    return worded(item, "".join("K" if truthful(place) else "N" for place in range(size(item))))


def worded(item: Item, meant: str | None) -> Guess:
    """The answer of `item` that means this, in its own words."""
    ask = asks(item)
    if meant is None or ask not in ("all", "one"):
        return meant
    terms = item.metadata["terms"]
    if ask == "one":
        return str(terms["KN".index(meant)])
    return answer((meant,), tuple(item.metadata["names"]), (terms[0], terms[1]))


# Guesses character by character: each is what most characters like it were.


def by_character(name: str, description: str, feature: Callable[[Item, int], Hashable]) -> BlindStrategy:
    """Each character is what most characters with the same `feature` were (ties: lying); all of them for a new one."""

    def answers(learned: Sequence[Item], asked: Sequence[Item]) -> list[Guess]:
        balance: Counter[Hashable] = Counter()
        overall = 0
        for item in learned:
            for place, truthful in identified(item):
                balance[feature(item, place)] += 1 if truthful else -1
                overall += 1 if truthful else -1

        def guess(item: Item) -> Guess:
            return guessed(item, lambda place: balance.get(feature(item, place), overall) > 0)

        return [guess(item) for item in asked]

    return BlindStrategy(name, description, answers, learns=True)


def identified(item: Item) -> list[tuple[int, bool]]:
    """(place, whether truthful) of each character whom the answer of a learned item identifies."""
    ask, meant = asks(item), meaning(item)
    if ask not in ("all", "one") or meant is None:
        return []
    if ask == "one":
        return [(item.metadata["names"].index(item.metadata["asked"]), meant == "K")]
    return [(place, kind == "K") for place, kind in enumerate(meant)]


def statement(item: Item, place: int) -> tuple[str, int]:
    """The kind of what a character says, and how many it denies to be truth-tellers."""
    notation = item.metadata["statements"][place]
    return item.metadata["kinds"][place], sum(no for _, no in said(notation))


def talk(item: Item, place: int) -> tuple[int, int]:
    """How often a character is called no truth-teller, and how often one, up to two each."""
    told = [no for character, no in mentions(item) if character == place]
    return min(sum(told), 2), min(len(told) - sum(told), 2)


def profile(item: Item, place: int) -> tuple[Hashable, ...]:
    """Both together."""
    return *statement(item, place), *talk(item, place)


# Guesses for whole answers: the same for everybody, by a rule on the surface, or the commonest answer of some kind.
#
# What is learned is learned for each number of characters and each question apart, and from all vocabularies together.


def everybody(item: Item, truthful: bool) -> Guess:
    """Everybody tells the truth, or everybody lies."""
    return guessed(item, lambda place: truthful)


def plain_claims(item: Item) -> Guess:
    """Everybody truthful if accusations and conjunctions deny nothing, otherwise everybody lying."""
    told = zip(item.metadata["kinds"], item.metadata["statements"], strict=True)
    denies = any("~" in notation for kind, notation in told if kind in ("accusation", "conjunction"))
    return everybody(item, not denies)


def accused(item: Item) -> Guess:
    """Whoever is accused of lying lies, all others are truthful."""
    told = zip(item.metadata["kinds"], item.metadata["statements"], strict=True)
    liars = {place for kind, notation in told if kind == "accusation" for place, no in said(notation) if no}
    return guessed(item, lambda place: place not in liars)


def denied(item: Item) -> Guess:
    """Whoever is called no truth-teller anywhere lies, all others are truthful."""
    liars = {place for place, no in mentions(item) if no}
    return guessed(item, lambda place: place not in liars)


def reputation(item: Item) -> Guess:
    """Whoever is called a truth-teller more often than not is one, all others lie."""
    balance: Counter[int] = Counter()
    for place, no in mentions(item):
        balance[place] += -1 if no else 1
    return guessed(item, lambda place: balance[place] > 0)


def commonest(name: str, description: str, feature: Callable[[Item], Hashable]) -> BlindStrategy:
    """The commonest answer among learned items with the same `feature`; of all of the same size for a new one."""

    def answers(learned: Sequence[Item], asked: Sequence[Item]) -> list[Guess]:
        known: dict[Hashable, Counter[str]] = {}
        for item in learned:
            meant = meaning(item)
            if meant is not None:
                known.setdefault((_kind(item), feature(item)), Counter())[meant] += 1
                known.setdefault(_kind(item), Counter())[meant] += 1
        best = {key: min(counts, key=lambda meant: (-counts[meant], meant)) for key, counts in known.items()}
        return [worded(item, best.get((_kind(item), feature(item)), best.get(_kind(item)))) for item in asked]

    return BlindStrategy(name, description, answers, learns=True)


def _kind(item: Item) -> tuple[int, str]:
    return size(item), asks(item)


def cut(name: str, description: str, amount: Callable[[Item], float]) -> BlindStrategy:
    """Everybody truthful up to a learned `amount`, everybody lying above it.

    The cut is the one that is right most often among the learned items of the same size (ties: the lowest).
    """

    def answers(learned: Sequence[Item], asked: Sequence[Item]) -> list[Guess]:
        gains: dict[int, Counter[float]] = {}  # by size and amount: right answers gained where the cut includes it
        for item in learned:
            gain = (item.answer == everybody(item, True)) - (item.answer == everybody(item, False))
            gains.setdefault(size(item), Counter())[amount(item)] += gain
        cuts = {n: _best(gained) for n, gained in gains.items()}
        return [everybody(item, amount(item) <= cuts.get(size(item), float("-inf"))) for item in asked]

    return BlindStrategy(name, description, answers, learns=True)


def _best(gains: Counter[float]) -> float:
    cut, best, total = float("-inf"), 0, 0
    for value in sorted(gains):
        total += gains[value]
        if total > best:
            cut, best = value, total
    return cut


def share_denied(item: Item) -> float:
    """The share of mentions that are denials; 0 where nobody is mentioned."""
    told = mentions(item)
    return denials(item) / len(told) if told else 0.0


def denying_statements(item: Item) -> float:
    """How many statements deny something."""
    return sum(any(no for _, no in said(notation)) for notation in item.metadata["statements"])
