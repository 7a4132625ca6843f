"""Standard errors against statsmodels and the jackknife, and bounds against simulation."""

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import cohens_kappa

from hansproof.audit.probes.task import LabelTask
from hansproof.audit.statistics import kappa
from hansproof.audit.statistics.intervals import Errors, effective_groups, expected_error, influence, simultaneous
from hansproof.audit.statistics.permutation import seeded


def made(n=300, labels=3, right=0.6, seed=1):
    random = np.random.default_rng(seed)
    y = random.choice(labels, n, p=np.arange(labels, 0, -1) / np.arange(labels + 1).sum())
    return y, np.where(random.random(n) < right, y, random.integers(0, labels, n))


def errors(y, predicted, groups, labels, kappas, **wide):
    """Those of a task, whose kappas are given."""
    return LabelTask({}, y, labels).errors(predicted, y, np.arange(len(y)), groups, kappas, **wide)


def paired_errors(y, first, second, groups, labels, **wide):
    """Those of the difference of two predictions."""
    return LabelTask({}, y, labels).difference(first, second, groups, **wide)


def standard_errors(y, predicted, groups=None, labels=3, **more):
    """`predicted` is (vectors, splits, n)."""
    predicted = np.asarray(predicted, dtype=np.int16)
    kappas = np.array([[cohen_kappa_score(y, row) for row in of] for of in predicted])
    groups = np.arange(len(y)) if groups is None else groups
    return errors(y, predicted, groups, labels, kappas, **more)


@pytest.mark.parametrize("labels", [2, 3, 5])
def test_the_standard_error_is_that_of_fleiss_cohen_and_everitt(labels):
    y, predicted = made(labels=labels)
    theirs = cohens_kappa(kappa.confusion(y, predicted, labels), return_results=True)
    part = influence(y, predicted, labels)
    assert part.mean() == pytest.approx(0, abs=1e-12)
    assert part.std() / np.sqrt(300) == pytest.approx(theirs.std_kappa)
    ours = standard_errors(y, [[predicted]], labels=labels)
    assert ours.se[0] == pytest.approx(theirs.std_kappa * np.sqrt(300 / 299))


@pytest.mark.parametrize("true", [0.0, 0.2, 0.7, 1.0])
@pytest.mark.parametrize("shares", [(0.5, 0.5), (0.95, 0.05), (0.2, 0.3, 0.5)])
def test_the_expected_error_is_that_of_the_expected_table(true, shares):
    shares = np.array(shares)
    table = 1000 * (true * np.diag(shares) + (1 - true) * np.outer(shares, shares))
    theirs = cohens_kappa(table, return_results=True)
    assert theirs.kappa == pytest.approx(true)
    assert expected_error(true, shares, 1000) == pytest.approx(theirs.std_kappa, abs=1e-9)


def test_the_expected_error_of_a_single_answer_is_undefined():
    assert np.isnan(expected_error(0.2, np.array([1.0]), 100))


@pytest.mark.parametrize(("groups", "clusters"), [(np.arange(60), 60), (np.repeat(np.arange(20), 3), 20)])
def test_predictions_that_are_never_wrong_get_the_exact_interval_over_groups(groups, clusters):
    y = np.array([0, 1] * 30)
    ours = standard_errors(y, [[y]], groups, labels=2)
    lowest = stats.binomtest(clusters, clusters).proportion_ci(0.95).low
    assert 1 - ours.half_width()[0] == pytest.approx(1 - (1 - lowest) / 0.5)


def test_errors_are_wider_than_those_of_as_many_independent_items_by_groups_and_by_refitting():
    y, predicted = made()
    assert standard_errors(y, [[predicted]]).widening[0] == pytest.approx(np.sqrt(300 / 299))
    assert standard_errors(y, [[predicted]], stretch=1.5).widening[0] == pytest.approx(1.5 * np.sqrt(300 / 299))
    threefold = standard_errors(np.repeat(y, 3), [[np.repeat(predicted, 3)]], np.repeat(np.arange(300), 3))
    assert threefold.widening[0] == pytest.approx(np.sqrt(3 * 300 / 299))


