"""Kappas by hand and by two libraries."""

from math import isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import cohens_kappa

from hansproof.audit.statistics.kappa import agree


def test_a_worked_kappa():
    # 50 replies: 20 both yes, 15 both no, 5 and 10 split: p_o = .7, p_e = .5 * .6 + .5 * .4 = .5, kappa = .4
    agreed = agree([True] * 25 + [False] * 25, [True] * 20 + [False] * 5 + [True] * 10 + [False] * 15)
    assert agreed.kappa == pytest.approx(0.4)
    assert (agreed.replies, agreed.both, agreed.first_only, agreed.second_only, agreed.neither) == (50, 20, 5, 10, 15)
    assert agreed.reason == ""


@pytest.mark.parametrize(
    ("first", "words", "reason"),
    [
        ([], ("no", "yes"), "there are no replies to compare"),
        ([True] * 3, ("no", "yes"), "both judgements of every reply are 'yes'"),
        ([False], ("wrong", "right"), "both judgements of every reply are 'wrong'"),
    ],
)
def test_kappa_is_undefined_where_nothing_varies(first, words, reason):
    agreed = agree(first, first, words)
    assert isnan(agreed.kappa)
    assert agreed.reason == reason


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=2, max_size=40))
def test_kappas_are_those_of_scikit_learn_and_statsmodels(pairs):
    first, second = [list(labels) for labels in zip(*pairs)]
    agreed = agree(first, second)
    if isnan(agreed.kappa):
        assert len({*first, *second}) == 1
    else:
        counts = [[pairs.count((a, b)) for b in (True, False)] for a in (True, False)]
        assert agreed.kappa == pytest.approx(cohen_kappa_score(first, second))
        assert agreed.kappa == pytest.approx(cohens_kappa(counts, return_results=False))
