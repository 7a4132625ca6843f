"""The sentence names what is found from which kappa, and what never is."""

from audit.explanation.reach import what_is_found
from audit.records.numbers import Findable


def findable(kind, kappa):
    return Findable(kind=kind, kappa=kappa, ceiling=1.0)


WORD, FIFTY = findable("1 word per answer", 0.141), findable("50 words per answer", 0.243)


def test_each_kind_has_its_smallest_kappa():
    assert what_is_found([WORD, FIFTY, findable("length", 0.16)]) == (
        "In these texts the audit would find (80 % of the time) a cue of one word per answer from kappa .14, of fifty "
        "words per answer from kappa .24 and of length from kappa .16. It would miss weaker or subtler ones."
    )


def test_what_is_never_found_is_said():
    never = findable("10 words per answer", None)
    assert what_is_found([WORD, never]).endswith("It would not find a cue of ten words per answer, however strong.")
    assert what_is_found([never, findable("format", None)]) == (
        "In these texts the audit would not find a cue of ten words per answer or of format, however strong."
    )


def test_without_kinds_nothing_is_said():
    assert what_is_found([]) == ""
