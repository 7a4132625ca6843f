"""Prompts: worked English, and every prompt read back by its words alone."""

from __future__ import annotations

import re

import pytest

from generators.errors import InputError
from generators.knights_knaves.dataset import DATASET
from generators.knights_knaves.prompt_reading import read_prompt
from generators.knights_knaves.puzzles.large import names_of
from generators.knights_knaves.puzzles.statements import KINDS, statements
from generators.knights_knaves.puzzles.wording import TERMS, Wording, answer, draw_wording, prompt
from generators.knights_knaves.subsets import PLANS
from generators.stream import Stream


def said(kind, notation, speaker=0, n=4):
    return next(claim for claim in statements(kind, speaker, names_of(n)) if claim.notation == notation)


@pytest.mark.parametrize(
    ("kind", "notation", "first", "second"),
    [
        ("self", "A", "I am a @K", "I am a @K"),
        ("accusation", "~B", "B is a @N", "B is not a @K"),
        ("conjunction", "(B & ~C)", "B is a @K and C is a @N", "B is a @K and C is not a @K"),
        ("implication", "(~D > C)", "If D is a @N, then C is a @K", "If D is not a @K, then C is a @K"),
        ("equivalence", "(B = C)", "B is a @K if and only if C is a @K", "B is a @K if and only if C is a @K"),
        ("disjunction", "(B | ~D)", "B is a @K or D is a @N, or both", "B is a @K or D is not a @K, or both"),
        ("exclusive", "(B ^ C)", "Either B is a @K or C is a @K, but not both", None),
        ("count", "#0(A,B,C,D)", "None of us is a @K", None),
        ("count", "#1(A,B,C,D)", "Exactly one of us is a @K", None),
        ("count", "#3(A,B,C,D)", "Exactly three of us are @Ks", None),
        ("count", "#4(A,B,C,D)", "All of us are @Ks", None),
        ("nested", "C:(~D)", "C would say that D is a @N", "C would say that D is not a @K"),
        ("nested", "C:(~A)", "C would say that I am a @N", "C would say that I am not a @K"),
    ],
)
def test_english_of_each_kind(kind, notation, first, second):
    assert said(kind, notation).texts == (first, second or first)


def test_a_whole_prompt():
    puzzle = [said("accusation", "~B", 0, 3), said("conjunction", "(A & C)", 1, 3), said("self", "C", 2, 3)]
    text = prompt(puzzle, ("A", "B", "C"), TERMS["knights"], Wording(0, 0, 1, 0), "all")
    assert text == (
        "Everybody here is either a knight or a knave. A knight always tells the truth, a knave always lies.\n"
        "There are three characters: A, B and C. Each of them says one thing.\n\n"
        "A: B is not a knight.\nB: A is a knight and C is a knight.\nC: I am a knight.\n\n"
        "Who is a knight and who is a knave?\n"
        "Reason step by step. Then end with three lines, one for each character in the order given, "
        "each of the form `A: knight` or `A: knave`."
    )


def test_answers_in_canonical_form():
    names, terms = ("A", "B"), TERMS["logicians"]
    assert answer(("KN",), names, terms) == "A: logician; B: politician"
    assert answer(("KN", "NN"), names, terms) == "A: logician; B: politician | A: politician; B: politician"
    assert answer((), names, terms) == "no solution"


@pytest.mark.parametrize("subset", PLANS)
def test_every_prompt_is_read_back(subset):
    for index in range(8):
        item = DATASET.item(subset, 17, index)
        speakers, notations = read_prompt(item.prompt, item.metadata["terms"])
        assert speakers == item.metadata["names"]
        assert notations == item.metadata["statements"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("terms", TERMS.values(), ids=TERMS)
def test_every_statement_of_every_kind_is_read_back_in_every_form(kind, terms):
    names = names_of(4)
    filler = [said("accusation", "~B"), *[said("accusation", "A", speaker) for speaker in (1, 2, 3)]]
    for claim in statements(kind, 0, names):
        for line in range(3):
            for denial in range(2):
                text = prompt([claim, *filler[1:]], names, terms, Wording(0, line, denial, 0), "all")
                assert read_prompt(text, terms) == (list(names), [claim.notation, "A", "A", "A"])


@pytest.mark.parametrize("subset", ["S-3", "number-3", "several-4", "identity-4", "large-30", "E-6-logicians"])
def test_no_prompt_has_placeholders_braces_or_double_spaces(subset):
    for index in range(60 if PLANS[subset].n < 7 else 4):
        text = DATASET.item(subset, 2, index).prompt
        assert not re.search(r"[@{}]|  |\.\.|\n\n\n|\ba [aeiou]", text)
        assert text == text.strip()


def test_all_54_wordings_occur_and_none_is_preferred():
    drawn = [draw_wording(Stream(1).child(index)) for index in range(5400)]
    counts = [drawn.count(claim) for claim in set(drawn)]
    assert len(counts) == 54
    assert min(counts) > 60
    assert max(counts) < 140


def test_what_nobody_can_have_said_is_refused():
    with pytest.raises(InputError, match="cannot read 'B is a wizard'"):
        read_prompt("A: B is a wizard.\nB: A is a knight.", ("knight", "knave"))
    with pytest.raises(InputError, match="'Z' is not one of the speakers: A, B"):
        read_prompt("A: Z is a knight.\nB: A is a knight.", ("knight", "knave"))
    with pytest.raises(InputError, match="'knaves' is not 'knight'"):
        read_prompt("A: Exactly two of us are knaves.\nB: A is a knight.", ("knight", "knave"))
