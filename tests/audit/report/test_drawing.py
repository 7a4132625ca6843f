"""Positions in the drawings."""

from __future__ import annotations

from hansproof.audit.report.document import Scale
from hansproof.audit.report.drawing import bars, size_classes


def test_an_axis_holds_all_values_zero_and_the_threshold():
    scale = Scale.over([0.413, None, -0.18, float("nan")], 0.2)
    assert scale == Scale(-0.2, 0.5)
    assert (scale.at(-0.2), scale.at(0.15), scale.at(0.5), scale.at(9.0)) == ("0.00%", "50.00%", "100.00%", "100.00%")
    assert scale.ticks() == [-0.2, 0.0, 0.2, 0.4]


def test_an_axis_without_values_still_has_a_length():
    assert Scale.over([], 0.2) == Scale(-0.1, 0.3)


def test_bars_are_drawn_against_the_longest():
    assert [bar.width for bar in bars([("a", 50, 0), ("b", 200, 0)])] == ["25.00%", "100.00%"]
    assert bars([]) == []
    assert bars([("a", 0, 0)])[0].width == "0.00%"


def test_group_sizes_are_put_into_classes_that_double():
    classes = size_classes([[1, 3], [2, 1], [3, 2], [4, 1], [9, 2], [16, 1]])
    assert [(bar.name, bar.number, bar.extra) for bar in classes] == [
        ("1", 3, 3),
        ("2", 2, 1),
        ("3–4", 10, 3),
        ("9–16", 34, 3),
    ]
