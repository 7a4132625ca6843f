"""The numbers of word problems: uniform among all lists that pass, however few there are."""

import re
from collections import Counter
from itertools import product

import pytest
from scipy.stats import chisquare

from generators.stream import Stream
from generators.word_problems.designs import quantities as module
from generators.word_problems.designs.carry import carries
from generators.word_problems.designs.quantities import joined, quantities

SIGNS = {"+": int.__add__, "-": int.__sub__, "*": int.__mul__}


def outcome(numbers, operators):
    """The exact result; None if a result is not an integer from 0 to 999, or if 0 is multiplied or divided."""
    value = numbers[0]
    for operator, number in zip(operators, numbers[1:]):
        if operator in "*/" and value == 0:
            return None
        if operator == "/":
            if value % number:
                return None
            value = value // number
        else:
            value = SIGNS[operator](value, number)
        if not 0 <= value <= 999:
            return None
    return value


@pytest.mark.parametrize("operators", ["", "+", "-", "*", "/", "/-", "*/", "//", "/-/"])
def test_numbers_are_uniform_among_all_lists_that_pass(operators):
    passing = {
        numbers: outcome(numbers, operators)
        for numbers in product(range(2, 21), repeat=len(operators) + 1)
        if outcome(numbers, operators) is not None
    }
    stream = Stream(5, "quantities", operators)
    drawn = [quantities(stream, operators) for _ in range(12_000)]
    assert all(passing[tuple(numbers)] == end for numbers, end in drawn)
    # Lists are pooled by rank into cells that are large enough for a chi-square test.
    cells = {numbers: place * min(40, len(passing)) // len(passing) for place, numbers in enumerate(passing)}
    seen, share = Counter(cells[tuple(numbers)] for numbers, _ in drawn), Counter(cells.values())
    expected = [len(drawn) * share[cell] / len(passing) for cell in sorted(share)]
    assert chisquare([seen[cell] for cell in sorted(share)], expected).pvalue > 0.001


def test_the_direct_draw_has_the_same_distribution_as_rejection(monkeypatch):
    passing = [n for n in product(range(2, 21), repeat=3) if outcome(n, "*-") is not None]
    stream = Stream(6)
    for patience in (0, 10_000):
        monkeypatch.setattr(module, "_PATIENCE", patience)
        seen = Counter(tuple(quantities(stream, "*-")[0][:2]) for _ in range(10_000))
        share = Counter(n[:2] for n in passing)
        observed, expected = zip(*((seen[n], 10_000 * share[n] / len(passing)) for n in share))
        assert chisquare(observed, expected).pvalue > 0.001


@pytest.mark.parametrize("operators", ["-//--", "/-/--", "--///", "-----", "*****"])
def test_operators_that_hardly_any_numbers_fit_get_numbers(operators):
    stream = Stream(7)
    for _ in range(20):
        numbers, end = quantities(stream, operators)
        assert all(2 <= number <= 20 for number in numbers)
        assert outcome(numbers, operators) == end


def test_every_order_of_operations_in_the_designs_has_numbers():
    stream = Stream(9)
    sides = ["".join(side) for length in range(3) for side in product("+-*/", repeat=length)]
    for before, tested, after in product(sides, "+-*/", sides):
        rates = re.sub(r"[+-]", "", before + after)
        if rates in ("", "*", "/", "*/"):
            numbers, end = quantities(stream, before + tested + after)
            assert outcome(numbers, before + tested + after) == end


def test_operators_that_no_numbers_fit_are_an_error():
    with pytest.raises(ValueError, match="cannot draw an int below 0"):
        quantities(Stream(1), "-" * 12)


def test_the_total_of_two_branches_is_below_a_thousand():
    stream = Stream(8)
    for _ in range(200):
        first_numbers, second_numbers, first_result, second_result = joined(stream, "**", "**", total=True)
        assert (outcome(first_numbers, "**"), outcome(second_numbers, "**")) == (first_result, second_result)
        assert first_result + second_result <= 999


def test_carries_of_worked_numbers():
    assert carries(714, "+", 123) == 0
    assert carries(478, "+", 359) == 2
    assert carries(455, "+", 545) == 3
    assert carries(999, "-", 123) == 0
    assert carries(500, "-", 123) == 2
    assert carries(512, "-", 320) == 1
    assert carries(0, "+", 0) == 0
