"""Answerers whose accuracies are known: what is true is covered, nothing is seldom found, and power is as promised."""

from math import sqrt

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import binom

from hansproof.audit.models.difference import difference_of
from hansproof.audit.statistics.power import shift_found
from hansproof.generators.stream import Stream

TIMES, PAIRS = 400, 200


def compare(original, perturbed):
    return difference_of(original.astype(float), perturbed.astype(float), np.arange(len(original)))


def answers(p_original, p_perturbed, *names):
    """(original, perturbed) right of PAIRS pairs, TIMES times: half of the pairs stand or fall with one number."""
    stream = Stream(11, "simulated answerers", *names)
    count = 3 * TIMES * PAIRS
    at = np.array([stream.word() for _ in range(count)], dtype=np.float64).reshape(3, TIMES, PAIRS) / 2**64
    return zip(at[0] < p_original, np.where(at[2] < 0.5, at[0], at[1]) < p_perturbed, strict=True)


def true_discordance(p_original, p_perturbed):
    """The answers are one number's in half of the pairs, independent in the others."""
    return (abs(p_original - p_perturbed) + p_original * (1 - p_perturbed) + p_perturbed * (1 - p_original)) / 2


def true_sd(p_original, p_perturbed):
    """Of a pair's difference."""
    return sqrt(true_discordance(p_original, p_perturbed) - (p_original - p_perturbed) ** 2)


def plausible(hits, share):
    """Whether `hits` of TIMES is within the middle 99.9 % of a binomial with `share`."""
    return binom.ppf(0.0005, TIMES, share) <= hits <= binom.ppf(0.9995, TIMES, share)


@pytest.mark.parametrize(
    ("p_original", "p_perturbed"),
    [
        (0.8, 0.6),
        *(pytest.param(*of, marks=pytest.mark.slow) for of in ((0.9, 0.516), (0.55, 0.526), (0.4, 0.5), (0.7, 0.7))),
    ],
)
def test_the_interval_covers_the_true_effect_in_95_of_100(p_original, p_perturbed):
    comparisons = [
        compare(original, perturbed)
        for original, perturbed in answers(p_original, p_perturbed, "coverage", str(p_original), str(p_perturbed))
    ]
    assert plausible(
        sum(comparison.low <= p_original - p_perturbed <= comparison.high for comparison in comparisons), 0.95
    )
    effects = np.array([comparison.difference for comparison in comparisons])
    # The mean of 400 effects is within 4 of its standard errors, and their spread is the one predicted.
    assert abs(effects.mean() - (p_original - p_perturbed)) < 4 * true_sd(p_original, p_perturbed) / sqrt(PAIRS * TIMES)
    assert effects.std() == pytest.approx(true_sd(p_original, p_perturbed) / sqrt(PAIRS), rel=0.15)


def test_no_effect_is_called_one_in_5_of_100_by_the_t_test_and_in_fewer_by_the_exact_test():
    comparisons = [compare(original, perturbed) for original, perturbed in answers(0.7, 0.7, "null")]
    assert plausible(sum(comparison.t_p < 0.05 for comparison in comparisons), 0.05)
    # An exact test keeps its level and, of so few discordant pairs, does not use all of it.
    assert sum(comparison.p < 0.05 for comparison in comparisons) <= binom.ppf(0.9995, TIMES, 0.05)


def test_the_detectable_effect_is_found_in_80_of_100():
    def lacking(p):
        return 0.8 - p - shift_found(PAIRS, true_discordance(0.8, p), two_sided=True)

    p_perturbed = brentq(lacking, 0.4, 0.79)
    comparisons = [compare(original, perturbed) for original, perturbed in answers(0.8, p_perturbed, "power")]
    assert plausible(sum(comparison.p < 0.05 for comparison in comparisons), 0.8)
    assert float(np.mean([comparison.detectable for comparison in comparisons])) == pytest.approx(
        0.8 - p_perturbed,
        rel=0.05,  # McNemar's power; what is printed leaves an item for ties
    )
