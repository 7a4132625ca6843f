"""From scores to the numbers of one scheme, on predictions small enough to work out by hand."""

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import balanced_accuracy_score, cohen_kappa_score

from hansproof.audit.probes.crossfit import Scores
from hansproof.audit.probes.kappas import RefitWidening, measure, scheme_gap
from hansproof.audit.probes.task import LabelTask
from hansproof.audit.settings import make_settings
from hansproof.audit.statistics.intervals import expected_error, influence
from hansproof.audit.texts.vectors import by_name

SETTINGS = make_settings(permutations=199)
GOLD = np.repeat([0, 1], 20)


def scores(predicted, vector="word-1-tf", validation=0.6, rows=None, matched=None, regularisation=("L2 C=1",)):
    """`predicted` is (n,) for one split or (splits, n); `matched` is the same unless given."""
    predicted = np.atleast_2d(predicted).astype(np.int16)
    n = predicted.shape[1]
    return Scores(
        vector=by_name(vector),
        units=np.arange(n) if rows is None else rows,
        predicted=predicted,
        matched=predicted if matched is None else np.atleast_2d(matched).astype(np.int16),
        probabilities=np.full((n, 2), 0.5),
        validation=validation,
        regularisation=list(regularisation),
        features=9,
    )


def wrong_at(*items):
    predicted = GOLD.copy()
    predicted[list(items)] ^= 1
    return predicted


def measured(*vectors, y=GOLD, groups=None, labels=2, counted=None, name="grouped", **more):
    groups = np.arange(len(y)) if groups is None else groups
    counted = {each.vector.name for each in vectors} if counted is None else counted
    return measure(name, LabelTask({}, y, labels), groups, list(vectors), SETTINGS, counted, **more)


def test_each_vector_gets_the_kappas_of_its_predictions():
    # 30 of 40 right with both margins even: Cohen's and uniform-chance kappa (.75 - .5) / .5 = .5
    result = measured(scores(wrong_at(*range(5), *range(20, 25))), scores(np.zeros(40, int), "word-1-tfidf")).result
    good, constant = result.vectors
    assert (good.matched, good.cohen, good.uniform, good.accuracy, good.balanced_accuracy) == (
        0.5,
        0.5,
        0.5,
        0.75,
        0.75,
    )
    assert (constant.matched, constant.cohen, constant.uniform, constant.accuracy) == (0, 0, 0, 0.5)
    assert good.matched_low < 0.5 < good.matched_high
    assert good.bound <= good.matched_low  # 97.5 % for both vectors at once
    assert good.p < 0.05 < constant.p
    assert (result.splits, result.scored, result.p_floor, good.split_sd) == (1, 40, 1 / 200, None)


def test_matched_predictions_have_the_kappa_the_p_and_the_bound_and_plain_ones_the_accuracy():
    half, perfect = wrong_at(*range(5), *range(20, 25)), wrong_at()
    vector = measured(scores(half, matched=perfect)).result.vectors[0]
    assert (vector.matched, vector.cohen, vector.uniform, vector.accuracy) == (1, 0.5, 0.5, 0.75)
    # No error in 40 items: at most 1 - .025^(1/40) = .088 are wrong (Clopper & Pearson 1934), or .176 of kappa.
    assert (vector.p, vector.bound) == (1 / 200, pytest.approx(1 - 2 * (1 - 0.025 ** (1 / 40))))
    turned = measured(scores(perfect, matched=half)).result.vectors[0]
    assert (turned.matched, turned.cohen, turned.accuracy) == (0.5, 1, 1)
    assert turned.matched_low < 0.5 < turned.matched_high
    assert (turned.cohen_low, turned.cohen_high) == (vector.matched_low, 1)


def test_over_splits_every_number_is_the_median():
    # 36, 30 and 24 of 40 right, even margins: kappas .8, .5 and .2 with a standard deviation of .3
    splits = [wrong_at(*range(k), *range(20, 20 + k)) for k in (2, 5, 8)]
    result = measured(scores(splits, regularisation=["L2 C=1", "L1 C=1", "L2 C=1"])).result
    vector = result.vectors[0]
    assert [vector.matched, vector.cohen, vector.uniform] == pytest.approx([0.5] * 3)
    assert (vector.accuracy, vector.balanced_accuracy) == pytest.approx((0.75, 0.75))
    assert vector.split_sd == pytest.approx(0.3)
    assert vector.regularisation == {"L1 C=1": 1, "L2 C=1": 2}
    assert (result.splits, result.p_floor) == (3, 0.01)


