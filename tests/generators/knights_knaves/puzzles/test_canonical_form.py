"""The canonical form is the same exactly where renaming and reordering make two puzzles one."""

from __future__ import annotations

import re
import time
from itertools import permutations, product

import pytest

from hansproof.generators.errors import InputError
from hansproof.generators.knights_knaves.distinct import canonical_form, form_key
from hansproof.generators.knights_knaves.drawing import names_of, sayings
from hansproof.generators.knights_knaves.formula import letter
from hansproof.generators.knights_knaves.statements import SETS, statements
from hansproof.generators.stream import Stream

LETTERS = [letter(place) for place in range(60)]


def renamed(puzzle, order):
    """Character i takes the place order[i]: its statement moves there, and its letter changes everywhere."""
    moved = [""] * len(puzzle)
    for place, text in enumerate(puzzle):
        text = re.sub("[A-Z]+", lambda hit: LETTERS[order[LETTERS.index(hit[0])]], text)
        if text.startswith("#"):  # a count lists its characters in order
            head, _, listed = text.rstrip(")").partition("(")
            text = f"{head}({','.join(sorted(listed.split(','), key=LETTERS.index))})"
        moved[order[place]] = text
    return tuple(moved)


def wide(stream, n):
    kinds = [stream.choice(SETS["wide"]) for _ in range(n)]
    if n <= 6:
        return tuple(stream.choice(sayings(kind, speaker, n)).notation for speaker, kind in enumerate(kinds))
    # Beyond the tables: any notation will do.
    told = []
    for speaker in range(n):
        first, second = stream.sample([place for place in range(n) if place != speaker], 2)
        sign = stream.choice("&|^=>")
        told.append(f"({'~' * stream.coin()}{LETTERS[first]} {sign} {'~' * stream.coin()}{LETTERS[second]})")
    return tuple(told)


def test_a_form_by_hand():
    # B accuses A, A praises C, C says I am a knight: only who says what of whom counts.
    assert canonical_form(["C", "~A", "C"]) == canonical_form(["~C", "B", "B"])
    assert canonical_form(["C", "~A", "C"]) != canonical_form(["C", "A", "C"])
    # The order of two operands is part of what is said.
    assert canonical_form(["(B & ~C)", "A", "A"]) != canonical_form(["(~B & C)", "A", "A"])
    assert canonical_form(["(B & ~C)", "A", "A"]) == canonical_form(["(C & ~B)", "A", "A"])
    # The order in which a count lists its characters is not.
    assert canonical_form(["#1(B,C)", "A", "~A"]) == canonical_form(["#1(B,C)", "~A", "A"])


@pytest.mark.parametrize(("letters", "unique"), [("S", 152), ("I", 680), ("E", 1560)])
def test_forms_of_three_characters_are_the_classes_under_all_six_orders(letters, unique):
    # The least of the six renamed puzzles names the class without any cleverness.
    space = [[said for kind in SETS[letters] for said in statements(kind, place, names_of(3))] for place in range(3)]
    classes = {}
    for puzzle in product(*space):
        if (puzzle[0].mask & puzzle[1].mask & puzzle[2].mask).bit_count() == 1:
            told = tuple(said.notation for said in puzzle)
            least = min(renamed(told, order) for order in permutations(range(3)))
            classes.setdefault(least, set()).add(canonical_form(told))
    assert len(classes) == unique
    assert all(len(forms) == 1 for forms in classes.values())
    assert len(set.union(*classes.values())) == unique


@pytest.mark.parametrize("n", [4, 5, 6, 10, 20, 40])
def test_renaming_and_reordering_change_nothing(n):
    stream = Stream(3, "forms", n)
    for _ in range(25):
        puzzle = wide(stream, n)
        other = renamed(puzzle, stream.shuffled(range(n)))
        assert canonical_form(other) == canonical_form(puzzle)
        assert form_key(other) == form_key(puzzle)


def test_of_many_alike_puzzles_exactly_those_have_one_form_that_some_order_makes_equal():
    # Four characters, each praising or accusing another: 6^4 puzzles of few classes, compared with all 24 orders.
    stream, orders = Stream(5, "alike"), list(permutations(range(4)))
    puzzles = [tuple(stream.choice(sayings("accusation", place, 4)).notation for place in range(4)) for _ in range(400)]
    least = [min(renamed(puzzle, order) for order in orders) for puzzle in puzzles]
    forms = [canonical_form(puzzle) for puzzle in puzzles]
    assert len(set(zip(least, forms, strict=True))) == len(set(least)) == len(set(forms)) < 100


@pytest.mark.parametrize("n", [6, 12, 40])
def test_puzzles_in_which_all_characters_are_alike_have_one_form(n):
    # In a ring, everybody accuses the next one.
    ring = tuple(f"~{LETTERS[(place + 1) % n]}" for place in range(n))
    order = Stream(1, "ring").shuffled(range(n))
    assert canonical_form(renamed(ring, order)) == canonical_form(ring)
    # Two rings of half the size look alike to every single character, but are another puzzle.
    half = n // 2
    two = tuple(f"~{LETTERS[(place + 1) % half + (place // half) * half]}" for place in range(n))
    assert canonical_form(two) != canonical_form(ring)
    assert canonical_form(renamed(two, order)) == canonical_form(two)


def test_the_digest_names_the_form_and_its_size():
    assert form_key(["C", "~A", "C"]) == form_key(["~C", "B", "B"])
    assert re.fullmatch("3-[0-9a-f]{16}", form_key(["C", "~A", "C"]))


def test_a_puzzle_of_many_equal_parts_is_refused_in_time_and_so_is_a_stranger():
    pairs = [LETTERS[place ^ 1] for place in range(40)]
    begun = time.process_time()
    with pytest.raises(InputError, match=r"5,000 orders are too few"):
        canonical_form(pairs)
    assert time.process_time() - begun < 20
    with pytest.raises(InputError, match="mentions a character who says nothing"):
        canonical_form(["B", "C"])


def test_a_puzzle_of_thousands_is_refused_at_once():
    with pytest.raises(InputError, match="has 5,000 characters; 200 are the most"):
        form_key(["A"] * 5000)
