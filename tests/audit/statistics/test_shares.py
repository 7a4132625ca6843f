"""Intervals of shares and weighted means, beside statsmodels."""

from math import isnan

import numpy as np
import pytest
from scipy import stats
from statsmodels.api import WLS
from statsmodels.stats.proportion import proportion_confint

from hansproof.audit.statistics.shares import clustered, mean


@pytest.mark.parametrize(("hits", "total"), [(0, 8), (8, 8), (3, 7), (499, 1000), (1, 1)])
def test_wilson_agrees_with_statsmodels(hits, total):
    rate = clustered(np.arange(total) < hits, np.arange(total))
    assert (rate.low, rate.high) == pytest.approx(proportion_confint(hits, total, method="wilson"))
    assert (rate.hits, rate.total, rate.share, rate.interval) == (hits, total, hits / total, "Wilson")


def test_nothing_of_nothing_is_undefined():
    none = np.array([], dtype=np.int64)
    for rate in (clustered(none.astype(bool), none), mean(none * 1.0, none * 1.0, none), mean(*np.zeros((2, 2)), none)):
        assert all(isnan(number) for number in (rate.share, rate.low, rate.high))
        assert rate.reason == "there is nothing to take a mean of"


@pytest.mark.parametrize("size", [1, 4])
def test_a_weighted_mean_is_that_of_wls_on_cluster_means_with_errors_by_leaving_one_out(size):
    random = np.random.Generator(np.random.PCG64(5))
    values, weights, clusters = random.normal(size=60), random.integers(1, 6, 60).astype(float), np.arange(60) // size
    heavy = np.bincount(clusters, weights=weights)
    fit = WLS(np.bincount(clusters, weights=weights * values) / heavy, np.ones(len(heavy)), heavy).fit(cov_type="HC3")
    rate = mean(values, weights, clusters)
    assert rate.share == pytest.approx(fit.params[0])
    # HC3 is the jackknife but for (G - 1) / G (MacKinnon and White 1985); degrees after Kish.
    error = fit.bse[0] * ((len(heavy) - 1) / len(heavy)) ** 0.5
    half = stats.t.ppf(0.975, heavy.sum() ** 2 / (heavy**2).sum() - 1) * error
    assert (rate.low, rate.high) == pytest.approx((rate.share - half, rate.share + half))
    assert (rate.total, rate.interval) == (weights.sum(), "cluster-robust")


def test_a_share_uses_clusters_only_where_items_share_one():
    right = np.array([True, False, True, True])
    rate = clustered(right, np.array([0, 1, 2, 3]))
    assert (rate.low, rate.high) == pytest.approx(proportion_confint(3, 4, method="wilson"))
    rate = clustered(right, np.array([0, 0, 1, 1]))
    assert rate.interval == "cluster-robust"
    # Two clusters, one degree of freedom: hardly anything is excluded.
    assert rate.low < 0.02
    assert rate.high > 0.99
    none = mean(np.full(4, 2.0), np.ones(4), np.array([0, 0, 1, 1]))
    assert isnan(none.low)
    assert isnan(none.high)


def test_groups_with_the_same_mean_tell_no_width_whatever_is_in_them():
    # -1 and 1 in each of ten groups: the variance between groups is 0, and the interval was [0, 0].
    values, groups = np.tile([-1.0, 1.0], 10), np.arange(20) // 2
    rate = mean(values, np.ones(20), groups)
    assert (rate.share, isnan(rate.low), isnan(rate.high)) == (0, True, True)
    assert rate.reason == "no interval: fewer than two groups, or groups that all have the same mean"
    # Shares have bounds to go by: as many trials as groups.
    share = mean(np.tile([0.0, 1.0], 10), np.ones(20), groups)
    assert (share.low, share.high) == pytest.approx(proportion_confint(5, 10, method="wilson"))
    # With one value moved there is a spread again.
    values[0] = 0
    rate = mean(values, np.ones(20), groups)
    assert rate.low < 0.05 < rate.high