def test_kappa_and_balanced_accuracy_are_those_of_scikit_learn():
    random = np.random.default_rng(3)
    y, predicted = random.integers(0, 3, 90), random.integers(0, 3, 90)
    vector = measured(scores(predicted), y=y, labels=3).result.vectors[0]
    assert vector.cohen == pytest.approx(cohen_kappa_score(y, predicted))
    assert vector.balanced_accuracy == pytest.approx(balanced_accuracy_score(y, predicted))


def test_the_interval_is_that_of_students_t_with_the_influence_of_each_item():
    predicted = wrong_at(*range(5), *range(20, 25))
    vector = measured(scores(predicted)).result.vectors[0]
    se = np.sqrt((influence(GOLD, predicted, 2) ** 2).sum() * 40 / 39) / 40
    assert vector.matched_high - 0.5 == pytest.approx(0.5 - vector.matched_low)
    assert vector.matched_high == pytest.approx(0.5 + stats.t.ppf(0.975, 39) * se)


def test_an_interval_ends_where_kappa_does_and_a_single_group_has_none():
    nearly = measured(
        scores(wrong_at(0, 20)), refitted=lambda strongest, sd: RefitWidening(sampling=4.0)
    ).result.vectors[0]
    assert nearly.matched == pytest.approx(0.9)
    assert (nearly.matched_high, nearly.cohen_high) == (1, 1)
    assert nearly.matched_low < 0.6
    alone = measured(scores(wrong_at(0, 20)), groups=np.zeros(40, int)).result.vectors[0]
    assert (alone.matched_low, alone.matched_high, alone.cohen_high) == (None, None, None)


def test_plain_kappas_have_the_degrees_of_freedom_of_matched_ones():
    # The same predictions twice: the interval allows both times for a stretch that is an estimate itself.
    stretch = RefitWidening(sampling=1.2, degrees=4.0)
    vector = measured(scores(wrong_at(*range(5), *range(20, 25))), refitted=lambda strongest, sd: stretch)
    result = vector.result.vectors[0]
    assert (result.cohen_low, result.cohen_high) == (result.matched_low, result.matched_high)


def test_predictions_that_hit_nothing_do_not_pass_for_exact_ones():
    # Three of 40 items get the rare answer and none has it: its standard error says little of chance.
    gold, given = np.repeat([0, 1], [36, 4]), np.repeat([1, 0], [3, 37])
    measure = measured(scores(given), y=gold)
    assert measure.errors.se[0] < 0.06
    null = np.sqrt(3 * 0.1 * 0.9 * 37 / 39) / 40 / (0.5 * (0.1 + 3 / 40 - 2 * 0.1 * 3 / 40))
    assert measure.spread[0] == pytest.approx(null, rel=0.2)
    # With many hits, the standard error is the larger of the two or about the same.
    good = measured(scores(wrong_at(*range(5), *range(20, 25))))
    assert good.spread[0] == pytest.approx(max(good.errors.se[0], 1 / np.sqrt(39)), rel=0.15)


def test_p_and_bound_are_corrected_over_the_counted_vectors_alone():
    some = [
        scores(wrong_at(*range(8), *range(20, 27)), "word-1-tf"),
        scores(wrong_at(*range(8), *range(20, 28)), "word-1-tfidf"),
        scores(wrong_at(*range(0, 20, 2), *range(20, 40, 2)), "word-1-presence"),
        scores(wrong_at(), "length"),
    ]
    vectors = measured(*some, counted={"word-1-tf", "word-1-tfidf", "word-1-presence"}).result.vectors
    assert [vector.counted for vector in vectors] == [True, True, True, False]
    assert all(vector.p_corrected >= vector.p for vector in vectors[:3])
    assert vectors[0].p_corrected > vectors[0].p
    assert (vectors[3].p, vectors[3].p_corrected, vectors[3].bound) == (1 / 200, None, None)
    alone = measured(some[0]).result.vectors[0]
    assert alone.p_corrected == alone.p == vectors[0].p
    assert alone.bound > vectors[0].bound


