"""Equivalence: Nam's test, exact for two that hardly differ, and its level counted over all tables."""

from math import isnan

import numpy as np
import pytest
from scipy import stats
from simulated.pairs import several_runs, two_models

from hansproof.audit.models.difference import difference_of
from hansproof.audit.statistics.paired_tests import equivalence_p, score_interval, score_statistic
from hansproof.audit.statistics.permutation import seeded

MARGIN = 0.05


@pytest.mark.parametrize(("items", "margin"), [(60, 0.05), (100, 0.05), (100, 0.1), (200, 0.02)])
def test_a_difference_of_the_margin_is_called_equivalent_in_at_most_5_of_100(items, margin):
    tables = [
        (b, c)
        for b in range(items // 2)
        for c in range(items // 2)
        if abs(b - c) < margin * items
        and equivalence_p((b - c) / items, (b + c) / items, margin, items, items) <= 0.05
    ]  # fmt: skip
    for discordant in np.linspace(margin, 0.5, 12):
        shares = [(discordant + margin) / 2, (discordant - margin) / 2, 1 - discordant]
        chances = [stats.multinomial.pmf([b, c, items - b - c], items, shares) for b, c in tables]
        assert sum(chances) <= 0.0505


def test_it_is_two_one_sided_tests_and_never_easier_than_coins():
    statistic = score_statistic(0.01, 0.3, 900, MARGIN)
    assert equivalence_p(0.01, 0.3, MARGIN, 900, 900) == pytest.approx(stats.norm.cdf(statistic))
    assert equivalence_p(0.01, 0.3, MARGIN, 900, 900, 40) == pytest.approx(stats.t.cdf(statistic, 40))
    # At most 5 % where the 90 % interval lies inside the margin, and only there.
    low, high = score_interval(0.01, 0.3, 900, stats.norm.isf(0.05))
    assert abs(low) < high
    assert equivalence_p(0.01, 0.3, high + 1e-6, 900, 900) <= 0.05 < equivalence_p(0.01, 0.3, high - 1e-6, 900, 900)
    assert equivalence_p(-0.01, 0.3, MARGIN, 900, 900) == equivalence_p(0.01, 0.3, MARGIN, 900, 900)
    # With 60 groups of items that may answer alike, one tail of 60 coins: at most .6 heads.
    assert equivalence_p(0.01, 0.01, MARGIN, 900, 60) == pytest.approx(stats.beta.sf(MARGIN, 1.6, 59.4))
    assert equivalence_p(1 / 60, 1 / 60, MARGIN, 900, 60) == pytest.approx(stats.binom.cdf(1, 60, MARGIN))
    assert equivalence_p(1.0, 1.0, MARGIN, 60, 60) == 1


def test_two_that_never_differ_are_equivalent_once_there_are_enough_groups():
    # A difference of 5 points would leave 58 groups without any with .95 ** 58 = .051, and 59 with .0485.
    for groups, size in ((58, 1), (58, 7), (59, 1), (59, 7)):
        same = np.ones(groups * size)
        measured = difference_of(same, same, np.repeat(np.arange(groups), size), MARGIN)
        assert measured.equivalent_p == pytest.approx(0.95**groups)
        assert (measured.difference, measured.p, isnan(measured.se)) == (0, 1, True)
        assert measured.low < 0 < measured.high


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [[2, 3, 4, 5, 6, 7, 8, 9, 10, 2] * 10, [5] * 60])
def test_groups_that_answer_alike_are_not_called_equivalent_at_the_margin(sizes):
    # Counting items, 12 and 19 % of such comparisons were.
    random = seeded(4, "alike", len(sizes))
    times = 300
    claimed = sum(
        difference_of(*two_models(sizes, MARGIN, discordant, random, icc=1.0), MARGIN).equivalent_p <= 0.05
        for discordant in (0.05, 0.1)
        for _ in range(times)
    )
    assert claimed <= stats.binom.ppf(0.999, 2 * times, 0.05)


def wholly(sizes, chances, noise, random):
    """Groups in which A alone is right, each with its chance; in the others `noise` of the items differ, either way."""
    groups = np.repeat(np.arange(len(sizes)), sizes)
    whole = (random.random(len(sizes)) < chances)[groups]
    drawn = random.random(len(groups))
    a_only, b_only = whole | (drawn < noise / 2), ~whole & (noise / 2 <= drawn) & (drawn < noise)
    return np.where(b_only, 0.0, 1.0), np.where(a_only, 0.0, 1.0), groups


@pytest.mark.slow
@pytest.mark.parametrize(("large", "size", "small"), [(20, 10, 180), (24, 5, 96), (40, 10, 360)])
def test_a_difference_in_the_large_groups_is_not_called_negligible(large, size, small):
    # By Kish's number of groups, 9 to 14 % of such comparisons were.
    sizes = [size] * large + [1] * small
    chances = np.where(np.array(sizes) > 1, MARGIN * sum(sizes) / (size * large), 0.0)
    random = seeded(6, "large", large)
    drawn = [difference_of(*wholly(sizes, chances, 0.0, random), MARGIN).equivalent_p for _ in range(300)]
    assert sum(p <= 0.05 for p in drawn) <= stats.binom.ppf(0.999, 300, 0.05)


@pytest.mark.slow
def test_items_that_differ_by_themselves_do_not_hide_a_difference_in_few_groups():
    # By the spread of the items alone, 9.5 % of such comparisons were called equivalent.
    random = seeded(7, "hidden")
    drawn = [difference_of(*wholly([5] * 200, MARGIN, 0.2, random), MARGIN).equivalent_p for _ in range(300)]
    assert sum(p <= 0.05 for p in drawn) <= stats.binom.ppf(0.999, 300, 0.05)
    same = [difference_of(*wholly([5] * 200, 0.0, 0.1, random), MARGIN).equivalent_p for _ in range(50)]
    assert np.mean(np.array(same) <= 0.05) > 0.8


def test_coins_are_the_largest_groups_that_hold_the_margin():
    # 608 items: 30.4 of them, a margin of 5 %, are 3.04 groups of ten, so 60.8 coins; Kish's number is 106.
    groups = np.repeat(np.arange(320), [10] * 32 + [1] * 288)
    same = difference_of(np.ones(608), np.ones(608), groups, MARGIN)
    assert same.effective_groups == pytest.approx(608**2 / 3488)
    assert same.equivalent_p == pytest.approx(0.95**60.8)


@pytest.mark.slow
def test_means_of_runs_are_not_called_equivalent_where_few_items_carry_the_difference():
    # Of several runs every item varies a little, so that by their spread alone 7 % of such comparisons were.
    random = seeded(5, "rare")
    claimed = sum(
        difference_of(*several_runs([1] * 300, (5, 5), 0.9, MARGIN, random, rare=True), MARGIN).equivalent_p <= 0.05
        for _ in range(300)
    )
    assert claimed <= stats.binom.ppf(0.999, 300, 0.05)
    same = [difference_of(*several_runs([1] * 300, (5, 5), 0.9, 0.0, random), MARGIN).equivalent_p for _ in range(50)]
    assert np.mean(np.array(same) <= 0.05) > 0.9


def test_what_means_of_runs_lack_to_the_margin_may_sit_in_items_that_were_not_drawn():
    # se is .01, and a share .045 of 100 items would add .045 * .955 / 100 to its square.
    expected = stats.norm.cdf(-0.045 / np.sqrt(0.0001 + 0.045 * 0.955 / 100))
    assert equivalence_p(0.005, 0.05, MARGIN, 400, 100, variance=0.0001) == pytest.approx(expected)
    assert equivalence_p(0.005, 0.05, MARGIN, 400, 100) < expected


def test_what_is_out_of_reach_whatever_the_answers():
    # The second way: every number of items of ten groups of four, and of 60 items with a group of 20, that may differ.
    for sizes, margin in (([4] * 10, 0.2), ([1] * 60 + [20], 0.05), ([1] * 40, 0.08)):
        groups = np.repeat(np.arange(len(sizes)), sizes)
        n = len(groups)
        tried = [difference_of(np.zeros(n), np.zeros(n), groups, margin)]
        for some in range(1, 9):
            a, b = np.zeros(n), np.zeros(n)
            a[:some], b[n - some // 2 :] = 1, 1
            tried.append(difference_of(a, b, groups, margin))
        assert len({each.least_equivalent_p for each in tried}) == 1
        assert all(each.equivalent_p >= each.least_equivalent_p - 1e-12 for each in tried)

    # 59 items can be equivalent, and 58 cannot; 300 single items with 5 groups of 30 are worth 15.
    def least(n, sizes=()):
        groups = np.r_[np.arange(n), n + np.repeat(np.arange(len(sizes)), sizes)]
        return difference_of(np.ones(len(groups)), np.ones(len(groups)), groups).least_equivalent_p

    assert least(58) > 0.05 >= least(59)
    assert least(300, (30,) * 5) == pytest.approx(0.95 ** (0.05 * 450 / 30 / 0.05))
    assert isnan(least(20))
