"""Agreement in error: worked tables, two-stage least squares of statsmodels, and simulated models."""

import numpy as np
import pytest
from simulated.studies import both_ways, parted
from statsmodels.sandbox.regression.gmm import IV2SLS

from hansproof.audit.models.reliance.pairs import pairs_of
from hansproof.audit.models.reliance.parts import agreement_in_error


def agreed(said, predicted, others, labels=3, gold=None):
    """Everybody is wrong on all items; `others` (J, n) are answers of models of their own families."""
    said, predicted, others = (np.array(each) for each in (said, predicted, others))
    n = len(said)
    return agreement_in_error(
        said, predicted, [each[:, None] for each in others], both_ways(np.arange(len(others))), np.ones(n, dtype=bool),
        np.zeros(n, dtype=int) if gold is None else gold, np.full(n, labels), np.arange(n),
    )[0]  # fmt: skip


def test_a_worked_table_in_which_nothing_tempts():
    # Gold 0. Model says 1 in 6 items and 2 in 6; so does the probe, and they agree on 8: by the marginals on 6. The
    # others give each answer as often whatever the probe gives: 1 - 2 (1/2)^2 = 1/2 of the items could follow.
    said = [1] * 6 + [2] * 6
    predicted = [1] * 4 + [2] * 2 + [1] * 2 + [2] * 4
    record = agreed(said, predicted, [[1, 2] * 6, [2, 1] * 6])
    assert record.agree == pytest.approx(8 / 12)
    assert record.expected == pytest.approx(6 / 12)
    assert record.excess.estimate == pytest.approx((8 / 12 - 6 / 12) / (1 / 2))


def test_what_tempts_the_others_as_much_is_expected_and_half_as_much_again_where_that_is_not_measured():
    # The model goes with the probe on 8 of 12 items, a third more than by the marginals; so does each of the others.
    predicted = np.array([1, 2] * 6)
    record = agreed(*(np.where(np.arange(12) % 3 == k, 3 - predicted, predicted) for k in (0,)), predicted, [
        np.where(np.arange(12) % 3 == k, 3 - predicted, predicted) for k in (1, 2)
    ])  # fmt: skip
    assert record.agree == pytest.approx(8 / 12)
    assert record.excess.estimate == pytest.approx(1 / 3 - 1.5 / 3)


def test_it_is_two_stage_least_squares_over_the_wrong_answers():
    random = np.random.default_rng(5)
    n = 2000
    pull = random.normal(0, 2, (n, 3))
    drawn = [(pull * strength + random.gumbel(size=(n, 3))).argmax(axis=1) + 1 for strength in (1, 0.5, 1, 1)]
    said, predicted, *others = drawn
    record = agreed(said, predicted, others, labels=4)
    item, answer = np.repeat(np.arange(n), 3), np.tile([1, 2, 3], n)
    own, probe, first, second = ((each[item] == answer).astype(float) for each in (said, predicted, *others))
    constants = np.eye(4)[answer][:, 1:]
    values = [
        IV2SLS(own, np.column_stack([probe, proxy, constants]), np.column_stack([probe, instrument, constants]))
        .fit()
        .params[0]
        for proxy, instrument in ((first, second), (second, first))
    ]
    assert record.excess.estimate == pytest.approx(np.mean(values))


def test_two_answers_and_too_few_items_tell_nothing():
    assert agreed([1] * 20, [1] * 20, [[1] * 20, [1] * 20], labels=2).items == 0
    record = agreed([-1] * 15 + [1] * 5, [1] * 20, [[1, 2] * 10, [2, 1] * 10])
    assert record.items == 5
    assert "on 5 items: fewer than 10" in record.excess.reason


def test_with_one_other_model_nothing_is_measured():
    record = agreed([1, 2] * 10, [1] * 20, [[1, 2] * 10])
    assert (record.agree, record.excess.p) == (None, None)
    assert "fewer than two other models" in record.excess.reason


def test_a_probe_that_always_gives_one_answer_cannot_be_followed():
    record = agreed([1, 2] * 10, [1] * 20, [[1, 2] * 10, [2, 1] * 10])
    assert record.agree == 0.5
    assert "the same wrong answer to all" in record.excess.reason


def shares_below(level, seeds, **world):
    """The share of models whose p is at most `level`."""
    ps = [
        pair.record.errors.excess.p
        for seed in range(seeds)
        for pair in pairs_of(parted(seed, labels=4, **world))
        if pair.record.model in ("model-0", "model-3", "model-6")
    ]
    return np.mean([p is not None and p <= level for p in ps])


@pytest.mark.slow
@pytest.mark.parametrize(
    "world", [{"tempting": 1.5}, {"tempting": 1.5, "tempted": (0, 2)}, {"habit": 1.5}, {"habit": 1, "tempting": 1}]
)
def test_wrong_answers_that_tempt_everybody_or_are_a_habit_accuse_nobody(world):
    assert shares_below(0.05, 20, items=600, **world) <= 0.12  # of 60, 7.2 or more happen once in 40 times


@pytest.mark.slow
def test_models_that_lean_are_found_and_not_if_all_do():
    assert shares_below(0.05, 8, items=600, tempting=1, reliance=0.3, leaning=(0, 3, 6)) >= 0.5
    assert shares_below(0.05, 8, items=600, reliance=0.3, leaning=tuple(range(8))) <= 0.35


@pytest.mark.slow
def test_the_estimate_is_the_share_of_wrong_answers_that_follow_and_its_error_is_its_spread():
    values, errors, shares = [], [], []
    for seed in range(40):
        each = parted(seed, labels=4, items=800, reliance=0.2, leaning=(0,), tempting=1)
        excess = pairs_of(each)[0].record.errors.excess
        values.append(excess.estimate)
        errors.append(excess.se)
        both = (each.right[:, 0] < 1) & (each.probe_right < 1)
        shares.append(0.2 * (each.probe_right < 1).sum() / both.sum())
    assert np.mean(values) == pytest.approx(np.mean(shares), abs=0.04)
    assert np.mean(errors) == pytest.approx(np.std(values), rel=0.3)
