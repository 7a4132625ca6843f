"""Blind strategies: ways to answer without the ability that an item asks for.

A family declares those that might work on its items; the release command, the card and `score` report how often each
of them is right, beside chance. A strategy may learn: it sees the items of one part with their answers and answers
those of another, so it can be measured on the items that it learned from and on items that it has not seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from generators.item import Item

__all__ = ["BlindStrategy", "Guess", "constant", "copying", "option", "rule", "target_of"]

Guess = str | None
"""A canonical answer, or None where the strategy has none to give (it is scored on those that it answers)."""


@dataclass(frozen=True)
class BlindStrategy:
    """One way to answer without the ability."""

    name: str
    """`constant`, `last-number`: stable, unique within a family."""
    description: str
    """What it does, as a clause: `always gives the most common answer`."""
    answers: Callable[[Sequence[Item], Sequence[Item]], Sequence[Guess]]
    """(items to learn from, items to answer) -> one guess per item to answer. A fixed rule ignores the former."""
    target: str = ""
    """The key of `metadata` whose value it guesses (`operation`); empty where it guesses the answer itself."""
    learns: bool = False
    """Whether it looks at the items to learn from; a fixed rule scores the same in sample and out of sample."""


def target_of(item: Item, target: str) -> Guess:
    """What a strategy with this `target` should have guessed: the answer, or the metadata value as text; None for null.

    Raises KeyError where the item has no such key.
    """
    if not target:
        return item.answer
    value = item.metadata[target]
    return None if value is None else str(value)


def constant(target: str = "") -> BlindStrategy:
    """Always gives the most common answer of the items that it learned from (ties: the first in sorted order)."""

    def answers(learned: Sequence[Item], asked: Sequence[Item]) -> list[Guess]:
        return [_most_common(target_of(item, target) for item in learned)] * len(asked)

    what = "answer" if not target else f"`{target}`"
    return BlindStrategy("constant", f"always gives the most common {what}", answers, target, learns=True)


def rule(name: str, description: str, feature: Callable[[Item], str], target: str = "") -> BlindStrategy:
    """Gives the most common answer among learned items with the same surface `feature`; of all items for a new one."""

    def answers(learned: Sequence[Item], asked: Sequence[Item]) -> list[Guess]:
        known: dict[str, list[Guess]] = {}
        for item in learned:
            known.setdefault(feature(item), []).append(target_of(item, target))
        best = {value: _most_common(golds) for value, golds in known.items()}
        otherwise = _most_common(target_of(item, target) for item in learned)
        return [best.get(feature(item), otherwise) for item in asked]

    return BlindStrategy(name, description, answers, target, learns=True)


def copying(name: str, description: str, pick: Callable[[Item], Guess]) -> BlindStrategy:
    """A fixed rule of the item alone: the last number of the prompt, the sum of its numbers."""

    def answers(learned: Sequence[Item], asked: Sequence[Item]) -> list[Guess]:
        return [pick(item) for item in asked]

    return BlindStrategy(name, description, answers)


def option(name: str, description: str, place: Callable[[Sequence[str]], int]) -> BlindStrategy:
    """Chooses by the options alone: the first, the last, the longest. `place` gives the index of the choice.

    It has no guess for items without options.
    """
    return copying(name, description, lambda item: item.choices[place(item.choices)] if item.choices else None)


def _most_common(golds: Iterable[Guess]) -> Guess:
    counts = Counter(gold for gold in golds if gold is not None)
    return min(counts, key=lambda gold: (-counts[gold], gold)) if counts else None
