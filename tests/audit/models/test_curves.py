"""Fitted curves: what they say of pairs of models is what the answers say, and chance is their floor where it is."""

from itertools import product

import numpy as np
import pytest

from hansproof.audit.models.reliance.difficulty import fitted_curves
from tests.audit.models.studies import parted


def fitted(each, chance=0.5, model=0):
    others = np.delete(each.right, model, axis=1)
    return fitted_curves(each.right[:, model], others, each.probe_right, each.gold, chance)


@pytest.mark.parametrize("world", [{}, {"sensitivities": (0.3, 2)}, {"easier": 3}, {"bias": 1}, {"spread": 2}])
def test_they_give_the_shares_of_models_and_of_two_models_at_once_in_each_part(world):
    each = parted(3, items=8000, models=6, families=6, **world)
    curves = fitted(each)
    for part, gold in product((0, 1), repeat=2):
        use = (each.probe_right == part) & (each.gold == gold)
        items, shares = curves.items[gold, part], curves.others[:, gold]
        assert items.sum() == pytest.approx(use.sum())
        others = each.right[use, 1:]
        assert shares @ items / items.sum() == pytest.approx(others.mean(axis=0), abs=0.03)
        expected = (shares * items / items.sum()) @ shares.T
        apart = ~np.eye(5, dtype=bool)  # a model and itself are right together more often than curves know
        assert expected[apart] == pytest.approx((others.T @ others / use.sum())[apart], abs=0.03)


def test_that_of_the_model_is_right_as_often_as_it_is_in_each_stratum():
    each = parted(4, items=6000, bias=1.5, models=6, families=6)
    curves = fitted(each)
    for gold in (0, 1):
        items = curves.items[gold].sum(axis=0)
        assert curves.target[gold] @ items / items.sum() == pytest.approx(
            each.right[each.gold == gold, 0].mean(), abs=0.02
        )
    assert np.abs(curves.target[0] - curves.target[1]).max() > 0.1


def test_an_advantage_in_one_part_is_not_taken_for_a_curve():
    honest, leaning = (
        parted(6, items=6000, models=6, families=6, abilities=(0, 0), reliance=r, leaning=(0,)) for r in (0.0, 0.4)
    )
    middle = slice(5, 12)
    # Where the part says nothing of the answer, 40 % lean and give the probe's, right on the share that it gets right.
    expected = 0.6 * fitted(honest).target[0] + 0.4 * honest.probe_right.mean()
    assert fitted(leaning).target[0][middle] == pytest.approx(expected[middle], abs=0.07)


def test_models_that_guess_have_chance_as_their_floor():
    guessing = parted(5, items=6000, guess=0.5, models=6, families=6, abilities=(-1, 1))
    assert fitted(guessing).others.min() >= 0.5
    knowing = parted(5, items=6000, guess=0.0, models=6, families=6, abilities=(-1, 1))
    assert fitted(knowing).others.min() < 0.1


def test_means_of_runs_are_less_noisy():
    each = parted(7, items=3000, models=6, families=6)
    random = np.random.default_rng(1)
    chance = np.clip(each.right[:, 1:] * 0.5 + 0.25, 0, 1)  # every answer of a run is right with this chance
    runs = random.random((4, *chance.shape)) < chance
    single, mean = (
        fitted_curves(each.right[:, 0], others, each.probe_right, each.gold, 0.0).noise
        for others in (runs[0].astype(float), runs.mean(axis=0))
    )
    assert single == pytest.approx(np.ones(5))
    # A quarter of the variance within items, and what of that between them the curves do not know.
    assert (mean > 0.2).all()
    assert (mean < 0.65).all()


def test_models_that_are_always_right_and_strata_of_one_part_have_finite_curves():
    right = np.ones(40)
    others = np.column_stack([np.ones(40), np.zeros(40), np.arange(40) % 2])
    probe = (np.arange(40) < 20).astype(float)
    curves = fitted_curves(right, others, probe, probe.astype(int) * 7 + 3, 0.5)
    assert all(np.isfinite(part).all() for part in curves)
    assert curves.items.shape[0] == 2
