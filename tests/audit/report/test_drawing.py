"""Positions in the drawings."""

from __future__ import annotations

from hansproof.audit.report.document import Scale


def test_an_axis_holds_all_values_zero_and_the_threshold():
    scale = Scale.over([0.413, None, -0.18, float("nan")], 0.2)
    assert scale == Scale(-0.2, 0.5)
    assert (scale.at(-0.2), scale.at(0.15), scale.at(0.5), scale.at(9.0)) == ("0.00%", "50.00%", "100.00%", "100.00%")
    assert scale.ticks() == [-0.2, 0.0, 0.2, 0.4]


def test_an_axis_without_values_still_has_a_length():
    assert Scale.over([], 0.2) == Scale(-0.1, 0.3)
