"""Beyond difficulty: beside two-stage least squares of statsmodels, errors by hand, and simulated models."""

from dataclasses import replace

import numpy as np
import pytest
from simulated.studies import both_ways, parted
from statsmodels.sandbox.regression.gmm import IV2SLS

from hansproof.audit.models.reliance.difficulty import (
    beyond,
    expected_effect,
    fitted_curves,
    halvings,
    proxy_sides,
    strata_of_others,
)
from hansproof.audit.models.reliance.estimate import stratified
from hansproof.audit.models.reliance.pairs import pairs_of
from hansproof.audit.replies.grid import Series


def measured(each, model=0, families=None, kept=None, columns=None):
    rows = np.arange(len(each.right)) if kept is None else kept
    others = (np.delete(each.right, model, axis=1) if columns is None else each.right[:, columns])[rows]
    families = np.arange(others.shape[1]) if families is None else families
    parts = each.probe_right[rows], each.groups[rows], each.gold[rows]
    return beyond(each.right[rows, model], others, both_ways(families), *parts, 0.5)


def by_statsmodels(each, power):
    """The mean of both directions of the halving of two families."""
    values = []
    constants = np.eye(2)[each.gold]
    for side in ([1, 2], [3, 4]), ([3, 4], [1, 2]):
        proxy, instrument = (each.right[:, of].mean(axis=1) - 0.5 for of in side)
        powers = range(1, power + 1)
        given = np.column_stack([each.probe_right, constants, *(proxy**k for k in powers)])
        stands = np.column_stack([each.probe_right, constants, *(instrument**k for k in powers)])
        values.append(IV2SLS(each.right[:, 0], given, stands).fit().params[0])
    return np.mean(values)


@pytest.mark.parametrize(("items", "power"), [(1000, 2), (150, 1)])
def test_it_is_two_stage_least_squares_with_either_half_as_instrument(items, power):
    each = parted(5, items=items, models=5, families=5)
    curves = fitted_curves(each.right[:, 0], each.right[:, 1:], each.probe_right, each.gold, 0.5)
    halves = [np.array([True, True, False, False]), np.array([False, False, True, True])]
    anyway = expected_effect(curves, halves, power)
    assert abs(anyway) > 0.001
    value = measured(each, families=np.array([0, 0, 1, 1])).estimate.value
    assert value == pytest.approx(by_statsmodels(each, power) - anyway)


def numerator(each, kept, anyway):
    """Of the difference of the first of three models, by determinants of means over the items kept; both directions.

    `anyway` is what the fit shows without a difference: the denominator times it is taken off.
    """
    gold = np.eye(2)[each.gold[kept]]
    own, probe = each.right[kept, 0], each.probe_right[kept]
    values = []
    for proxy, instrument in ((1, 2), (2, 1)):
        given = np.column_stack([probe, each.right[kept, proxy] - 0.5, gold])
        stands = np.column_stack([probe, each.right[kept, instrument] - 0.5, gold])
        whole = stands.T @ given / len(own)
        replaced = np.column_stack([stands.T @ own / len(own), whole[:, 1:]])
        # Over the gold answers' own block, which leaves what is within them.
        whole_less = np.linalg.det(replaced) - anyway * np.linalg.det(whole)
        values.append(whole_less / np.linalg.det(gold.T @ gold / len(own)))
    return np.mean(values)


def test_its_error_is_that_of_leaving_out_one_group_at_a_time_under_no_reliance():
    each = parted(4, items=400, group=4, models=3, families=3)
    count = each.groups.max() + 1
    estimate = measured(each).estimate
    curves = fitted_curves(each.right[:, 0], each.right[:, 1:], each.probe_right, each.gold, 0.5)
    anyway = expected_effect(curves, [np.array([True, False]), np.array([False, True])], 1)
    without = [numerator(each, np.flatnonzero(each.groups != group), anyway) for group in range(count)]
    scale = numerator(each, np.arange(400), anyway) / estimate.value
    assert estimate.se == pytest.approx(np.sqrt((count - 1) * np.var(without)) / scale, rel=0.05)


@pytest.mark.parametrize("world", [{}, {"sensitivities": (0, 2)}, {"guess": 0.5}, {"bias": 1}, {"quirks": 1}])
def test_models_that_do_not_lean_are_at_0_where_the_raw_difference_and_strata_of_others_are_not(world):
    past, raw, strata = [], [], []
    for seed in range(12):
        each = parted(seed, items=1000, **world)
        families = np.arange(7) // 2
        estimate = measured(each, families=families).estimate
        past.append(estimate.value)
        raw.append(stratified(each.right[:, 0], each.probe_right, each.groups).value)
        others = strata_of_others(np.delete(each.right, 0, axis=1))
        strata.append(stratified(each.right[:, 0], each.probe_right, each.groups, others).value)
    assert abs(np.mean(past)) < 0.05
    assert np.mean(raw) > 0.07
    assert np.mean(strata) > abs(np.mean(past))


