"""What a difference takes: published examples, statsmodels, and simulated comparisons that find it as promised."""

from math import inf, isinf, isnan, nan, sqrt

import numpy as np
import pytest
from simulated.pairs import several_runs, two_models
from statsmodels.stats.power import TTestPower

from hansproof.audit.models.contrast import word_of
from hansproof.audit.models.difference import difference_of
from hansproof.audit.models.planning import Design, Seen, discordance, found_with, pilot, plan
from hansproof.audit.models.sides import Side, in_common
from hansproof.audit.statistics.paired_tests import sign_flip_p
from hansproof.audit.statistics.permutation import seeded
from hansproof.audit.statistics.power import pairs_needed


def supposed(discordant, group_size=1.0, icc=0.0):
    return Design(discordant, nan, nan, group_size, icc)


def test_the_published_example_of_connor():
    # Cells of .45 and .05, two-sided 5 %, 80 %: (1.96 sqrt(.5) + .8416 sqrt(.5 - .16))^2 / .16 = 22.01, so 23 pairs.
    assert plan(supposed(0.5), difference=0.4).items == 23


def test_the_worked_examples_of_miller():
    # Miller (2024), section 5. Three points where the paired differences have a variance of 1/9, as those of uniform
    # next-token probabilities that correlate by .5: 969 questions.
    assert plan(supposed(1 / 9 + 0.03**2), difference=0.03).items == pytest.approx(969, rel=0.01)
    # 198 questions with one answer each, variance 1/9 + 1/6 + 1/6: 13.2 points; with ten answers each, 7.5.
    for answers, points in ((1, 13.2), (10, 7.5)):
        variance = 1 / 9 + (1 / 6 + 1 / 6) / answers
        shift = plan(supposed(variance + (points / 100) ** 2), items=198).difference
        assert 100 * shift == pytest.approx(points, abs=0.3)


@pytest.mark.parametrize(("difference", "discordant"), [(0.03, 0.2), (0.05, 0.3), (0.1, 0.25)])
def test_the_power_of_the_t_test_needs_as_many(difference, discordant):
    needed = TTestPower().solve_power(difference / sqrt(discordant - difference**2), alpha=0.05, power=0.8)
    assert plan(supposed(discordant), difference=difference).items == pytest.approx(needed, rel=0.03)


def test_groups_multiply_by_the_design_effect():
    alone = plan(supposed(0.2), difference=0.03)
    pairs = plan(supposed(0.2, group_size=2, icc=0.3), difference=0.03)
    assert alone.items == pairs_needed(0.03, 0.2, two_sided=True)
    assert pairs.items == pytest.approx(1.3 * alone.items, rel=0.04)  # and an item for ties
    assert pairs.groups == np.ceil(pairs.items / 2)
    assert plan(supposed(0.2, 10, 1.0), difference=0.03).groups == pytest.approx(alone.items, rel=0.05)  # ten are one


def test_the_reverse_is_the_inverse():
    for design in (supposed(0.2), supposed(0.3, 2, 0.3), supposed(0.1, 5, 0.5)):
        for items in (200, 1_000, 20_000):
            shown = plan(design, items=items)
            back = plan(design, difference=shown.difference).items
            # Fewer may do where the difference is all that differs: then only the number of groups that move counts.
            assert back <= items + 1
            assert back == pytest.approx(items, abs=2) or shown.difference == pytest.approx(design.discordant)
            assert plan(design, items=int(back)).difference <= shown.difference * (1 + 1e-6)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("difference", "discordant", "size", "icc"), [(0.1, 0.25, 1, 0.0), (0.1, 0.25, 2, 0.3), (0.12, 0.3, 4, 0.5)]
)
def test_simulated_comparisons_find_the_difference_80_times_in_100(difference, discordant, size, icc):
    planned = plan(supposed(discordant, size, icc), difference=difference)
    random = seeded(7, "power", size)
    often = 600
    times = 0
    for _ in range(often):
        drawn = two_models([size] * int(planned.groups), difference, discordant, random, icc=icc)
        measured = difference_of(*drawn, 0.05)
        times += word_of(measured, measured.p, measured.equivalent_p) == "A better"
    assert 0.75 < times / often < 0.86  # a standard error is .016; the exact test is a little careful


def found_share(sizes, discordant, icc, difference, alpha=0.05, often=400):
    random = seeded(8, "found", len(sizes), round(1000 * difference))
    groups = np.repeat(np.arange(len(sizes)), sizes)
    times = 0
    for _ in range(often):
        drawn = two_models(sizes, difference, max(discordant, difference), random, icc=icc)
        shifts = np.bincount(groups, weights=drawn.a - drawn.b).astype(int)
        times += shifts.sum() > 0 and sign_flip_p(shifts.tolist()) <= alpha
    return times / often


@pytest.mark.parametrize("alpha", [0.05, 0.01])
@pytest.mark.parametrize(
    ("count", "size", "discordant", "icc"),
    [
        (8, 10, 0.4, 0.0), (10, 20, 0.2, 0.0), (12, 20, 0.2, 0.0), (12, 20, 0.3, 0.1), (20, 10, 0.2, 0.0),
        (20, 5, 0.4, 0.3), (40, 5, 0.2, 0.3), (60, 5, 0.1, 1.0), (100, 2, 0.2, 0.3),
    ],
)  # fmt: skip
def test_few_groups_find_what_they_are_said_to_find(count, size, discordant, icc, alpha):
    shown = found_with(count * size, supposed(discordant, size, icc), alpha)
    # A standard error is .02; ties cost more where all eight groups have to go one way. Before, 29 points were printed
    # for ten groups of 20, which found 10 in 81 of 100.
    assert 0.66 < found_share([size] * count, discordant, icc, shown, alpha) < 0.96


