"""Differences between models: those of `compare`, corrected; and Miller's formula written out."""

from itertools import combinations

import numpy as np
import pytest
from scipy import stats
from statsmodels.api import OLS
from statsmodels.stats.multitest import multipletests

from hansproof.audit.models.comparison import compare_sides, differences, foremost, over_runs
from hansproof.audit.models.sides import sides_of
from hansproof.audit.replies.grid import MISSING, NOT_ASKED, RIGHT, SKIPPED, WRONG, Grid, Series
from hansproof.audit.statistics.paired_tests import score_interval
from hansproof.audit.statistics.shares import standard_error
from hansproof.generators.item import Item
from hansproof.generators.stream import Stream


def grid(outcomes, groups=None, series=None):
    outcomes = np.array(outcomes, dtype=np.int8).T
    data = {"dataset": "toy", "version": "1", "subset": "s", "seed": 1, "canary": "c"}
    items = tuple(
        Item(str(place), "?", None, "x", str(place if groups is None else groups[place]), "c", data)
        for place in range(len(outcomes))
    )
    return Grid("toy", items, tuple(series or (Series(f"m{k}") for k in range(outcomes.shape[1]))), outcomes)


def miller(values, clusters):
    """Equation 4 of Miller (2024), term by term; his SE_C.L.T. divides squares by n - 1."""
    n, mean = len(values), sum(values) / len(values)
    variance = sum((value - mean) ** 2 for value in values) / (n - 1)
    together = sum(
        (values[i] - mean) * (values[j] - mean)
        for i in range(n)
        for j in range(n)
        if i != j and clusters[i] == clusters[j]
    )
    return (variance / n + together / n**2) ** 0.5


def test_the_standard_error_is_that_of_miller_and_nearly_the_sandwich():
    stream = Stream(3, "se")
    clusters = np.array([stream.child(str(k)).integer(0, 20) for k in range(120)])
    values = np.array([(stream.child(f"v{k}").integer(0, 3) + clusters[k]) % 2 for k in range(120)], dtype=float)
    se = standard_error(values, clusters)
    assert se == pytest.approx(miller(values.tolist(), clusters.tolist()))
    # The sandwich without a correction for few clusters divides squares by n, not by n - 1.
    fitted = OLS(values, np.ones(120)).fit(cov_type="cluster", cov_kwds={"groups": clusters, "use_correction": False})
    assert se == pytest.approx(float(fitted.bse[0]), rel=0.01)
    assert standard_error(values, np.arange(120)) == pytest.approx(stats.sem(values))
    assert np.isnan(standard_error(values, np.zeros(120, dtype=np.int64)))
    assert np.isnan(standard_error(np.array([]), np.array([], dtype=np.int64)))


def drawn(series, items=120):
    """Right and wrong of so many series, each a little worse than the one before."""
    stream = Stream(4, "drawn")
    return [
        [RIGHT if stream.child(f"{k} {item}").uniform() < 0.9 - 0.1 * k else WRONG for item in range(items)]
        for k in range(series)
    ]


def assert_same(made, compared):
    apart = compared.whole.difference
    assert (made.first, made.second) == (compared.a, compared.b)
    brief = ("se_miller", "mcnemar_p", "t", "t_p", "correlation", "equivalent_p", "least_equivalent_p", "detectable")
    for name, number in vars(made.difference).items():
        if name not in (*brief, "aside"):
            assert number == vars(apart)[name], name
    assert np.isnan([vars(made.difference)[name] for name in brief]).all()


