"""What a pilot says of the groups of a plan: how alike their items are, how many there are, and what they find."""

from dataclasses import replace
from math import nan

import numpy as np
import pytest
import statsmodels.api as sm
from simulated.pairs import two_models

from hansproof.audit.models.planning import Seen, found_with, measured_design, pilot, plan
from hansproof.audit.models.sides import Balanced, Side, in_common
from hansproof.audit.statistics.paired_tests import sign_flip_p
from hansproof.audit.statistics.permutation import seeded


def design_of(drawn):
    return measured_design(Balanced([drawn.a - drawn.b], 1, True), drawn.groups, 0.5)


def test_the_intraclass_correlation_is_the_one_that_was_put_in():
    drawn = two_models([5] * 4_000, 0.0, 0.3, seeded(9, "icc"), icc=0.4)
    assert design_of(drawn).icc == pytest.approx(0.4, abs=0.03)
    uneven = two_models([1, 2, 3, 8] * 1_500, 0.0, 0.3, seeded(10, "icc"), icc=0.4)
    assert design_of(uneven).icc == pytest.approx(0.4, abs=0.03)


def test_the_design_effect_is_that_of_leaving_out_one_group_at_a_time():
    drawn = two_models([1, 2, 3, 8] * 20, 0.1, 0.3, seeded(12, "left out"), icc=0.5)
    apart, groups = drawn.a - drawn.b, drawn.groups
    without = np.array([apart[groups != group].mean() for group in range(80)])
    variance = 79 / 80 * np.sum((without - apart.mean()) ** 2)
    design = design_of(drawn)
    # The group of a random item has (1 + 4 + 9 + 64) / 14 items, and a pair more differs alike.
    assert (design.group_size, design.mean_size) == (pytest.approx(78 / 14), 280 / 80)
    pairs = 280 * (np.mean(apart**2) - apart.mean() ** 2) * (design.group_size - 1) / 2
    effect = variance / ((np.mean(apart**2) - apart.mean() ** 2) / 280)
    assert design.effect == pytest.approx((pairs * effect + design.group_size) / (pairs + 1))


def test_small_groups_that_answer_alike_say_nothing_of_large_ones_that_do_not():
    # Matched pairs move together and five large groups do not: by the analysis of variance icc was .4, and up to 9
    # times the items were asked for.
    random = seeded(13, "matched pairs")
    sizes = [2] * 60 + [40] * 4
    pairs, large = two_models([2] * 60, 0.0, 0.3, random, icc=1.0), two_models([40] * 4, 0.0, 0.05, random)
    apart = np.r_[pairs.a - pairs.b, large.a - large.b]
    design = measured_design(Balanced([apart], 1, True), np.repeat(np.arange(64), sizes), 0.5)
    assert design.group_size > 20
    assert 1 < design.effect < 4


def test_where_only_large_groups_move_their_size_counts():
    groups = np.r_[np.arange(180), 180 + np.repeat(np.arange(20), 10)]
    apart = np.where((groups >= 180) & (groups % 4 == 0), np.where(groups % 8 == 0, 1.0, -1.0), 0.0)
    design = measured_design(Balanced([apart], 1, True), groups, 0.5)
    # Ten items that move as one are ten times the variance; of unequal groups a random item has 5.7 in its own.
    assert (design.icc, design.group_size) == (1, pytest.approx(10, rel=0.06))
    assert design.effect == design.group_size
    assert design.per_group == 380 / 200


def test_one_group_is_as_good_as_one_item():
    apart = np.array([1.0, -1, 0, 0] * 5)
    assert measured_design(Balanced([apart], 1, True), np.zeros(20, dtype=np.int64), 0.5).effect == 20


