"""The line of the others: beside statsmodels, and its error beside a jackknife over groups by brute force."""

import numpy as np
import pytest
import statsmodels.api as statsmodels

from hansproof.audit.models.reliance.estimate import GroupedEstimate, stratified
from hansproof.audit.models.reliance.rounds import ModelPoint, line_of_others

ACCURACY = np.array([0.8, 0.2, 0.35, 0.5, 0.55, 0.7])


ERRORS = np.array([0.02, 0.01, 0.03, 0.01, 0.02, 0.04])


def measured(values, accuracy=ACCURACY):
    """Models with these numbers and an error of their own each, of a group of its own."""
    each = np.diag(ERRORS[: len(values)])
    return [
        ModelPoint(at, GroupedEstimate(value, own, 50.0)) for at, value, own in zip(accuracy, values, each, strict=True)
    ]


def by_statsmodels(values, errors=ERRORS, accuracy=ACCURACY):
    """Slope of the others, and what the first stands out by."""
    fit = statsmodels.WLS(values[1:], statsmodels.add_constant(accuracy[1:]), weights=errors[1:] ** -2.0).fit()
    return fit.params[1], values[0] - fit.predict([[1.0, accuracy[0]]])[0], fit


def test_slope_and_deviation_are_those_of_least_squares():
    values = np.random.default_rng(1).normal(size=6)
    line = line_of_others(*(lambda first, *others: (first, others))(*measured(values)))
    slope, deviation, fit = by_statsmodels(values)
    assert line.slope.value == pytest.approx(slope)
    assert line.deviation.value == pytest.approx(deviation)
    # Numbers of independent models of known error: that of a forecast, from the textbook.
    forecast = fit.get_prediction([[1.0, ACCURACY[0]]]).se_mean[0]
    scale = 1 / np.sqrt(fit.scale)
    assert line.slope.se == pytest.approx(fit.bse[1] * scale)
    assert line.deviation.se == pytest.approx(np.hypot(ERRORS[0], forecast * scale))


def test_models_on_a_line_stand_out_by_nothing_and_one_off_it_by_what_it_has_more():
    first, *others = measured(0.4 * ACCURACY - 0.1)
    assert line_of_others(first, others).deviation.value == pytest.approx(0)
    assert line_of_others(first, others).slope.value == pytest.approx(0.4)
    leaning = ModelPoint(first.accuracy, GroupedEstimate(first.beyond.value + 0.3, first.beyond.contributions, 50.0))
    assert line_of_others(leaning, others).deviation.value == pytest.approx(0.3)


def test_the_error_is_that_of_leaving_out_one_group_at_a_time():
    # Models share luck within items and groups; so their numbers go together, and a slope's error is not that of
    # independent ones.
    random = np.random.default_rng(2)
    n, groups = 600, np.arange(600) // 5
    probe = (random.random(n) < 0.6).astype(float)
    shared = random.normal(size=n) + random.normal(size=120)[groups]
    feels = np.array([1.5, 0.2, 0.5, 1.0, 1.2, 2.0])
    right = shared[:, None] * feels + random.normal(size=(n, 6))

    def numbers(keep):
        return np.array([right[keep & (probe > 0), j].mean() - right[keep & (probe < 1), j].mean() for j in range(6)])

    every = [stratified(right[:, j], probe, groups) for j in range(6)]
    line = line_of_others(*(lambda first, *others: (first, others))(*map(ModelPoint, ACCURACY, every)))
    errors = np.array([estimate.se for estimate in every])
    left = np.array([by_statsmodels(numbers(groups != gone), errors)[:2] for gone in range(120)])
    jackknife = np.sqrt(119 / 120 * np.square(left - left.mean(axis=0)).sum(axis=0))
    assert [line.slope.se, line.deviation.se] == pytest.approx(jackknife, rel=0.03)
    assert line.deviation.se < 0.8 * every[0].se  # what all feel alike cancels


def test_too_few_others_or_others_that_are_right_equally_often_have_no_line():
    first, *others = measured(np.zeros(6))
    assert line_of_others(first, others[:3]) is None
    assert line_of_others(first, others[:4]) is not None
    assert line_of_others(first, measured(np.zeros(5), np.full(5, 0.5))) is None