def test_refitting_is_asked_of_the_strongest_counted_vector_and_widens_intervals_and_null():
    some = [
        scores(wrong_at(*range(8), *range(20, 28)), "word-1-tf"),
        scores(wrong_at(*range(7), *range(20, 28)), "word-1-tfidf"),
        scores(wrong_at(), "length"),
    ]
    asked = []

    def refitted(strongest, sd):
        asked.append((strongest.vector.name, sd))
        return RefitWidening(sampling=2.0, null=2.5, degrees=16)

    counted = {"word-1-tf", "word-1-tfidf"}
    plain = measured(*some, counted=counted)
    wide = measured(*some, counted=counted, refitted=refitted)
    assert [name for name, _ in asked] == ["word-1-tfidf"]
    assert asked[0][1] == pytest.approx(1 / np.sqrt(39), rel=0.15)
    assert (wide.result.sampling_stretch, wide.result.null_stretch) == (2.0, 2.5)
    assert (plain.result.sampling_stretch, plain.result.null_stretch) == (1.0, 1.0)
    for before, after in zip(plain.result.vectors[:2], wide.result.vectors[:2], strict=True):
        widths = [vector.matched_high - vector.matched_low for vector in (before, after)]
        assert widths[1] / widths[0] == pytest.approx(2 * stats.t.ppf(0.975, 16) / stats.t.ppf(0.975, 39))
        assert after.bound < before.bound
        assert after.p > before.p
    assert wide.critical[:2] == pytest.approx(2.5 * plain.critical[:2])


def test_the_headline_is_the_counted_vector_with_the_best_validation():
    some = [
        scores(GOLD, "word-1-tf", 0.6),
        scores(GOLD, "word-1-tfidf", 0.7),
        scores(GOLD, "word-1-presence", 0.7),
        scores(GOLD, "length", 0.9),
    ]
    result = measured(*some, counted={"word-1-tf", "word-1-tfidf", "word-1-presence"}).result
    assert (result.headline, result.tied) == ("word-1-tfidf", ["word-1-presence"])


def test_without_validation_the_first_counted_vector_is_the_headline():
    some = [scores(GOLD, "word-1-tf", float("nan")), scores(GOLD, "word-1-tfidf", float("nan"))]
    result = measured(*some).result
    assert (result.headline, result.vectors[0].validation) == ("word-1-tf", None)


@pytest.mark.parametrize(
    ("counts", "uniform"),
    [
        ((150, 49, 1), 0.5),  # the third answer has .5 % of the items: (.75 - 1/2) / (1/2)
        ((150, 48, 2), 0.625),  # exactly 1 % counts: (.75 - 1/3) / (2/3)
        ((199, 1), 0.99),  # but there are always two: (.995 - 1/2) / (1/2)
    ],
)
def test_the_uniform_chance_of_the_majority_leaves_out_stray_answers(counts, uniform):
    y = np.repeat(np.arange(len(counts)), counts)
    result = measured(scores(np.zeros(200, int)), y=y, labels=len(counts)).result
    assert result.majority_accuracy == counts[0] / 200
    assert result.majority_uniform == pytest.approx(uniform)


def test_the_majority_is_that_of_all_items_even_if_only_some_are_scored():
    y = np.repeat([0, 1], [30, 10])
    rows = np.arange(20, 40)
    result = measured(scores(y[rows], rows=rows), y=y, name="paper").result
    assert result.majority_accuracy == 0.75
    assert result.scored == 20
    assert result.vectors[0].accuracy == 1.0


def test_kappa_p_and_bound_are_undefined_where_one_answer_is_all_there_is():
    vector = measured(scores(np.zeros(40, int)), y=np.zeros(40, int)).result.vectors[0]
    undefined = (vector.matched, vector.matched_low, vector.bound, vector.cohen, vector.p, vector.p_corrected)
    assert undefined == (None,) * 6
    assert vector.accuracy == 1.0


def test_whole_groups_are_resampled():
    # 8 groups of 5 with one answer each and all or nothing right: the interval of 8 items, not of 40.
    groups = np.repeat(np.arange(8), 5)
    some = scores(wrong_at(*range(5), *range(20, 25)))
    apart, together = (measured(some, groups=each).result.vectors[0] for each in (None, groups))
    assert together.matched_high - together.matched_low > 1.5 * (apart.matched_high - apart.matched_low)
    assert together.bound < apart.bound
    assert together.p > apart.p


