"""Counterbalanced subsets: identities, counts and labels cannot be guessed; wordings know nothing of puzzles."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations

import pytest
from scipy import stats

from generators.knights_knaves.dataset import DATASET
from generators.knights_knaves.subsets import PLANS

SIZES = (3, 4, 5, 6)
WORDINGS = ("opening", "line", "denial", "closing")


@cache
def items(subset, count=600, seed=31):
    return [DATASET.item(subset, seed, index) for index in range(count)]


@pytest.mark.parametrize("n", SIZES)
def test_every_number_of_knights_is_equally_frequent(n):
    # Every round of n + 1 pairs has each number twice.
    rounds = 280 // (n + 1) // 2 * 2 * (n + 1)
    rows = items(f"balanced-{n}", 400)[:rounds]
    assert Counter(row.metadata["knights"] for row in rows) == dict.fromkeys(range(n + 1), rounds // (n + 1))


@pytest.mark.parametrize("n", SIZES)
def test_every_character_is_a_knight_in_half_of_the_puzzles(n):
    rows = items(f"balanced-{n}", 400)
    for character in range(n):
        assert sum(row.metadata["solutions"][0][character] == "K" for row in rows) == 200


@pytest.mark.parametrize("n", SIZES)
def test_what_kind_of_thing_somebody_says_does_not_tell_what_they_are(n):
    rows = items(f"balanced-{n}", 400)
    for item, opposite in zip(rows[::2], rows[1::2], strict=True):
        assert item.metadata["kinds"] == opposite.metadata["kinds"]
        solution = opposite.metadata["solutions"][0].translate(str.maketrans("KN", "NK"))
        assert item.metadata["solutions"] == [solution]
    told = [pair for row in rows for pair in zip(row.metadata["kinds"], row.metadata["solutions"][0], strict=True)]
    for kind in ("accusation", "conjunction", "implication", "equivalence"):
        assert told.count((kind, "K")) == told.count((kind, "N")) > 0


@pytest.mark.parametrize("n", SIZES)
def test_worlds_come_in_turn(n):
    # Each choice of k knights is there once before any is there twice.
    solutions = [row.metadata["solutions"][0] for row in items(f"balanced-{n}", 400)[::2]]
    for knights in range(n + 1):
        counts = Counter(solution for solution in solutions if solution.count("K") == knights)
        assert max(counts.values()) - min(counts.values()) <= 1


def test_in_the_paper_s_set_s_truth_tellers_are_rare_and_in_ours_they_are_not():
    def share(subset):
        solutions = [row.metadata["solutions"][0] for row in items(subset, 300)]
        return sum(solution.count("K") for solution in solutions) / sum(map(len, solutions))

    assert share("S-3") < 0.33
    assert share("balanced-3") == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize("n", SIZES)
def test_every_puzzle_is_asked_about_one_of_each_kind(n):
    rows = items(f"identity-{n}")
    for first, second in zip(rows[::2], rows[1::2], strict=True):
        assert first.group == second.group
        assert first.metadata["statements"] == second.metadata["statements"]
        assert {first.answer, second.answer} == {"jabba", "tette"}
        assert first.choices == second.choices == ("jabba", "tette")
        assert f"`{first.metadata['asked']}: jabba` or `{first.metadata['asked']}: tette`" in first.prompt
    assert len({row.group for row in rows}) == 300
    # Neither who is asked about nor the place in the pair tells the answer.
    for key in (lambda i, row: row.metadata["asked"], lambda i, row: i % 2):
        counts = Counter((key(i, row), row.answer) for i, row in enumerate(rows))
        table = [[counts[value, word] for word in ("jabba", "tette")] for value in sorted({pair[0] for pair in counts})]
        assert stats.chi2_contingency(table).pvalue > 1e-4


@pytest.mark.parametrize("n", SIZES)
def test_none_one_and_several_solutions_are_equally_frequent(n):
    rows = items(f"number-{n}")
    assert Counter(row.answer for row in rows) == {"none": 200, "one": 200, "several": 200}
    for row in rows:
        assert row.answer == ("none", "one", "several", "several", "several")[len(row.metadata["solutions"])]


@pytest.mark.parametrize("n", SIZES)
def test_subsets_without_and_with_several_solutions_are_what_they_are_called(n):
    assert {len(row.metadata["solutions"]) for row in items(f"none-{n}", 100)} == {0}
    assert {row.answer for row in items(f"none-{n}", 100)} == {"no solution"}
    counts = {len(row.metadata["solutions"]) for row in items(f"several-{n}", 100)}
    assert {2, 3} <= counts <= {2, 3, 4}
    for row in items(f"several-{n}", 100):
        assert row.answer.count(" | ") == len(row.metadata["solutions"]) - 1
        assert row.answer.count(": ") == n * len(row.metadata["solutions"])


@pytest.mark.parametrize("subset", ["S-3", "I-4", "E-6", "balanced-4", "wide-5", "number-3", "identity-5"])
def test_wordings_are_independent_of_each_other_and_of_the_solution(subset):
    step = 2 if PLANS[subset].ask == "one" else 1  # a pair shares its wording
    rows = [row.metadata for row in items(subset, min(2000, DATASET.subsets[subset].limit or 2000))[::step]]
    facts = [{**{key: row[key] for key in WORDINGS}, "first": (row["solutions"] or ["-"])[0][0]} for row in rows]
    for factor, other in combinations((*WORDINGS, "first"), 2):
        counts = Counter((fact[factor], fact[other]) for fact in facts)
        levels = [sorted({pair[side] for pair in counts}) for side in (0, 1)]
        table = [[counts[a, b] for b in levels[1]] for a in levels[0]]
        assert stats.chi2_contingency(table).pvalue > 1e-4


@pytest.mark.parametrize("terms", ["knights", "truth-tellers", "logicians"])
@pytest.mark.parametrize("base", ["S-3", "I-5", "E-6"])
def test_vocabularies_share_puzzles_wordings_and_groups(base, terms):
    for index in range(20):
        item, other = DATASET.item(base, 6, index), DATASET.item(f"{base}-{terms}", 6, index)
        assert item.group == other.group
        assert item.condition != other.condition
        for key in ("statements", "solutions", "suppositions", *WORDINGS):
            assert item.metadata[key] == other.metadata[key]
        truthful, liar = other.metadata["terms"]
        assert item.prompt.replace("jabba", truthful).replace("tette", liar) == other.prompt
        assert item.answer.replace("jabba", truthful).replace("tette", liar) == other.answer
