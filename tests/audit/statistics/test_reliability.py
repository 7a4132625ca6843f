"""Test theory against second libraries and worked examples."""

from math import isnan

import numpy as np
import pytest
from scipy import stats

from hansproof.audit.statistics.reliability import (
    alpha,
    effective_items,
    reliability,
    rest_correlations,
    smallest_subset,
)


def answers(items=40, models=20, seed=0, spread=1.0):
    draw = np.random.default_rng(seed)
    p = 1 / (1 + np.exp(-(draw.normal(0, spread, models) + draw.normal(0, 1, items)[:, None])))
    return (draw.random((items, models)) < p).astype(float)


def test_discrimination_is_the_point_biserial_correlation_with_the_rest():
    right = answers()
    for place, value in enumerate(rest_correlations(right, np.arange(40))):
        if 0 < right[place].sum() < 20:
            rest = np.delete(right, place, axis=0).sum(axis=0)
            assert value == pytest.approx(stats.pointbiserialr(right[place], rest).statistic, abs=1e-12)


def test_the_rest_leaves_out_the_whole_group_and_models_that_were_not_asked():
    right, groups = answers(), np.repeat(np.arange(20), 2)
    right[0, :5] = np.nan
    rest = right[2:, 5:].mean(axis=0)
    assert rest_correlations(right, groups)[0] == pytest.approx(np.corrcoef(right[0, 5:], rest)[0, 1])


def test_an_item_that_all_models_get_right_has_no_discrimination():
    right = answers()
    right[3] = 1
    assert isnan(rest_correlations(right, np.arange(40))[3])


def test_alpha_of_a_worked_example():
    # Three items, four models: p = 3/4, 1/2, 1/4, so the sum of p q is 3/16 + 4/16 + 3/16 = 10/16; the sums 3, 2, 1, 0
    # have the variance 5/4. KR-20 = 3/2 * (1 - (10/16) / (20/16)) = 3/4.
    right = np.array([[1, 1, 1, 0], [1, 1, 0, 0], [1, 0, 0, 0]], dtype=float)
    assert alpha(right) == pytest.approx(0.75)


def test_alpha_is_that_of_covariances():
    right = answers()
    covariances = np.cov(right)
    expected = 40 / 39 * (1 - np.trace(covariances) / covariances.sum())
    assert alpha(right) == pytest.approx(expected)


def test_copies_of_items_do_not_make_a_benchmark_reliable():
    right = answers(spread=0.3)
    doubled, groups = np.repeat(right, 5, axis=0), np.repeat(np.arange(40), 5)
    assert alpha(doubled) > alpha(right) + 0.1
    grouped = reliability(doubled, groups, 20)
    assert grouped.value == pytest.approx(alpha(right))


def test_the_interval_holds_the_reliability_among_models_without_end():
    held, ease = 0, np.random.default_rng(7).normal(0, 1, 60)
    many = 1 / (1 + np.exp(-(np.random.default_rng(8).normal(0, 0.7, 20000) + ease[:, None])))
    true = alpha((np.random.default_rng(9).random(many.shape) < many).astype(float))
    for seed in range(100):
        draw = np.random.default_rng(seed)
        p = 1 / (1 + np.exp(-(draw.normal(0, 0.7, 12) + ease[:, None])))
        own = reliability((draw.random(p.shape) < p).astype(float), np.arange(60), 12)
        held += own.low <= true <= own.high
    assert held >= 90


def test_models_that_are_alike_have_no_reliability():
    assert isnan(alpha(np.ones((5, 4))))
    assert reliability(np.ones((5, 4)), np.arange(5), 4) is None
    assert isnan(effective_items(np.ones((5, 4)), np.arange(5), np.arange(4)))


def test_items_that_add_nothing_are_not_effective():
    right = np.vstack([np.tile([1.0, 1, 0, 0], (6, 1)), np.ones((20, 4))])
    assert effective_items(right, np.arange(26), np.arange(4)) == pytest.approx(6)
    assert effective_items(right, np.r_[np.zeros(6), np.arange(1, 21)].astype(int), np.arange(4)) == pytest.approx(1)


@pytest.mark.parametrize("models", [20, 50])
def test_luck_does_not_make_alike_items_fewer(models):
    each = [effective_items(answers(100, models, seed), np.arange(100), np.arange(models)) for seed in range(30)]
    many = effective_items(answers(100, 4000), np.arange(100), np.arange(4000))
    assert np.mean(each) == pytest.approx(many, rel=0.12)


def test_a_few_telling_items_rank_models_that_did_not_choose_them():
    draw = np.random.default_rng(0)
    ability = draw.normal(0, 2, 30)
    telling = (draw.random((60, 30)) < 1 / (1 + np.exp(-2 * ability))).astype(float)
    noise = (draw.random((240, 30)) < 0.5).astype(float) * (draw.random((240, 1)) < 0.1)
    chosen = smallest_subset(np.vstack([noise, telling]), np.arange(30), 0.8)
    assert chosen is not None
    assert chosen.items <= 80
    assert chosen.low <= chosen.tau <= chosen.high
    assert chosen.tau > chosen.random_tau + 0.1


def test_no_subset_is_named_where_none_ranks_alike():
    luck = (np.random.default_rng(0).random((100, 20)) < 0.5).astype(float)
    assert smallest_subset(luck, np.arange(20), 0.95) is None
