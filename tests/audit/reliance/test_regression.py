"""The regression of all answers, beside statsmodels' ordinary logistic regression with clusters."""

import dataclasses
import sys

import msgspec
import numpy as np
import pytest
import statsmodels.api as statsmodels

from audit.reliance.regression import regressions
from benchmarks.reliance.simulated import World, simulated


def worlds(seed=0, **changes):
    return simulated(World(**changes), np.random.default_rng(seed))


def test_the_coefficient_is_that_of_a_logistic_regression_and_the_error_robust_to_items():
    each = worlds(models=4)[0]
    item, model = (values.ravel() for values in np.indices(each.right.shape))
    constants = np.eye(8)[model * 2 + each.gold[item]]
    design = np.column_stack([each.probe_right[item], constants])
    fit = statsmodels.Logit(each.right.ravel(), design).fit(
        disp=0, cov_type="cluster", cov_kwds={"groups": each.groups[item]}
    )
    made = regressions([each])[0]
    assert made.log_odds == pytest.approx(fit.params[0], abs=1e-5)
    assert made.se == pytest.approx(fit.bse[0], rel=0.05)
    assert made.low < made.log_odds < made.high
    assert made.p == pytest.approx(made.p_bh)


def test_it_recovers_how_much_easier_items_are():
    values = [regressions(worlds(seed, items=600, spread=0.01))[0].log_odds for seed in range(4)]
    assert np.mean(values) == pytest.approx(1.0, abs=0.1)


def test_several_benchmarks_are_pooled_and_those_without_a_shortcut_left_out():
    first, second, third = worlds(benchmarks=3)
    third = dataclasses.replace(third, about=msgspec.structs.replace(third.about, shortcut=False))
    made = regressions([first, second, third])
    assert [each.benchmark for each in made] == ["simulated-0", "simulated-1", ""]
    assert made[2].answers == made[0].answers + made[1].answers
    alone = [each.log_odds for each in made[:2]]
    assert min(alone) <= made[2].log_odds <= max(alone)
    assert made[2].se < min(made[0].se, made[1].se)


def test_copies_of_items_in_one_group_add_nothing():
    each = worlds(items=150)[0]
    twice = dataclasses.replace(
        each,
        right=np.repeat(each.right, 2, axis=0),
        probe_right=np.repeat(each.probe_right, 2),
        gold=np.repeat(each.gold, 2),
        groups=np.repeat(each.groups, 2),
    )
    once, doubled = regressions([each])[0], regressions([twice])[0]
    assert doubled.log_odds == pytest.approx(once.log_odds, abs=1e-4)
    assert doubled.se == pytest.approx(once.se, rel=0.01)


def test_models_that_are_always_right_are_left_out():
    each = worlds(models=4)[0]
    right = each.right.copy()
    right[:, 0] = 1
    made = regressions([dataclasses.replace(each, right=right)])[0]
    assert made.answers == 900
    assert made.log_odds is not None


def test_without_statsmodels_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "statsmodels.api", None)
    made = regressions(worlds())[0]
    assert made.log_odds is None
    assert "pip install 'hansproof[mixed]'" in made.reason
