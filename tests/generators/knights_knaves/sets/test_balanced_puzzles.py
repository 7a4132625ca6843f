"""Balanced puzzles: neither kind nor polarity, place, difficulty or length goes with the truth beyond chance."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product

import pytest
from scipy import stats

from hansproof.generators.knights_knaves.dataset import DATASET
from hansproof.generators.knights_knaves.drawing import sayings, worlds_of
from hansproof.generators.knights_knaves.statements import SETS

ENOUGH = 1e-4  # chi-squares below this level are no accident


@cache
def items(subset, count=2400, seed=31):
    return [DATASET.item(subset, seed, index) for index in range(count)]


def dependence(pairs):
    """p of a chi-square test; rare values are put together."""
    pairs = list(pairs)
    counts = Counter(left for left, _ in pairs)
    pairs = [(left if counts[left] >= 20 else "rare", right) for left, right in pairs]
    rows, columns = (sorted({pair[side] for pair in pairs}, key=str) for side in (0, 1))
    table = Counter(pairs)
    return stats.chi2_contingency([[table[row, column] for column in columns] for row in rows]).pvalue


@pytest.mark.parametrize("kinds", [SETS["character"][:4], SETS["character"][:3]])
def test_of_all_puzzles_of_three_no_single_statement_tells_what_anybody_is(kinds):
    # A nested report about its own speaker would: "B would say that I lie" makes B a liar.
    said = [
        [s for kind in kinds for s in sayings(kind, place, 3) if kind != "nested" or len(s.scope) == 3]
        for place in range(3)
    ]
    truths = Counter()
    unique = 0
    for puzzle in product(*said):
        if (puzzle[0].mask & puzzle[1].mask & puzzle[2].mask).bit_count() != 1:
            continue
        unique += 1
        (world,) = worlds_of(puzzle)
        truths.update((place, claim.notation, c, world[c]) for place, claim in enumerate(puzzle) for c in range(3))
    assert unique > 300
    for place, notation, character, kind in truths:
        assert truths[place, notation, character, kind] == truths[place, notation, character, "KN"[kind == "K"]]


def test_a_conjunction_could_not_be_balanced():
    # Of all unique puzzles of set S with three characters: who says "and" is truthful in one case of six.
    said = [[s for kind in SETS["S"] for s in sayings(kind, place, 3)] for place in range(3)]
    truths = Counter()
    for puzzle in product(*said):
        if len(worlds := worlds_of(puzzle)) == 1:
            truths.update(kind for claim, kind in zip(puzzle, worlds[0], strict=True) if claim.kind == "conjunction")
    assert truths["K"] / truths.total() < 0.2


def released(subset):
    return items(subset, DATASET.subsets[subset].rows, DATASET.seed)


def test_in_the_release_every_world_is_exactly_equally_frequent():
    worlds = Counter(row.metadata["solutions"][0] for row in released("balanced"))
    assert {n: {times for world, times in worlds.items() if len(world) == n} for n in (4, 5, 6)} == {
        4: {25}, 5: {12}, 6: {6},
    }  # fmt: skip
    assert len(worlds) == 2**4 + 2**5 + 2**6


def test_in_the_release_each_answer_is_exactly_equally_frequent_for_each_character_and_place():
    rows = released("character")
    for first, second in zip(rows[::2], rows[1::2], strict=True):
        assert first.group == second.group == first.metadata["form"]
        assert first.metadata["asked"] != second.metadata["asked"]
        assert first.metadata["statements"] == second.metadata["statements"]
    counts = Counter(
        (row.metadata["n"], row.metadata["asked"], place % 2, row.answer) for place, row in enumerate(rows)
    )
    for n, times in ((3, 4), (4, 24), (5, 24), (6, 20)):
        cells = {key: count for key, count in counts.items() if key[0] == n}
        assert len(cells) == n * 2 * 2
        assert set(cells.values()) == {times}


@pytest.mark.parametrize("subset", ["balanced", "character"])
@pytest.mark.parametrize("n", [4, 5, 6])
def test_no_feature_of_a_statement_goes_with_the_truth_of_anybody(subset, n):
    rows = [row.metadata for row in items(subset) if row.metadata["n"] == n]
    own, position, polarity = [], [], []
    for row in rows:
        world = row["solutions"][0]
        for place, (kind, notation) in enumerate(zip(row["kinds"], row["statements"], strict=True)):
            own.append(((kind, notation.count("~")), world[place]))
            position.append((place, world[place]))
            names = [letter for letter in notation if letter.isalpha()]
            for number, letter in enumerate(names):
                denied = notation[notation.index(letter) - 1] == "~"
                polarity.append(((kind, number, denied), world[ord(letter) - 65]))
    for pairs in (own, position, polarity):
        assert dependence(pairs) > ENOUGH


@pytest.mark.parametrize("subset", ["balanced", "character"])
@pytest.mark.parametrize("feature", ["depth", "suppositions", "settled", "needed", "words"])
@pytest.mark.parametrize("n", [4, 5, 6])
def test_difficulty_and_length_do_not_go_with_the_answer(subset, feature, n):
    rows = [row for row in items(subset) if row.metadata["n"] == n]
    values = [len(row.prompt.split()) if feature == "words" else row.metadata[feature] for row in rows]
    labels = [row.metadata["first"] if subset == "balanced" else row.answer for row in rows]
    assert dependence(zip(values, labels, strict=True)) > ENOUGH
    if subset == "balanced":
        assert dependence((value, row.metadata["knights"]) for value, row in zip(values, rows, strict=True)) > ENOUGH
