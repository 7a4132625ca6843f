"""Guesses character by character: each is what most characters like it were."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence

from generators.answering.blind import BlindStrategy, Guess
from generators.item import Item
from generators.knights_knaves.blind.surface import guessed, meaning, mentions, said
from generators.knights_knaves.puzzles.asked import asks

__all__ = ["by_character", "known", "profile", "statement", "talk"]


def by_character(name: str, description: str, feature: Callable[[Item, int], Hashable]) -> BlindStrategy:
    """Each character is what most characters with the same `feature` were (ties: lying); all of them for a new one."""

    def answers(learned: Sequence[Item], asked: Sequence[Item]) -> list[Guess]:
        balance: Counter[Hashable] = Counter()
        overall = 0
        for item in learned:
            for place, truthful in known(item):
                balance[feature(item, place)] += 1 if truthful else -1
                overall += 1 if truthful else -1

        def guess(item: Item) -> Guess:
            return guessed(item, lambda place: balance.get(feature(item, place), overall) > 0)

        return [guess(item) for item in asked]

    return BlindStrategy(name, description, answers, learns=True)


def known(item: Item) -> list[tuple[int, bool]]:
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
