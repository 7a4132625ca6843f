"""How numbers are written in every report."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hansproof.audit import notation

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.47, ".47"), (-0.03, "-.03"), (0.0, ".00"), (-0.0, ".00"), (-0.004, ".00"), (0.004, ".00"),
        (1.0, "1.00"),
        (-1.0, "-1.00"), (0.996, "1.00"), (2.81, "2.81"), (None, "undefined"), (float("nan"), "undefined"),
    ],
)  # fmt: skip
def test_a_kappa_has_two_digits_no_leading_zero_and_no_sign_on_nought(value, text):
    assert notation.kappa(value) == text


@pytest.mark.parametrize(
    ("value", "text"), [(1.514, "+1.51"), (0.003, ".00"), (-0.25, "-.25"), (None, "undefined"), (0.06, "+.06")]
)
def test_a_signed_number_shows_its_plus(value, text):
    assert notation.signed(value) == text


@pytest.mark.parametrize(
    ("value", "text"), [(0.0005, "<.001"), (0.001, ".001"), (0.0129, ".013"), (1.0, "1.000"), (None, "")]
)
def test_p_values_have_three_digits(value, text):
    assert notation.p_value(value) == text


@pytest.mark.parametrize(
    ("value", "text"), [(0.0004, "p < .001"), (0.0129, "p = .013"), (1.0, "p = 1.000"), (None, "p undefined")]
)
def test_a_p_value_in_a_sentence_says_p(value, text):
    assert notation.p_is(value) == text


def test_a_p_at_its_floor_is_written_as_a_floor():
    assert notation.p_is(0.002, floor=0.002) == "p <= .002"
    least = "p <= .014"
    assert notation.p_is(13.1 / 1000, floor=13.1 / 1000) == least  # .0131 is not at most .013
    assert notation.p_is(0.013, floor=0.013) == ("p <= .013")
    assert notation.p_is(0.004, floor=0.002) == "p = .004"
    assert notation.p_is(None, floor=0.002) == "p undefined"


def test_an_interval_without_bounds_is_not_shown():
    assert notation.interval(0.412, 0.5) == "[.41, .50]"
    assert notation.interval(None, 0.5) == ""


def test_counts_are_spelt_with_their_noun():
    assert notation.things(1, "group") == "1 group"
    assert notation.things(1600, "item") == "1,600 items"
    assert notation.things(2, "text with two golds", "texts with two golds") == "2 texts with two golds"


@pytest.mark.parametrize(
    ("share", "sign", "text"),
    [(0.625, "", "62.5"), (0.031, "+", "+3.1"), (-0.0001, "+", "0.0"), (-0.2, "", "-20.0"), (float("nan"), "+", "")],
)
def test_points_of_a_hundred_have_one_digit_and_no_sign_on_nought(share, sign, text):
    assert notation.points(share, sign) == text


@pytest.mark.parametrize(
    ("parts", "title"),
    [
        (("gpt", "zero-shot", "2"), "gpt, zero-shot, 2"),
        (("gpt", "", "2"), "gpt, 2"),
        (("", "zero-shot"), "zero-shot"),
        (("gpt",), "gpt"),
        (("",), ""),
    ],
)
def test_a_series_is_called_by_the_parts_that_it_has(parts, title):
    assert notation.series_title(*parts) == title


def test_titles_of_series_are_put_together_in_one_place():
    pattern = re.compile(r"""join\([^\n]*\b(\w+)\.model, \1\.(style|run)(?!.* in )""")
    written = [
        f"{path.name}: {line.strip()}"
        for folder in ("audit", "hansproof")
        for path in sorted((ROOT / folder).rglob("*.py"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if pattern.search(line)
    ]
    assert written == []
    assert pattern.search('", ".join(part for part in (pair.model, pair.style, pair.run) if part)')


def test_of_many_names_the_first_stand_and_the_rest_are_counted():
    assert notation.first_of(["a, 1", "b"]) == "a, 1; b"
    assert notation.first_of([str(number) for number in range(1_005)]) == "0; 1; 2; and 1,002 more"
    assert notation.first_of(["a", "b"], 1) == "a; and 1 more"
    assert notation.first_of(["a", "b"], 2, total=9) == "a; b; and 7 more"


def test_what_is_said_of_several_is_gathered_in_order_of_first_occurrence():
    pairs = [("late", "a"), ("early", "a"), ("late", "b")]
    assert list(notation.gathered(pairs).items()) == [("late", ["a", "b"]), ("early", ["a"])]
