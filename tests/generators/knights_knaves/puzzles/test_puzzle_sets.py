"""The paper's sets: chances of a unique solution, exhaustive counts, no puzzle twice, bytes that depend on nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from functools import cache
from hashlib import sha256
from itertools import chain, product
from math import prod
from pathlib import Path

import pytest
from scipy import stats
from slow_part import slow_but

from hansproof.generators.errors import UsageError
from hansproof.generators.jsonl import dump
from hansproof.generators.knights_knaves.claims import letters_of, planted
from hansproof.generators.knights_knaves.dataset import DATASET
from hansproof.generators.knights_knaves.distinct import bundle
from hansproof.generators.knights_knaves.drawing import (
    PuzzleSequence,
    keys,
    large_needed,
    names_of,
    permuted,
    sayings,
    stretch,
)
from hansproof.generators.knights_knaves.formula import clauses, sat_solutions
from hansproof.generators.knights_knaves.planted import one_solution
from hansproof.generators.knights_knaves.sets import FAITHFUL_CELLS
from hansproof.generators.knights_knaves.statements import SETS, statements, variable_mask
from hansproof.generators.stream import Stream

KINDS = ("self", *SETS["wide"], "alternative")

ROOT = Path(__file__).resolve().parents[3]
# Mondorf & Plank (2024): the share of random draws with exactly one solution, n = 3 to 6.
PUBLISHED = {"S": (0.20, 0.15, 0.12, 0.09), "I": (0.47, 0.48, 0.49, 0.49), "E": (0.42, 0.45, 0.47, 0.46)}


def fits(puzzle):
    """Solutions by trying all worlds, statement by statement."""
    n = len(puzzle)
    return [world for world in range(1 << n) if all(claim.mask >> world & 1 for claim in puzzle)]


def random_puzzle(stream, kinds, n):
    """A draw as the paper describes it: kind uniform, statement uniform in its kind."""
    return [stream.choice(table[stream.below(len(kinds))]) for table in tables(kinds, n)]


def tables(kinds, n):
    """What each speaker can say, by kind."""
    return [[sayings(kind, speaker, n) for kind in kinds] for speaker in range(n)]


@cache
def paper(letter, n, count=400, seed=5):
    cell = FAITHFUL_CELLS[letter, n]
    return [bundle(DATASET.stream(seed), cell, index)[0] for index in range(min(count, cell.capacity or count))]


# -- the space ----------------------------------------------------------------------------------------


def test_set_s_of_three_has_2197_puzzles_of_which_904_have_one_solution():
    space = [[claim for kind in SETS["S"] for claim in statements(kind, speaker, names_of(3))] for speaker in range(3)]
    puzzles = list(product(*space))
    unique = [(puzzle, worlds[0].bit_count()) for puzzle in puzzles if len(worlds := fits(puzzle)) == 1]
    assert (len(puzzles), len(unique)) == (2197, 904)
    assert Counter(knights for _, knights in unique) == {0: 376, 1: 432, 2: 96}
    # With kinds uniform a draw of 24 x 24 x 24 is one self-reference 8 times, one accusation twice, ...
    weights = {"self": 8, "accusation": 2, "conjunction": 1}
    drawn_as = Counter()
    for puzzle, knights in unique:
        drawn_as[knights] += prod(weights[claim.kind] for claim in puzzle)
    assert drawn_as == {0: 976, 1: 1368, 2: 432}
    assert round(drawn_as.total() / 24**3, 2) == PUBLISHED["S"][0]
    shares = [drawn_as[knights] / drawn_as.total() for knights in range(4)]
    assert shares == pytest.approx([0.36, 0.50, 0.15, 0.0], abs=0.01)  # as published, from a sample


@pytest.mark.parametrize(("kind", "count"), [("self", 1), ("accusation", 6), ("conjunction", 24), ("implication", 24),
                                             ("equivalence", 24), ("disjunction", 24), ("exclusive", 24),
                                             ("count", 5), ("nested", 18), ("alternative", 48)])  # fmt: skip
def test_the_number_of_statements_of_each_kind_among_four(kind, count):
    said = list(statements(kind, 1, names_of(4)))
    assert len({claim.notation for claim in said}) == len(said) == count
    assert len({claim.text for claim in said}) == count


@pytest.mark.parametrize(("letter", "share"), [("S", 0.2008), ("I", 0.4676), ("E", 0.4316)])
def test_the_exact_share_of_draws_of_three_with_one_solution(letter, share):
    # The mean over all patterns of kinds of the share within the pattern; published, from a sample: .20, .47, .42.
    shares = []
    for rows in product(*tables(SETS[letter], 3)):
        puzzles = [a.mask & b.mask & c.mask for a, b, c in product(*rows)]
        shares.append(sum(mask.bit_count() == 1 for mask in puzzles) / len(puzzles))
    assert sum(shares) / len(shares) == pytest.approx(share, abs=5e-5)
    assert share == pytest.approx(PUBLISHED[letter][0], abs=0.015)


@pytest.mark.parametrize("letter", "SIE")
@pytest.mark.parametrize("n", [4, 5, 6])
def test_the_share_of_draws_with_one_solution_is_the_published_one(letter, n):
    stream = Stream(11, "shares", letter, n)
    draws = 2500
    hits = sum(len(fits(random_puzzle(stream, SETS[letter], n))) == 1 for _ in range(draws))
    expected = PUBLISHED[letter][n - 3]
    # Three standard errors, beside .01 for the published figures, which come from a sample and are rounded.
    error = 3 * (expected * (1 - expected) / draws) ** 0.5 + 0.01
    assert abs(hits / draws - expected) < error


@pytest.mark.parametrize("letter", "SIE")
@pytest.mark.parametrize("n", [4, 5, 6])
def test_items_follow_the_law_of_rejected_random_draws(letter, n):
    # Kinds of statement, in bulk: stratified rounds against the plain way.
    stream, plain = Stream(12, letter, n), Counter()
    while sum(plain.values()) < 400 * n:
        puzzle = random_puzzle(stream, SETS[letter], n)
        if len(fits(puzzle)) == 1:
            plain.update(claim.kind for claim in puzzle)
    ours = Counter(claim.kind for item in paper(letter, n) for claim in item.puzzle)
    table = [[count[kind] for kind in SETS[letter]] for count in (plain, ours)]
    assert stats.chi2_contingency(table).pvalue > 1e-4


# -- gold answers -------------------------------------------------------------------------------------


@pytest.mark.parametrize("letter", "SIE")
@pytest.mark.parametrize("n", [3, 4, 5, 6])
def test_brute_force_and_sat_find_the_one_solution(letter, n):
    for item in paper(letter, n)[:100]:
        worlds = ["".join("K" if world >> c & 1 else "N" for c in range(n)) for world in fits(item.puzzle)]
        rules = [clause for claim in item.puzzle for clause in clauses(claim.scope, claim.local)]
        assert worlds == sat_solutions(rules, n) == list(item.solutions)


@pytest.mark.parametrize("kind", KINDS)
def test_small_tables_agree_with_large_ones(kind):
    n = 5
    for claim in statements(kind, 2, names_of(n)):
        for world in range(1 << n):
            small = sum((world >> character & 1) << place for place, character in enumerate(claim.scope))
            assert claim.local >> small & 1 == claim.mask >> world & 1


def test_a_truth_table_of_six_characters_is_one_word():
    assert variable_mask(5, 6) == 0xFFFFFFFF00000000
    assert variable_mask(0, 6) == 0xAAAAAAAAAAAAAAAA


# -- item i is item i ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("letter", "count"), [("S", 904), ("I", 4064), ("E", 9344)])
def test_a_sequence_goes_on_until_every_unique_puzzle_of_three_was_there(letter, count):
    sequence = PuzzleSequence(tables(SETS[letter], 3), Stream(1), 0.1)
    seen = {tuple(claim.notation for claim in puzzle) for puzzle in sequence.stretch(0, 10**6)}
    assert len(sequence) == len(seen) == count
    with pytest.raises(UsageError, match=f"only {count} different puzzles"):
        sequence.puzzle(count)


def test_a_whole_space_of_900_thousand_draws_never_falls_short_of_its_items():
    # Patterns are used up on the way; the last blocks must still find their hundred.
    sequence = PuzzleSequence(tables(SETS["S"], 4), Stream(3), 0.075)
    assert len(sequence) == 34_100
    for index in (*range(0, 34_100, 1700), 34_099):
        assert len(fits(sequence.puzzle(index))) == 1
    with pytest.raises(UsageError, match="only 34100"):
        sequence.puzzle(34_100)


@pytest.mark.parametrize("subset", ["set-S", "set-E", "balanced", "character", "number", "solutions"])
def test_items_are_the_same_in_any_order(subset):
    forward = [DATASET.item(subset, 4, index) for index in range(12)]
    assert [DATASET.item(subset, 4, index) for index in reversed(range(12))] == forward[::-1]
    assert DATASET.item(subset, 4, 450) == DATASET.item(subset, 4, 450)


@pytest.mark.parametrize("hash_seed", slow_but("012", "1"))
def test_bytes_are_the_same_under_any_hash_seed(hash_seed):
    code = (
        "import sys; from hansproof.generators.jsonl import dump;"
        "from hansproof.generators.knights_knaves.dataset import DATASET;"
        "sys.stdout.buffer.write(dump([DATASET.item(s, 7, i) for s in ('set-S', 'number') for i in (210, 3, 120)]))"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": hash_seed}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, env=environment)
    here = dump([DATASET.item(subset, 7, index) for subset in ("set-S", "number") for index in (210, 3, 120)])
    assert sha256(done.stdout).hexdigest() == sha256(here).hexdigest()


def test_an_unknown_subset_and_a_negative_index_are_named():
    with pytest.raises(UsageError, match="S-7"):
        DATASET.item("S-7", 1, 0)
    with pytest.raises(UsageError, match="0 or more, not -1"):
        DATASET.item("set-S", 1, -1)


# -- its parts ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 2, 6, 24, 97, 512, 1000])
def test_a_keyed_order_has_every_number_once(size):
    rounds = keys(Stream(3))
    orders = [[permuted(place, size, rounds, tweak) for place in range(size)] for tweak in range(3)]
    assert all(sorted(order) == list(range(size)) for order in orders)
    assert size < 10 or orders[0] != orders[1]


def test_places_and_numbers_of_a_keyed_order_are_independent():
    size, rounds = 1000, keys(Stream(8))
    table = [[0] * 10 for _ in range(10)]
    for tweak in range(10):
        for place in range(size):
            table[place // 100][permuted(place, size, rounds, tweak) // 100] += 1
    assert stats.chi2_contingency(table).pvalue > 1e-4


def test_a_stretch_is_long_enough_for_its_block():
    for items, share in ((100, 0.075), (100, 0.4), (4, 0.15)):
        assert stats.binom.cdf(items - 1, stretch(items, share), share) < 1e-12


def test_thirty_characters_have_one_solution_and_the_count_of_those_who_matter_is_right():
    draws = Stream(2, "large")
    world = tuple(draws.coin() for _ in range(30))
    puzzle = next(claims for claims in iter(lambda: planted(draws, world), None) if one_solution(claims))
    solution = letters_of(world)
    rules = [clauses(claim.scope, claim.local) for claim in puzzle]
    assert sat_solutions(chain(*rules), 30) == [solution]
    without = [sat_solutions(chain(*rules[:place], *rules[place + 1 :]), 30) for place in range(30)]
    assert large_needed(puzzle, solution) == sum(len(worlds) > 1 for worlds in without)
