"""What records cannot identify: undefined with a reason, or said beside the value."""

import math

import numpy as np
import pytest
from toy_records.rows import SIMULATED, bandit_run, days

from hansproof.audit.phenotype.measuring import MEASURES, _number, phenotype
from hansproof.audit.phenotype.task_records import make_records


def measured(task, rows, *, as_published=False):
    table = make_records({task: rows}).tables[task]
    outcome = MEASURES[task](table, as_published)
    return {name: statistic.value() for name, statistic in outcome.statistics.items()}, outcome.notes


def steps(rule):
    """Days of somebody who stays or leaves by a rule of the reward and whether the journey was common."""
    action, taken = 0, []
    for reward, common in [(1, 1), (1, 0), (0, 1), (0, 0)] * 6:
        taken.append((action, action if common else 1 - action, reward))
        action = action if rule(reward, common) else 1 - action
    return [*taken, (action, action, 0)]


def test_who_never_changes_the_first_choice_has_no_model_basedness():
    always = [(0, k % 2, k // 2 % 2) for k in range(25)]
    values, _ = measured("two-step", days(0, always))
    assert math.isnan(values["model-basedness"][0])
    assert values["model-basedness"][1] == "the first choice never changed"
    turning = [(k % 2, k // 2 % 2, k // 4 % 2) for k in range(25)]
    assert measured("two-step", days(0, turning))[0]["model-freeness"][1] == "the first choice changed every day"


def cautions(task, rows):
    return {
        metric.name: metric.caution or "" for metric in phenotype(make_records({task: rows}), resamples=100).metrics
    }


def test_near_the_ceiling_effects_on_staying_are_said_to_be_squeezed():
    days_ = [(int(k == 30), k % 2, k // 2 % 2) for k in range(60)]
    assert "stayed on 97 % of the days" in cautions("two-step", days(0, days_))["model-basedness"]
    assert "stayed" not in cautions("two-step", days(0, steps(lambda reward, common: reward)))["model-basedness"]


def test_confidence_of_a_small_span_is_said_to_be_stretched():
    rows = [row for run in range(5) for row in bandit_run(run, [0, 1, 1], [0, 1, run % 2], [0.79, 0.8, 0.8])]
    assert "spans less than 0.2 in 5 of 5 runs" in cautions("restless-bandit", rows)["metacognition"]
    wide = [{**row, "confidence": 5 * (row["confidence"] - 0.7)} for row in rows]
    assert (
        "spans"
        not in cautions("restless-bandit", [{**row, "confidence": 0.1} if row["trial"] == 0 else row for row in wide])[
            "metacognition"
        ]
    )


def test_estimates_that_lean_to_one_side_are_sent_to_the_fit_with_intercept():
    rows = SIMULATED["estimates"](0.0, 0.0, 30, np.random.default_rng(1), 0.0)
    rows = [{**row, "prior": 0.8 if row["prior"] > 0.5 else 0.4, "estimate": 0.9} for row in rows]
    assert "with an intercept" in cautions("probabilistic-reasoning", rows)["prior-weighting"]
    balanced = SIMULATED["estimates"](0.8, 0.8, 30, np.random.default_rng(1), 0.1)
    assert cautions("probabilistic-reasoning", balanced)["prior-weighting"] == ""


def test_an_interval_with_random_choices_and_people_in_it_is_said_to_tell_nothing():
    rows = [{"run": run, "pumps": pumps, "burst": 0, "reward": pumps} for run, pumps in enumerate([0, 1, 40, 0, 60, 3])]
    assert "cannot tell them apart" in cautions("balloons", rows)["risk-taking"]
    steady = [{**row, "pumps": 8 + row["run"] % 2} for row in rows]
    assert cautions("balloons", steady)["risk-taking"] == ""


@pytest.mark.slow
def test_random_choices_have_no_learning_rate_and_learners_have():
    def measured_rate(beta, seed):
        rows = SIMULATED["learner_runs"](0.3, 0.3, beta, 6, np.random.default_rng(seed))
        return phenotype(make_records({"instrumental-learning": rows}), resamples=100).metric("learning-rate")

    lost = [measured_rate(0.0, seed).reason or "" for seed in range(6)]
    assert (
        sum(reason.startswith("the choices follow the rewards no better than random ones do") for reason in lost) >= 5
    )
    assert measured_rate(3.0, 0).value == pytest.approx(0.3, abs=0.2)
    rows = SIMULATED["learner_runs"](0.3, 0.3, 0.0, 6, np.random.default_rng(0))
    kept = phenotype(make_records({"instrumental-learning": rows}), resamples=100, as_published=True)
    assert (kept.metric("optimism").reason, kept.metric("optimism").random) == (None, 0.0361)


def test_the_interval_of_optimism_spans_weaker_and_stronger_priors():
    # One switch per run says little of two learning rates.
    rows = [
        {"run": run, "trial": k, "casino": k % 4, "choice": int(k == 50 + run), "reward": (k * (run + 3) // 4) % 2}
        for run in range(6)
        for k in range(96)
    ]
    metric = phenotype(make_records({"instrumental-learning": rows}), resamples=100).metric("optimism")
    assert metric.value is None or "the prior has a say" in metric.caution
    table = make_records({"instrumental-learning": rows}).tables["instrumental-learning"]
    values = [
        other.value()[0] for other in MEASURES["instrumental-learning"](table, False).statistics["optimism"].others
    ]
    assert abs(values[0] - values[1]) > 0.05
    if metric.value is not None:
        assert metric.low <= min(values) <= max(values) <= metric.high


def test_numbers_that_are_nothing_but_rounding_are_zero():
    assert (_number(3.45e-18), str(_number(-3.5e-17))) == (0.0, "0.0")
    assert _number(0.0022870527949) == 0.002287052795


def test_choices_that_follow_values_weakly_or_without_fail_are_said_to_bend_the_fits():
    def caution(beta):
        rows = SIMULATED["learner_runs"](0.3, 0.3, beta, 10, np.random.default_rng(1))
        return cautions("instrumental-learning", rows)["optimism"]

    assert "choices follow values weakly (inverse temperature 1." in caution(1.3)
    assert "inverse temperature" not in caution(6.0)
    assert "choices hardly leave values" in caution(40.0)
