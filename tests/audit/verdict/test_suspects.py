"""Which vector is the strongest: 0 is a kappa, and more than a negative one."""

from made_verdicts import scheme, vector

from hansproof.audit.result.record import or_least
from hansproof.audit.verdict.rule import strongest


def test_a_kappa_of_0_is_more_than_a_negative_one_and_what_is_undefined_is_less_than_both():
    below, chance, undefined = vector("word-1-tf", -0.1), vector("word-2-tf", 0.0), vector("char-3-tf", None)
    assert strongest(scheme(below, chance, undefined)).vector == "word-2-tf"
    assert strongest(scheme(undefined, below)).vector == "word-1-tf"
    assert sorted([0.0, None, -1.0, 0.2], key=or_least) == [None, -1.0, 0.0, 0.2]
