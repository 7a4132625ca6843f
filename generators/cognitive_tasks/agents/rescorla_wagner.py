"""The Rescorla-Wagner learner with two learning rates, and a softmax choice."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp

from generators.cognitive_tasks.agents.agent import Agent
from generators.cognitive_tasks.agents.arms import ARMLESS, Arms, acts_of

__all__ = ["logistic", "rescorla_wagner"]


def logistic(x: float) -> float:
    """1 / (1 + exp(-x)), without overflow for any x."""
    return 1 / (1 + exp(-x)) if x >= 0 else exp(x) / (1 + exp(x))


@dataclass(frozen=True)
class _RescorlaWagner:
    alpha_plus: float
    alpha_minus: float
    beta: float

    def chance(self, arms: Arms) -> float:
        values = self._values(arms)
        return logistic(self.beta * (values[1] - values[0]))

    def certainty(self, arms: Arms, arm: int) -> float:
        """The probability with which it chooses the arm."""
        chance = self.chance(arms)
        return chance if arm else 1 - chance

    def _values(self, arms: Arms) -> list[float]:
        """V + alpha * (payout - V), where alpha depends on the sign of the surprise; V starts at the middle, .5."""
        values = [0.5, 0.5]
        for arm, payout in arms.plays:
            surprise = 0.5 + (payout - arms.middle) / arms.unit - values[arm]
            values[arm] += (self.alpha_plus if surprise > 0 else self.alpha_minus) * surprise
        return values


def rescorla_wagner(alpha_plus: float, alpha_minus: float, beta: float) -> Agent:
    """Learns by surprise, at one rate from good news and at another from bad."""
    return Agent(
        "rescorla-wagner",
        "Moves the value of the arm chosen by a share of the surprise, alpha_plus of a good one and alpha_minus of a "
        "bad one, and chooses by softmax with inverse temperature beta. Payouts in points are divided by 40.",
        "Rescorla & Wagner 1972; Lefebvre et al. 2017",
        acts_of(_RescorlaWagner(alpha_plus, alpha_minus, beta)),
        ARMLESS,
        {"alpha_plus": alpha_plus, "alpha_minus": alpha_minus, "beta": beta},
    )
