"""The recovery of parameters and the coverage of intervals, measured in small: the benchmarks say it in full."""

import importlib

import numpy as np
import pytest

from hansproof.audit.phenotype.measuring import METRICS


@pytest.fixture
def measuring(scripts, monkeypatch):
    monkeypatch.syspath_prepend(str(scripts / "phenotype"))
    return importlib.import_module


@pytest.mark.slow
def test_learning_rates_and_optimism_come_out_again(measuring):
    recovery = measuring("recovery")
    for name, outcome in recovery.learning(12, recovery.HUMAN).items():
        assert abs(outcome.bias) < 0.05, name
        assert outcome.distance < 0.06, name


def test_weights_of_prior_and_likelihood_come_out_again(measuring):
    assert all(outcome.distance < 0.05 for outcome in measuring("recovery").weights(8).values())


def test_planners_are_told_from_habits(measuring):
    assert measuring("recovery").planning(5) >= 0.95


def test_explorers_have_the_larger_coefficient(measuring):
    assert all(area >= 0.8 for area in measuring("recovery").exploration(6, runs=200).values())


@pytest.mark.slow
@pytest.mark.parametrize("name", ["estimates", "confidence", "balloons"])
def test_intervals_hold_the_truth_about_as_often_as_they_say(measuring, name):
    interval_coverage = measuring("interval_coverage")
    scenario = interval_coverage.SCENARIOS[name]._replace(many=500 if name == "confidence" else 3000)
    outcomes = interval_coverage.cover(scenario, 40, 300)
    assert np.mean([outcome.held for outcome in outcomes.values()]) >= 0.9
    assert all(outcome.undefined == 0 for outcome in outcomes.values())


@pytest.mark.slow
def test_hardly_any_values_in_the_choices_pull_optimism_to_zero_and_that_is_what_the_readme_says(measuring):
    outcomes = measuring("recovery").by_temperature(12)
    (truth, weak), (_, clear) = outcomes["optimism 0.6 - 0.1", 1.0], outcomes["optimism 0.6 - 0.1", 5.0]
    assert weak - truth < -0.2
    assert abs(clear - truth) < 0.15


@pytest.mark.parametrize("task", ["probabilistic-reasoning", "restless-bandit", "two-step", "balloons"])
def test_random_choices_reach_the_reference_for_them(measuring, task):
    references = {metric.name: metric.random for metric in METRICS}
    simulated = measuring("random_reference").references(task, 400)
    for name, outcome in simulated.items():
        if references[name] is not None:
            assert outcome.value == pytest.approx(references[name], abs=5 * outcome.error), name


def test_intervals_of_ten_skewed_runs_hold_their_mean(measuring):
    held = measuring("interval_coverage").means(10, 150, 1000)
    assert held["exponential"] >= 0.9
    assert held["normal"] >= 0.9
