"""Payouts: how they are drawn around a mean, and how a story tells of them in its own words and units."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate
from math import erf, sqrt
from typing import Final

from generators.cognitive_tasks.task import Story
from generators.stream import Stream

__all__ = ["DOLLARS", "FURTHEST", "POINTS", "SPREAD", "PayingStory", "Payouts", "deviation"]

SPREAD: Final = 8
"""The standard deviation of payouts around their mean."""

FURTHEST: Final = 48
"""No payout is further from its mean: beyond six standard deviations the weights below are 0."""


def _weight(offset: int) -> int:
    """The probability that a normal draw rounds to `offset`, in billionths."""
    low, high = ((offset + side) / (SPREAD * sqrt(2)) for side in (-0.5, 0.5))
    return round(5e8 * (erf(high) - erf(low)))


_TOTALS = list(accumulate(_weight(offset) for offset in range(-FURTHEST, FURTHEST + 1)))


def deviation(stream: Stream) -> int:
    """A draw from N(0, SPREAD), rounded to a whole number, by a table: several times as fast as `Stream.normal`."""
    return bisect_right(_TOTALS, stream.below(_TOTALS[-1])) - FURTHEST


@dataclass(frozen=True)
class Payouts:
    """What a play that pays, costs or does neither is told as."""

    gain: str
    """With `{name}` for the arm and `{amount}` for how many of the unit."""
    loss: str
    nothing: str
    unit: str
    """In the singular."""
    shift: int = 0
    """Added to every payout that a player sees. Draws, records and views are without it, so stories compare."""

    def told(self, name: str, payout: int) -> str:
        """One payout in words."""
        seen = payout + self.shift
        words = self.gain if seen > 0 else self.loss if seen < 0 else self.nothing
        amount = f"{abs(seen)} {self.unit}" if abs(seen) == 1 else f"{abs(seen)} {self.unit}s"
        return words.format(name=name, amount=amount)


@dataclass(frozen=True)
class PayingStory(Story):
    """A story of arms that pay amounts."""

    opening: str
    """With `{a}` and `{b}` for the names of the arms."""
    payouts: Payouts


DOLLARS: Final = Payouts(
    "Machine {name} paid you {amount}.",
    "Machine {name} cost you {amount}.",
    "Machine {name} paid you nothing.",
    "dollar",
)
POINTS: Final = Payouts(
    "You won {amount} on machine {name}.",
    "You lost {amount} on machine {name}.",
    "You neither won nor lost points on machine {name}.",
    "point",
    shift=-50,
)
