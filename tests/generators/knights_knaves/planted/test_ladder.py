"""The ladder: solutions that nothing leans towards, and rungs that another search confirms."""

from collections import Counter
from functools import cache

import pytest

from hansproof.generators.knights_knaves.claims import Settling, evenly, planted, redrawn, worded
from hansproof.generators.knights_knaves.difficulty import KNIGHT, OPEN, bounded, hard, needs, solved
from hansproof.generators.knights_knaves.drawing import names_of
from hansproof.generators.knights_knaves.explaining import explain
from hansproof.generators.knights_knaves.formula import parse, solutions
from hansproof.generators.knights_knaves.planted import SIZES, one_solution, opposites, rungs
from hansproof.generators.registry import dataset
from hansproof.generators.stream import Stream

DATASET = dataset("knights-knaves")


@cache
def ladder(count):
    return [DATASET.item("ladder", 11, index) for index in range(count)]


def draws(count, n, draw=planted):
    stream = Stream(5, "claims")
    for number in range(count):
        world = opposites(stream.child("world"), n, number)
        yield world, draw(stream.child(n).child(number), world)


@pytest.mark.parametrize("draw", [planted, evenly])
@pytest.mark.parametrize("n", [4, 6])
def test_every_claim_fits_the_solution_that_it_was_drawn_for(n, draw):
    for world, claims in draws(60, n, draw):
        puzzle = [worded(said, speaker, names_of(n)) for speaker, said in enumerate(claims)]
        letters = "".join("K" if knight else "N" for knight in world)
        assert letters in solutions([parse(said.notation, names_of(n)) for said in puzzle])
        assert [(said.scope, said.local) for said in claims] == [(said.scope, said.local) for said in puzzle]


def test_a_conjunction_comes_from_a_knight_as_often_as_from_a_knave():
    speakers = Counter()
    for world, claims in draws(2000, 5):
        speakers.update((said.kind, world[speaker]) for speaker, said in enumerate(claims))
    for kind in {kind for kind, _ in speakers}:
        knights, knaves = speakers[kind, True], speakers[kind, False]
        assert abs(knights - knaves) < 4 * (knights + knaves) ** 0.5, kind


def test_even_kinds_say_the_truth_of_a_character_as_often_as_not():
    truths = Counter()
    for world, claims in draws(1500, 5, evenly):
        for said in claims:
            for character, knight in zip(said.about[-len(said.knights) :], said.knights, strict=True):
                truths[said.kind, knight == world[character]] += 1
    for kind in ("equivalence", "exclusive", "nested", "alternative"):
        true, false = truths[kind, True], truths[kind, False]
        assert abs(true - false) < 4 * (true + false) ** 0.5, kind


def test_another_statement_is_as_strong_as_the_one_before():
    stream = Stream(1, "again")
    for world, claims in draws(40, 5):
        for speaker, said in enumerate(claims):
            other = redrawn(stream, world, speaker, said)
            pairs = {"conjunction": "conjunction", "disjunction": "loose", "implication": "loose"}
            assert pairs.get(other.kind, "free") == pairs.get(said.kind, "free")


def test_opposites_come_in_pairs_and_each_solution_once_a_round():
    stream = Stream(2, "worlds")
    round_ = [opposites(stream, 4, turn) for turn in range(16)]
    assert len(set(round_)) == 16
    for n in (4, 8):
        for turn in range(0, 16, 2):
            first, second = opposites(stream, n, turn), opposites(stream, n, turn + 1)
            assert [not knight for knight in first] == list(second)


def test_a_rung_is_the_number_of_suppositions_that_the_explanations_open_at_once():
    seen = Counter()
    for item in ladder(120):
        if item.metadata["n"] > 8:
            continue
        depth = max(step.depth for step in explain(item))
        assert depth == {"none": 0, "one": 1, "several": 1, "nested": 2}[item.metadata["rung"]]
        seen[item.metadata["rung"]] += 1
    assert min(seen.values()) >= 3
    assert len(seen) == 4


def test_every_size_has_all_its_rungs_equally_often_and_one_solution_that_sat_confirms():
    items = ladder(120)
    for n in SIZES:
        here = [item for item in items if item.metadata["n"] == n]
        counts = Counter(item.metadata["rung"] for item in here)
        assert len(here) == 12
        assert set(counts) == set(rungs(n))
        assert len(set(counts.values())) == 1
        assert [fault for item in here for fault in DATASET.check(item)] == []


def test_what_is_needed_agrees_with_truth_tables():
    told = Counter()
    for world, claims in draws(300, 4):
        need, unique = needs(claims, 2), one_solution(claims)
        assert (solved(claims) == world) == (need is not None) == unique
        assert hard(claims) == (needs(claims, 1) is None)
        told[unique] += 1
        if need is not None:
            known = bounded(claims, need.depth, need.refuted)
            assert [value == KNIGHT for value in known] == list(world)
            assert 4 - len(Settling(list(claims)).open()) == need.settled
            assert needs(claims, 2, need.refuted) == need
            if need.refuted:
                assert needs(claims, 2, need.refuted - 1) is None
                assert OPEN in bounded(claims, need.depth, need.refuted - 1)
    assert min(told.values()) > 60


def test_a_puzzle_with_several_solutions_needs_no_number_of_suppositions():
    names = names_of(3)
    claims = next(claims for _, claims in draws(50, 3) if not one_solution(claims))
    assert needs(claims, 2) is None
    assert solved(claims) is None
    formulas = [parse(worded(said, speaker, names).notation, names) for speaker, said in enumerate(claims)]
    assert len(solutions(formulas)) > 1


def test_what_is_settled_is_kept_up_while_statements_change():
    stream = Stream(3, "changes")
    kept = 0
    for world, claims in draws(30, 10):
        settling = Settling(list(claims))
        for _ in range(30):
            was, before = list(settling.claims), bounded(settling.claims, 0, 0)
            speaker = stream.below(10)
            said = redrawn(stream, world, speaker, settling.claims[speaker])
            changed = [*settling.claims[:speaker], said, *settling.claims[speaker + 1 :]]
            after = bounded(changed, 0, 0)
            settling.change(speaker, said)
            worse = after.count(OPEN) > before.count(OPEN)
            kept += worse
            assert settling.claims == (was if worse else changed)
            assert settling.state == (before if worse else after)
    assert kept > 10  # statements that settle fewer are not taken
