"""Puzzles of even kinds: no single statement tells anything, one solution, cores that a solver must search."""

from __future__ import annotations

import importlib.util
from collections import Counter
from functools import cache
from itertools import combinations
from pathlib import Path
from statistics import median

import pytest
from scipy import stats

from hansproof.generators.knights_knaves.dataset import DATASET
from hansproof.generators.knights_knaves.distinct import worlds
from hansproof.generators.knights_knaves.planted import CORES, SIZES, letters_of, opposites, planted
from hansproof.generators.knights_knaves.puzzle import NAMES
from hansproof.generators.knights_knaves.statements import EVEN, fits
from hansproof.generators.stream import Stream

ENOUGH = 1e-4
BENCHMARK = Path(__file__).resolve().parents[4] / "benchmarks" / "knights_knaves" / "ladder.py"


@cache
def items(subset, count, seed=31):
    return [DATASET.item(subset, seed, index) for index in range(count)]


def independent(pairs):
    table = Counter(pairs)
    rows, columns = (sorted({pair[side] for pair in table}, key=str) for side in (0, 1))
    return stats.chi2_contingency([[table[row, column] for column in columns] for row in rows]).pvalue > ENOUGH


@pytest.mark.parametrize("n", [4, 5, 8])
def test_every_puzzle_has_the_solution_that_it_was_drawn_for_and_no_other(n):
    for number in range(20):
        stream = Stream(5, "planted", n, number)
        world = opposites(stream.child("world"), n, number)
        puzzle = planted(stream, world)
        assert all(fits(said, world) for said in puzzle)
        assert worlds(puzzle) == (letters_of(world),)
        assert "alternative" in {said.kind for said in puzzle}


def test_opposites_come_in_pairs_and_each_solution_once_a_round():
    stream = Stream(2, "worlds")
    assert len({opposites(stream, 4, turn) for turn in range(16)}) == 16
    for n in (4, 8, 9):
        for turn in range(0, 16, 2):
            first, second = opposites(stream, n, turn), opposites(stream, n, turn + 1)
            assert [not knight for knight in first] == list(second)


def test_kinds_say_the_truth_of_a_character_as_often_as_not_and_come_from_knights_as_often_as_from_knaves():
    for n in (5, 6, 8):
        own, told = [], []
        for item in items("balanced", 1280):
            if item.metadata["n"] != n:
                continue
            world = item.metadata["solutions"][0]
            for place, (kind, text) in enumerate(zip(item.metadata["kinds"], item.metadata["statements"], strict=True)):
                own.append(((kind, text.count("~")), world[place]))
                letters = [letter for letter in text if letter.isalpha()]
                for order, letter in enumerate(letters):
                    denied = text[text.index(letter) - 1] == "~" or text[0] == "~"
                    told.append(((kind, order, denied), world[ord(letter) - 65]))
        assert independent(own)
        assert independent(told)


def test_in_the_release_every_world_is_exactly_equally_frequent():
    rows = items("balanced", DATASET.subsets["balanced"].rows, DATASET.seed)
    counts = Counter(row.metadata["solutions"][0] for row in rows)
    assert {n: {times for world, times in counts.items() if len(world) == n} for n in (5, 6, 8)} == {
        5: {12}, 6: {6}, 8: {2},
    }  # fmt: skip
    assert len(counts) == 2**5 + 2**6 + 2**8


def test_each_size_of_the_ladder_has_each_rung_and_one_solution_that_sat_confirms():
    rows = items("ladder", 6 * len(SIZES), 11)
    for n in SIZES:
        here = [item for item in rows if item.metadata["n"] == n]
        assert Counter(item.condition for item in here) == dict.fromkeys(CORES, 2)
        assert {item.condition: item.metadata["core"] for item in here} == {"chain": 4, "half": n // 2, "whole": n}
        assert [fault for item in here for fault in DATASET.check(item)] == []
    assert set().union(*(item.metadata["kinds"] for item in rows)) == set(EVEN)


def test_the_core_talks_only_about_itself():
    for item in items("ladder", 48, 11):
        letters = [chr(65 + place) if place < 26 else chr(64 + place // 26) + chr(65 + place % 26)
                   for place in range(item.metadata["n"])]  # fmt: skip
        told = {}
        for letter, text in zip(letters, item.metadata["statements"], strict=True):
            words = "".join(mark if mark.isalpha() else " " for mark in text).split()
            told[letter] = set(words)
        # Whoever is talked about by nobody comes last; take them away until only the core is left.
        left = set(told)
        while loose := {letter for letter in left if not any(letter in told[other] for other in left - {letter})}:
            left -= loose
        assert len(left) <= item.metadata["core"]


@cache
def benchmark():
    spec = importlib.util.spec_from_file_location("ladder_benchmark", BENCHMARK)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_larger_core_needs_more_conflicts_of_a_solver():
    measured = {rung: benchmark().medians(benchmark().on_the_ladder(40, rung, 8))[0] for rung in CORES}
    assert 2 * measured["chain"] < measured["whole"]
    assert measured["half"] < measured["whole"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("level", "minisat"), [("balanced@5", 6), ("balanced@20", 20), ("balanced@60", 244), ("balanced@100", 1411),
                           ("memorisation@6", 8), ("memorisation@10", 11), ("memorisation@12", 14)],
)  # fmt: skip
def test_the_knobs_move_the_conflicts_as_they_say(level, minisat):
    rows = [DATASET.item(level, 2026, index) for index in range(25)]
    measured = median(benchmark().conflicts(item, "minisat22") for item in rows)
    assert measured == pytest.approx(minisat, rel=0.35, abs=3)
    name, _, number = level.partition("@")
    assert f"{minisat:,} at {number}" in DATASET.subsets[name].knob.shown.replace("conflicts ", "")


@pytest.mark.slow
@pytest.mark.parametrize(("level", "minisat"), [(10, 11), (40, 86), (100, 1240)])
def test_the_hardest_rung_needs_the_conflicts_that_the_knob_says(level, minisat):
    hardest = benchmark().medians(benchmark().on_the_ladder(level, "whole"))
    assert hardest[0] == pytest.approx(minisat, rel=0.35, abs=3)
    assert f"{minisat:,} " in DATASET.subsets["ladder"].knob.shown
    assert level < 100 or min(hardest) >= 200


def test_nobody_repeats_anybody_in_other_or_the_same_words():
    for item in [*items("ladder", 24, 11), *items("memorisation", 9, 11), *items("character", 12, 11)]:
        told = zip(item.metadata["kinds"], item.metadata["statements"], strict=True)
        subjects = [(kind, frozenset("".join(c if c.isalpha() else " " for c in text).split())) for kind, text in told]
        own = [(kind, about) for kind, about in subjects if kind != "self"]
        assert len(set(own)) == len(own)


def test_no_two_names_look_alike():
    for left, right in combinations(NAMES, 2):
        assert left[:3] != right[:3]
        assert left.lower() not in right.lower()
        assert left[-4:].lower() != right[-4:].lower()
