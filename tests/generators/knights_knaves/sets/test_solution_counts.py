"""None, one and several solutions: in threes, with the same kinds and denials, under one question."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest
from scipy import stats

from hansproof.generators.knights_knaves.dataset import DATASET
from hansproof.generators.knights_knaves.distinct import bundle
from hansproof.generators.knights_knaves.formula import clauses, sat_solutions
from hansproof.generators.knights_knaves.sets import LAST


@cache
def items(subset, count=1200, seed=31):
    return [DATASET.item(subset, seed, index) for index in range(count)]


@pytest.mark.parametrize("subset", ["number", "solutions"])
def test_each_three_has_one_of_each_outcome_with_the_same_kinds_and_denials(subset):
    rows = items(subset)
    for begin in range(0, len(rows), 3):
        three = rows[begin : begin + 3]
        assert {row.metadata["outcome"] for row in three} == {"none", "one", "several"}
        assert len({tuple(row.metadata["kinds"]) for row in three}) == 1
        assert len({"".join(row.metadata["statements"]).count("~") for row in three}) == 1
        assert len({row.group for row in three}) == 1
        assert len({row.prompt.partition("\n\n")[0] for row in three}) == 1  # one prompt,
        assert len({row.prompt.rpartition("\n\n")[0].rpartition("\n\n")[2] for row in three}) == 1  # and one question


@pytest.mark.parametrize("subset", ["number", "solutions"])
def test_the_place_in_the_three_does_not_tell_the_outcome(subset):
    counts = Counter((place % 3, row.metadata["outcome"]) for place, row in enumerate(items(subset)))
    table = [[counts[place, outcome] for outcome in ("none", "one", "several")] for place in range(3)]
    assert stats.chi2_contingency(table).pvalue > 1e-4


@pytest.mark.parametrize("n", [3, 4, 5, 6])
def test_a_sat_solver_counts_the_solutions(n):
    for number in range(40):
        for outcome, drawn in enumerate(bundle(DATASET.stream(2), LAST[n].after[0], number)):
            rules = [rule for said in drawn.puzzle for rule in clauses(said.scope, said.local)]
            worlds = sat_solutions(rules, n, 6)
            assert worlds == list(drawn.solutions)
            assert min(len(worlds), 2) == outcome
            assert len(worlds) <= 4


def test_answers_are_a_word_or_all_solutions():
    for row in items("number")[:60]:
        assert row.answer == row.metadata["outcome"]
        assert row.choices == ("none", "one", "several")
    for row in items("solutions")[:60]:
        worlds = row.metadata["solutions"]
        assert row.choices is None
        assert row.answer.count(" | ") == max(0, len(worlds) - 1)
        assert (row.answer == "no solution") == (row.metadata["outcome"] == "none")
        assert row.answer.count(": ") == row.metadata["n"] * len(worlds)