def test_the_gap_is_the_difference_of_the_two_kappas_with_a_paired_interval():
    first, second = wrong_at(*range(5), *range(20, 25)), wrong_at(*range(9), *range(20, 29))  # .5 and .1
    loose, tight = measured(scores(first), name="random"), measured(scores(second))
    gap = scheme_gap(loose, tight, "word-1-tf")
    assert gap.gap == pytest.approx(0.4)
    difference = (influence(GOLD, first, 2) - influence(GOLD, second, 2)) / 40
    half = stats.t.ppf(0.975, 39) * np.sqrt((difference**2).sum() * 40 / 39)
    assert (gap.low, gap.high) == pytest.approx((0.4 - half, 0.4 + half))
    assert 0 < gap.low < 0.4 < gap.high
    wide = measured(scores(second), refitted=lambda strongest, sd: RefitWidening(sampling=2.0))
    assert scheme_gap(loose, wide, "word-1-tf").low == pytest.approx(0.4 - 2 * half)


def test_the_same_predictions_under_two_schemes_have_a_gap_of_exactly_0():
    predicted = wrong_at(*range(7))
    gap = scheme_gap(measured(scores(predicted), name="random"), measured(scores(predicted)), "word-1-tf")
    assert (gap.gap, gap.low, gap.high) == (0, 0, 0)


def test_there_is_no_gap_where_a_kappa_is_undefined():
    y = np.zeros(40, int)
    loose, tight = (measured(scores(y), y=y, name=name) for name in ("random", "grouped"))
    assert scheme_gap(loose, tight, "word-1-tf") is None


def test_no_interval_goes_beyond_the_kappas_that_there_are():
    # 38 of 40 right, kappa .9, in three groups: the t interval of two degrees of freedom would reach beyond 1
    predicted, groups = wrong_at(0, 21), np.arange(40) % 3
    vector = measured(scores(predicted), groups=groups).result.vectors[0]
    assert (vector.matched_high, vector.cohen_high) == (1, 1)
    worst = measured(scores(1 - predicted), groups=groups).result.vectors[0]
    assert (worst.matched_low, worst.cohen_low, worst.bound) == (-1, -1, -1)


def test_there_is_no_gap_where_one_run_served_both_schemes():
    grouped = measured(scores(wrong_at(0, 1)))
    assert scheme_gap(measured(scores(wrong_at(0))), grouped, "word-1-tf").gap > 0
    assert scheme_gap(grouped, grouped, "word-1-tf") is None


def test_what_is_ruled_out_allows_for_the_error_of_a_kappa_as_large_as_the_threshold():
    rare = np.repeat([0, 1], [380, 20])
    nothing = measured(scores(np.zeros(400, int)), y=rare).result.vectors[0]
    assert (nothing.matched, nothing.matched_high) == (0, 0)  # predictions that never vary have no error
    # Fleiss, Cohen & Everitt at kappa .2 and shares .95 and .05: a standard error of .092.
    assert nothing.upper == pytest.approx(stats.t.ppf(0.975, 399) * expected_error(0.2, np.array([0.95, 0.05]), 400))
    assert 0.18 < nothing.upper < 0.19
    even = measured(scores(wrong_at(*range(5), *range(20, 25)))).result.vectors[0]
    assert even.matched_high < even.upper  # with even answers .87 against .98 of 1 / sqrt(n)


def test_the_interval_of_a_probe_that_hits_none_of_a_rare_answer_by_chance_holds_0():
    rare = np.repeat([1, 0], [24, 276])
    missed = measured(scores(np.roll(rare, 100)), y=rare)
    vector, se = missed.result.vectors[0], missed.errors.se[0]
    assert vector.matched == pytest.approx(-24 / 276)
    assert vector.matched + stats.t.ppf(0.975, 299) * se < 0  # as if nothing could have been hit
    assert vector.matched_low < vector.matched < 0 < vector.matched_high
    assert vector.matched_high - vector.matched == pytest.approx(stats.t.ppf(0.975, 299) * missed.spread[0])
    hit = measured(scores(np.roll(rare, 20)), y=rare)
    above = hit.result.vectors[0]
    assert above.matched_high - above.matched == pytest.approx(stats.t.ppf(0.975, 299) * hit.errors.se[0])
