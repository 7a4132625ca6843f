"""The sentence names what is found from which kappa, and what never is."""

from hansproof.audit.result.numbers import Findable
from hansproof.audit.verdict.reasons import hardest, what_is_found, what_is_missed


def findable(kind, kappa):
    return Findable(kind=kind, kappa=kappa)


WORD, FIFTY = findable("1 word per answer", 0.141), findable("50 words per answer", 0.243)
NO_WORD, NO_FIFTY = findable("1 word per answer", None), findable("50 words per answer", None)


def test_each_kind_has_its_smallest_kappa():
    assert what_is_found([WORD, FIFTY]) == (
        "a cue of one word per answer from kappa .14 and of fifty words per answer from .24 (80 % of the time)"
    )


def test_what_is_never_found_is_said():
    assert what_is_found([WORD, NO_FIFTY]).endswith(
        "(80 % of the time); none of fifty words per answer, however strong"
    )
    assert what_is_found([NO_WORD, NO_FIFTY]) == (
        "no cue of one word per answer or of fifty words per answer, however strong"
    )


def test_what_is_missed_is_one_clause_for_all_kinds():
    assert what_is_missed([WORD, FIFTY]) == (
        "a cue of one word per answer would be found only from kappa .14 and of fifty words per answer only from .24 "
        "(80 % of the time)"
    )
    assert what_is_missed([NO_WORD, NO_FIFTY]) == (
        "a cue of one word per answer or of fifty words per answer would not be found, however strong"
    )


def test_clean_names_the_kind_that_is_found_last():
    assert "that of fifty words per answer is the hardest to find: the audit finds it from kappa .24" in hardest(
        [WORD, FIFTY]
    )
    assert hardest([WORD, NO_FIFTY]).endswith("from kappa .14, 80 % of the time; none of fifty words per answer.")
    assert hardest([NO_FIFTY]) == ""


def test_without_kinds_nothing_is_said():
    assert what_is_found([]) == ""
