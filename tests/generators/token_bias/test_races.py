"""Races of n^2 animals: the proof, a search of all ways to race, and what the prompts say."""

import re
from collections import Counter
from dataclasses import replace
from itertools import groupby

import pytest
from race_search import fewest_by_search

from generators.registry import dataset
from generators.token_bias.horses.races import races
from generators.token_bias.horses.reading import check, fewest_races

FAMILY = dataset("token-bias")


def items(subset, count=200, seed=4):
    return [FAMILY.item(subset, seed, index) for index in range(count)]


@pytest.mark.parametrize(("lanes", "top"), [(2, 2), (3, 2)])
def test_a_search_of_all_ways_to_race_finds_n_plus_2(lanes, top):
    assert fewest_by_search(lanes**2, lanes, top, most=lanes + 3) == lanes + 2 == races(lanes, top, timed=False)


def test_the_fastest_alone_takes_n_plus_1_and_three_of_nine_take_n_plus_3():
    assert fewest_by_search(4, 2, 1, most=5) == 3
    assert fewest_by_search(9, 3, 1, most=5) == 4
    assert fewest_by_search(9, 3, 3, most=6) == 6
    with pytest.raises(ValueError, match="no proof that 5 races find the fastest 3 of 9"):
        races(3, 3, timed=False)


@pytest.mark.parametrize("lanes", range(4, 15))
def test_counting_who_is_left_gives_the_same_number(lanes):
    for top in (2, 3) if lanes > 4 else (2,):
        assert fewest_races(lanes, top, timed=False) == races(lanes, top, timed=False) == lanes + 2
        assert fewest_races(lanes, top, timed=True) == races(lanes, top, timed=True) == lanes


def test_twenty_five_horses_take_seven_races():
    original = FAMILY.item("horses", 1, 0)
    assert (original.metadata["animals"], original.metadata["lanes"], original.answer) == ("horses", 5, "7")
    assert " 25 horses" in original.prompt


@pytest.mark.parametrize("subset", ["horses", "balanced-horses"])
def test_the_prompt_leads_to_the_gold_answer_and_to_no_other(subset):
    for item in items(subset):
        assert check(item) == []
        assert check(replace(item, answer=str(int(item.answer) + 1)))


def test_a_pair_differs_in_the_animals_the_numbers_or_both():
    for _, group in groupby(items("horses"), lambda item: item.group):
        original, animal, numbers, both = (item.prompt for item in group)
        assert [item.condition for item in items("horses", 4)] == ["original", "animal", "numbers", "both"]
        other = re.search(r"25 ([a-z]+(?: pigs)?)", animal)[1]
        assert animal == original.replace("horses", other)
        assert both == numbers.replace("horses", other)
        assert re.sub("[0-9]+", "#", original) == re.sub("[0-9]+", "#", numbers)
        assert original != numbers


def test_in_the_balanced_set_only_which_device_works_decides():
    rows = items("balanced-horses", 2_000, FAMILY.seed)
    for _, group in groupby(rows, lambda item: item.group):
        untimed, _, timed, _ = group
        swapped = timed.prompt.replace("broken", "#").replace("working", "broken").replace("#", "working")
        assert swapped == untimed.prompt
        assert int(untimed.answer) == int(timed.answer) + 2
    first = Counter((item.metadata["stopwatch_first"], item.metadata["timed"]) for item in rows)
    assert all(count > 400 for count in first.values())
    assert len({item.prompt for item in rows}) == 2_000
