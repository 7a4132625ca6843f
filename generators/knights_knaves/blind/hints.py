"""A strategy that adds up all single hints: what a character says, and how each of the others speaks of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Sequence
from math import log

from generators.answering.blind import BlindStrategy, Guess
from generators.item import Item
from generators.knights_knaves.blind.characters import known
from generators.knights_knaves.blind.surface import guessed, said

__all__ = ["ALL_HINTS"]

_NAME = re.compile(r"[A-Z]+")

Hint = tuple[Hashable, ...]


def _answers(learned: Sequence[Item], asked: Sequence[Item]) -> list[Guess]:
    """Naive Bayes over the hints of a character: each counts by how often characters with it were truthful."""
    seen: Counter[tuple[Hint, bool]] = Counter()
    for item in learned:
        hints = _hints(item)
        for place, truthful in known(item):
            seen.update((hint, truthful) for hint in hints[place])

    def leaning(hint: Hint) -> float:
        return log((seen[hint, True] + 1) / (seen[hint, False] + 1))

    def guess(item: Item) -> Guess:
        leanings = [sum(map(leaning, hints)) for hints in _hints(item)]
        return guessed(item, lambda place: leanings[place] > 0)

    return [guess(item) for item in asked]


def _hints(item: Item) -> list[list[Hint]]:
    """By character: its own statement without the names, and every mention of it."""
    statements, kinds = item.metadata["statements"], item.metadata["kinds"]
    hints: list[list[Hint]] = [
        [("says", _NAME.sub("_", text), kind)] for text, kind in zip(statements, kinds, strict=True)
    ]
    for speaker, text in enumerate(statements):
        for order, (character, denied) in enumerate(said(text)):
            if character < len(hints):
                hints[character].append(("told", kinds[speaker], order, denied, character == speaker))
    return hints


ALL_HINTS = BlindStrategy(
    "all-hints",
    "guesses each character from its statement and from the kind, place and polarity of every mention of it: hints "
    "that are added up",
    _answers,
    learns=True,
)
"""The strongest strategy that looks at one statement at a time."""
