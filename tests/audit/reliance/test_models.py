"""Verdicts where items differ in quality, and where a benchmark is not measured: by numbers made up, and simulated."""

import dataclasses

import msgspec
import numpy as np
import pytest

from audit.notation import p_is
from audit.reliance.estimate import GroupedEstimate, difference
from audit.reliance.models import model_verdicts
from audit.reliance.pairs import pairs_of
from audit.reliance.rounds import judged
from benchmarks.reliance.simulated import World, simulated

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
        pairs.append(dataclasses.replace(a_pair, record=record, beyond=estimate, errors=None, most_errors=None))
    return pairs


def words(verdicts):
    return [verdict.verdict for verdict in verdicts]


def test_an_advantage_that_goes_with_accuracy_in_all_models_accuses_nobody(a_pair):
    verdicts = model_verdicts(made_up(a_pair, [0.4 * (at - 0.5) for at in ACCURACIES]), 0.05)
    last = verdicts[-1]
    assert last.beyond_holm < 0.001
    assert (last.verdict, last.trend.stands_out) == ("INCONCLUSIVE", False)
    assert last.trend.slope.estimate == pytest.approx(0.4)
    assert last.trend.deviation.estimate == pytest.approx(0, abs=1e-9)
    assert last.reason == (
        f"on 1 benchmark, +16 points beyond difficulty (corrected {p_is(last.beyond_holm)}), but models show more of "
        f"this the more they get right ({p_is(last.trend.slope_p)}), as with wrong or ambiguous golds, or items of one "
        "part that tell good models from weak ones better: what stands out from that is 0 points (corrected p = 1.000)"
    )
    falling = model_verdicts(made_up(a_pair, [0.4 * (0.5 - at) for at in ACCURACIES]), 0.05)[0]
    assert (falling.verdict, "the less they get right" in falling.reason) == ("INCONCLUSIVE", True)


def test_who_stands_out_from_the_trend_leans_by_a_p_that_is_corrected(a_pair):
    line = [0.4 * (at - 0.5) for at in ACCURACIES]
    verdicts = model_verdicts(made_up(a_pair, [*line[:5], line[5] + 0.3, line[6]]), 0.05)
    trend = verdicts[5].trend
    assert verdicts[5].verdict == "LEANS"
    assert trend.p == pytest.approx(min(1, 7 * trend.deviation.p))  # one sign of seven models
    assert "+30 more than the trend of 6 other models (corrected p <" in verdicts[5].reason
    assert "consistent with reliance" in verdicts[5].reason
    assert "wrong or ambiguous golds" in verdicts[5].reason


def test_without_a_trend_the_p_is_not_corrected(a_pair):
    shows = [0.01, -0.01, 0.0, 0.0, 0.076, -0.01, 0.01]
    verdict = model_verdicts(made_up(a_pair, shows, error=0.03), 0.05)[4]
    assert verdict.trend.slope_p > 0.1
    assert verdict.trend.p == verdict.trend.deviation.p
    assert 0.05 / 7 < verdict.trend.p <= 0.05
    assert verdict.verdict == "LEANS"


def test_what_does_not_stand_out_from_others_of_its_accuracy_is_not_called_leans(a_pair):
    # The best of few that are alike: how a line goes on to it is not known well.
    accuracies = (0.95, 0.50, 0.52, 0.54, 0.56)
    shows = (0.10, 0.02, 0.0, 0.01, 0.02)
    verdict = model_verdicts(made_up(a_pair, shows, accuracies, error=0.03), 0.05)[0]
    assert verdict.beyond_holm < 0.01
    assert verdict.trend.slope_p > 0.1
    assert verdict.verdict == "INCONCLUSIVE"
    assert "more than the trend of 4 other models by only" in verdict.reason