@pytest.mark.slow
@pytest.mark.parametrize("world", [{}, {"sensitivities": (0.3, 2)}])
def test_large_and_easy_benchmarks_accuse_no_more_models_than_others(monkeypatch, world):
    studies = [parted(seed, items=3000, easier=3, **world) for seed in range(5)]

    def squares():
        estimates = [measured(each, model).estimate for each in studies for model in (0, 2, 5, 7)]
        return np.mean([(estimate.value / estimate.se) ** 2 for estimate in estimates])

    assert squares() < 1.7  # 1 but for chance
    monkeypatch.setattr("hansproof.audit.models.reliance.difficulty.expected_effect", lambda *_: 0.0)
    assert squares() > 2.3


@pytest.mark.parametrize("reliance", [0.0, 0.15, 0.3, 0.5])
def test_the_reliance_of_a_model_among_others_without_is_recovered(reliance):
    values = [measured(parted(seed, items=1500, reliance=reliance, leaning=(0,))).estimate.value for seed in range(8)]
    assert np.mean(values) == pytest.approx(reliance, abs=0.04)


def test_what_all_models_share_counts_as_difficulty():
    values = [
        measured(parted(seed, items=1000, reliance=0.3, leaning=tuple(range(8)))).estimate.value for seed in range(8)
    ]
    assert abs(np.mean(values)) < 0.06


def test_halvings_keep_families_whole_and_part_every_two():
    for count in range(2, 10):
        families = np.repeat(np.arange(count), 2)
        halves = list(halvings(families))
        for half in halves:
            assert (half[::2] == half[1::2]).all()
            assert 0 < half.sum() < len(half)
        parted_once = np.any([half[:, None] != half[None, :] for half in halves], axis=0)
        assert (parted_once == (families[:, None] != families[None, :])).all()
    assert len(list(halvings(np.zeros(4, dtype=int)))) == 2


def test_with_one_family_beside_its_own_a_model_has_its_own_for_a_proxy_and_the_other_for_an_instrument():
    (half,) = proxy_sides(np.array(["a", "b", "b", "a", "b"]), "a")
    assert half.tolist() == [True, False, False, True, False]
    assert proxy_sides(np.array(["b", "b", "b"]), "a") == []
    assert proxy_sides(np.array([]), "a") == []  # no other model
    assert len(proxy_sides(np.array(["a", "a", "a"]), "a")) == 4  # one family: what it shares is difficulty
    assert len(proxy_sides(np.array(["b", "b", "c"]), "a")) == 2


@pytest.mark.slow
@pytest.mark.parametrize("easier", [1, 2])
def test_mistakes_that_a_single_other_family_shares_are_not_taken_for_difficulty(easier):
    past, halved = [], []
    for seed in range(6):
        each = parted(seed, items=1000, families=2, quirks=1, easier=easier)
        estimates = [pair.beyond for pair in pairs_of(each)]
        past += [estimate.value / estimate.se for estimate in estimates]
        alike = measured(each, 0, families=np.zeros(4, dtype=int), columns=slice(4, 8)).estimate
        halved.append(alike.value / alike.se)
    assert np.mean(past) < 0.4
    assert np.mean(halved) > 1.2  # halves of the other family


def test_a_model_beside_a_single_family_is_not_measured():
    each = parted(1, models=5, families=5)
    each = replace(
        each, series=tuple(Series(own.model, family="b" if at else "a") for at, own in enumerate(each.series))
    )
    first, *rest = pairs_of(each)
    assert first.record.beyond.estimate is None
    assert "the other models are one family" in first.record.beyond.reason
    assert all(pair.record.beyond.estimate is not None for pair in rest)


def test_models_that_guess_measure_no_difficulty():
    random = np.random.default_rng(1)
    n = 300
    others = (random.random((n, 6)) < 0.5).astype(float)
    probe = (random.random(n) < 0.6).astype(float)
    judged = beyond(probe, others, both_ways(np.arange(6)), probe, np.arange(n), np.zeros(n, dtype=int), 0.5)
    assert judged.estimate is None
    assert "no difficulty that stands out" in judged.reason


def test_with_one_other_model_nothing_is_measured():
    each = parted(models=2, families=2)
    assert "fewer than two other models" in measured(each).reason
