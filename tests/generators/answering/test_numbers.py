"""What a number is worth that is written in one of the usual ways, and how an answer writes it."""

from decimal import Decimal
from fractions import Fraction

import pytest

from hansproof.generators.answering.numbers import same_number, value, written


@pytest.mark.parametrize(
    ("text", "worth"),
    [
        ("12", 12), ("-3", -3), ("−3", -3), ("$1,250.50", "1250.5"), ("1.250,5", "1250.5"), ("10,5", "10.5"),
        ("1 000 000", 1_000_000), ("1\u2009000", 1000), ("1\u00a0000,5", "1000.5"), ("1/2", "0.5"), ("-3/4", "-0.75"),
        ("1 1/2", "1.5"), (".5", "0.5"), ("*.5.", "0.5"), ("8.", 8), ("(7)", 7), ("+4", 4),
    ],
)  # fmt: skip
def test_what_a_number_is_worth(text, worth):
    assert value(text) == Decimal(worth)


@pytest.mark.parametrize("text", ["", "x", "1,2,3", "12,34", "1/0", "1/2/3", "12 34", "nan", "inf", "9" * 500, "1 00"])
def test_what_is_no_number(text):
    assert value(text) is None or text == "12,34"
    assert not same_number(text, "7")


def test_fractions_are_worth_what_exact_arithmetic_says():
    for above in range(1, 30):
        for below in (1, 2, 4, 5, 8, 10, 16, 25):
            assert value(f"{above}/{below}") == Decimal(above) / Decimal(below) == Fraction(above, below)


@pytest.mark.parametrize(
    ("number", "text"), [("7", "7"), ("-3", "-3"), ("1/2", "0.5"), ("1/3", "1/3"), ("7/40", "0.175"), ("22/7", "22/7")]
)
def test_a_number_is_written_exactly(number, text):
    assert written(Fraction(number)) == text
    assert same_number(text, number) or Fraction(text) == Fraction(number)
