"""The number of races found again from the prompt, by counting who can still be among the fastest."""

from __future__ import annotations

import re
from functools import cache

from generators.item import Item
from generators.token_bias.horses.wording import TOPS

__all__ = ["check", "fewest_races"]

_TIMED = [("camera", "broken"), ("stopwatch", "working")]
_UNTIMED = [("camera", "working"), ("stopwatch", "broken")]


def check(item: Item) -> list[str]:
    """Faults of an item: another answer than the one that the prompt leads to, or no such prompt."""
    numbers = sorted(set(map(int, re.findall("[0-9]+", item.prompt))))
    opening = item.prompt.partition(".")[0]
    tops = [number for number, word in TOPS.items() if f" {word} " in opening]
    if len(numbers) != 2 or numbers[0] ** 2 != numbers[1] or len(tops) != 1:
        return ["the prompt does not say how many of n^2 animals are wanted, n at a time"]
    states = re.findall(r"The (stopwatch|camera) is (working|broken)\.", item.prompt)
    if states and sorted(states) not in (_TIMED, _UNTIMED):
        return ["not just one of the two devices is working"]
    timed = sorted(states) == _TIMED
    answer = str(fewest_races(numbers[0], tops[0], timed))
    return [] if item.answer == answer else [f"answer is {item.answer!r}, not {answer!r}"]


@cache
def fewest_races(lanes: int, top: int, timed: bool) -> int:
    """The fewest races, from the animals that are left after the heats and the race of the winners.

    The lower bound counts beaten animals: n^2 - 1 have to be beaten, n - 1 a race, and one race more decides who is
    second (`races` has the proof, which the tests confirm by search). Raises ValueError where the two bounds differ.
    """
    if timed:
        return -(-(lanes**2) // lanes)  # each animal runs once
    before = {
        (i, j): {(i, k) for k in range(j)} | {(k, 0) for k in range(i)} for i in range(lanes) for j in range(lanes)
    }
    left = [place for place, faster in before.items() if place != (0, 0) and len(faster) < top]
    enough = lanes + 1 + (-(-len(left) // lanes))
    least = (lanes**2 - 1) // (lanes - 1) + 1
    if enough != least:
        raise ValueError(f"between {least} and {enough} races")
    return enough
