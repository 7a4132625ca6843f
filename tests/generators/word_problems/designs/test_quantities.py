"""The numbers of word problems: whole, possible at every step, and silent about the signs."""

from collections import Counter

import pytest
from scipy.stats import chisquare

from hansproof.generators.stream import Stream
from hansproof.generators.word_problems.designs.chain import (
    LOW,
    MOST,
    WIDTH,
    anchors,
    backwards,
    factor,
    result,
    small,
    start,
)

SIGNS = {"+": int.__add__, "-": int.__sub__, "*": int.__mul__}


def along(value, path, most=MOST):
    """The results of a path; None where one of them is not a whole number from 2 to `most`."""
    values = [value]
    for operator, number in path:
        if operator == "/" and values[-1] % number:
            return None
        values.append(values[-1] // number if operator == "/" else SIGNS[operator](values[-1], number))
        if not LOW <= values[-1] <= most:
            return None
    return values


def paths(stream, count):
    """Random paths of 0 to 4 operations."""
    return [[("+-*/"[stream.below(4)], 2 + stream.below(5)) for _ in range(stream.below(5))] for _ in range(count)]


def test_anchors_are_what_trying_every_value_finds():
    stream = Stream(1, "anchors")
    several = 0
    for _ in range(300):
        ways = paths(stream, 1 + stream.below(3))
        expected = [value for value in range(LOW, MOST + 1) if all(along(value, way) for way in ways)]
        assert anchors(ways, MOST) == expected, ways
        assert anchors(ways, 7) == expected[:7]
        several += len(expected) > 1
    assert several > 150


def test_a_worked_anchor():
    # From v: v - 5 must be at least 2; v + 3 and then half of it must be whole.
    assert anchors([[("-", 5)], [("+", 3), ("/", 2)]], 3) == [7, 9, 11]
    assert anchors([[("*", 600)]], 3) == []
    assert anchors([[]], 2) == [2, 3]


def test_a_path_and_its_way_back_lead_home():
    way = [("+", 3), ("*", 4), ("-", 6), ("/", 2)]
    assert result(5, way) == 13
    assert backwards(way) == [("*", 2), ("+", 6), ("/", 4), ("-", 3)]
    assert result(13, backwards(way)) == 5


@pytest.mark.parametrize("numbers", [[5], [20, 2, 9], [9] * 12])
def test_any_signs_fit_the_numbers_of_an_additive_problem(numbers):
    stream = Stream(2)
    for _ in range(60):
        first = start(stream, numbers)
        signs = Stream(first).below(2 ** len(numbers))
        for pattern in (0, 2 ** len(numbers) - 1, signs):
            path = [("+-"[pattern >> at & 1], number) for at, number in enumerate(numbers)]
            assert along(first, path)


def test_the_last_digit_of_a_start_is_uniform_whatever_the_numbers():
    for numbers in ([5], [7, 13]):
        stream = Stream(3, str(numbers))
        digits = Counter(start(stream, numbers) % 10 for _ in range(5000))
        assert chisquare([digits[digit] for digit in range(10)]).pvalue > 0.001
    assert WIDTH % 10 == 0


def test_small_numbers_are_uniform_and_smaller_in_longer_problems():
    for steps, top in ((1, 20), (3, 20), (4, 12), (6, 12), (7, 9), (12, 9)):
        stream = Stream(4, steps)
        drawn = Counter(number for _ in range(2000) for number in small(stream, 2, steps))
        assert set(drawn) == set(range(2, top + 1))
        assert chisquare(list(drawn.values())).pvalue > 0.001
    assert small(Stream(1), 0, 1) == []


def test_factors_are_2_to_6():
    stream = Stream(5)
    drawn = Counter(factor(stream) for _ in range(5000))
    assert set(drawn) == {2, 3, 4, 5, 6}
    assert chisquare(list(drawn.values())).pvalue > 0.001
