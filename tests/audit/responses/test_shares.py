"""Intervals of shares and weighted means, beside statsmodels."""

from math import isnan

import numpy as np
import pytest
from statsmodels.api import WLS
from statsmodels.stats.proportion import proportion_confint

from audit.responses.shares import cluster_interval, clustered, mean, wilson
from generators.errors import InputError


@pytest.mark.parametrize(("hits", "total"), [(0, 8), (8, 8), (3, 7), (499, 1000), (1, 1)])
def test_wilson_agrees_with_statsmodels(hits, total):
    rate = wilson(hits, total)
    assert (rate.low, rate.high) == pytest.approx(proportion_confint(hits, total, method="wilson"))
    assert (rate.hits, rate.total, rate.share, rate.interval) == (hits, total, hits / total, "Wilson")


def test_nothing_of_nothing_is_undefined():
    rate = wilson(0, 0)
    assert isnan(rate.share)
    assert (rate.low, rate.high) == (0, 1)
    empty = mean(np.array([]), np.array([]), np.array([], dtype=np.int64))
    assert isnan(empty.share)
    assert isnan(empty.low)


@pytest.mark.parametrize(("hits", "total", "level"), [(2, 1, 0.95), (-1, 1, 0.95), (1, 2, 1.0)])
def test_impossible_counts_are_refused(hits, total, level):
    with pytest.raises(InputError, match=r"0 <= hits <= total, 0 < level < 1"):
        wilson(hits, total, level)


@pytest.mark.parametrize("size", [1, 4])
def test_a_weighted_mean_is_that_of_wls_with_clustered_errors(size):
    random = np.random.Generator(np.random.PCG64(5))
    values, weights, clusters = random.normal(size=60), random.integers(1, 6, 60).astype(float), np.arange(60) // size
    fit = WLS(values, np.ones(60), weights).fit(cov_type="cluster", cov_kwds={"groups": clusters}, use_t=True)
    rate = mean(values, weights, clusters)
    assert rate.share == pytest.approx(fit.params[0])
    assert (rate.low, rate.high) == pytest.approx(tuple(fit.conf_int()[0]))
    assert (rate.total, rate.interval) == (weights.sum(), "cluster-robust")


def test_a_share_uses_clusters_only_where_items_share_one():
    right = np.array([True, False, True, True])
    assert clustered(right, np.array([0, 1, 2, 3])) == wilson(3, 4)
    rate = clustered(right, np.array([0, 0, 1, 1]))
    assert rate.interval == "cluster-robust"
    assert (rate.low, rate.high) == (0.0, 1.0)  # two clusters, one degree of freedom: nothing is excluded
    assert all(isnan(end) for end in cluster_interval(np.ones(4), np.array([0, 0, 1, 1])))
