"""Three simple ways with two arms: the best so far, stay with what won, and optimism about what is little known."""

from __future__ import annotations

from dataclasses import dataclass
from math import erf, log, sqrt

from generators.cognitive_tasks.agents.agent import Agent
from generators.cognitive_tasks.agents.arms import ARMLESS, Arms, acts_of, means_of

__all__ = ["greedy", "upper_confidence_bound", "win_stay_lose_shift"]


@dataclass(frozen=True)
class _Bounds:
    """The arm with the highest mean plus bonus; ties are broken at random."""

    width: float

    def chance(self, arms: Arms) -> float:
        first, second = (self._bound(arms, mean, count) for mean, count in means_of(arms))
        return 0.5 if first == second else float(second > first)

    def certainty(self, arms: Arms, arm: int) -> float:
        """The probability that the arm has the higher mean, where the payouts seen are all that is known."""
        chosen, other = (means_of(arms)[side] for side in (arm, 1 - arm))
        if not chosen[1] or not other[1]:
            return 0.5
        error = arms.spread * sqrt(1 / chosen[1] + 1 / other[1])
        return (1 + erf((chosen[0] - other[0]) / error / sqrt(2))) / 2

    def _bound(self, arms: Arms, mean: float, count: int) -> float:
        if not self.width or arms.left == 1:
            return mean
        return mean + self.width * arms.spread * sqrt(2 * log(arms.left) / count) if count else float("inf")


@dataclass(frozen=True)
class _WinStayLoseShift:
    """A win is a payout above the mean of all before it; the first, and one that equals the mean: above the middle."""

    def chance(self, arms: Arms) -> float:
        if not arms.plays:
            return 0.5
        arm, _ = arms.plays[-1]
        return float(arm if self._wins(arms)[-1] else 1 - arm)

    def certainty(self, arms: Arms, arm: int) -> float:
        """The share of plays that won, by Laplace's rule."""
        wins = self._wins(arms)
        return (sum(wins) + 1) / (len(wins) + 2)

    def _wins(self, arms: Arms) -> list[bool]:
        wins, total = [], 0.0
        for before, (_, payout) in enumerate(arms.plays):
            surprise = payout - (total / before if before else arms.middle)
            wins.append((surprise or payout - arms.middle) > 0)
            total += payout
        return wins


def greedy() -> Agent:
    """Chooses the arm with the higher mean so far."""
    return Agent(
        "greedy",
        "Chooses the arm with the higher mean payout so far; an arm never seen counts as average.",
        "Sutton & Barto 2018",
        acts_of(_Bounds(0)),
        ARMLESS,
    )


def upper_confidence_bound(width: float) -> Agent:
    """Chooses the arm with the higher bound, which is wider the more choices are left."""
    return Agent(
        "upper-confidence-bound",
        "Chooses the arm whose mean so far is higher after a bonus of width * spread * sqrt(2 ln(choices left) / plays "
        "of the arm): nothing is gained from exploring at the last choice.",
        "Lai & Robbins 1985; Auer, Cesa-Bianchi & Fischer 2002",
        acts_of(_Bounds(width)),
        ARMLESS,
        {"width": width},
    )


def win_stay_lose_shift() -> Agent:
    """Repeats the last arm after a win, and changes after a loss."""
    return Agent(
        "win-stay-lose-shift",
        "Repeats the last choice if it paid more than the mean of all payouts before it, else changes.",
        "Robbins 1952",
        acts_of(_WinStayLoseShift()),
        ARMLESS,
    )