@pytest.mark.parametrize(("count", "size", "icc"), [(10, 20, 0.0), (12, 20, 0.1), (20, 10, 0.3), (100, 2, 0.3)])
def test_what_a_comparison_prints_for_groups_is_found_about_80_times_in_100(count, size, icc):
    random = seeded(9, "printed", count)
    drawn = [two_models([size] * count, 0.0, 0.3, random, icc=icc) for _ in range(60)]
    printed = np.array([difference_of(*each, 0.05).detectable for each in drawn])
    assert 0.75 < found_share([size] * count, 0.3, icc, float(np.nanmedian(printed))) < 0.95


@pytest.mark.slow
@pytest.mark.parametrize(
    ("items", "runs", "right", "alike"),
    [(100, (10, 10), 0.95, 0.0), (100, (3, 3), 0.9, 0.5), (100, (10, 1), 0.9, 0.5), (200, (5, 2), 0.8, 0.5)],
)
def test_what_a_comparison_prints_for_runs_is_found_about_80_times_in_100(items, runs, right, alike):
    random = seeded(10, "runs", *runs)

    def measured(difference):
        drawn = several_runs([1] * items, runs, right, difference, random, alike=alike)
        return difference_of(*drawn, 0.05)

    printed = float(np.median([measured(0.0).detectable for _ in range(40)]))
    better = np.mean([(lambda each: each.p <= 0.05 and each.difference > 0)(measured(printed)) for _ in range(200)])
    assert 0.7 < better < 0.92  # a standard error is .03; 47 to 100 in 100 where runs counted as right and wrong


def test_the_variance_grows_towards_one_half_as_that_of_shares_does():
    # From .9 and .9 to .9 and .8: (.09 + .16) / (.09 + .09).
    assert Seen(0.9, 0.0, 0.2, 1.0).growth(0.1, 0.2) == pytest.approx(0.25 / 0.18)
    assert Seen(0.1, 0.0, 0.2, 1.0).growth(0.1, 0.2) == pytest.approx(0.25 / 0.18)
    assert Seen(0.5, 0.0, 0.2, 1.0).growth(0.5, 0.2) == pytest.approx(0.5)
    assert Seen(0.85, 0.1, 0.2, 1.0).growth(0.1, 0.2) == pytest.approx(1)  # .9 and .8 are where it was measured
    # If a share of .04 may differ after all, the two are not always right: .98 and .98 to .98 and .88.
    assert Seen(1.0, 0.0, 0.0, 1.0).growth(0.1, 0.04) == pytest.approx((0.0196 + 0.1056) / 0.0392)
    assert Design(0.0, nan, nan, 1, 0, Seen(1.0, 0.0, 0.0, 1.0)).at(0.1) == pytest.approx((0.09, 0.1, True, 1.0))


@pytest.mark.parametrize("right", [0, 1])
@pytest.mark.parametrize("size", [1, 5])
def test_a_pilot_in_which_both_are_perfect_does_not_ask_for_millions(grid_of, right, size):
    perfect = grid_of([right] * 200, [right] * 200, groups=np.arange(200) // size)
    planned = plan(pilot(in_common(perfect, Side("a", (0,)), Side("b", (1,)))), difference=0.01)
    # The upper end is 1.8 % discordant items: it was 7 milliards of items.
    assert planned.items < planned.high < 20_000 * size
    back = plan(pilot(in_common(perfect, Side("a", (0,)), Side("b", (1,)))), items=1_000)
    assert back.difference < back.high < 0.1 * size


def test_discordance_is_counted_out_from_accuracies_and_their_correlation():
    # .7 and .7, independent: 2 * .7 * .3; alike: none.
    assert discordance(0.7, 0, 0) == pytest.approx(0.42)
    assert discordance(0.7, 0, 1) == pytest.approx(0)
    # With a correlation of 1 the difference itself remains.
    assert discordance(0.7, 0.1, 1) == pytest.approx(0.1)
    random = seeded(8, "discordance")
    a = random.random(400_000) < 0.75
    b = np.where(random.random(400_000) < 0.4, a, random.random(400_000) < 0.65)
    r = np.corrcoef(a, b)[0, 1]
    drawn, expected = np.mean(a != b), discordance((a.mean() + b.mean()) / 2, a.mean() - b.mean(), r)
    assert drawn == pytest.approx(expected, abs=1e-9)


def test_a_difference_takes_as_many_groups_as_the_test_needs():
    assert plan(supposed(0.9, group_size=50), difference=0.9).groups == 6
    assert isnan(plan(supposed(0.9, group_size=50), items=250).difference)
    assert plan(supposed(0.9, group_size=50), items=300).difference < 0.3
    assert isnan(found_with(300, supposed(0.9, group_size=50), alpha=0.01))  # eight groups: 2 / 2 ** 8 = .008


def test_what_cannot_be_found_is_said():
    assert isinf(plan(supposed(0.2), difference=0.0).items)
    assert plan(supposed(0.2), difference=0.0).groups == inf
    assert isnan(plan(supposed(0.2), items=4).difference)
    assert isnan(plan(supposed(0.2), items=100).low)
