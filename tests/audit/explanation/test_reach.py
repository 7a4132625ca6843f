"""The sentence names what is found from which kappa, and what never is."""

from audit.explanation.reach import what_is_found
from audit.probe.injection.findable import Findable

WORD, FIFTY = Findable("1 word per answer", 0.141, 1.0), Findable("50 words per answer", 0.243, 1.0)


def test_each_kind_has_its_smallest_kappa():
    assert what_is_found([WORD, FIFTY, Findable("length", 0.16, 1.0)]) == (
        "In these texts the audit would find (80 % of the time) a cue of one word per answer from kappa .14, of fifty "
        "words per answer from kappa .24 and of length from kappa .16. It would miss weaker or subtler ones."
    )


def test_what_is_never_found_is_said():
    never = Findable("10 words per answer", None, 1.0)
    assert what_is_found([WORD, never]).endswith("It would not find a cue of ten words per answer, however strong.")
    assert what_is_found([never, Findable("format", None, 1.0)]) == (
        "In these texts the audit would not find a cue of ten words per answer or of format, however strong."
    )


def test_without_kinds_nothing_is_said():
    assert what_is_found([]) == ""
