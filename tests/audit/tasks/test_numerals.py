"""Answers that are one number, however they are written, and answers that only look like one."""

from decimal import Decimal

import pytest

from hansproof.audit.tasks.open_answers.golds import as_number, key_of


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1,000", "1000"), ("1000.0", "1000"), ("$5", "5"), ("5 dollars", "5"), ("€ 1,250.50", "1250.5"),
        ("40 %", "40"), ("-3", "-3"), ("−3", "-3"), ("-$3", "-3"), ("$-3", "-3"), ("+3", "3"), (".5", "0.5"),
        ("12 square miles", "12"), ("7.", "7"), ("(7)", "7"), ("0", "0"), ("-0.0", "0"), ("1e3", "1000"),
        ("1.5E-2", "0.015"), ("3/4", "0.75"), ("6 / 8", "0.75"), ("1 1/2 cups", "1.5"), ("100°C", "100"),
        ("12 Euro", "12"), ("seven", "7"), ("Seven.", "7"), ("twenty-one apples", "21"), ("minus two", "-2"),
        ("two hundred and five", "205"), ("two and a half", "2.5"), ("1,50", "1.5"),
        (r"\frac{3}{4}", "0.75"), (r"-\dfrac34", "-0.75"), (r"$\frac{1}{2}$", "0.5"),
        (r"10\%", "10"), (r"\$1{,}000", "1000"), (r"5\text{ cm}", "5"), (r"30^\circ", "30"), ("٣٤", "34"),
        ("105个", "105"), ("12 元", "12"), ("３本。", "3"),
    ],
)  # fmt: skip
def test_a_number_is_read_without_format_currency_and_unit(text, number):
    assert as_number(text) == Decimal(number)
    assert key_of(text) == key_of(Decimal(number))


@pytest.mark.parametrize(
    "text",
    [
        "in 1998", "5 km per hour", "3-4", "10:30", "297K", "", "-", "A1", "number 7", "9" * 300, "1/0", "nan",
        "inf", "4 July", "15 March 1999", "44 BC", "50 Cent", "Seven Samurai", "no one", "thousands",
        "1e9999", "1" + " " * 400 + "m",
    ],
)  # fmt: skip
def test_what_is_more_than_a_number_is_a_text(text):
    assert as_number(text) is None


def test_numbers_beyond_all_bounds_are_no_trouble():
    assert key_of("1e400") == key_of("10e399") != key_of("1e401")
    assert key_of("1" * 400) != key_of("1" * 399 + "2")
