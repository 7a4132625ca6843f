"""The likelihood of the mixed model beside brute-force integrals, and its derivatives beside differences."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import approx_fprime

from hansproof.audit.models.reliance.likelihood import Block, likelihood, towards


def block(items=12, models=3, difficulty=True, random=True, seed=0, missing=0.2):
    draw = np.random.default_rng(seed)
    known = (draw.random((items, models)) > missing).astype(float)
    constants = np.zeros((2, models, 2 * models))
    constants[(*np.indices((2, models)).reshape(2, -1), np.arange(2 * models))] = 1
    return Block(
        right=known * draw.integers(0, 2, (items, models)),
        known=known,
        probe=draw.integers(0, 2, items).astype(float),
        difficulty=draw.normal(size=items) if difficulty else None,
        stratum=np.arange(items) % 2,
        constants=constants,
        groups=np.arange(items),
        random=random,
    )


def parameters(each, sigma, seed=1):
    at = np.random.default_rng(seed).normal(0, 0.7, each.size)
    if each.random:
        at[each.sloped - 1] = sigma
    return at


def brute(each, at):
    """The logarithm of the likelihood, item by item, by scipy's integral."""
    logged = 0.0
    sigma = at[each.sloped - 1] if each.random else 0.0
    for item in range(len(each.right)):
        eta = at[0] * each.probe[item] + at[each.sloped :][each.stratum[item] * each.right.shape[1] :]
        eta = eta[: each.right.shape[1]] + (0.0 if each.difficulty is None else at[1] * each.difficulty[item])

        def density(u, item=item, eta=eta):
            p = 1 / (1 + np.exp(-(eta + sigma * u)))
            chance = np.where(each.right[item] > 0.5, p, 1 - p)[each.known[item] > 0]
            return np.prod(chance) * np.exp(-u * u / 2) / np.sqrt(2 * np.pi)

        logged += np.log(quad(density, -9, 9, points=[-2, -1, 0, 1, 2], limit=300, epsabs=1e-13)[0])
    return logged


@pytest.mark.parametrize("models", [1, 2, 3, 10, 30])
@pytest.mark.parametrize("sigma", [0.1, 1.0, 3.0])
def test_it_is_the_product_of_the_integrals_over_items(models, sigma):
    each = block(models=models)
    at = parameters(each, sigma)
    assert likelihood(each, at).value == pytest.approx(brute(each, at), abs=1e-4)


def test_without_intercepts_it_is_that_of_a_logistic_regression():
    each = block(random=False, difficulty=False)
    at = parameters(each, 0.0)
    assert each.sloped == 1
    assert likelihood(each, at).value == pytest.approx(brute(each, at), abs=1e-9)
    with_intercepts = each._replace(random=True)
    assert likelihood(with_intercepts, np.insert(at, 1, 0.0)).value == pytest.approx(likelihood(each, at).value)


@pytest.mark.parametrize("models", [2, 12])
@pytest.mark.parametrize("random", [True, False])
@pytest.mark.parametrize("difficulty", [True, False])
def test_derivatives_are_those_of_differences(models, random, difficulty):
    each = block(models=models, random=random, difficulty=difficulty)
    at = parameters(each, 1.2)
    made = likelihood(each, at)
    assert made.gradient == pytest.approx(approx_fprime(at, lambda x: likelihood(each, x).value, 1e-6), abs=1e-4)
    for place in range(each.size):
        slope = approx_fprime(at, lambda x, place=place: likelihood(each, x).gradient[place], 1e-6)
        assert made.hessian[place] == pytest.approx(slope, abs=1e-4)


def test_what_items_add_in_a_direction_is_the_sum_of_all():
    each = block()
    at, direction = parameters(each, 0.8), parameters(each, 0.3, seed=2)
    score, information = towards(each, at, direction)
    made = likelihood(each, at)
    assert score.sum() == pytest.approx(direction @ made.gradient)
    assert information.sum() == pytest.approx(-direction @ made.hessian @ direction)


def test_a_mean_of_runs_weighs_as_one_answer():
    each = block(items=1, models=1, missing=0, random=False)
    at = parameters(each, 0.0)
    right, wrong, half = (likelihood(each._replace(right=np.array([[share]])), at).value for share in (1, 0, 0.5))
    assert half == pytest.approx((right + wrong) / 2)
