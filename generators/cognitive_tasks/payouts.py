"""Arms that pay: how payouts are drawn and told, and what a record says of a trial with two arms."""

from __future__ import annotations

from bisect import bisect_right
from functools import cache
from itertools import accumulate, pairwise
from math import erf, sqrt
from typing import Final

from hansproof.generators.cognitive_tasks.task import read_stories
from hansproof.generators.episode import Record
from hansproof.generators.item import Item
from hansproof.generators.stream import Stream

__all__ = ["FURTHEST", "arm_columns", "deviations", "mean_payout", "told_payout"]

SPREAD: Final = 8
"""The standard deviation of payouts around their mean."""

FURTHEST: Final = 6 * SPREAD
"""No payout is further from its mean: beyond six standard deviations the weights below are hardly more than 0."""


@cache
def _totals(spread: int) -> list[int]:
    """The probabilities that a normal draw rounds to each whole number, in billionths, added up."""
    edges = [erf((offset - 0.5) / (spread * sqrt(2))) for offset in range(-6 * spread, 6 * spread + 2)]
    return list(accumulate(round(5e8 * (high - low)) for low, high in pairwise(edges)))


def deviations(stream: Stream, count: int, spread: int = SPREAD) -> list[int]:
    """Draws from N(0, spread), rounded to whole numbers, by a table: several times as fast as `Stream.normal`."""
    totals = _totals(spread)
    return [bisect_right(totals, stream.below(totals[-1])) - 6 * spread for _ in range(count)]


_SHIFTS: Final = {"points": -50}
"""Added to every payout that a player of a story sees. Draws, records and views are without it, so stories compare."""


def told_payout(story: str, name: str, payout: int) -> str:
    """What a play of the arm `name` paid, cost or did neither of, in the words of a story."""
    words, seen = read_stories("payouts")[story], payout + _SHIFTS.get(story, 0)
    told = words["gain"] if seen > 0 else words["loss"] if seen < 0 else words["nothing"]
    return told.format(name=name, amount=f"{abs(seen)} {words['unit']}{'' if abs(seen) == 1 else 's'}")


def arm_columns(means: tuple[float, float], rewards: tuple[float, float], arm: int) -> Record:
    """The columns of a trial with two arms: their means, what each would have paid, the arm chosen and what it paid."""
    record: Record = {f"mean_{side}": mean for side, mean in enumerate(means)}
    record |= {f"reward_{side}": reward for side, reward in enumerate(rewards)}
    return record | {"choice": arm, "reward": rewards[arm]}


def mean_payout(item: Item) -> float:
    """The mean of all payouts of two arms: what uniformly random choices are expected to be paid."""
    rewards = [*item.metadata["rewards_0"], *item.metadata["rewards_1"]]
    return float(sum(rewards) / len(rewards))
