"""The paper's sets, pairs about one character, and threes: published chances, no puzzle twice, nothing that tells."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product

import pytest
from scipy import stats
from slow_part import slow_but

from hansproof.generators.errors import UsageError
from hansproof.generators.knights_knaves.dataset import DATASET
from hansproof.generators.knights_knaves.distinct import BLOCK, Cell, Drawn, bundle, cell_of, worlds
from hansproof.generators.knights_knaves.formula import parse, solutions
from hansproof.generators.knights_knaves.statements import PAPER, SETS, Statement, mask, sayings
from hansproof.generators.stream import Stream

# Mondorf & Plank (2024): the share of random draws with exactly one solution, n = 3 to 6.
PUBLISHED = {"S": (0.20, 0.15, 0.12, 0.09), "I": (0.47, 0.48, 0.49, 0.49), "E": (0.42, 0.45, 0.47, 0.46)}
ENOUGH = 1e-4


@cache
def items(subset, count=900, seed=31):
    return [DATASET.item(subset, seed, index) for index in range(count)]


def drawn(stream, letter, n):
    """The kinds of a draw by the paper's law, and its truth table."""
    said = [stream.choice(sayings(stream.choice(SETS[letter]), speaker, n)) for speaker in range(n)]
    fits = -1
    for _, table in said:
        fits &= table
    return [each.kind for each, _ in said], fits


@pytest.mark.parametrize(("letter", "share"), [("S", 0.2008), ("I", 0.4676), ("E", 0.4316)])
def test_the_exact_share_of_draws_of_three_with_one_solution(letter, share):
    # The mean over all patterns of kinds of the share within the pattern; published, from a sample: .20, .47, .42.
    shares = []
    for kinds in product(SETS[letter], repeat=3):
        rows = [[table for _, table in sayings(kind, speaker, 3)] for speaker, kind in enumerate(kinds)]
        fits = [a & b & c for a, b, c in product(*rows)]
        shares.append(sum(table.bit_count() == 1 for table in fits) / len(fits))
    assert sum(shares) / len(shares) == pytest.approx(share, abs=5e-5)
    assert share == pytest.approx(PUBLISHED[letter][0], abs=0.015)


@pytest.mark.parametrize("letter", "SIE")
@pytest.mark.parametrize("n", [4, 5, 6])
def test_the_share_of_draws_with_one_solution_is_the_published_one(letter, n):
    stream, draws = Stream(11, "shares", letter, n), 2500
    hits = sum(drawn(stream, letter, n)[1].bit_count() == 1 for _ in range(draws))
    expected = PUBLISHED[letter][n - 3]
    # Three standard errors, beside .01 for the published figures, which come from a sample and are rounded.
    assert abs(hits / draws - expected) < 3 * (expected * (1 - expected) / draws) ** 0.5 + 0.01


@pytest.mark.parametrize("letter", "SIE")
def test_kinds_keep_the_shares_of_the_law_where_puzzles_are_many(letter):
    stream, plain = Stream(12, letter), Counter()
    while plain.total() < 2000:
        kinds, fits = drawn(stream, letter, 6)
        plain.update(kinds if fits.bit_count() == 1 else ())
    rows = [item for item in items(f"set-{letter}", 1800)[::3] if item.metadata["n"] == 6]
    ours = Counter(kind for item in rows for kind in item.metadata["kinds"])
    assert stats.chi2_contingency([[count[kind] for kind in SETS[letter]] for count in (plain, ours)]).pvalue > ENOUGH


@pytest.mark.parametrize("seed", slow_but(range(3), 0))
def test_the_smallest_cells_are_full_under_any_seed(seed):
    for letter, few in (("S", 42), ("I", 142), ("E", 200)):
        rows = [DATASET.item(f"set-{letter}", seed, index) for index in range(DATASET.subsets[f"set-{letter}"].rows)]
        small = Counter(item.metadata["form"] for item in rows if item.metadata["n"] == 3)
        assert len(small) == few
        assert set(small.values()) == {3}  # the vocabularies


def repeating(stream, number):
    """Candidates that repeat: the same puzzles again and again, the last of which equals the first."""
    told = (((1, True), (0, True), (0, False)), ((1, False), (0, True), (0, True)), ((2, True), (0, False), (0, True)))
    for puzzle in told:
        said = tuple(Statement("accusation", who, (about,), (knight,)) for who, (about, knight) in enumerate(puzzle))
        yield (Drawn(said, worlds(said)),)


def test_a_form_that_is_taken_is_passed_over_and_what_runs_out_says_so():
    cell, stream = Cell("first", 2, repeating), Stream(1)
    assert [bundle(stream, cell, number)[0].puzzle[0].knights for number in range(2)] == [(True,), (False,)]
    with pytest.raises(UsageError, match="fewer than 3 different puzzles of the kind first"):
        bundle(stream, cell, 2)
    with pytest.raises(UsageError, match="fewer than 1,001 different"):  # a later block repeats nothing of a release
        bundle(stream, cell, BLOCK)


