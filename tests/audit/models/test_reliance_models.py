"""Models where items differ in quality, and where a benchmark is not measured: by numbers made up, and simulated."""

import dataclasses

import msgspec
import numpy as np
import pytest
from simulated.reliance import World, simulated

from hansproof.audit.models.reliance.estimate import GroupedEstimate, difference
from hansproof.audit.models.reliance.pairs import pairs_of
from hansproof.audit.models.reliance.rounds import last_round, model_results

ACCURACIES = (0.1, 0.3, 0.4, 0.5, 0.6, 0.7, 0.9)
GROUPS = 400


def simulated_with(seed=0, **changes):
    return simulated(World(**changes), np.random.default_rng(seed))


@pytest.fixture(scope="module")
def a_pair():
    return pairs_of(simulated_with(items=60, models=3, families=3)[0])[0]


def made_up(a_pair, shows, accuracies=ACCURACIES, error=0.02, benchmark="x", within=False):
    """Pairs that show so much beyond difficulty; a model each, with independent errors."""
    random = np.random.default_rng(1)
    pairs = []
    for number, (value, accuracy) in enumerate(zip(shows, accuracies, strict=True)):
        estimate = None
        if value is not None:
            own = random.normal(size=GROUPS)
            estimate = GroupedEstimate(value, own * error / np.sqrt(own @ own), GROUPS - 1.0)
        record = msgspec.structs.replace(
            a_pair.record, benchmark=benchmark, model=f"m{number}", family=f"m{number}", accuracy=accuracy,
            within_topics=within, beyond=difference(estimate, "the others share no difficulty"), errors=None,
        )  # fmt: skip
        pairs.append(dataclasses.replace(a_pair, record=record, beyond=estimate, errors=None))
    return pairs


def test_an_advantage_that_goes_with_accuracy_in_all_models_does_not_stand_out_from_their_line(a_pair):
    results = model_results(made_up(a_pair, [0.4 * (at - 0.5) for at in ACCURACIES]), 0.05)
    last = results[-1]
    assert last.beyond_holm < 0.001
    assert last.trend.slope.estimate == pytest.approx(0.4)
    assert last.trend.deviation.estimate == pytest.approx(0, abs=1e-9)
    assert last.trend.p == 1
    falling = model_results(made_up(a_pair, [0.4 * (0.5 - at) for at in ACCURACIES]), 0.05)[0]
    assert falling.trend.slope.estimate == pytest.approx(-0.4)
    assert falling.trend.p == 1


def test_the_p_of_what_stands_out_from_a_trend_is_corrected(a_pair):
    line = [0.4 * (at - 0.5) for at in ACCURACIES]
    trend = model_results(made_up(a_pair, [*line[:5], line[5] + 0.3, line[6]]), 0.05)[5].trend
    assert trend.deviation.estimate == pytest.approx(0.3, abs=1e-9)
    assert trend.p == pytest.approx(min(1, 7 * trend.deviation.p))  # one number of seven models
    assert trend.p <= 0.05


def test_without_a_trend_the_p_is_not_corrected(a_pair):
    shows = [0.01, -0.01, 0.0, 0.0, 0.076, -0.01, 0.01]
    trend = model_results(made_up(a_pair, shows, error=0.03), 0.05)[4].trend
    assert trend.slope_p > 0.1
    assert trend.p == trend.deviation.p
    assert 0.05 / 7 < trend.p <= 0.05


def test_what_others_of_its_accuracy_may_show_as_well_does_not_stand_out(a_pair):
    # The best of few that are alike: how a line goes on to it is not known well.
    accuracies = (0.95, 0.50, 0.52, 0.54, 0.56)
    shows = (0.10, 0.02, 0.0, 0.01, 0.02)
    result = model_results(made_up(a_pair, shows, accuracies, error=0.03), 0.05)[0]
    assert result.beyond_holm < 0.01
    assert result.trend.slope_p > 0.1
    assert result.trend.p > 0.05


def test_fewer_than_four_others_have_no_line(a_pair):
    trend = model_results(made_up(a_pair, (0.3, 0.0, 0.0, 0.0), ACCURACIES[:4]), 0.05)[0].trend
    assert (trend.others, trend.p, trend.deviation.estimate) == (3, None, None)
    assert trend.slope.reason == "fewer than 4 other models that differ in accuracy"


def test_models_left_out_say_nothing_of_the_trend(a_pair):
    pairs = made_up(a_pair, [0.3, 0.0, 0.0, 0.0, 0.0, 0.0, 0.3])
    with_it, without = model_results(pairs, 0.05)[6].trend, model_results(pairs, 0.05, ["m0"])[6].trend
    assert (with_it.others, without.others) == (6, 5)
    assert with_it.slope.estimate < without.slope.estimate == pytest.approx(0)


def test_several_benchmarks_count_by_their_precision_and_styles_of_a_model_are_one(a_pair):
    line = [0.4 * (at - 0.5) for at in ACCURACIES]
    first, second = made_up(a_pair, line), made_up(a_pair, [0.5 * each for each in line], error=0.04, benchmark="y")
    trend = model_results(first + second, 0.05)[-1].trend
    assert trend.slope.estimate == pytest.approx((4 * 0.4 + 0.2) / 5, rel=0.05)
    polite = dataclasses.replace(first[0], record=msgspec.structs.replace(first[0].record, style="polite"))
    assert model_results([*first, polite], 0.05)[6].trend.others == 6


def test_benchmarks_that_are_not_measured_are_counted(a_pair):
    nothing = [0.0] * 7
    half = made_up(a_pair, nothing) + made_up(a_pair, [None] * 7, benchmark="y")
    result = model_results(half, 0.05)[0]
    assert (result.benchmarks, result.measured) == (2, 1)
    neither = model_results(made_up(a_pair, [None] * 7), 0.05)[0]
    assert (neither.measured, neither.beyond.reason) == (0, "the others share no difficulty")


EIGHT = {"items": 1000, "models": 8, "families": 8}


@pytest.mark.slow
@pytest.mark.parametrize("quality", [{"wrong_golds": 0.1}, {"sharper": 2.0}])
def test_models_that_do_not_use_the_shortcut_stay_in_the_difficulty_where_quality_goes_with_the_probe(quality):
    hidden, gone = 0, 0
    for seed in range(5):
        result = last_round(simulated_with(seed, **EIGHT, **quality), 0.05)
        hidden += sum(each.trend is not None and each.trend.p is not None and each.trend.p > 0.05
                      for each in result.models)  # fmt: skip
        gone += bool(result.left_out)
    assert hidden >= 3  # each would have been left out
    assert gone <= 1


@pytest.mark.slow
def test_one_that_gives_the_probes_answer_stands_out_where_golds_are_wrong():
    told = 0
    for seed in range(4):
        result = last_round(
            simulated_with(seed, items=1000, models=6, families=6, wrong_golds=0.1, reliance=0.5, leaning=(0,)), 0.05
        )
        told += "model-0" in result.left_out
    assert told >= 3
