"""Prompts: worked English, and every prompt read back by its words alone."""

from __future__ import annotations

import re

import pytest

from hansproof.generators.errors import InputError
from hansproof.generators.knights_knaves.checking import read_prompt
from hansproof.generators.knights_knaves.dataset import DATASET, PLANS
from hansproof.generators.knights_knaves.drawing import names_of
from hansproof.generators.knights_knaves.puzzle import TERMS, answer, prompt
from hansproof.generators.knights_knaves.statements import SETS, statements

KINDS = ("self", *SETS["wide"], "alternative")


def said(kind, notation, speaker=0, n=4):
    return next(claim for claim in statements(kind, speaker, names_of(n)) if claim.notation == notation)


@pytest.mark.parametrize(
    ("kind", "notation", "text"),
    [
        ("self", "A", "I am a @K"),
        ("accusation", "~B", "B is a @N"),
        ("conjunction", "(B & ~C)", "B is a @K and C is a @N"),
        ("implication", "(~D > C)", "If D is a @N, then C is a @K"),
        ("equivalence", "(B = C)", "B is a @K if and only if C is a @K"),
        ("disjunction", "(B | ~D)", "B is a @K or D is a @N, or both"),
        ("exclusive", "(B ^ C)", "Either B is a @K or C is a @K, but not both"),
        ("count", "#0(A,B,C,D)", "None of us is a @K"),
        ("count", "#1(A,B,C,D)", "Exactly one of us is a @K"),
        ("count", "#3(A,B,C,D)", "Exactly three of us are @Ks"),
        ("count", "#4(A,B,C,D)", "All of us are @Ks"),
        ("nested", "C:(~D)", "C would say that D is a @N"),
        ("nested", "C:(~A)", "C would say that I am a @N"),
        ("alternative", "((~B > C) & (B > ~D))", "If B is a @N, then C is a @K; otherwise, D is a @N"),
    ],
)
def test_english_of_each_kind(kind, notation, text):
    assert said(kind, notation).text == text


@pytest.mark.parametrize(
    ("ask", "question"),
    [
        (
            "all",
            "Who is a knight, and who is a knave? Finish your answer with one line for each character, in the order "
            "above, such as `A: knight` or `A: knave`, under this heading:",
        ),
        (
            "one",
            "Is B a knight or a knave? Finish your answer with one line, `B: knight` or `B: knave`, under this "
            "heading:",
        ),
        (
            "number",
            "An assignment says of each character whether it is a knight or a knave. How many assignments make every "
            "statement by a knight true and every statement by a knave false: none, exactly one, or several (two or "
            "more)? Finish your answer with one word, `none`, `one` or `several`, under this heading:",
        ),
    ],
)
def test_a_whole_prompt(ask, question):
    puzzle = [said("accusation", "~B", 0, 3), said("conjunction", "(A & C)", 1, 3), said("self", "C", 2, 3)]
    text = prompt(puzzle, ("A", "B", "C"), TERMS["knights"], ask, "B")
    assert text == (
        "Every character in this puzzle is either a knight or a knave. A knight always tells the truth, and a knave "
        "always lies.\nThere are three characters, A, B and C, and each of them makes one statement.\n\n"
        "A: B is a knave.\nB: A is a knight and C is a knight.\nC: I am a knight.\n\n"
        f"{question}\n\nCONCLUSION:"
    )


def test_answers_in_canonical_form():
    names, terms = ("A", "B"), TERMS["truth-tellers"]
    assert answer(("KN",), names, terms) == "A: truth-teller; B: liar"
    assert answer(("KN", "NN"), names, terms) == "A: truth-teller; B: liar | A: liar; B: liar"
    assert answer((), names, terms) == "no solution"


@pytest.mark.parametrize("subset", [subset for subset in PLANS if subset != "logicians"])
def test_every_prompt_is_read_back(subset):
    for index in range(8):
        item = DATASET.item(subset, 17, index)
        speakers, notations = read_prompt(item.prompt, item.metadata["terms"])
        assert speakers == item.metadata["names"]
        assert notations == item.metadata["statements"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("terms", TERMS.values(), ids=TERMS)
def test_every_statement_of_every_kind_is_read_back(kind, terms):
    names = names_of(4)
    filler = [said("accusation", "~B"), *[said("accusation", "A", speaker) for speaker in (1, 2, 3)]]
    for claim in statements(kind, 0, names):
        text = prompt([claim, *filler[1:]], names, terms, "all")
        assert read_prompt(text, terms) == (list(names), [claim.notation, "A", "A", "A"])


def test_prompts_of_1_0_0_are_still_read():
    text = 'A says: "B is not a jabba."\nB claims: "I am a jabba and A is a tette."\n\nWhat is A?'
    assert read_prompt(text, ("jabba", "tette")) == (["A", "B"], ["~B", "(B & ~A)"])


@pytest.mark.parametrize("subset", PLANS)
def test_no_prompt_has_placeholders_braces_or_double_spaces_and_each_ends_with_the_heading(subset):
    for index in range(20):
        text = DATASET.item(subset, 2, index).prompt
        assert not re.search(r"[@{}]|  |\.\.|\n\n\n|\ba [aeiou]", text)
        assert text == text.strip()
        assert text.endswith("\n\nCONCLUSION:")
        assert text.count("CONCLUSION") == 1


def test_what_nobody_can_have_said_is_refused():
    with pytest.raises(InputError, match="cannot read 'B is a wizard'"):
        read_prompt("A: B is a wizard.\nB: A is a knight.", ("knight", "knave"))
    with pytest.raises(InputError, match="'Z' is not one of the speakers: A, B"):
        read_prompt("A: Z is a knight.\nB: A is a knight.", ("knight", "knave"))
    with pytest.raises(InputError, match="'knaves' is not 'knight'"):
        read_prompt("A: Exactly two of us are knaves.\nB: A is a knight.", ("knight", "knave"))