def test_each_influence_is_what_leaving_the_item_out_changes():
    y, predicted = made(n=400)
    whole = cohen_kappa_score(y, predicted)
    tables = [kappa.confusion(np.delete(y, i), np.delete(predicted, i), 3) for i in range(400)]
    left_out = kappa.cohen(np.stack(tables))
    assert influence(y, predicted, 3) == pytest.approx(399 * (whole - left_out), abs=0.03)


def test_the_influence_of_a_single_answer_is_undefined_and_of_one_constant_is_not():
    y = np.zeros(9, dtype=np.int64)
    assert np.isnan(influence(y, y, 2)).all()
    gold = np.array([0, 1] * 5)
    assert np.array_equal(influence(gold, np.zeros(10, dtype=np.int64), 2), np.zeros(10))


def test_the_contributions_of_a_group_are_added_up():
    y, predicted = made(n=240)
    groups = np.random.default_rng(2).permutation(np.repeat(np.arange(60), 4))
    ours = standard_errors(y, [[predicted]], groups)
    part = influence(y, predicted, 3)
    sums = np.array([part[groups == g].sum() for g in range(60)]) / 240
    assert ours.influence[0] == pytest.approx(sums)
    assert ours.se[0] == pytest.approx(np.sqrt(60 / 59 * (sums**2).sum()))
    left_out = np.array([cohen_kappa_score(y[groups != g], predicted[groups != g]) for g in range(60)])
    jackknife = np.sqrt(59 / 60 * ((left_out - left_out.mean()) ** 2).sum())
    assert ours.se[0] == pytest.approx(jackknife, rel=0.03)


def test_doubling_every_item_within_its_group_leaves_the_standard_error_as_it_was():
    y, predicted = made()
    once = standard_errors(y, [[predicted]])
    twice = standard_errors(np.repeat(y, 2), [[np.repeat(predicted, 2)]], np.repeat(np.arange(300), 2))
    assert twice.se == pytest.approx(once.se)
    assert twice.degrees == once.degrees == 299


def test_effective_groups_count_groups_of_one_size_and_discount_large_ones():
    assert effective_groups(np.arange(30)) == 30
    assert effective_groups(np.repeat(np.arange(6), 5)) == 6
    assert effective_groups(np.array([0] * 8 + [1, 2])) == pytest.approx(100 / 66)
    assert effective_groups(np.zeros(9, dtype=np.int64)) == 1


def test_refitting_stretches_the_standard_error_and_its_own_uncertainty_the_interval():
    y, predicted = made()
    plain = standard_errors(y, [[predicted]])
    wide = standard_errors(y, [[predicted]], stretch=1.5, stretched_by=16.0)
    assert wide.se == pytest.approx(1.5 * plain.se)
    assert (plain.degrees, wide.degrees) == (299, 16)
    assert plain.half_width() == pytest.approx(plain.se * stats.t.ppf(0.975, 299))
    assert wide.half_width() == pytest.approx(wide.se * stats.t.ppf(0.975, 16))


def test_a_median_over_splits_keeps_a_part_of_their_variance_and_never_less_than_the_mean_contribution():
    y, _ = made(n=400, labels=2)
    random = np.random.default_rng(6)
    predicted = np.stack([np.where(random.random(400) < 0.75, y, 1 - y) for _ in range(8)])
    ours = standard_errors(y, [predicted], labels=2, stretch=2.0)
    alone = np.array([standard_errors(y, [[row]], labels=2).se[0] for row in predicted])
    spread = np.var([cohen_kappa_score(y, row) for row in predicted], ddof=1)
    assert ours.se[0] == pytest.approx(np.sqrt(4 * (alone**2).mean() - spread * (1 - np.pi / 16)))
    # Eight independent splits vary as much as one: without a stretch nothing but the mean contribution would be left.
    least = np.sqrt((standard_errors(y, [predicted], labels=2).influence[0] ** 2).sum() * 400 / 399)
    assert standard_errors(y, [predicted], labels=2).se[0] == pytest.approx(least)
    parts = np.mean([influence(y, row, 2) for row in predicted], axis=0) / 400
    assert standard_errors(y, [predicted], labels=2).influence[0] == pytest.approx(parts)
    equal = standard_errors(y, [[predicted[0]] * 8], labels=2)
    assert equal.se[0] == pytest.approx(alone[0])


