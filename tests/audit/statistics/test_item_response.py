"""Curves of items and suspected golds: recovered from simulations, and equal to an enumeration by hand."""

import itertools
from math import exp, lgamma, log

import numpy as np
import pytest
from scipy.special import expit

from hansproof.audit.statistics.item_response import Curves, dependence_weights, fit_curves, suspect_golds


def simulated(models, items, seed=0, options=4, wrong=0.0):
    draw = np.random.default_rng(seed)
    ability, slope, ease = draw.normal(0, 1, models), np.exp(draw.normal(0, 0.4, items)), draw.normal(0.5, 1.5, items)
    knows = draw.random((items, models)) < expit(slope[:, None] * ability + ease[:, None])
    truth = draw.integers(0, options, items)
    other = (truth[:, None] + draw.integers(1, options, (items, models))) % options
    bad = draw.random(items) < wrong
    gold = np.where(bad, (truth + draw.integers(1, options, items)) % options, truth)
    return np.where(knows, truth[:, None], other), gold, truth, bad, ability, slope, ease


def test_both_parameters_of_an_item_are_recovered_and_their_intervals_cover_them():
    said, gold, _, _, ability, slope, ease = simulated(80, 400)
    fit = fit_curves((said == gold[:, None]).astype(float), np.ones(80))
    scale = ability.std()
    assert np.corrcoef(fit.ability, ability)[0, 1] > 0.99
    assert np.corrcoef(fit.slope, slope)[0, 1] > 0.7
    assert np.corrcoef(fit.ease, ease)[0, 1] > 0.97
    held = np.abs(fit.slope - slope * scale) <= 1.96 * fit.slope_se
    assert 0.9 < held.mean() <= 0.99
    assert (fit.slope.mean(), fit.slope.std()) == pytest.approx(
        ((slope * scale).mean(), (slope * scale).std()), rel=0.3
    )


def test_one_parameter_orders_items_as_the_share_right_does():
    said, gold, *_ = simulated(30, 100)
    right = (said == gold[:, None]).astype(float)
    fit = fit_curves(right, np.ones(30), slopes=False)
    assert fit.slope == pytest.approx(np.ones(100))
    order = np.argsort(right.mean(axis=1), kind="stable")
    assert (np.diff(fit.ease[order]) > -1e-6).all()


def test_a_model_that_was_not_asked_says_nothing_of_an_item():
    said, gold, *_ = simulated(20, 60)
    right = (said == gold[:, None]).astype(float)
    holes = right.copy()
    holes[:, 3:] = np.where(np.random.default_rng(1).random((60, 17)) < 0.3, np.nan, right[:, 3:])
    full, less = fit_curves(right, np.ones(20)), fit_curves(holes, np.ones(20))
    assert less.ease_se.mean() > full.ease_se.mean()
    assert np.corrcoef(full.ability, less.ability)[0, 1] > 0.97


def test_reversed_items_get_a_slope_below_zero():
    said, gold, *_ = simulated(60, 200)
    right = (said == gold[:, None]).astype(float)
    right[:5] = np.argsort(np.argsort(right[5:].sum(axis=0))) < 30  # the weaker half is right
    assert (fit_curves(right, np.ones(60)).slope[:5] < -0.5).all()


def test_wrong_golds_are_found_and_their_share_is_estimated():
    said, gold, truth, bad, *_ = simulated(40, 400, wrong=0.05)
    right = (said == gold[:, None]).astype(float)
    found_in = suspect_golds(said, gold, np.full(400, 4), fit_curves(right, np.ones(40)).ability, np.ones(40))
    flagged = found_in.wrong >= 0.5
    assert bad[flagged].mean() > 0.85
    assert flagged[bad].mean() > 0.6
    assert (found_in.other == truth)[flagged & bad].all()
    assert found_in.share_wrong == pytest.approx(bad.mean(), abs=0.03)


def test_no_gold_is_suspected_where_none_is_wrong():
    said, gold, *_ = simulated(40, 400, seed=3)
    right = (said == gold[:, None]).astype(float)
    golds = suspect_golds(said, gold, np.full(400, 4), fit_curves(right, np.ones(40)).ability, np.ones(40))
    assert (golds.wrong >= 0.5).sum() <= 2
    assert golds.share_wrong < 0.02