@pytest.mark.parametrize("groups", [None, [place // 4 for place in range(120)]])
def test_score_says_of_two_models_what_compare_says(groups):
    every = grid(drawn(3), groups)
    sides = sides_of(every.series)
    pairs = list(combinations(sides, 2))
    made = differences(every)
    for each, (a, b) in zip(made, pairs, strict=True):
        assert_same(each, compare_sides(every, a, b))
    assert [each.p_holm for each in made] == multipletests([each.difference.p for each in made], method="holm")[
        1
    ].tolist()
    assert made[1].p_holm > made[1].difference.p


def test_four_discordant_items_of_a_hundred_have_the_exact_p():
    # A t-test said .045, beside the .125 of `compare`.
    first = [RIGHT] * 100
    made = differences(grid([first, [WRONG] * 4 + first[4:]]))[0].difference
    assert made.p == 0.125
    # Tango's interval would leave out 0, as McNemar's z = 2 does, which is not exact. It begins where it does for so
    # many pairs that z is 1.53, that of p = .125.
    assert score_interval(0.04, 0.04, 100, 1.959964) == pytest.approx((0.0015, made.high), abs=1e-4)
    assert made.low == pytest.approx(score_interval(0.04, 0.04, stats.norm.isf(0.0625) ** 2 / 0.04, 1.959964)[0])
    assert -0.03 < made.low < 0
    assert made.se == pytest.approx(stats.sem([1] * 4 + [0] * 96))


def test_runs_of_a_model_are_averaged_and_runs_of_one_model_are_compared():
    series = [Series("x", run="1"), Series("x", run="2"), Series("y", run="1")]
    every = grid(drawn(3), series=series)
    (made,) = differences(every)
    assert (made.first, made.second) == ("x, 2 runs", "y, 1")
    assert_same(made, compare_sides(every, *sides_of(every.series)))
    alone = differences(grid(drawn(3)[:2], series=series[:2]))
    assert [(each.first, each.second) for each in alone] == [("x, 1", "x, 2")]


def test_only_common_items_count():
    a = [RIGHT, WRONG, RIGHT, RIGHT, WRONG, RIGHT, RIGHT, RIGHT] * 10
    b = [WRONG, WRONG, RIGHT, MISSING, WRONG, WRONG, WRONG, RIGHT] * 10
    c = [NOT_ASKED] * 40 + [RIGHT, RIGHT, WRONG, RIGHT] * 10
    made = differences(grid([a, b, c]))
    assert [(each.first, each.second, each.difference.items) for each in made] == [
        ("m0", "m1", 80), ("m0", "m2", 40), ("m1", "m2", 40),
    ]  # fmt: skip
    assert differences(grid([a])) == []


def test_what_cannot_be_tested_says_why():
    never = differences(grid([[RIGHT, NOT_ASKED], [NOT_ASKED, RIGHT]]))[0].difference
    assert (never.items, never.note) == (0, "INCONCLUSIVE: no pairs of answers")
    few = differences(grid([[RIGHT] * 5, [WRONG] * 4 + [RIGHT]]))[0]
    five = few.difference
    assert (five.difference, five.note) == (
        0.8, "INCONCLUSIVE: fewer than 30 pairs of answers, so no test and no interval",
    )  # fmt: skip
    assert np.isnan([five.low, five.high, five.p, few.p_holm]).all()
    lone = differences(grid([[RIGHT] * 40, [WRONG] * 40], groups=["g"] * 40))[0].difference
    assert np.isnan(lone.p)
    assert lone.note.startswith("INCONCLUSIVE: fewer than 6 independent groups")


def test_models_that_share_no_answered_item_have_no_test():
    first, second = [RIGHT] * 60 + [MISSING] * 60, [MISSING] * 60 + [WRONG] * 60
    every = grid([first, second, [RIGHT] * 120])
    made = differences(every)
    assert_none = [
        np.isnan([each.difference.p, each.p_holm, each.difference.low, each.difference.high]).all() for each in made
    ]
    assert assert_none == [True, False, False]
    assert made[0].difference.note == "INCONCLUSIVE: no item has a clear reply of both, so no test and no interval"
    assert made[1].p_holm == pytest.approx(2 * made[1].difference.p)  # two tests, not three
    assert {each.runs for each in made} == {(1, 1)}


def test_a_model_of_several_runs_has_their_mean_with_millers_error(grid_of):
    random = np.random.default_rng(4)
    chance = random.choice([0.2, 0.9], size=80)
    runs = [(random.random(80) < chance).astype(int) for _ in range(3)]
    groups = np.arange(80) // 4
    series = [Series("m", "cot", str(run)) for run in range(3)] + [Series("alone")]
    made = grid_of(*runs, runs[0], groups=groups, subsets=["first"] * 40 + ["second"] * 40, series=series)
    whole, first, second = over_runs(made)
    values = np.mean(runs, axis=0)
    assert (whole.title, whole.subset, whole.runs, whole.items, whole.groups) == ("m, cot, 3 runs", "", 3, 80, 20)
    assert (whole.right, whole.se) == (pytest.approx(values.mean()), pytest.approx(miller(values, groups)))
    assert whole.low < whole.right < whole.high
    for part, rows in ((first, slice(40)), (second, slice(40, 80))):
        assert (part.items, part.right) == (40, pytest.approx(values[rows].mean()))
        assert part.se == pytest.approx(miller(values[rows], groups[rows]))
    assert [first.subset, second.subset] == ["first", "second"]
    # Ten runs that all say the same are no more than one.
    same = grid_of(*[runs[0]] * 10, series=[Series("m", "", str(run)) for run in range(10)])
    (often,) = over_runs(same)
    (once,) = over_runs(grid_of(runs[0], runs[0], series=[Series("m", "", "1"), Series("m", "", "2")]))
    assert (often.right, often.low, often.high, often.se) == (once.right, once.low, once.high, once.se)
    assert over_runs(grid_of(runs[0], runs[1])) == []


def test_a_run_that_was_not_asked_an_item_is_in_no_mean_and_a_missing_reply_is_wrong(grid_of):
    first, second = [RIGHT, RIGHT, WRONG, RIGHT], [NOT_ASKED, WRONG, MISSING, RIGHT]
    (mean,) = over_runs(grid_of(first, second, series=[Series("m", "", "1"), Series("m", "", "2")]))
    assert (mean.items, mean.right) == (4, pytest.approx((1 + 0.5 + 0 + 1) / 4))


def test_of_many_models_the_differences_between_the_best_are_shown(grid_of):
    # Ten models, the k-th right on 40 + 5 k items but for the third, which is right on most.
    rates = [40 + 5 * k for k in range(10)]
    rates[2] = 99
    made = differences(grid_of(*([RIGHT] * rate + [WRONG] * (100 - rate) for rate in rates)))
    shown = foremost(made, 3)
    assert [(each.first, each.second) for each in shown] == [("m2", "m8"), ("m2", "m9"), ("m8", "m9")]
    assert foremost(made, 10) == made
    assert foremost([], 3) == []
    # One that was asked nothing is no better than the others.
    none = differences(grid_of([NOT_ASKED] * 40, [RIGHT] * 40, [WRONG] * 20 + [RIGHT] * 20))
    assert [(each.first, each.second) for each in foremost(none, 2)] == [("m1", "m2")]


def test_a_subset_that_is_left_out_for_want_of_replies_keeps_its_line(grid_of):
    first, second = [RIGHT, WRONG, SKIPPED, SKIPPED, NOT_ASKED], [RIGHT, RIGHT, SKIPPED, RIGHT, NOT_ASKED]
    whole, kept, gone = over_runs(
        grid_of(first, second, subsets=["x", "x", "y", "y", "z"], series=[Series("m", "", "1"), Series("m", "", "2")])
    )
    assert (whole.items, kept.subset, kept.items, kept.note) == (2, "x", 2, "")
    assert (gone.subset, gone.items, gone.note) == ("y", 0, "no reply")
    assert np.isnan([gone.right, gone.low, gone.high, gone.se]).all()
