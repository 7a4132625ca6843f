"""Intervals over runs: as wide as Student's for a mean, the same tomorrow, none where there is nothing to say."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import bootstrap, t

from hansproof.audit.phenotype.metric import Statistic, intervals, mean_over_rows, mean_over_runs


def interval(statistic, resamples=4000, seed=0):
    return intervals({"it": statistic}, seed=seed, task="toy", resamples=resamples)["it"]


def percentiles(statistic):
    return replace(statistic, error=None)


@pytest.mark.parametrize("runs", [8, 15, 60])
def test_the_percentile_interval_of_a_mean_is_as_wide_as_students(runs):
    values = np.random.default_rng(runs).normal(size=runs)
    ends = interval(percentiles(mean_over_runs(values, "")), 20_000)
    half = t.ppf(0.975, runs - 1) * values.std(ddof=1) / np.sqrt(runs)
    assert ends.high - ends.low == pytest.approx(2 * half, rel=0.06)
    plain = bootstrap((values,), np.mean, method="percentile", n_resamples=4000, rng=1).confidence_interval
    assert ends.high - ends.low > plain.high - plain.low


def test_trials_of_a_run_stay_together():
    # ten runs of a hundred equal trials are ten observations, not a thousand
    values = np.random.default_rng(3).normal(size=10)
    apart = interval(mean_over_runs(values, ""))
    together = interval(mean_over_rows(100 * values, np.full(10, 100.0), ""))
    assert (together.low, together.high) == pytest.approx((apart.low, apart.high))


def test_the_same_seed_gives_the_same_interval_and_another_seed_another():
    statistic = mean_over_runs(np.random.default_rng(4).normal(size=12), "")
    assert interval(statistic) == interval(statistic)
    assert interval(statistic) != interval(statistic, seed=1)


def test_draws_in_parts_are_those_at_once(monkeypatch):
    statistic = mean_over_runs(np.random.default_rng(4).normal(size=12), "")
    whole = interval(statistic)
    monkeypatch.setattr("hansproof.audit.phenotype.metric._AT_ONCE", 100)
    assert interval(statistic) == whole


@pytest.mark.parametrize(
    ("statistic", "said"),
    [
        (mean_over_runs(np.arange(4.0), ""), "an interval needs at least 5 runs"),
        (mean_over_runs(np.full(9, 0.1), ""), "all runs gave the same value"),
        # defined in one run of six only: a resample without it is undefined, (5 / 6)^6 = 33 % of them
        (
            mean_over_runs(np.array([1, np.nan, np.nan, np.nan, np.nan, np.nan]), ""),
            "undefined in 3. % of the resamples",
        ),
    ],
)
def test_there_is_no_interval_where_there_is_nothing_to_say(statistic, said):
    ends = interval(statistic)
    assert np.isnan([ends.low, ends.high]).all()
    assert len(ends.reason) == len(said)
    assert ends.reason.startswith(said[:14])


def test_what_resamples_fall_back_to_counts():
    always = Statistic(np.arange(6.0)[:, None], lambda totals: np.full(len(totals), np.nan), lambda totals: "never")
    assert "undefined in 100 %" in interval(always).reason
    falling = Statistic(always.sums, always.formula, always.why_undefined, lambda totals: totals[:, 0])
    assert interval(falling).reason == ""


def test_the_interval_of_a_mean_is_studentised():
    # bootstrap-t by hand: (mean* - mean) / error*, with the errors of each resample
    values = np.random.default_rng(2).exponential(size=20)
    drawn = values[np.random.default_rng(9).integers(0, 20, (40_000, 20))]
    distances = (drawn.mean(axis=1) - values.mean()) / drawn.std(axis=1)
    low, high = values.mean() - values.std() * np.quantile(distances, [0.975, 0.025])
    ends = interval(mean_over_runs(values, ""), 40_000)
    assert (ends.low, ends.high) == pytest.approx((low, high), rel=0.02)
    assert ends.high - values.mean() > 1.3 * (values.mean() - ends.low)  # it leans where the runs do


def test_intervals_of_few_skewed_runs_hold_the_mean():
    random = np.random.default_rng(0)
    held, narrower = 0, 0
    for seed in range(150):
        statistic = mean_over_runs(random.exponential(size=10), "")
        ends, plain = interval(statistic, 1000, seed), interval(percentiles(statistic), 1000, seed)
        held += ends.low <= 1 <= ends.high
        narrower += plain.low <= 1 <= plain.high
    assert held / 150 > 0.9
    assert held >= narrower


def test_a_mean_of_two_values_falls_back_to_percentiles():
    # In a third of the resamples of nine equal runs and one other, all runs are equal: there is no error.
    ends = interval(mean_over_runs(np.array([0.0] * 9 + [1.0]), ""))
    assert (ends.low, ends.reason) == (0.0, "")
    assert 0.3 <= ends.high <= 0.5


def test_an_interval_ends_where_values_do():
    values = np.array([0.99, 0.98, 0.999, 0.6, 0.97, 0.995])
    assert interval(mean_over_runs(values, "", (0.0, 1.0))).high == 1.0
    assert interval(mean_over_runs(values, "")).high > 1.0


def test_an_interval_spans_what_the_data_cannot_rule_out():
    values = np.random.default_rng(1).normal(size=12)
    low, high = (mean_over_runs(values + shift, "") for shift in (-1, 1))
    ends = interval(replace(mean_over_runs(values, ""), others=(low, high)))
    alone = interval(mean_over_runs(values, ""))
    assert (ends.low, ends.high) == pytest.approx((alone.low - 1, alone.high + 1))


def test_few_runs_have_as_many_resamples_as_their_tails_need(monkeypatch):
    values = np.array([0.1, 0.5, 0.2, 0.9, 0.4])
    assert interval(mean_over_runs(values, ""), 100) == interval(mean_over_runs(values, ""), 20_000)
    many = np.random.default_rng(3).normal(size=200)
    assert interval(mean_over_runs(many, ""), 1000) != interval(mean_over_runs(many, ""), 2000)
