"""What a release of word problems promises of its numbers, measured on all of its items."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

from generators.answering.figure import Figure
from generators.item import Item

__all__ = ["number_figures"]

_CARRIES = {"carry": 0.6, "counterbalanced-carry": 0.0}
"""Subset -> how far the sums of digits of its arms may be apart, on average."""
_UNPRINTED = ("distractor", "surface-forms")
_NUMBER = re.compile(r", (\d+),")


def number_figures(items: Mapping[str, Sequence[Item]]) -> Iterator[Figure]:
    """The figures of the numbers of a release, of the subsets that it has."""
    every = [item for rows in items.values() for item in rows]
    trapped = [item for item in every if "trap" in item.metadata]
    if trapped:
        yield Figure(
            "traps",
            "share of the traps that are another whole number from 2 to 999",
            sum(_bites(item) for item in trapped) / len(trapped),
            least=1.0,
        )
    yield Figure(
        "smallest number", "the smallest number in a text or a step", float(min(map(min, map(_all, every)))), 2.0
    )
    idle = [item for item in items.get("distractor", ()) if item.metadata["distractor_at"] >= 0]
    if idle:
        yield Figure(
            "idle results",
            "distractors whose number is the answer or the result of a step",
            float(sum(_told(item)[item.metadata["distractor_at"]] in _results(item) for item in idle)),
            most=0.0,
        )
    for name in _UNPRINTED:
        if name in items:
            yield Figure(
                f"printed answers in {name}",
                f"texts of {name} in which the answer is among the numbers",
                float(sum(int(item.answer or -1) in _told(item) for item in items[name])),
                most=0.0,
            )
    for name, most in _CARRIES.items():
        if name in items:
            yield from _digits(name, items[name], most)


def _digits(name: str, items: Sequence[Item], most: float) -> Iterator[Figure]:
    texts = [str(number) for item in items for number in (*_told(item), item.answer)]
    zeros = sum(text.count("0") for text in texts)
    yield Figure(f"zeros in {name}", f"digits that are 0 in texts and answers of {name}", float(zeros), most=0.0)
    sums, sizes = _by_arm(items, lambda number: sum(map(int, str(number)))), _by_arm(items, int)
    yield Figure(
        f"digits in {name}",
        f"difference of the arms of {name} in the sum of digits of a text, on average",
        _gap(sums),
        most=most,
    )
    yield Figure(
        f"sizes in {name}",
        f"difference of the arms of {name} in the sum of the numbers of a text, on average",
        _gap(sizes),
    )


def _by_arm(items: Sequence[Item], worth: Callable[[int], int]) -> dict[str, list[int]]:
    arms: dict[str, list[int]] = defaultdict(list)
    for item in items:
        arms[item.condition].append(sum(map(worth, _told(item))))
    return arms


def _gap(arms: Mapping[str, Sequence[int]]) -> float:
    means = [sum(values) / len(values) for values in arms.values()]
    return max(means) - min(means) if len(means) > 1 else float("nan")


def _told(item: Item) -> list[int]:
    """The numbers of the text: of each logical form the only one."""
    return [int(number) for form in item.metadata["forms"] for number in _NUMBER.findall(form)]


def _results(item: Item) -> set[int]:
    return {int(step.rpartition(" ")[2]) for step in item.metadata["steps"]}


def _all(item: Item) -> list[int]:
    return [*_told(item), *(int(word) for step in item.metadata["steps"] for word in step.split()[::2])]


def _bites(item: Item) -> bool:
    trap = item.metadata["trap"]
    return isinstance(trap, int) and 2 <= trap <= 999 and str(trap) != item.answer
