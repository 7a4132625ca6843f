"""From scores to the numbers of one scheme, on predictions small enough to work out by hand."""

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score, cohen_kappa_score
from statsmodels.stats.multitest import multipletests

from audit.features.vectors import by_name
from audit.probe.crossfit import Scores
from audit.probe.scheme import measure, scheme_gap
from audit.settings import make_settings

SETTINGS = make_settings(permutations=299, splits=2)
GOLD = np.repeat([0, 1], 20)


def scores(predicted, vector="word-1-tf", validation=0.6, rows=None):
    predicted = np.asarray(predicted)
    return Scores(
        vector=by_name(vector),
        rows=np.arange(len(predicted)) if rows is None else rows,
        predicted=predicted,
        probabilities=np.full((len(predicted), 2), 0.5),
        fold=np.arange(len(predicted)) % 5,
        validation_accuracy=validation,
        regularisation=["L2 C=1"] * 5,
        features=9,
    )


def wrong_at(*items):
    predicted = GOLD.copy()
    predicted[list(items)] ^= 1
    return predicted


def measured(*vectors, y=GOLD, groups=None, labels=2, counted=None, name="grouped"):
    groups = np.arange(len(y)) if groups is None else groups
    counted = {each.vector.name for each in vectors} if counted is None else counted
    return measure(name, y, groups, labels, list(vectors), SETTINGS, counted)


def test_each_vector_gets_the_kappas_of_its_predictions():
    # 30 of 40 right with both margins even: Cohen's and uniform-chance kappa (.75 - .5) / .5 = .5
    result = measured(scores(wrong_at(*range(5), *range(20, 25))), scores(np.zeros(40, int), "word-1-tfidf")).result
    good, constant = result.vectors
    assert (good.cohen, good.uniform, good.accuracy, good.balanced_accuracy) == (0.5, 0.5, 0.75, 0.75)
    assert (constant.cohen, constant.uniform, constant.accuracy) == (0, 0, 0.5)
    assert good.cohen_low < 0.5 < good.cohen_high
    assert good.p < 0.05 < constant.p
    assert (result.folds, result.scored) == (5, 40)


def test_kappa_and_balanced_accuracy_are_those_of_scikit_learn():
    random = np.random.default_rng(3)
    y, predicted = random.integers(0, 3, 90), random.integers(0, 3, 90)
    vector = measured(scores(predicted), y=y, labels=3).result.vectors[0]
    assert vector.cohen == pytest.approx(cohen_kappa_score(y, predicted))
    assert vector.balanced_accuracy == pytest.approx(balanced_accuracy_score(y, predicted))


def test_holm_corrects_over_the_counted_vectors_alone():
    some = [
        scores(wrong_at(*range(11), *range(20, 27)), "word-1-tf"),
        scores(wrong_at(*range(8), *range(20, 28)), "word-1-tfidf"),
        scores(wrong_at(*range(6), *range(20, 29)), "word-1-presence"),
        scores(wrong_at(), "length"),
    ]
    vectors = measured(*some, counted={"word-1-tf", "word-1-tfidf", "word-1-presence"}).result.vectors
    assert [vector.counted for vector in vectors] == [True, True, True, False]
    expected = multipletests([vector.p for vector in vectors[:3]], method="holm")[1]
    assert [vector.p_holm for vector in vectors[:3]] == pytest.approx(list(expected))
    assert vectors[3].p_holm is None
    assert vectors[3].p == 1 / 300


def test_the_headline_is_the_counted_vector_with_the_best_validation_accuracy():
    some = [
        scores(GOLD, "word-1-tf", 0.6),
        scores(GOLD, "word-1-tfidf", 0.7),
        scores(GOLD, "word-1-presence", 0.7),
        scores(GOLD, "length", 0.9),
    ]
    result = measured(*some, counted={"word-1-tf", "word-1-tfidf", "word-1-presence"}).result
    assert (result.headline, result.tied) == ("word-1-tfidf", ["word-1-presence"])


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


def test_kappa_p_and_power_are_undefined_where_one_answer_is_all_there_is():
    result = measured(scores(np.zeros(40, int)), y=np.zeros(40, int)).result
    vector = result.vectors[0]
    assert (vector.cohen, vector.cohen_low, vector.p, vector.p_holm, result.detectable) == (None,) * 5
    assert vector.accuracy == 1.0


def test_whole_groups_are_resampled():
    # 8 groups of 5 with one answer each and all or nothing right: the interval of 8 items, not of 40.
    groups = np.repeat(np.arange(8), 5)
    some = scores(wrong_at(*range(5), *range(20, 25)))
    apart, together = (measured(some, groups=each).result.vectors[0] for each in (None, groups))
    assert together.cohen_high - together.cohen_low > 1.5 * (apart.cohen_high - apart.cohen_low)
    assert together.p > apart.p


def test_the_gap_is_the_difference_of_the_two_kappas_with_a_paired_interval():
    loose = measured(scores(wrong_at(*range(5), *range(20, 25))), name="random")  # .5
    tight = measured(scores(wrong_at(*range(9), *range(20, 29))))  # .1
    gap = scheme_gap(loose, tight, "word-1-tf")
    assert gap.gap == pytest.approx(0.4)
    paired = loose.replicates[0] - tight.replicates[0]
    assert (gap.low, gap.high) == pytest.approx(tuple(np.percentile(paired, [2.5, 97.5])))
    assert 0 < gap.low < 0.4 < gap.high


def test_the_same_predictions_under_two_schemes_have_a_gap_of_exactly_0():
    predicted = wrong_at(*range(7))
    gap = scheme_gap(measured(scores(predicted), name="random"), measured(scores(predicted)), "word-1-tf")
    assert (gap.gap, gap.low, gap.high) == (0, 0, 0)


def test_there_is_no_gap_where_a_kappa_is_undefined():
    y = np.zeros(40, int)
    loose, tight = (measured(scores(y), y=y, name=name) for name in ("random", "grouped"))
    assert scheme_gap(loose, tight, "word-1-tf") is None