def test_fewer_than_four_others_cannot_tell_and_the_reason_says_so(a_pair):
    verdict = model_verdicts(made_up(a_pair, (0.3, 0.0, 0.0, 0.0), ACCURACIES[:4]), 0.05)[0]
    assert (verdict.verdict, verdict.trend.stands_out, verdict.trend.others) == ("LEANS", None, 3)
    assert "which 4 models cannot tell apart; being better at the topics" in verdict.reason
    within = model_verdicts(made_up(a_pair, (0.3, 0.0, 0.0, 0.0), ACCURACIES[:4], within=True), 0.05)[0]
    assert within.reason.endswith("which 4 models cannot tell apart")


def test_models_left_out_say_nothing_of_the_trend(a_pair):
    pairs = made_up(a_pair, [0.3, 0.0, 0.0, 0.0, 0.0, 0.0, 0.3])
    with_it, without = model_verdicts(pairs, 0.05)[6].trend, model_verdicts(pairs, 0.05, ["m0"])[6].trend
    assert (with_it.others, without.others) == (6, 5)
    assert with_it.slope.estimate < without.slope.estimate == pytest.approx(0)


def test_several_benchmarks_count_by_their_precision_and_styles_of_a_model_are_one(a_pair):
    line = [0.4 * (at - 0.5) for at in ACCURACIES]
    first, second = made_up(a_pair, line), made_up(a_pair, [0.5 * each for each in line], error=0.04, benchmark="y")
    trend = model_verdicts(first + second, 0.05)[-1].trend
    assert trend.slope.estimate == pytest.approx((4 * 0.4 + 0.2) / 5, rel=0.05)
    polite = dataclasses.replace(first[0], record=msgspec.structs.replace(first[0].record, style="polite"))
    assert model_verdicts([*first, polite], 0.05)[6].trend.others == 6


def test_a_benchmark_that_is_not_measured_keeps_not_shown_from_being_said(a_pair):
    nothing = [0.0] * 7
    both = made_up(a_pair, nothing) + made_up(a_pair, nothing, benchmark="y")
    assert words(model_verdicts(both, 0.05)) == ["NOT SHOWN"] * 7
    assert model_verdicts(both, 0.05)[0].reason.startswith("on 2 benchmarks, a reliance")
    half = made_up(a_pair, nothing) + made_up(a_pair, [None] * 7, benchmark="y")
    verdict = model_verdicts(half, 0.05)[0]
    assert (verdict.verdict, verdict.benchmarks, verdict.measured) == ("INCONCLUSIVE", 2, 1)
    assert verdict.reason == (
        "measured on 1 of 2 benchmarks, none is shown, but reliance was not measured on y: the others share no "
        "difficulty"
    )
    leaning = made_up(a_pair, [0.4, *nothing[1:]]) + made_up(a_pair, [None] * 7, benchmark="y")
    verdict = model_verdicts(leaning, 0.05)[0]
    assert verdict.verdict == "LEANS"
    assert verdict.reason.startswith("measured on 1 of 2 benchmarks, +40 points")


EIGHT = {"items": 1000, "models": 8, "families": 8}


@pytest.mark.parametrize("quality", [{"wrong_golds": 0.1}, {"sharper": 2.0}])
def test_models_that_do_not_lean_are_not_accused_where_quality_goes_with_the_probe(quality):
    hidden, accused = 0, 0
    for seed in range(5):
        result = judged(simulated_with(seed, **EIGHT, **quality), 0.05)
        hidden += sum(verdict.trend is not None and verdict.trend.stands_out is False for verdict in result.models)
        accused += "LEANS" in words(result.models)
        assert result.left_out == [each.model for each in result.models if each.verdict == "LEANS"]
    assert hidden >= 3  # each would have been accused
    assert accused <= 1


def test_one_that_leans_is_found_where_golds_are_wrong():
    caught = 0
    for seed in range(4):
        result = judged(
            simulated_with(seed, items=1000, models=6, families=6, wrong_golds=0.1, reliance=0.5, leaning=(0,)), 0.05
        )
        caught += result.models[0].verdict == "LEANS"
    assert caught >= 3
