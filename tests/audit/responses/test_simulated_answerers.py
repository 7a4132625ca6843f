"""Answerers whose accuracies are known: what is true is covered, nothing is seldom found, and power is as promised."""

from math import sqrt

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import binom

from audit.responses.paired import compare, detectable_effect
from generators.stream import Stream

TIMES, PAIRS = 400, 200


def answers(p_easy, p_hard, *names):
    """(easy, hard) right of PAIRS pairs, TIMES times: half of the pairs stand or fall with one number."""
    stream = Stream(11, "simulated answerers", *names)
    count = 3 * TIMES * PAIRS
    at = np.array([stream.word() for _ in range(count)], dtype=np.float64).reshape(3, TIMES, PAIRS) / 2**64
    return zip(at[0] < p_easy, np.where(at[2] < 0.5, at[0], at[1]) < p_hard, strict=True)


def true_sd(p_easy, p_hard):
    """Of a pair's difference: the answers are one number's in half of the pairs, independent in the others."""
    discordant = (abs(p_easy - p_hard) + p_easy * (1 - p_hard) + p_hard * (1 - p_easy)) / 2
    return sqrt(discordant - (p_easy - p_hard) ** 2)


def plausible(hits, share):
    """Whether `hits` of TIMES is within the middle 99.9 % of a binomial with `share`."""
    return binom.ppf(0.0005, TIMES, share) <= hits <= binom.ppf(0.9995, TIMES, share)


@pytest.mark.parametrize(("p_easy", "p_hard"), [(0.8, 0.6), (0.9, 0.516), (0.55, 0.526), (0.4, 0.5), (0.7, 0.7)])
def test_the_interval_covers_the_true_effect_in_95_of_100(p_easy, p_hard):
    found = [compare(easy, hard) for easy, hard in answers(p_easy, p_hard, "coverage", str(p_easy), str(p_hard))]
    assert plausible(sum(one.low <= p_easy - p_hard <= one.high for one in found), 0.95)
    effects = np.array([one.effect for one in found])
    # The mean of 400 effects is within 4 of its standard errors, and their spread is the one predicted.
    assert abs(effects.mean() - (p_easy - p_hard)) < 4 * true_sd(p_easy, p_hard) / sqrt(PAIRS * TIMES)
    assert effects.std() == pytest.approx(true_sd(p_easy, p_hard) / sqrt(PAIRS), rel=0.15)


def test_no_effect_is_called_one_in_5_of_100_and_by_mcnemar_in_fewer():
    found = [compare(easy, hard) for easy, hard in answers(0.7, 0.7, "null")]
    assert plausible(sum(one.p < 0.05 for one in found), 0.05)
    # An exact test keeps its level and, of so few discordant pairs, does not use all of it.
    assert sum(one.mcnemar_p < 0.05 for one in found) <= binom.ppf(0.9995, TIMES, 0.05)


def test_the_detectable_effect_is_found_in_80_of_100():
    p_hard = brentq(lambda p: 0.8 - p - detectable_effect(PAIRS, true_sd(0.8, p)), 0.4, 0.79)
    found = [compare(easy, hard) for easy, hard in answers(0.8, p_hard, "power")]
    assert plausible(sum(one.p < 0.05 for one in found), 0.8)
    assert float(np.mean([one.detectable for one in found])) == pytest.approx(0.8 - p_hard, rel=0.03)
