"""The Bayes-optimal agent, each belief and each plan found a second way."""

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest
from scipy.stats import norm

from hansproof.generators.cognitive_tasks.agents import make_agent, simulate
from hansproof.generators.cognitive_tasks.bayes_optimal import action_values, casino_values, second_is_better
from hansproof.generators.cognitive_tasks.dataset import DATASET
from hansproof.generators.cognitive_tasks.tasks.probabilistic_reasoning import ProbabilisticReasoningView
from hansproof.generators.stream import Stream

PAIRS = np.array([
    pair for base in (40, 60) for gap in (4, 8, 12, 20, 30) for sign in (1, -1)
    for pair in ((base, base + sign * gap), (base + sign * gap, base))
])  # fmt: skip


def test_the_estimate_is_bayes_rule():
    act = make_agent("bayes-optimal").acts["probabilistic-reasoning"]
    # .3 * .8 / (.3 * .8 + .7 * .2) = .24 / .38; for the other colour .3 * .2 / (.3 * .2 + .7 * .8) = .06 / .62
    assert act(ProbabilisticReasoningView(0.3, 0.8, (True,)), Stream(1)) == "0.631579"
    assert act(ProbabilisticReasoningView(0.3, 0.8, (False,)), Stream(1)) == "0.096774"
    # Two of the one colour and one of the other weigh as much as one.
    assert act(ProbabilisticReasoningView(0.3, 0.8, (True, False, True)), Stream(1)) == "0.631579"


def posterior(plays):
    """Weights of the 40 pairs of means, from normal densities."""
    logs = sum(norm.logpdf(payout, PAIRS[:, arm], 8) for arm, payout in plays)
    weights = np.exp(logs - logs.max())
    return weights / weights.sum()


def totals(plays, left):
    """Expectimax without a table: payouts to come at every second or fifth point, posteriors from scratch."""
    weights = posterior(plays)
    payouts = np.arange(-20, 125, 2 if left == 2 else 5)
    values = []
    for arm in (0, 1):
        joint = weights * norm.pdf(payouts[:, None], PAIRS[:, arm], 8) * (payouts[1] - payouts[0])
        value = weights @ PAIRS[:, arm]
        if left == 2:
            value += (joint @ PAIRS).max(axis=1).sum()
        elif left > 2:
            value += sum(
                chance * max(totals([*plays, (arm, payout)], left - 1))
                for payout, chance in zip(payouts, joint.sum(axis=1), strict=True)
            )
        values.append(float(value))
    return values


@pytest.mark.parametrize(
    "plays",
    [
        ((0, 50), (1, 47), (1, 55), (1, 52)),
        ((0, 45), (1, 61), (0, 38), (1, 33)),
        ((0, 63), (0, 70), (0, 58), (1, 52)),
        ((1, 12), (0, 30), (0, 44), (0, 25)),
    ],
)
def test_the_plan_for_the_horizon_task_is_that_of_full_expectation(plays):
    assert action_values(plays, 1) == pytest.approx(tuple(posterior(plays) @ PAIRS), abs=1e-4)
    assert action_values(plays, 2) == pytest.approx(totals(plays, 2), abs=0.03)


def test_the_plan_looks_further_than_one_choice():
    plays = ((0, 50), (1, 47), (1, 55), (1, 52))
    assert action_values(plays, 3) == pytest.approx(totals(plays, 3), abs=0.07)
    # The arm seen once pays less on average, but with choices left it is the one to try.
    short, long = action_values(plays, 1), action_values(plays, 6)
    assert short[0] < short[1]
    assert long[0] > long[1]
    mirrored = tuple((1 - arm, payout) for arm, payout in plays)
    assert action_values(mirrored, 6) == pytest.approx(long[::-1], abs=1e-9)


@pytest.mark.parametrize(("subset", "blocks", "lengths"), [("restless-bandit", 4, range(18, 23)),
                                                           ("restless-bandit@8", 8, range(9, 12))])  # fmt: skip
def test_the_belief_about_the_restless_bandit_is_that_of_every_possible_course(subset, blocks, lengths):
    item = DATASET.item(subset, 7, 4)
    plays = min(lengths) * blocks  # so many plays are less than all
    trials = [(record["choice"], record["reward"]) for record in
              DATASET.records(item, simulate(make_agent("random"), item, 3).actions)][:plays]  # fmt: skip
    # Enough blocks for all plays, of which the last ones are cut off; all courses are equally likely.
    places = [np.repeat(range(blocks), each)[:plays] for each in product(lengths, repeat=blocks)]
    better = np.array([(course + first) % 2 for course in places for first in (0, 1)])  # by course and play
    means = np.where(better == [arm for arm, _ in trials], 60, 40)
    logs = np.cumsum(norm.logpdf([payout for _, payout in trials], means, 8), axis=1)
    for now in (1, 5, 18, 21, 40, 63, plays - 1):
        weights = np.exp(logs[:, now - 1] - logs[:, now - 1].max())
        expected = float(weights @ better[:, now] / weights.sum())
        assert second_is_better(trials[:now], blocks) == pytest.approx(expected, abs=1e-9)
    assert second_is_better([], blocks) == 0.5


def wins(first, second, left):
    """The same by exact enumeration of what is left in two bags: `first` and `second` are wins and losses so far."""
    if not left:
        return Fraction(0), Fraction(0)
    values = []
    for arm, (won, lost) in enumerate((first, second)):
        bags = [(comb(paying, won) * comb(24 - paying, lost), paying) for paying in (6, 18)]
        win = sum(weight * Fraction(paying - won, 24 - won - lost) for weight, paying in bags) / sum(w for w, _ in bags)
        value = Fraction(0)
        for chance, gained, after in ((win, 1, (won + 1, lost)), (1 - win, 0, (won, lost + 1))):
            states = (first, after) if arm else (after, second)
            value += chance * (gained + max(wins(*states, left - 1))) if chance else 0
        values.append(value)
    return tuple(values)


@pytest.mark.parametrize(("first", "second"), [((5, 11), (3, 1)), ((1, 9), (6, 4)), ((0, 2), (15, 3))])
def test_the_plan_for_a_casino_is_that_of_exact_enumeration(first, second):
    expected = [float(value) for value in wins(first, second, 24 - sum(first) - sum(second))]
    assert casino_values(first, second) == pytest.approx(expected, abs=1e-12)


def test_a_casino_arm_that_never_was_tried_is_worth_more_with_visits_left():
    # One win says that the arm is more likely the better one, and that one of its wins is gone.
    assert casino_values((0, 0), (0, 0)) == pytest.approx((casino_values((0, 0), (0, 0))[0],) * 2)
    first, second = casino_values((1, 0), (0, 0))
    assert first > second
    first, second = casino_values((0, 1), (0, 0))
    assert second > first
