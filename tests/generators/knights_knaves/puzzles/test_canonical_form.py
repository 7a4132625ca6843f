"""The canonical form is the same exactly where renaming and reordering make two puzzles say the same."""

from __future__ import annotations

import re
import time
from itertools import permutations, product

import pytest

from hansproof.generators.errors import InputError
from hansproof.generators.knights_knaves.dataset import _told
from hansproof.generators.knights_knaves.distinct import form_key, told_by
from hansproof.generators.knights_knaves.formula import constraint_table, letter, parse
from hansproof.generators.knights_knaves.statements import EVEN, PAPER, SETS, drawn, mask, notation, sayings
from hansproof.generators.stream import Stream

LETTERS = [letter(place) for place in range(60)]


def key(puzzle):
    return form_key([*map(_told, puzzle)])


def renamed(puzzle, order):
    """Character i takes the place order[i]: its statement moves there, and its letter changes everywhere."""
    moved = [""] * len(puzzle)
    for place, text in enumerate(puzzle):
        moved[order[place]] = re.sub("[A-Z]+", lambda hit: LETTERS[order[LETTERS.index(hit[0])]], text)
    return tuple(moved)


def random_notation(stream, n):
    world = tuple(stream.coin() for _ in range(n))
    told = []
    for speaker in range(n):
        others = [place for place in range(n) if place != speaker]
        paper = n <= 6 and stream.coin()
        said = stream.choice(sayings(stream.choice(PAPER), speaker, n))[0] if paper else None
        told.append(notation(said or drawn(stream, speaker, others, world, set())))
    return tuple(told)


def least(puzzle):
    """The least tables of all orders, without any cleverness: the class of a puzzle up to what is said."""
    n, names = len(puzzle), LETTERS[: len(puzzle)]
    return min(
        tuple(constraint_table(place, parse(text, names), n) for place, text in enumerate(renamed(puzzle, order)))
        for order in permutations(range(n))
    )


def test_equal_is_what_says_the_same_whatever_its_words():
    same = ["(B = C)", "(C = B)", "(~B = ~C)", "~(B ^ C)", "(B ^ ~C)", "B:(C)", "C:(B)"]
    assert len({key([text, "A", "~A"]) for text in same}) == 1
    assert key(["(B & ~C)", "A", "A"]) == key(["(~B & C)", "A", "A"])
    assert key(["(B > C)", "A", "~A"]) != key(["(C > B)", "A", "~A"])
    assert key(["(B > C)", "A", "~A"]) == key(["(~C > ~B)", "A", "~A"])
    assert key(["((B > C) & (~B > D))", "A", "~A", "B"]) == key(["((~B > D) & (B > C))", "A", "~A", "B"])
    # B accuses A, A praises C, C says I am a knight: only who says what of whom counts.
    assert key(["C", "~A", "C"]) == key(["~C", "B", "B"]) != key(["C", "A", "C"])


@pytest.mark.parametrize(("letters", "unique"), [("S", 42), ("I", 142), ("E", 224)])
def test_forms_of_three_characters_are_the_classes_under_all_six_orders(letters, unique):
    space = [[each for kind in SETS[letters] for each in sayings(kind, place, 3)] for place in range(3)]
    classes = {}
    for puzzle in product(*space):
        if (puzzle[0][1] & puzzle[1][1] & puzzle[2][1]).bit_count() == 1:
            texts = tuple(notation(said) for said, _ in puzzle)
            classes.setdefault(form_key([told_by(said) for said, _ in puzzle]), set()).add(texts)
    assert len(classes) == unique
    kinds = {form: {least(texts) for texts in sorted(some)[:4]} for form, some in classes.items()}
    assert all(len(some) == 1 for some in kinds.values())
    assert len(set.union(*kinds.values())) == unique


@pytest.mark.parametrize("n", [4, 5, 6, 10, 20, 40])
def test_renaming_and_reordering_change_nothing(n):
    stream = Stream(3, "forms", n)
    for _ in range(25):
        puzzle = random_notation(stream, n)
        assert key(renamed(puzzle, stream.shuffled(range(n)))) == key(puzzle)


def test_of_many_alike_puzzles_exactly_those_have_one_form_that_some_order_makes_equal():
    stream = Stream(5, "alike")
    kinds = ("accusation", "equivalence")
    puzzles = [
        tuple(notation(stream.choice(sayings(stream.choice(kinds), place, 4))[0]) for place in range(4))
        for _ in range(300)
    ]
    classes, forms = [least(puzzle) for puzzle in puzzles], [key(puzzle) for puzzle in puzzles]
    assert len(set(zip(classes, forms, strict=True))) == len(set(classes)) == len(set(forms)) < 250


@pytest.mark.parametrize("n", [6, 12, 40])
def test_puzzles_in_which_all_characters_are_alike_have_one_form(n):
    # In a ring, everybody accuses the next one.
    ring = tuple(f"~{LETTERS[(place + 1) % n]}" for place in range(n))
    order = Stream(1, "ring").shuffled(range(n))
    assert key(renamed(ring, order)) == key(ring)
    # Two rings of half the size look alike to every single character, but are another puzzle.
    half = n // 2
    two = tuple(f"~{LETTERS[(place + 1) % half + (place // half) * half]}" for place in range(n))
    assert key(two) != key(ring)
    assert key(renamed(two, order)) == key(two)


def test_what_the_generator_says_has_the_form_of_its_notation():
    stream = Stream(8, "both")
    world = (True, False, True, True, False)
    for kind in (*PAPER, *EVEN):
        speaker = stream.below(5)
        others = [place for place in range(5) if place != speaker]
        said = (
            stream.choice(sayings(kind, speaker, 5))[0]
            if kind in PAPER
            else drawn(stream, speaker, others, world, set())
        )
        assert told_by(said).table == _told(notation(said)).table
        assert set(told_by(said).ways) == set(_told(notation(said)).ways)
        assert mask(said, 5) == constraint_table(speaker, parse(notation(said), LETTERS[:5]), 5)


def test_a_puzzle_of_many_equal_parts_is_refused_in_time_and_so_is_a_stranger():
    begun = time.process_time()
    with pytest.raises(InputError, match=r"5,000 orders are too few"):
        key([LETTERS[place ^ 1] for place in range(40)])
    assert time.process_time() - begun < 20
    with pytest.raises(InputError, match="mentions a character who says nothing"):
        key(["B", "C"])
    with pytest.raises(InputError, match="has 5,000 characters; 200 are the most"):
        key(["A"] * 5000)
