"""Agents are ordered on each task as theory says: by what they earn, how they explore, and how they plan.

Rewards are compared by the means of the arms chosen, which has the same expectation as the payouts and less noise.
"""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from hansproof.generators.cognitive_tasks.agents import make_agent, simulate
from hansproof.generators.cognitive_tasks.dataset import DATASET

SEED = 11


@cache
def runs(name, task, count, seed=1, **parameters):
    agent = make_agent(name, parameters)
    items = [DATASET.item(task, SEED, index) for index in range(count)]
    return [DATASET.records(item, simulate(agent, item, seed).actions) for item in items]


def less(first, second):
    """How many standard errors `second` is above `first`, paired."""
    gaps = np.asarray(second) - np.asarray(first)
    return gaps.mean() / (gaps.std(ddof=1) / len(gaps) ** 0.5)


def chosen_means(name, count=600):
    """By game: the mean of the arms chosen freely."""
    return np.array([
        np.mean([row[f"mean_{row['choice']}"] for row in run[4:]]) for run in runs(name, "horizon", count)
    ])  # fmt: skip


def test_who_learns_more_earns_more_in_the_horizon_task():
    random, repeats, learns, best, optimal = (
        chosen_means(name) for name in ("random", "win-stay-lose-shift", "rescorla-wagner", "greedy", "bayes-optimal")
    )
    assert less(random, repeats) > 8
    assert less(random, learns) > 8
    assert less(repeats, best) > 5
    assert less(learns, best) > 5
    # Greedy is nearly optimal here; exploring is worth some hundredths of a point a choice.
    assert optimal.mean() > best.mean() - 0.05


def less_seen(name):
    """The share of unequal games whose first free choice is the arm seen once, with six choices left and with one."""
    shares = {1: [], 6: []}
    for run in runs(name, "horizon", 1200):
        forced = [row["choice"] for row in run[:4]]
        if sum(forced) != 2:
            shares[len(run) - 4].append(run[4]["choice"] == (sum(forced) == 1))
    return np.mean(shares[6]), np.mean(shares[1])


def test_only_agents_that_plan_explore_what_they_know_less_about_when_it_can_still_be_used():
    long, short = less_seen("upper-confidence-bound")
    assert long - short > 0.07
    for name in ("greedy", "rescorla-wagner", "win-stay-lose-shift", "random"):
        long, short = less_seen(name)
        assert abs(long - short) < 0.1  # two binomials of 300 have a standard error of .041
    long, short = less_seen("bayes-optimal")
    assert long > short


def accuracy(name):
    return [np.mean([row["accurate"] for row in run]) for run in runs(name, "restless-bandit", 25)]


def test_who_notices_the_change_is_right_more_often_in_the_restless_bandit():
    random, best, repeats, learns, optimal = (
        accuracy(name) for name in ("random", "greedy", "win-stay-lose-shift", "rescorla-wagner", "bayes-optimal")
    )
    # The best mean of the whole game hardly ever changes: greedy is right in every other block.
    assert abs(np.mean(best) - 0.5) < 0.06
    assert less(best, repeats) > 8
    assert less(random, learns) > 8
    assert less(learns, optimal) > 8
    assert less(repeats, optimal) > 8
    assert np.mean(optimal) > 0.94


def test_the_confidence_of_the_optimal_agent_is_calibrated_and_scores_best():
    def scores(name):
        # By the probability that is meant: a confidence of 0 is a guess, .5.
        return [
            np.mean([1 - (row["accurate"] - (1 + row["confidence"]) / 2) ** 2 for row in run])
            for run in runs(name, "restless-bandit", 25)
        ]

    assert less(scores("random"), scores("rescorla-wagner")) > 4
    assert less(scores("rescorla-wagner"), scores("bayes-optimal")) > 8
    rows = [row for run in runs("bayes-optimal", "restless-bandit", 25) for row in run]
    unsure = [row for row in rows if row["confidence"] < 0.8]
    expected = np.mean([(1 + row["confidence"]) / 2 for row in unsure])
    assert np.mean([row["accurate"] for row in unsure]) == pytest.approx(expected, abs=3 * 0.45 / len(unsure) ** 0.5)