def test_groups_are_counted_as_the_pilot_has_them(grid_of):
    # 56 groups of 186 items, of which a random one sits in a group of 5.2: 860 groups were said to hold 4,491 items.
    sizes = [13, 12, 10, 8] + [6] * 4 + [4] * 15 + [2] * 26 + [1] * 7
    drawn = two_models(sizes, 0.05, 0.4, seeded(14, "counted"))
    grid = grid_of(drawn.a.astype(int), drawn.b.astype(int), groups=drawn.groups)
    design = pilot(in_common(grid, Side("a", (0,)), Side("b", (1,))))
    assert (design.mean_size, design.group_size) == (186 / 56, pytest.approx(5.226, abs=0.001))
    for asked in ({"difference": 0.03}, {"items": 4491}, {"items": 186}):
        planned = plan(design, **asked)
        assert planned.groups == np.ceil(planned.items * 56 / 186 - 1e-9)
    assert plan(design, items=186).groups == 56
    assert plan(design, items=4491).groups == 1353
    # The power goes by the effective number of groups, as it did.
    assert found_with(186, replace(design, mean_size=nan)) == found_with(186, design)


MANY_SIZES = [13, 12, 10, 8] + [6] * 4 + [4] * 15 + [2] * 26 + [1] * 7
FEW_LARGE = [47, 44, 24, 24, 20] + [12] * 5 + [8, 8, 7, 7, 6, 4, 4, 4] + [2] * 24 + [1] * 23


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sizes", "icc", "difference"), [(MANY_SIZES, 0.0, 0.08), (MANY_SIZES, 0.4, 0.1), (FEW_LARGE, 0.2, 0.12)]
)
def test_as_many_groups_of_the_sizes_of_the_pilot_find_the_difference_80_times_in_100(sizes, icc, difference):
    random = seeded(15, "resampled", len(sizes))
    plans = [
        plan(design_of(two_models(sizes, difference, 0.4, random, icc=icc)), difference=difference) for _ in range(40)
    ]
    groups = int(np.median([each.groups for each in plans]))
    times = 0
    for _ in range(300):
        drawn = two_models(random.choice(sizes, groups), difference, 0.4, random, icc=icc)
        shifts = np.bincount(drawn.groups, weights=drawn.a - drawn.b).astype(int)
        times += shifts.sum() > 0 and sign_flip_p(shifts.tolist()) <= 0.05
    assert 0.7 < times / 300 < 0.95  # a standard error is .023


def test_a_pilot_gives_its_shares_and_how_unsure_they_are(grid_of):
    drawn = two_models([2] * 100, 0.05, 0.3, seeded(11, "pilot"), icc=0.3)
    grid = grid_of(drawn.a.astype(int), drawn.b.astype(int), groups=drawn.groups)
    design = pilot(in_common(grid, Side("a", (0,)), Side("b", (1,))))
    assert design.discordant == np.mean(drawn.a != drawn.b)
    assert design.low < design.discordant < design.high
    assert design.group_size == 2
    apart = drawn.a - drawn.b
    unlike = np.mean(apart != 0) - np.mean(apart) ** 2
    error = sm.OLS(apart, np.ones(200)).fit(cov_type="cluster", cov_kwds={"groups": drawn.groups}).bse[0]
    icc = error**2 * 200 / unlike - 1  # in pairs
    assert design.icc == pytest.approx((100 * unlike * icc + 1) / (100 * unlike + 1))
    assert design.mean_size == 2
    assert design.seen == Seen((drawn.a.mean() + drawn.b.mean()) / 2, np.mean(apart), np.mean(apart != 0), 1.0)
    planned = plan(design, difference=0.05)
    assert planned.low < planned.items < planned.high
    back = plan(design, items=500)
    assert back.low < back.difference < back.high


def test_groups_that_differ_inside_more_than_outside_are_planned_nearly_as_if_alone(grid_of):
    grid = grid_of([1, 0] * 20, [0, 1] * 20, groups=np.repeat(np.arange(20), 2))
    # The correlation is -1, which is no help; one pair more that differs alike makes it 1 of 21.
    assert pilot(in_common(grid, Side("a", (0,)), Side("b", (1,)))).icc == pytest.approx(1 / 21)


def test_a_pilot_without_a_difference_does_not_say_that_groups_do_not_matter(grid_of):
    same = grid_of([1] * 40, [1] * 40, groups=np.repeat(np.arange(8), 5))
    design = pilot(in_common(same, Side("a", (0,)), Side("b", (1,))))
    assert (design.discordant, design.icc, design.effect) == (0, 1, 5)
