"""Differences of two participants: as wide and as likely as Student's for means, paired where episodes are the same."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import ttest_ind, ttest_rel
from statsmodels.stats.multitest import multipletests

from hansproof.audit.phenotype.measuring import Sample, differences
from hansproof.audit.phenotype.metric import TaskStatistics, mean_over_runs
from hansproof.audit.report.phenotype_screen import difference_parts
from hansproof.audit.report.phenotype_screen import phenotype_page as page

RNG = np.random.default_rng(11)


def player(name, values, runs=None, task="two-step", metrics=("two-step-reward",), **measured):
    names = tuple(map(str, range(len(values)))) if runs is None else runs
    statistics = {metric: mean_over_runs(np.asarray(values, dtype=float), "no runs") for metric in metrics}
    return Sample(
        name, {task: SimpleNamespace(runs=names, source="ours")}, {task: TaskStatistics(statistics, **measured)}, False
    )


def difference(first, second, **options):
    return next(each for each in differences([first, second], **options) if each.metric == "two-step-reward")


@pytest.mark.parametrize(("count", "gap"), [(8, 0.3), (20, 0.5), (60, 0.25), (60, 0.0)])
def test_of_means_over_other_episodes_they_agree_with_students_test(count, gap):
    a, b = RNG.normal(gap, 1, count), RNG.normal(0, 1, count)
    made = difference(player("a", a), player("b", b, tuple(f"other {run}" for run in range(count))))
    test = ttest_ind(a, b, equal_var=False)
    low, high = test.confidence_interval()
    assert made.value == pytest.approx(a.mean() - b.mean())
    # Ours takes the degrees of freedom of one of them: a little wider for few runs.
    assert (made.low, made.high) == pytest.approx((low, high), abs=0.12 * (high - low) if count < 10 else 0.04)
    assert made.p == pytest.approx(test.pvalue, abs=0.05)
    assert not made.paired


@pytest.mark.parametrize("gap", [0.02, 0.05, 0.0])
def test_of_means_over_the_same_episodes_they_agree_with_the_paired_test(gap):
    easy = RNG.normal(0, 1, 40)  # what the episodes make of it for both
    a, b = easy + RNG.normal(gap, 0.1, 40), easy + RNG.normal(0, 0.1, 40)
    made = difference(player("a", a), player("b", b))
    low, high = ttest_rel(a, b).confidence_interval()
    assert (made.low, made.high) == pytest.approx((low, high), abs=0.005)
    assert made.p == pytest.approx(ttest_rel(a, b).pvalue, abs=0.03)
    assert made.paired
    apart = difference(player("a", a), player("b", b, tuple(f"other {run}" for run in range(40))))
    assert apart.high - apart.low > 5 * (made.high - made.low)


@pytest.mark.parametrize("count", [6, 10, 40])
def test_a_clear_difference_has_a_p_as_small_as_students(count):
    a, b = RNG.normal(4, 1, count), RNG.normal(0, 1, count)
    made = difference(player("a", a), player("b", b))
    test = ttest_rel(a, b)
    assert np.log10(made.p) == pytest.approx(np.log10(test.pvalue), rel=0.1)
    assert made.p < 0.003


def test_an_interval_touches_0_where_p_is_5_per_cent():
    a, b = RNG.normal(0.0, 1, 15), RNG.normal(0, 1, 15)
    made = difference(player("a", a), player("b", b))
    moved = difference(player("a", a - made.low), player("b", b))
    assert (moved.low, moved.p) == (pytest.approx(0, abs=1e-9), pytest.approx(0.05, abs=0.002))


@pytest.mark.slow
def test_players_that_do_not_differ_are_said_to_in_five_of_a_hundred_cases():
    wrong = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        made = difference(player("a", rng.exponential(size=10)), player("b", rng.exponential(size=10)), seed=seed)
        wrong += made.p < 0.05
    assert wrong <= 18  # 10 expected; more with probability .005


def test_p_is_corrected_for_all_metrics_of_all_pairs():
    metrics = ("two-step-reward", "model-basedness")
    players = [player(name, RNG.normal(gap, 1, 12), metrics=metrics) for name, gap in (("a", 0), ("b", 1), ("c", 2))]
    made = differences(players)
    assert [(each.first, each.second) for each in made[::2]] == [("a", "b"), ("a", "c"), ("b", "c")]
    expected = multipletests([each.p for each in made], method="holm")[1]
    assert [each.p_corrected for each in made] == pytest.approx(list(expected), rel=1e-4)


def test_the_widest_interval_and_the_largest_p_of_all_assumptions_stand():
    from dataclasses import replace

    rng = np.random.default_rng(3)
    a, b, other = (rng.normal(gap, 1, 12) for gap in (0, 1.5, 0.2))
    first, second = player("a", a), player("b", b)
    doubtful = replace(
        second.measured["two-step"].statistics["two-step-reward"], others=(mean_over_runs(other, "no runs"),)
    )
    sure = replace(first.measured["two-step"].statistics["two-step-reward"], others=(mean_over_runs(a, "no runs"),))
    spread = [
        Sample(name, each.tables, {"two-step": TaskStatistics({"two-step-reward": statistic})}, False)
        for name, each, statistic in (("a", first, sure), ("b", second, doubtful))
    ]
    made, plain = difference(*spread), difference(first, second)
    alone = difference(first, player("b", other))
    assert made.value == plain.value
    assert (made.low, made.high) == (min(plain.low, alone.low), max(plain.high, alone.high))
    assert made.p == max(plain.p, alone.p)
    assert plain.low < alone.low < plain.high < alone.high


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        (player("a", [1, 2, 3, 4]), player("b", range(9)), "an interval needs at least 5 runs of both"),
        (player("a", range(9)), player("b", range(9)), "all resamples gave the same difference"),
        (player("a", range(9)), player("", [np.nan] * 9), "unnamed: no runs"),
        (
            player("a", range(9), unidentified={"two-step-reward": "nothing learnt"}),
            player("b", range(9)),
            "a: nothing learnt",
        ),
        (player("a", range(9), no_interval={"two-step-reward": "one fit"}), player("b", range(9)), "a: one fit"),
    ],
)
def test_what_cannot_be_told_says_why(first, second, reason):
    made = difference(first, second)
    assert (made.reason, made.low, made.high, made.p, made.p_corrected) == (reason, None, None, None, None)


def test_tasks_that_only_one_has_played_are_left_out():
    assert differences([player("a", range(9)), player("b", range(9), task="horizon")]) == []
    assert differences([player("a", range(9))]) == []


def test_seeds_and_progress():
    first, second = player("a", RNG.normal(size=9)), player("b", RNG.normal(size=9))
    steps = []
    made = differences([first, second], progress=lambda *step: steps.append(step))
    assert made == differences([first, second])
    assert made != differences([first, second], seed=1)
    assert steps == [("bootstrap of differences, pair 1 of 1", 0, 1)]


def test_names_do_nothing_on_the_page(mixed):
    made = differences([player("<b>x</b>\u202e", RNG.normal(size=9)), player("b", RNG.normal(size=9))])
    text = page([mixed], made)
    assert "&lt;b&gt;x&lt;/b&gt;" in text
    assert "<b>x</b>" not in text
    assert "\u202e" not in text
    table, how, *_ = difference_parts(made)
    assert table.rows[0][0].text == "Two-step task: reward"
    assert how.text == "the same episodes, resampled together"
