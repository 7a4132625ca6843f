"""Difficulty: worked puzzles, and what must hold of every puzzle."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from hansproof.generators.knights_knaves.dataset import DATASET
from hansproof.generators.knights_knaves.difficulty import Difficulty, difficulty, needed
from hansproof.generators.knights_knaves.distinct import bundle
from hansproof.generators.knights_knaves.drawing import names_of
from hansproof.generators.knights_knaves.formula import clauses, sat_solutions
from hansproof.generators.knights_knaves.sets import BALANCED_CELLS, FAITHFUL_CELLS
from hansproof.generators.knights_knaves.statements import SETS, statements

KINDS = ("self", *SETS["wide"], "alternative")

S4, E5, I6, B4, B6 = (
    *(FAITHFUL_CELLS[key] for key in (("S", 4), ("E", 5), ("I", 6))),
    *(BALANCED_CELLS[n][0] for n in (4, 6)),
)


def drawn(cell, index):
    return bundle(DATASET.stream(3), cell, index)[0]


def puzzle(*notations):
    """The statements that are written so, found among all that each speaker can make."""
    names = names_of(len(notations))
    said = [
        {said.notation: said for kind in KINDS for said in statements(kind, speaker, names)}
        for speaker in range(len(names))
    ]
    return [known[notation] for known, notation in zip(said, notations, strict=True)]


def test_statements_that_settle_themselves_need_no_supposition():
    # B claims that all three are knights only if ...: "none of us is a knight" is a lie whoever says it.
    worked = puzzle("#0(A,B,C)", "~A", "(A & B)")
    assert difficulty(worked) == Difficulty(suppositions=0, depth=0, settled=3)


def test_a_supposition_that_is_refuted_counts_one_whether_the_first_or_the_second():
    # A: B is a knave; B: both A and C are knights; C: I am a knight.
    # Suppose A is a knight: then B lies, so not (A and C): C is a knave, whose "I am a knight" fits. No contradiction.
    # Suppose A is a knave: B is a knight, so A is a knight: contradiction. A is a knight.
    worked = puzzle("~B", "(A & C)", "C")
    assert difficulty(worked) == Difficulty(suppositions=1, depth=1, settled=0)


def test_where_neither_supposition_is_refuted_both_count():
    # A and B praise each other: either may be, and both are followed; C praises herself, whatever A is.
    worked = puzzle("B", "A", "C")
    assert difficulty(worked) == Difficulty(suppositions=6, depth=2, settled=0)


@pytest.mark.parametrize("cell", [E5, B6], ids=lambda cell: cell.name)
def test_swapping_knight_and_knave_for_a_character_changes_no_number(cell):
    for index in range(60):
        told = drawn(cell, index).puzzle
        swapped = []
        for said in told:
            bit = said.scope.index(0) if 0 in said.scope else None
            worlds = range(1 << len(said.scope))
            local = sum((said.local >> (world if bit is None else world ^ 1 << bit) & 1) << world for world in worlds)
            swapped.append(SimpleNamespace(scope=said.scope, local=local))
        assert difficulty(swapped) == difficulty(told)


def test_where_both_suppositions_fail_there_is_no_solution_and_both_count():
    # A: B and C are knights; B: A is a knave; C: A is a knave. Suppose A is a knight: B is one and calls A a knave.
    # Suppose A is a knave: B and C tell the truth, and so does A.
    worked = puzzle("(B & C)", "~A", "~A")
    assert difficulty(worked) == Difficulty(suppositions=2, depth=1, settled=0)


def test_who_says_nothing_about_the_others_is_not_needed():
    # C's "I am a knight" rules out nothing.
    assert needed(puzzle("~B", "(A & C)", "C")) == 2


@pytest.mark.parametrize("cell", [S4, E5, B6], ids=lambda cell: cell.name)
def test_the_count_of_those_who_are_needed_agrees_with_a_sat_solver(cell):
    for index in range(40):
        drawn_puzzle = drawn(cell, index).puzzle
        rules = [clauses(said.scope, said.local) for said in drawn_puzzle]
        n = len(drawn_puzzle)
        without = [[rule for at, rest in enumerate(rules) if at != place for rule in rest] for place in range(n)]
        assert needed(drawn_puzzle) == sum(len(sat_solutions(rest, n)) > 1 for rest in without)


@pytest.mark.parametrize("cell", [S4, E5, I6, B4], ids=lambda cell: cell.name)
def test_difficulty_keeps_within_its_bounds(cell):
    puzzles = [drawn(cell, index).puzzle for index in range(200)]
    n, measured = len(puzzles[0]), [difficulty(puzzle) for puzzle in puzzles]
    for hard in measured:
        assert 0 <= hard.depth <= n
        assert (hard.suppositions == 0) == (hard.settled == n) == (hard.depth == 0)
        assert hard.depth <= hard.suppositions < 2 ** (n + 1)
    assert len({hard.suppositions for hard in measured}) > 2


def test_difficulty_grows_with_the_number_of_characters():
    means = []
    for n in (3, 4, 5, 6):
        suppositions = [difficulty(drawn(FAITHFUL_CELLS["E", n], index).puzzle).suppositions for index in range(300)]
        means.append(sum(suppositions) / len(suppositions))
    assert means == sorted(means)