def test_one_group_says_nothing_of_others():
    y, predicted = made(n=50)
    ours = standard_errors(y, [[predicted]], np.zeros(50, dtype=np.int64))
    assert ours.se[0] == np.inf
    assert np.isnan(simultaneous(np.array([0.6]), ours, 0.99, seeded(1, "test"))[0][0])


def bounds(parts, level=0.99, kappas=None, degrees=1e6):
    """Lower bounds of kappas whose errors have the influence `parts` (V, G)."""
    parts = np.asarray(parts)
    made_up = Errors(parts, np.sqrt((parts**2).sum(axis=1)), degrees, np.ones(len(parts)))
    return simultaneous(np.zeros(len(parts)) if kappas is None else kappas, made_up, level, seeded(1, "test"))[0]


def test_the_bound_of_a_single_vector_is_that_of_students_t():
    parts = np.random.default_rng(1).standard_normal((1, 50))
    se = np.sqrt((parts**2).sum())
    assert bounds(parts)[0] == pytest.approx(-stats.norm.ppf(0.99) * se, rel=0.02)
    assert bounds(parts, degrees=9.0)[0] == pytest.approx(-stats.t.ppf(0.99, 9) * se, rel=0.05)


def test_equal_errors_cost_nothing_and_independent_ones_the_correction_of_sidak():
    part = np.random.default_rng(1).standard_normal(60)
    assert bounds([part] * 13) == pytest.approx(np.full(13, bounds([part])[0]), rel=0.02)
    independent = bounds(np.eye(13))
    assert independent == pytest.approx(np.full(13, -stats.norm.ppf(0.99 ** (1 / 13))), rel=0.02)


def test_bounds_hold_for_all_vectors_at_once_as_often_as_they_say():
    random = np.random.default_rng(5)
    shared = 0.8
    parts = np.sqrt(shared) * random.standard_normal(400) + np.sqrt(1 - shared) * random.standard_normal((6, 400))
    low = bounds(parts, 0.9)
    kappas = np.stack([parts @ random.standard_normal(400) for _ in range(4000)])
    held = (kappas + low <= 0).all(axis=1).mean()  # each kappa's bound is kappa + low; the truth is 0
    assert held == pytest.approx(0.9, abs=0.02)


def test_bounds_do_not_depend_on_the_last_bits_of_the_errors():
    # Two pairs of twins have equal eigenvalues, whose eigenvectors may be any; processors differ in the last bits.
    a, b = np.tile([1.0, 1, -1, -1], 50), np.tile([1.0, -1, 1, -1], 50)
    kappas = np.array([0.1, 0.1, 0.05, 0.05, 0.02])

    def bounds(bits):
        noise = np.random.default_rng(2).choice([-1, 0, 1], size=(5, 200)) * bits * 2.0**-52
        of = np.stack([a, a, b, b, a + b]) * 0.001 * (1 + noise)
        errors = Errors(of, np.sqrt((of**2).sum(axis=1)), 199.0, np.ones(5))
        return simultaneous(kappas, errors, 0.95, np.random.default_rng(3))[0].tolist()

    assert bounds(1) == bounds(3) == bounds(0)


def test_undefined_kappas_have_no_bound_and_constant_predictions_have_their_kappa():
    parts = np.vstack([np.zeros(40), np.ones(40), np.ones(40)])
    low = bounds(parts, kappas=np.array([0.0, np.nan, 0.5]))
    assert low[0] == 0
    assert np.isnan(low[1])
    assert low[2] < 0.5


