"""Which way the length of a text points."""

import numpy as np

from hansproof.audit.shortcuts.form import direction


def texts(*counts):
    return [" ".join(["word"] * count) for count in counts]


def test_the_answer_of_longer_texts_is_named_with_both_medians():
    y = np.array([0, 0, 0, 1, 1, 1])
    assert direction(texts(5, 6, 7, 2, 3, 4), y, ["yes", "no"]) == (
        "longer texts have the answer “yes” more often (median 6 words, against 3 of the others)"
    )
    assert direction(texts(2, 3, 4, 5, 6, 7), y, ["yes", "no"]).startswith("longer texts have the answer “no”")


def test_of_several_answers_the_clearest_may_be_that_of_shorter_texts():
    y = np.array([0, 0, 1, 1, 2, 2])
    said = direction(texts(1, 2, 8, 9, 8, 9), y, ["a", "b", "c"])
    assert said == "shorter texts have the answer “a” more often (median 1.5 words, against 8.5 of the others)"


def test_digits_are_named_where_only_they_differ():
    y = np.array([0, 0, 0, 1, 1, 1])
    assert direction(["in 1999"] * 3 + ["in May."] * 3, y, ["a", "b"]) == (
        "texts with more digits have the answer “a” more often (median 4 digits, against 0 of the others)"
    )


def test_lengths_that_point_nowhere_are_not_spoken_of():
    y = np.array([0, 0, 1, 1])
    assert direction(texts(3, 3, 3, 3), y, ["a", "b"]) is None
    assert direction(texts(1, 9, 4, 6), y, ["a", "b"]) is None  # as long on average: only the spread differs
