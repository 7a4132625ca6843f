"""Guesses for whole answers: the same for everybody, by a rule on the surface, or the commonest answer of some kind.

What is learned is learned for each number of characters and each question apart, and from all vocabularies together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence

from generators.answering.blind import BlindStrategy, Guess
from generators.item import Item
from generators.knights_knaves.blind.surface import denials, guessed, meaning, mentions, said, size, worded
from generators.knights_knaves.puzzles.asked import asks

__all__ = [
    "accused",
    "commonest",
    "cut",
    "denied",
    "denying_statements",
    "everybody",
    "plain_claims",
    "reputation",
    "share_denied",
]


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