def test_contributions_that_cancel_over_the_splits_leave_the_other_bounds_alone():
    # Balanced, and right in one split where it is wrong in the other: kappa 0 and 0, contributions +1 and -1.
    y, half = np.tile([0, 1], 10), np.tile([0, 0, 1, 1], 5)
    good = np.where(np.arange(20) < 3, 1 - y, y)
    predicted = np.stack([[half, 1 - half], [good, good]]).astype(np.int16)
    spread = errors(y, predicted, np.arange(20), 2, np.array([[0.0, 0.0], [0.7, 0.7]]))
    assert np.array_equal(spread.influence[0], np.zeros(20))
    assert spread.se[0] > 0.2
    bounds, _ = simultaneous(np.array([0.0, 0.7]), spread, 0.99, seeded(1, "test"))
    # The larger of two independent Student variables with 19 degrees stays below t(.99 ** .5) in 99 of 100 draws.
    assert bounds == pytest.approx(np.array([0.0, 0.7]) - stats.t.ppf(0.99**0.5, 19) * spread.se, abs=0.02)


@pytest.mark.parametrize(
    ("together", "degrees"),
    [
        (True, 4060**2 / (4 * 900**2 + 100 + 10 * 36**2) - 1),  # v = s^2: the four large groups are most of it
        (False, 280**2 / 4060 - 1),  # v = s: as many as Kish's number of groups, minus one
    ],
)
def test_large_groups_leave_few_degrees_of_freedom_if_their_items_agree(together, degrees):
    size = np.repeat([30, 1, 6], [4, 100, 10])
    groups = np.repeat(np.arange(114), size)
    random = np.random.default_rng(4)
    y, predicted = (
        np.stack([random.integers(0, 2, 114)[groups] if together else random.integers(0, 2, 280) for _ in range(40)])
        for _ in range(2)
    )
    y = y[0]
    kappas = np.array([[cohen_kappa_score(y, row)] for row in predicted])
    spread = errors(y, predicted[:, None].astype(np.int16), groups, 2, kappas)
    assert spread.degrees == pytest.approx(degrees, rel=0.25)


def test_groups_of_one_size_have_one_degree_of_freedom_less_than_groups():
    y, predicted = made(n=240)
    assert standard_errors(y, [[predicted]], np.repeat(np.arange(60), 4)).degrees == pytest.approx(59)


def test_the_error_of_a_difference_is_that_of_a_bootstrap_over_groups():
    # Two predictions that share most of their errors, in groups of three items that agree.
    random = np.random.default_rng(3)
    y = np.repeat(random.integers(0, 2, 200), 3)
    groups = np.repeat(np.arange(200), 3)
    right = np.repeat(random.random(200) < 0.7, 3)
    first = np.where(right, y, 1 - y)
    second = np.where(np.repeat(random.random(200) < 0.15, 3), 1 - first, first)
    ours = paired_errors(y, first[None].astype(np.int16), second[None].astype(np.int16), groups, 2).se[0]
    drawn = []
    for _ in range(2000):
        rows = (3 * random.integers(0, 200, 200)[:, None] + np.arange(3)).ravel()
        drawn.append(kappa.cohen_of(y[rows], first[rows], 2) - kappa.cohen_of(y[rows], second[rows], 2))
    assert ours == pytest.approx(np.std(drawn), rel=0.06)
    apart = standard_errors(y, [[first], [second]], groups, labels=2).se
    assert ours < 0.8 * np.hypot(*apart)


def test_a_prediction_does_not_differ_from_itself_and_a_constant_adds_no_error():
    y, predicted = made(labels=2)
    given = np.stack([predicted, predicted[::-1]]).astype(np.int16)
    everyone = np.arange(len(y))
    assert paired_errors(y, given, given, everyone, 2).se[0] == 0
    alone = standard_errors(y, given[None], labels=2)
    assert paired_errors(y, given, np.zeros_like(given), everyone, 2).se[0] == pytest.approx(alone.se[0])
    wider = paired_errors(y, given[:1], np.zeros_like(given[:1]), everyone, 2, stretch=1.5, stretched_by=16.0)
    assert wider.se[0] == pytest.approx(1.5 * standard_errors(y, given[None, :1], labels=2).se[0])
    assert wider.degrees == 16