def test_cells_take_turns_until_the_release_is_full_and_then_those_that_have_more_do():
    cells = (Cell("few", 1, repeating, few=True), Cell("many", 2, repeating), Cell("some", 1, repeating))
    places = [cell_of(index, cells) for index in range(10)]
    assert places[:4] == [(0, 0), (1, 0), (2, 0), (1, 1)]
    assert places[4:] == [(1, 2), (2, 1), (1, 3), (2, 2), (1, 4), (2, 3)]
    with pytest.raises(UsageError, match="no more different puzzles"):
        cell_of(1, cells[:1])


# -- one character ------------------------------------------------------------------------------------


def test_pairs_differ_in_one_word_that_is_not_about_the_character_and_have_opposite_answers():
    rows = items("character")
    for left, right in zip(rows[::2], rows[1::2], strict=True):
        assert (left.group, left.metadata["asked"]) == (right.group, right.metadata["asked"])
        assert {left.answer, right.answer} == {"jabba", "tette"}
        assert sum(map(str.__ne__, left.prompt.split(), right.prompt.split())) == 1
        changed = [
            (speaker, *pair)
            for speaker, pair in enumerate(zip(left.metadata["statements"], right.metadata["statements"], strict=True))
            if pair[0] != pair[1]
        ]
        ((speaker, before, after),) = changed
        asked = left.metadata["names"].index(left.metadata["asked"])
        letter = "ABCDEFGHI"[asked]
        assert speaker != asked
        assert (f"~{letter}" in before, letter in before) == (f"~{letter}" in after, letter in after)


def test_denials_and_the_kind_of_the_changed_statement_do_not_go_with_the_answer():
    rounds = 4
    rows = items("character", 2 * 3 * 14 * rounds)
    counts = Counter()
    for left, right in zip(rows[::2], rows[1::2], strict=True):
        changed = [x != y for x, y in zip(left.metadata["statements"], right.metadata["statements"], strict=True)]
        denying = max((left, right), key=lambda item: "".join(item.metadata["statements"]).count("~"))
        counts[left.metadata["n"], left.metadata["kinds"][changed.index(True)], denying.answer] += 1
    for n, kind, _ in list(counts):
        wanted = rounds * (1 if kind == "accusation" else 2)
        assert counts[n, kind, "jabba"] == counts[n, kind, "tette"] == wanted


def test_a_conjunction_could_not_be_balanced():
    # Of all puzzles of set S with three characters and one solution: who says "and" tells the truth in one of six.
    truths = Counter()
    space = [[each for kind in SETS["S"] for each in sayings(kind, place, 3)] for place in range(3)]
    for puzzle in product(*space):
        fits = puzzle[0][1] & puzzle[1][1] & puzzle[2][1]
        if fits.bit_count() == 1:
            world = fits.bit_length() - 1
            truths.update(bool(world >> place & 1) for place in range(3) if puzzle[place][0].kind == "conjunction")
    assert truths[True] / truths.total() < 0.2


# -- numbers of solutions -----------------------------------------------------------------------------


@pytest.mark.parametrize("subset", ["number", "solutions"])
def test_each_three_has_one_of_each_outcome_with_the_same_kinds_and_denials(subset):
    rows = items(subset)
    for begin in range(0, len(rows), 3):
        three = rows[begin : begin + 3]
        assert {row.metadata["outcome"] for row in three} == {"none", "one", "several"}
        assert len({tuple(row.metadata["kinds"]) for row in three}) == 1
        assert len({"".join(row.metadata["statements"]).count("~") for row in three}) == 1
        assert len({row.group for row in three}) == 1
        kinds = set(three[0].metadata["kinds"])
        assert "self" in kinds
        assert kinds & {"implication", "equivalence"}
        assert kinds <= set(PAPER)


@pytest.mark.parametrize("subset", ["number", "solutions"])
def test_the_place_in_the_three_does_not_tell_the_outcome(subset):
    counts = Counter((place % 3, row.metadata["outcome"]) for place, row in enumerate(items(subset)))
    table = [[counts[place, outcome] for outcome in ("none", "one", "several")] for place in range(3)]
    assert stats.chi2_contingency(table).pvalue > ENOUGH


def test_answers_are_a_word_or_all_solutions():
    for row in items("number")[:60]:
        assert (row.answer, row.choices) == (row.metadata["outcome"], ("none", "one", "several"))
    for row in items("solutions")[:60]:
        fitting = solutions([parse(text, row.metadata["names"]) for text in row.metadata["statements"]])
        assert row.metadata["solutions"] == fitting
        assert row.choices is None
        assert row.answer.count(" | ") == max(0, len(fitting) - 1)
        assert (row.answer == "no solution") == (row.metadata["outcome"] == "none")
        assert row.answer.count(": ") == row.metadata["n"] * len(fitting) <= 4 * row.metadata["n"]


def test_a_truth_table_of_six_characters_is_one_word():
    assert mask(Statement("self", 5, (5,), (True,)), 6) == 2**64 - 1
    assert mask(Statement("accusation", 0, (5,), (True,)), 6) == 0xAAAAAAAA55555555
