"""Where our reading and the harness are so far apart that it must be said."""

import pytest
from sklearn.metrics import cohen_kappa_score

from hansproof.audit.replies.grid import Tally, at_odds, is_poor


def tally(both, ours, theirs, neither, subset="s"):
    made = Tally()
    for pair, count in {
        (True, True): both,
        (True, False): ours,
        (False, True): theirs,
        (False, False): neither,
    }.items():
        for _ in range(count):
            made.add(subset, *pair)
    return made


@pytest.mark.parametrize(
    ("counts", "poor"),
    [
        ((0, 0, 33, 7), True),  # none right by our reading
        ((0, 0, 4, 36), True),
        ((0, 0, 3, 37), False),  # fewer than a tenth are judged differently
        ((23, 16, 0, 1), True),  # kappa .07
        ((31, 9, 0, 40), False),  # kappa .78
        ((97, 1, 1, 1), False),  # kappa .49, but nearly all are judged alike
        ((80, 10, 5, 5), True),  # kappa .32
        ((0, 0, 9, 0), False),  # too few
        ((40, 0, 0, 0), False),  # no kappa
        ((0, 0, 0, 40), False),
        ((0, 0, 40, 0), True),
    ],
)
def test_poor_is_a_small_kappa_with_many_differences_or_none_right_by_us_alone(counts, poor):
    made = tally(*counts)
    agreed = made.agreement()
    both, ours, theirs, neither = counts
    first = [1] * (both + ours) + [0] * (theirs + neither)
    second = [1] * both + [0] * ours + [1] * theirs + [0] * neither
    if len({*first, *second}) > 1:
        assert agreed.kappa == pytest.approx(cohen_kappa_score(first, second))
    assert is_poor(agreed) == poor
    assert list(made.poor()) == ["s"] * poor


def test_the_note_names_subsets_models_and_the_remedy():
    assert at_odds([("m", tally(9, 0, 0, 9).poor())]) == []
    assert Tally().agreement() is None
    made = tally(0, 0, 15, 5)
    made.add("fine", True, True)
    (note,) = at_odds([("m", made.poor()), ("", tally(19, 16, 0, 5, "").poor())])
    assert note == (
        "AT ODDS WITH THE HARNESS: s, m (0.0 % right by our reading, 75.0 % by the harness, of 20); all replies (87.5 "
        "% right by our reading, 47.5 % by the harness, of 40). Look at replies that are judged differently before you "
        "believe either. --judged harness takes the verdicts of the harness; where gold answers are longer texts, "
        "--answer-part REGEX takes the part that counts"
    )
    (note,) = at_odds([("m", tally(19, 16, 0, 5).poor())])  # we find more: no part of the gold answers is missing
    assert "--answer-part" not in note
    (note,) = at_odds([(str(k), made.poor()) for k in range(6)])
    assert "; and 2 more. Look" in note