def test_items_where_able_models_divide_between_two_answers_are_ambiguous():
    said, gold, *_ = simulated(40, 300, seed=5)
    second = (gold + 1) % 4
    half, able = (
        np.random.default_rng(0).random((12, 40)) < 0.5,
        np.argsort(np.argsort(-(said == gold[:, None]).sum(axis=0))) < 32,
    )
    said[:12] = np.where(able, np.where(half, second[:12, None], gold[:12, None]), said[:12])
    right = (said == gold[:, None]).astype(float)
    golds = suspect_golds(said, gold, np.full(300, 4), fit_curves(right, np.ones(40)).ability, np.ones(40))
    assert (golds.ambiguous[:12] > 0.5).sum() >= 8
    assert (golds.ambiguous[12:] > 0.5).sum() <= 4
    assert (golds.other == second)[:12][golds.ambiguous[:12] > 0.5].all()


def enumerated(said, gold, options, ability, curves, alpha, shares):
    """The posterior of each hypothesis for one item, by loops over curves and hypotheses."""

    def curve(right):
        total = 0.0
        for slope, ease, prior in zip(curves.slope, curves.ease, curves.prior, strict=True):
            terms = [
                log(expit((1 if hit else -1) * (slope * able + ease))) for able, hit in zip(ability, right, strict=True)
            ]
            total += exp(prior + sum(terms))
        return total

    def urn(counts, weight):
        rest = sum(lgamma(weight + each) - lgamma(weight) for each in counts)
        return exp(lgamma(weight * len(counts)) - lgamma(weight * len(counts) + sum(counts)) + rest)

    counts = [said.count(place) for place in range(options)]
    masses = {}
    for answer in range(options):
        rest = [count for place, count in enumerate(counts) if place != answer]
        prior = shares[0] if answer == gold else shares[1] / (options - 1)
        masses["right" if answer == gold else "wrong", answer] = (
            prior * curve([each == answer for each in said]) * urn(rest, alpha)
        )
    for answer in set(range(options)) - {gold}:
        rest = [count for place, count in enumerate(counts) if place not in (answer, gold)]
        both = curve([each in (answer, gold) for each in said]) * urn([counts[answer], counts[gold]], 5.0)
        masses["both", answer] = shares[2] / (options - 1) * both * urn(rest, alpha)
    whole = sum(masses.values())
    return [sum(mass for (kind, _), mass in masses.items() if kind == each) / whole for each in ("wrong", "both")]


def test_posteriors_are_those_of_an_enumeration(monkeypatch):
    from hansproof.audit.statistics import item_response

    monkeypatch.setattr(item_response, "_ITERATIONS", 1)
    monkeypatch.setattr(item_response, "_ALPHAS", (0.75,))
    ability = np.array([-1.2, -0.3, 0.4, 1.1])
    items = list(itertools.islice(itertools.product(range(3), repeat=4), 0, 81, 7))
    said, gold = np.array(items), np.arange(len(items)) % 3
    golds = suspect_golds(said, gold, np.full(len(items), 3), ability, np.ones(4))
    curves = Curves.over(item_response._RISING, 17)
    for place, item in enumerate(items):
        wrong, both = enumerated(list(item), int(gold[place]), 3, ability, curves, 0.75, (0.93, 0.05, 0.02))
        assert golds.wrong[place] == pytest.approx(wrong, rel=1e-9)
        assert golds.ambiguous[place] == pytest.approx(both, rel=1e-9)


def test_copies_of_a_model_count_as_one_and_a_declared_family_as_less_than_its_number():
    said, gold, *_ = simulated(12, 500)
    right = (said == gold[:, None]).astype(float)
    copied = np.hstack([right, right[:, :1], right[:, :1]])
    fit = fit_curves(copied, np.ones(14))
    weights = dependence_weights(copied, fit.expected, np.arange(14))
    assert weights[[0, 12, 13]].sum() == pytest.approx(1, abs=0.15)
    assert weights[1:12].sum() == pytest.approx(11, abs=0.5)
    family = dependence_weights(right, fit_curves(right, np.ones(12)).expected, np.repeat([0, 1, 2], 4))
    assert family.sum() == pytest.approx(12 / (1 + 3 * 0.5), abs=0.3)
