"""The sentence names what is found from which kappa, and what never is."""

from hansproof.audit.result.numbers import Findable
from hansproof.audit.verdict.reasons import hardest, what_is_found, what_is_missed


def findable(kind, kappa, ceiling=1.0):
    return Findable(kind=kind, kappa=kappa, ceiling=ceiling)


WORD, FIFTY = findable("1 word per answer", 0.141), findable("50 words per answer", 0.243)


def test_each_kind_has_its_smallest_kappa():
    assert what_is_found([WORD, FIFTY, findable("length", 0.16)]) == (
        "a cue of one word per answer from kappa .14, of fifty words per answer from .24 and of length from .16 "
        "(80 % of the time)"
    )


def test_what_is_never_found_is_said():
    never = findable("10 words per answer", None)
    assert what_is_found([WORD, never]).endswith("(80 % of the time); none of ten words per answer, however strong")
    assert what_is_found([never, findable("format", None)]) == (
        "no cue of ten words per answer or of format, however strong"
    )


def test_what_is_missed_is_one_clause_for_all_kinds():
    assert what_is_missed([FIFTY, findable("length", 0.5)]) == (
        "a cue of fifty words per answer would be found only from kappa .24 and of length only from .50 (80 % of the "
        "time)"
    )
    assert what_is_missed([findable("length", None), findable("format", None)]) == (
        "a cue of length or of format would not be found, however strong"
    )


def test_clean_names_the_kind_that_is_found_last():
    assert "that of fifty words per answer is the hardest to find: the audit finds it from kappa .24" in hardest(
        [WORD, FIFTY, findable("length", None)]
    )
    assert hardest([WORD, findable("length", None)]).endswith("from kappa .14, 80 % of the time; none of length.")
    assert hardest([findable("length", None)]) == ""


def test_a_kind_that_no_probe_measures_is_named_as_such():
    blind, never = findable("length", None, 0.0), findable("format", None)
    assert what_is_found([WORD, blind]).endswith("(80 % of the time); length is not measured in these texts")
    assert what_is_found([WORD, never, blind]).endswith(
        "none of format, however strong; length is not measured in these texts"
    )
    assert hardest([WORD, never, blind]).endswith("none of format; length is not measured in these texts.")
    assert hardest([WORD, blind]).endswith("80 % of the time; length is not measured in these texts.")


def test_without_kinds_nothing_is_said():
    assert what_is_found([]) == ""
