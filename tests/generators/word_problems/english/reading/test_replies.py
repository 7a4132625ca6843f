"""Answers extracted from replies: hand-written cases, round trips through other libraries, and hostile text."""

from fractions import Fraction
from functools import cache
from itertools import pairwise
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hansproof.generators.answering.numbers import LONGEST, numbers, plain
from hansproof.generators.item import Item
from hansproof.generators.word_problems.scorer import SCORER
from hansproof.generators.word_problems.scorer import first_number as published


def robust(reply, prompt="How many?"):
    """The value that a reply gives, and why it gives none."""
    reading = SCORER.read(Item("x", prompt, None, "8", "x", "x", {}), reply)
    return SimpleNamespace(value=None if reading.said is None else Fraction(reading.said), reason=reading.reason)


@cache
def english():
    """The library, which takes seconds to import."""
    import inflect

    return inflect.engine()


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("8", "8"),
        ("8.", "8"),
        ("**8**", "8"),
        ("`8`", "8"),
        ("_8_", "8"),
        ("<answer>8</answer>", "8"),
        ("8 kg", "8"),
        ("8kg", "8"),
        ("$8", "8"),
        ("12.0", "12"),
        ("3.5 litres", "7/2"),
        (".5", "1/2"),
        ("1,234 apples", "1234"),
        ("1,234,567", "1234567"),
        ("10,5", "21/2"),
        ("10{,}5 apples", "21/2"),
        ("0,125", "1/8"),
        ("1.250,5", "2501/2"),
        (r"$1{,}234$", "1234"),
        ("1\u202f234", "1234"),
        ("-3", "-3"),
        ("−3", "-3"),
        ("minus three", "-3"),
        ("negative 3", "-3"),
        ("1/2", "1/2"),
        ("½", "1/2"),
        ("2½", "5/2"),
        ("2 1/2", "5/2"),
        (r"$2\frac{1}{2}$", "5/2"),
        ("a half", "1/2"),
        ("Bob has half", "1/2"),
        ("two and a half", "5/2"),
        ("two thirds", "2/3"),
        ("three quarters", "3/4"),
        ("twelve", "12"),
        ("Bob has twenty-one apples.", "21"),
        ("Bob has one hundred and five apples.", "105"),
        ("a hundred", "100"),
        ("two dozen", "24"),
        ("none", "0"),
        ("Bob has eight (8) apples.", "8"),
    ],
)
def test_a_number_is_read_in_every_notation(reply, value):
    assert str(robust(reply).value) == value


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("8", 8),
        ("8.", 8),
        ("8 apples, as 5 + 3 = 8", 8),
        ("Alice has 5 apples and Bob 8.", 5),
        ("1,234.", 1234),
        ("1,234,", 1234),
        ("12.0", 12),
        ("12.5", None),
        ("-3", -3),
        ("10-3", 10),
        ("eight", None),
        ("", None),
        ("7" * 5000, None),
    ],
)
def test_the_published_reading_is_the_first_number_in_digits(reply, value):
    assert published(reply) == value


@settings(deadline=None)  # the library is imported by the first
@given(st.integers(0, 999_999))
def test_every_number_in_words_is_read(number):
    assert robust(f"So Bob has {english().number_to_words(number)} apples.").value == number
    assert robust(f"The answer is {english().number_to_words(number, andword='')}").value == number


FRAMES = ["{}", "{}.", "The answer is {}.", "So he has {} kg of tea.", "#### {}"]


@given(st.integers(-(10**12), 10**12), st.sampled_from(FRAMES))
def test_every_number_in_digits_is_read(number, frame):
    assert robust(frame.format(number)).value == number
    assert robust(frame.format(f"{number:,}")).value == number
    assert published(frame.format(f"{number:,}")) == number


@given(st.fractions(min_value=0, max_value=1000, max_denominator=1000))
def test_every_fraction_is_read(number):
    latex = rf"$\frac{{{number.numerator}}}{{{number.denominator}}}$"
    assert robust(f"{number.numerator}/{number.denominator}").value == number
    assert robust(latex).value == number


@given(st.text(alphabet="0123456789 .,-+=*#/\\{}$\n½abone half ten minus answer is:", max_size=200))
def test_any_text_gives_an_answer_or_a_reason(text):
    reading = robust(text)
    assert (reading.value is None) == bool(reading.reason)
    first = published(text)
    assert first is None or abs(first) < 10 ** (2 * LONGEST)


@given(st.text(max_size=200))
def test_numbers_are_in_order_and_do_not_overlap(text):
    text = plain(text)
    mentions = numbers(text)
    assert all(mention.end <= following.start for mention, following in pairwise(mentions))
    assert all(
        0 <= mention.start < mention.end <= len(text) and isinstance(mention.value, Fraction) for mention in mentions
    )


HOSTILE = ["1", "1,", "1,234", "1/", "1.1", "1 + ", "1\u202f", "\n1.", ".", "-", " ", "= ", "** 1 ", "**", "####1"]
HOSTILE += ["answer is ", "answer: 1 ", "five ", "one hundred and ", "1 and a half", "minus ", "cannot be "]
HOSTILE += ["\\boxed{", "\\frac{"]


@pytest.mark.parametrize("piece", HOSTILE)
def test_a_long_reply_is_read_in_reasonable_time(piece):
    # A pattern that backtracks would never finish within the time of a test run.
    reading = robust(piece * (30_000 // len(piece)))
    assert (reading.value is None) == bool(reading.reason)
    published(piece * (30_000 // len(piece)))
