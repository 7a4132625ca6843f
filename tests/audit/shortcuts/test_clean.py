import time

import pytest

from hansproof.audit.shortcuts.form import changed, clean


@pytest.mark.parametrize(
    "other",
    [
        "THE CAT SAT.", "the cát sat.", "the  cat\n\nsat.", " the cat sat. ", "the cat sat", "the\u200b cat sat.",
        "ｔｈｅ cat sat.", "the\u00a0cat sat…", "the cat\tsat .\r\n",
    ],
)  # fmt: skip
def test_texts_that_differ_in_format_alone_are_equal_when_clean(other):
    assert clean(other) == clean("The cat sat.") == "the cat sat"


def test_marks_stay_and_their_blanks_and_typography_do_not():
    assert clean("“Hé ,you”  —  said\n\n she->him") == '" he , you " - said she > him'
    assert clean("a -> b") == clean("a ->b") == clean("a→b") == "a > b"
    assert clean("Is it?") != clean("Is it.")
    assert clean("not red") != clean("red")


def test_changed_counts_only_what_ngrams_do_not_fold():
    texts = [
        "The Café is open, they say.",
        "the cafe  is open",
        "a ,b",
        "“a”",
        "a\nb",
        "a b ",
        "a\u200bb",
        "ok: 3.5 (x)",
    ]
    assert changed(texts) == [False, True, True, True, True, True, True, False]


@pytest.mark.parametrize("unit", [" ", ".", " .", "-", "<=", "\n "])
def test_a_long_run_of_blanks_or_marks_takes_linear_time(unit):
    start = time.process_time()
    clean("a" + unit * (200_000 // len(unit)) + "x")
    assert time.process_time() - start < 20  # quadratic time is a minute or more
