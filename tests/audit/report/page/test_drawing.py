"""Positions and shades of the drawings."""

from __future__ import annotations

import pytest

from audit.report.page.drawing import LEGEND, Scale, bars, heat, size_classes
from audit.report.words import strength


@pytest.mark.parametrize(
    ("value", "key"),
    [
        (-0.2, "hn"),
        (-0.004, "h0"),
        (0.0, "h0"),
        (0.09, "h0"),
        (0.1, "h1"),
        (0.29, "h2"),
        (0.7, "h7"),
        (1.0, "h9"),
        (None, "hx"),
        (float("nan"), "hx"),
    ],
)
def test_a_shade_is_a_tenth_of_the_kappa_as_shown(value, key):
    assert heat(value) == key


def test_every_shade_has_a_legend_with_the_word_of_its_middle():
    keys = {key: text for keys, text in LEGEND for key in keys}
    for step in range(10):
        middle = step / 10 + 0.05
        assert keys[heat(middle)].endswith(strength(middle))
    assert keys[heat(-0.3)] == "below 0"


def test_an_axis_holds_all_values_nought_and_the_threshold():
    scale = Scale.over([0.413, None, -0.18, float("nan")], 0.2)
    assert scale == Scale(-0.2, 0.5)
    assert (scale.at(-0.2), scale.at(0.15), scale.at(0.5), scale.at(9.0)) == (
        "0.00%",
        "50.00%",
        "100.00%",
        "100.00%",
    )
    assert scale.ticks() == [-0.2, 0.0, 0.2, 0.4]


def test_an_axis_without_values_still_has_a_length():
    assert Scale.over([], 0.2) == Scale(-0.1, 0.3)


def test_bars_are_drawn_against_the_longest():
    assert [bar.width for bar in bars([("a", 50, 0), ("b", 200, 0)])] == ["25.00%", "100.00%"]
    assert bars([]) == []
    assert bars([("a", 0, 0)])[0].width == "0.00%"


def test_group_sizes_are_put_into_classes_that_double():
    found = size_classes([[1, 3], [2, 1], [3, 2], [4, 1], [9, 2], [16, 1]])
    assert [(bar.name, bar.number, bar.extra) for bar in found] == [
        ("1", 3, 3),
        ("2", 2, 1),
        ("3–4", 10, 3),
        ("9–16", 34, 3),
    ]