def unequal(name):
    """By game: the share of visits to casinos with a better arm that chose it."""
    return [
        np.mean([row["choice"] == (row["mean_1"] > row["mean_0"]) for row in run if row["mean_0"] != row["mean_1"]])
        for run in runs(name, "instrumental-learning", 40)
    ]


def test_who_learns_chooses_the_better_machine_of_a_casino():
    random, repeats, learns, explores, optimal = (
        unequal(name)
        for name in ("random", "win-stay-lose-shift", "rescorla-wagner", "upper-confidence-bound", "bayes-optimal")
    )
    assert less(random, repeats) > 8
    assert less(random, learns) > 8
    assert less(repeats, optimal) > 5
    assert less(learns, optimal) > 5
    assert np.mean(explores) > np.mean(learns)
    assert np.mean(optimal) > 0.85


def planning(name, seed):
    """Coefficients of reward and of reward times transition in staying with the first choice, over 50 runs."""
    rows, stays = [], []
    for run in runs(name, "two-step", 50, seed):
        for now, then in pairwise(run):
            reward, common = 2 * now["reward"] - 1, 2 * (now["action"] == now["state"]) - 1
            rows.append((1, reward, common, reward * common))
            stays.append(then["action"] == now["action"])
    _, reward, _, product = np.linalg.lstsq(np.array(rows, float), np.array(stays, float), rcond=None)[0]
    return reward, product


@pytest.mark.slow
def test_the_two_step_task_tells_planning_from_repeating():
    based, free = ([planning(name, seed) for seed in range(4)] for name in ("model-based", "model-free"))
    assert min(product for _, product in based) > 0.08 > 0.06 > max(product for _, product in free)
    assert min(reward for reward, _ in free) > 0.15 > 0.08 > max(reward for reward, _ in based)
    coin = [planning("random", seed) for seed in range(2)]
    assert max(abs(value) for pair in coin for value in pair) < 0.06
    # A learner of arms repeats what paid, wherever it led: it is a model-free one.
    learner = planning("rescorla-wagner", 0)
    assert learner[0] > 0.1 > 0.06 > abs(learner[1])


@pytest.mark.slow
def test_planning_and_repeating_earn_more_than_chance():
    random, based, free = (
        [np.mean([row["reward"] for row in run]) for run in runs(name, "two-step", 200)]
        for name in ("random", "model-based", "model-free")
    )
    assert less(random, based) > 1
    assert less(random, free) > 1


@pytest.mark.slow
def test_the_pumper_earns_what_half_the_capacity_is_worth():
    rows = [row for run in runs("expected-value-pumper", "balloons", 60) for row in run]
    pumped = [row for run in runs("random", "balloons", 60) for row in run]
    # Known kinds are worth 32, 8 and 2 points a balloon, 14 on average; a coin makes .8.
    assert 12 < np.mean([row["reward"] for row in rows]) < 14.5
    assert np.mean([row["reward"] for row in pumped]) == pytest.approx(0.8, abs=0.1)
    late = [row for row in rows if row["balloon"] >= 20 and not row["burst"]]
    for capacity in (128, 32, 8):
        pumps = [row["pumps"] for row in late if row["capacity"] == capacity]
        assert np.median(pumps) == capacity / 2


def test_the_estimates_of_the_optimal_agent_are_right():
    for run in runs("bayes-optimal", "probabilistic-reasoning", 20):
        for row in run:
            seen = row["likelihood"] if row["red"] else 1 - row["likelihood"]
            odds = row["prior"] / (1 - row["prior"]) * seen / (1 - seen)
            assert row["estimate"] == pytest.approx(odds / (1 + odds), abs=1e-6)
