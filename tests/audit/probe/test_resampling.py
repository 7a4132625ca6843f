"""Permutation, Holm and bootstrap against closed forms and other libraries."""

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.multitest import multipletests

from audit.probe.power import detectable_kappa
from audit.statistics import kappa
from audit.statistics.resampling import bootstrap_kappas, holm, permutation_p, permuted_labels, seeded


def test_holm_matches_the_worked_example_of_holm_1979():
    # p = .01 .02 .04 -> .03 .04 .04
    assert holm(np.array([0.02, 0.01, 0.04])) == pytest.approx([0.04, 0.03, 0.04])


def test_holm_agrees_with_statsmodels_and_leaves_undefined_ones_out():
    p = np.random.default_rng(2).random(13) ** 3
    assert holm(p) == pytest.approx(multipletests(p, method="holm")[1])
    with_nan = np.insert(p, 4, np.nan)
    assert np.isnan(holm(with_nan)[4])
    assert np.delete(holm(with_nan), 4) == pytest.approx(holm(p))


def test_permutation_p_of_single_items_agrees_with_the_exact_hypergeometric_tail():
    y = np.repeat([0, 1], [30, 30])
    predicted = y.copy()
    predicted[[*range(11), *range(30, 41)]] ^= 1  # 38 of 60 agree, both margins 30 / 30
    p, sd = permutation_p(y, predicted[None], np.arange(60), 9999, seeded(1, "test"))
    exact = stats.hypergeom(60, 30, 30).sf(18)  # at least 19 of 30 zeros predicted zero
    assert p[0] == pytest.approx(exact, abs=0.006)
    assert sd[0] == pytest.approx(1 / np.sqrt(59), rel=0.03)


def test_p_is_never_zero():
    y = np.tile([0, 1], 40)
    p, _ = permutation_p(y, y[None], np.arange(80), 99, seeded(1, "test"))
    assert p[0] == 1 / 100


def test_clustered_labels_make_the_null_wider():
    # 10 groups of 20 with one label each carry the evidence of 10 items, not of 200.
    y = np.repeat([0, 1] * 5, 20)
    groups = np.repeat(np.arange(10), 20)
    apart = permutation_p(y, y[None], np.arange(200), 499, seeded(1, "test"))
    whole = permutation_p(y, y[None], groups, 499, seeded(1, "test"))
    assert whole[1][0] == pytest.approx(1 / np.sqrt(9), rel=0.1)
    assert whole[1][0] > 4 * apart[1][0]
    assert whole[0][0] == pytest.approx(1 / 252, abs=0.006)  # 10 over 5 arrangements, one as good


def test_matched_pairs_that_a_probe_tells_apart_are_significant():
    # Every pair holds both labels: moving whole pairs alone would leave every labeling as it was.
    y = np.tile([0, 1], 30)
    p, _ = permutation_p(y, y[None], np.repeat(np.arange(30), 2), 199, seeded(1, "test"))
    assert p[0] == 1 / 200


def test_relabelings_keep_the_counts_and_the_make_up_of_equal_groups():
    y = np.array([0, 0, 1, 1, 1, 1, 0, 1, 2])
    groups = np.array([0, 1, 2, 0, 1, 2, 0, 1, 2])
    for z in permuted_labels(y, groups, 50, seeded(3, "test")):
        assert sorted(z) == sorted(y)
        made = sorted(tuple(sorted(z[groups == g])) for g in range(3))
        assert made == sorted(tuple(sorted(y[groups == g])) for g in range(3))


def test_the_null_of_pure_chance_predictions_gives_uniform_p_values():
    random = np.random.default_rng(9)
    groups = np.repeat(np.arange(40), 3)
    y = np.repeat(random.integers(0, 2, 40), 3)
    predicted = np.repeat(random.integers(0, 2, (400, 40)), 3, axis=1)
    p, _ = permutation_p(y, predicted, groups, 199, seeded(4, "test"))
    assert (p <= 0.05).mean() < 0.085  # 400 tests at level .05: 3 standard errors above it
    assert (p <= 0.5).mean() == pytest.approx(0.5, abs=0.13)


def test_the_bootstrap_of_single_items_has_the_standard_error_of_fleiss_cohen_everitt():
    random = np.random.default_rng(11)
    y = random.integers(0, 2, 600)
    predicted = np.where(random.random(600) < 0.75, y, 1 - y)
    draws = bootstrap_kappas(y, predicted[None], np.arange(600), 2, 2000, seeded(5, "test"))[0]
    p = kappa.confusion(y, predicted, 2) / 600
    p_o, rows, columns = np.trace(p), p.sum(axis=1), p.sum(axis=0)
    p_e = rows @ columns
    k = (p_o - p_e) / (1 - p_e)
    # Fleiss, Cohen & Everitt (1969)
    a = sum(p[i, i] * (1 - (rows[i] + columns[i]) * (1 - k)) ** 2 for i in range(2))
    b = (1 - k) ** 2 * sum(p[i, j] * (columns[i] + rows[j]) ** 2 for i in range(2) for j in range(2) if i != j)
    se = np.sqrt((a + b - (k - p_e * (1 - k)) ** 2) / 600) / (1 - p_e)
    assert draws.std() == pytest.approx(se, rel=0.05)
    assert draws.mean() == pytest.approx(cohen_kappa_score(y, predicted), abs=0.01)


def test_doubling_every_item_within_its_group_leaves_the_interval_as_it_was():
    random = np.random.default_rng(12)
    y, predicted = random.integers(0, 3, 200), random.integers(0, 3, 200)
    once = bootstrap_kappas(y, predicted[None], np.arange(200), 3, 300, seeded(6, "test"))
    twice = bootstrap_kappas(
        np.repeat(y, 2), np.repeat(predicted, 2)[None], np.repeat(np.arange(200), 2), 3, 300, seeded(6, "test")
    )
    assert np.allclose(once, twice)


def test_detectable_kappa_follows_its_closed_form_for_balanced_single_items():
    y = np.tile([0, 1], 200)
    smallest = detectable_kappa(y, np.arange(400), seeded(1, "power"), draws=2000)
    z = stats.norm.ppf(1 - 0.05 / 13) + stats.norm.ppf(0.8)
    assert smallest == pytest.approx(z / np.sqrt(399), rel=0.06)


def test_a_kappa_of_the_detectable_size_is_found_four_times_in_five():
    y, groups = np.tile([0, 1], 150), np.arange(300)
    size = detectable_kappa(y, groups, seeded(1, "power"), draws=1000)
    random = np.random.default_rng(3)
    right = random.random((300, 300)) < (1 + size) / 2
    p, _ = permutation_p(y, np.where(right, y, 1 - y), groups, 1999, seeded(2, "power"))
    assert (p < 0.05 / 13).mean() == pytest.approx(0.8, abs=0.08)


def test_groups_of_one_label_alone_leave_no_null():
    assert np.isnan(detectable_kappa(np.zeros(40, dtype=int), np.arange(40), seeded(1, "power")))
