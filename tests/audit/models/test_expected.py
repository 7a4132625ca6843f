"""What a fit shows of a model without any effect: beside two-stage least squares of statsmodels on many drawn items."""

import numpy as np
import pytest
from statsmodels.sandbox.regression.gmm import IV2SLS

from hansproof.audit.models.reliance.difficulty import Curves, expected_effect

NODES = np.linspace(-3, 3, 7)
HALVES = [np.array([True, True, False, False, False]), np.array([False, False, True, True, True])]


def curves(noise=1.0):
    """Two strata; the probe is right on easier items."""
    others = 1 / (1 + np.exp(-(np.array([-1, -0.5, 0, 0.5, 1])[:, None] + NODES)))
    target = 1 / (1 + np.exp(-(np.array([1.5, 0.5])[:, None] + 2 * NODES)))
    parts = np.stack([np.exp(-0.5 * (NODES + 1) ** 2), np.exp(-0.5 * (NODES - 1) ** 2)])
    return Curves(np.stack([others, others], axis=1), np.full(5, noise), target, np.stack([parts, 2 * parts]))


def drawn(of, runs, random):
    """Items of these curves: part, stratum, answers of the target, and means of runs of the others."""
    weights = of.items.ravel() / of.items.sum()
    stratum, part, node = np.unravel_index(random.choice(len(weights), 400_000, p=weights), of.items.shape)
    right = random.random(len(node)) < of.target[stratum, node]
    others = np.mean([random.random((len(node), 5)) < of.others[:, stratum, node].T for _ in range(runs)], axis=0)
    return part.astype(float), stratum, right.astype(float), others


@pytest.mark.slow
@pytest.mark.parametrize("power", [1, 2])
@pytest.mark.parametrize("runs", [1, 4])
def test_it_is_what_many_items_without_an_effect_show(power, runs):
    of = curves(noise=1 / runs)
    part, stratum, right, others = drawn(of, runs, np.random.default_rng(2))
    values = []
    for half in HALVES:
        proxy, instrument = (others[:, which].mean(axis=1) - 0.5 for which in (half, ~half))
        given, stands = (
            np.column_stack([part, np.eye(2)[stratum], *(each**k for k in range(1, power + 1))])
            for each in (proxy, instrument)
        )
        values.append(IV2SLS(right, given, stands).fit().params[0])
    expected = expected_effect(of, HALVES, power)
    assert abs(expected) > 0.004
    assert expected == pytest.approx(np.mean(values), abs=0.004)


def test_it_is_nothing_for_a_model_like_the_others():
    of = curves()
    alike = Curves(np.stack([of.others[2]] * 5), of.noise, of.others[2], of.items)
    assert expected_effect(alike, HALVES, 1) == pytest.approx(0, abs=1e-12)
    assert expected_effect(alike, HALVES, 2) == pytest.approx(0, abs=1e-12)


def test_it_is_0_where_the_fit_is_not_determined():
    of = curves()
    flat = Curves(np.full((5, 2, 7), 0.5), of.noise, of.target, of.items)
    assert expected_effect(flat, HALVES, 1) == 0.0
