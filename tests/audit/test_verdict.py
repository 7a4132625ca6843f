"""The rule that turns numbers into a word, case by case."""

import pytest

from audit.result import Confirmation, SchemeGap, SchemeResult, VectorResult
from audit.verdict import decide, decide_paper, leaking


def vector(name="word-1-tf", cohen=0.0, low=-0.05, high=0.05, p_holm=1.0, counted=True):
    return VectorResult(
        vector=name,
        label=name,
        cohen=cohen,
        cohen_low=low,
        cohen_high=high,
        uniform=cohen,
        accuracy=0.5,
        balanced_accuracy=0.5,
        p=0.001,
        p_holm=p_holm,
        validation_accuracy=0.5,
        regularisation=["L2 C=1"],
        features=9,
        counted=counted,
    )


def scheme(*vectors, name="grouped", majority=0.5, detectable=0.1):
    return SchemeResult(
        scheme=name,
        folds=5,
        scored=600,
        vectors=list(vectors),
        headline=vectors[0].vector,
        tied=[],
        majority_accuracy=majority,
        majority_uniform=2 * majority - 1,
        detectable=detectable,
    )


LEAK = vector(cohen=0.3, low=0.2, high=0.4, p_holm=0.01)
QUIET = vector()


def judge(grouped, random=None, gap=None, threshold=0.2):
    random = random or scheme(*grouped.vectors, name="random")
    return decide(grouped, random, gap, 2, threshold=threshold, alpha=0.05, groups=100)


def test_a_significant_kappa_over_the_threshold_under_grouped_folds_leaks():
    judgement = judge(scheme(QUIET, vector("gpt2-1-tf", 0.3, 0.2, 0.4, 0.01)))
    assert (judgement.verdict, judgement.vector, judgement.scheme) == ("LEAKS", "gpt2-1-tf", "grouped")
    assert "Cohen's kappa .30 [.20, .40] (corrected p = .010)" in judgement.reason


def test_the_threshold_itself_leaks_and_a_hair_less_does_not():
    assert judge(scheme(vector(cohen=0.2, high=0.3, p_holm=0.01))).verdict == "LEAKS"
    assert judge(scheme(vector(cohen=0.1999, high=0.3, p_holm=0.01))).verdict == "INCONCLUSIVE"


def test_a_large_kappa_without_significance_is_inconclusive():
    assert judge(scheme(vector(cohen=0.5, low=-0.2, high=0.9, p_holm=0.2))).verdict == "INCONCLUSIVE"


def test_a_vector_outside_the_thirteen_never_decides():
    outside = vector("grades", 0.9, 0.8, 1.0, None, counted=False)
    assert judge(scheme(QUIET, outside)).verdict == "CLEAN"
    assert leaking(scheme(outside), 0.2, 0.05) == []


def test_a_leak_under_random_folds_alone_is_template_bound():
    gap = SchemeGap(vector="word-1-tf", gap=0.3, low=0.2, high=0.4)
    judgement = judge(scheme(QUIET), scheme(LEAK, name="random"), gap)
    assert (judgement.verdict, judgement.scheme) == ("TEMPLATE-BOUND", "random")
    assert "kappa is .00" in judgement.reason


def test_a_leak_that_refitting_does_not_bear_out_is_not_called_one():
    def confirmed(p):
        seen = Confirmation(vector="word-1-tf", refits=40, null_mean=0.0, null_sd=0.12, p=p)
        gap = SchemeGap(vector="word-1-tf", gap=0.5, low=0.3, high=0.7)
        loose = scheme(vector(cohen=0.9, low=0.8, high=1.0, p_holm=0.01), name="random")
        return decide(scheme(LEAK), loose, gap, 2, threshold=0.2, alpha=0.05, groups=40, confirmation=seen).verdict

    assert confirmed(0.001) == "LEAKS"
    assert confirmed(0.3) == "TEMPLATE-BOUND"


def test_two_splits_either_side_of_the_threshold_are_no_template_effect():
    gap = SchemeGap(vector="word-1-tf", gap=0.02, low=-0.03, high=0.07)
    near = vector(cohen=0.19, low=0.1, high=0.28, p_holm=0.01)
    assert judge(scheme(near), scheme(LEAK, name="random"), gap).verdict == "INCONCLUSIVE"


def test_a_majority_that_beats_uniform_chance_is_imbalanced_however_few_the_items():
    assert judge(scheme(QUIET, majority=0.7, detectable=0.5)).verdict == "IMBALANCED"
    assert judge(scheme(LEAK, majority=0.7)).verdict == "LEAKS"


def test_a_probe_at_the_threshold_keeps_imbalance_from_being_called_all_there_is():
    loud = vector(cohen=0.27, low=-0.1, high=0.6, p_holm=0.3)
    assert judge(scheme(QUIET, loud, majority=0.7)).verdict == "INCONCLUSIVE"


def test_imbalance_of_few_items_does_not_claim_that_nothing_else_is_known():
    few = judge(scheme(QUIET, majority=0.7, detectable=0.5))
    assert "No probe was shown to beat that, but these items cannot rule one out: too few items" in few.reason
    many = judge(scheme(QUIET, majority=0.7))
    assert many.reason == (
        "always giving the most common answer beats uniform chance: it is right for 70.0 % of the items "
        "(uniform-chance kappa .40). No probe was shown to beat that, and Cohen's kappa of word-1-tf is .00."
    )


def test_few_items_an_answer_are_too_few_to_learn_from():
    judgement = decide(scheme(QUIET), scheme(QUIET), None, 20, threshold=0.2, alpha=0.05, groups=600)
    assert judgement.verdict == "INCONCLUSIVE"
    assert "600 items for 20 answers. A probe needs at least 40 items per answer" in judgement.reason


@pytest.mark.parametrize(
    ("measured", "words"),
    [
        (scheme(QUIET, detectable=0.25), "too few items"),
        (scheme(QUIET, detectable=None), "permuting the answers between groups changes nothing"),
        (scheme(vector(high=0.21)), "95 % interval up to .21, which includes the threshold of .20"),
        (scheme(vector(cohen=None, low=None, high=None)), "undefined"),
    ],
)
def test_clean_is_never_said_by_default(measured, words):
    judgement = judge(measured)
    assert judgement.verdict == "INCONCLUSIVE"
    assert words in judgement.reason


def test_clean_names_the_highest_upper_bound():
    judgement = judge(scheme(QUIET, vector("word-2-tf", high=0.17)))
    assert judgement.verdict == "CLEAN"
    assert ".17 (word-2-tf)" in judgement.reason


@pytest.mark.parametrize(
    ("measured", "verdict"),
    [
        (scheme(LEAK, name="paper"), "LEAKS"),
        (scheme(QUIET, name="paper", majority=0.745), "IMBALANCED"),
        (scheme(QUIET, name="paper", detectable=0.3), "INCONCLUSIVE"),
        (scheme(QUIET, name="paper"), "CLEAN"),
    ],
)
def test_the_papers_protocol_judges_by_the_same_steps(measured, verdict):
    assert decide_paper(measured, 2, threshold=0.2, alpha=0.05).verdict == verdict
