"""Prompts: worked English, and every prompt read back by its words alone."""

from __future__ import annotations

import re

import pytest

from hansproof.generators.errors import InputError
from hansproof.generators.knights_knaves.checking import read_prompt
from hansproof.generators.knights_knaves.dataset import DATASET, PLANS
from hansproof.generators.knights_knaves.puzzle import TERMS, answer, names_of, prompt
from hansproof.generators.knights_knaves.statements import EVEN, PAPER, Statement, drawn, notation, sayings, text
from hansproof.generators.stream import Stream


def said(kind, about, knights=(True,), speaker=0):
    return Statement(kind, speaker, about, knights)


@pytest.mark.parametrize(
    ("claim", "noted", "english"),
    [
        (said("self", (0,)), "A", "I am a @K"),
        (said("accusation", (1,), (False,)), "~B", "B is a @N"),
        (said("conjunction", (1, 2), (True, False)), "(B & ~C)", "B is a @K and C is a @N"),
        (said("implication", (3, 2), (False, True)), "(~D > C)", "If D is a @N, then C is a @K"),
        (said("equivalence", (1, 2), (True, True)), "(B = C)", "B is a @K if and only if C is a @K"),
        (said("exclusive", (1, 2), (True, True)), "(B ^ C)", "Either B is a @K or C is a @K, but not both"),
        (said("nested", (2, 3), (False,)), "C:(~D)", "C would say that D is a @N"),
        (said("parity", (1, 2, 3)), "(B ^ (C ^ D))", "The number of @Ks among B, C and D is odd"),
        (said("parity", (1, 2, 3), (False,)), "~(B ^ (C ^ D))", "The number of @Ks among B, C and D is even"),
        (
            said("alternative", (1, 2, 3), (False, True, False)),
            "((~B > C) & (B > ~D))",
            "If B is a @N, then C is a @K; otherwise, D is a @N",
        ),
    ],
)
def test_notation_and_english_of_each_kind(claim, noted, english):
    assert (notation(claim), text(claim, names_of(4))) == (noted, english)


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
    puzzle = [
        said("accusation", (1,), (False,)),
        said("conjunction", (0, 2), (True, True), 1),
        said("self", (2,), (True,), 2),
    ]
    written = prompt(puzzle, ("A", "B", "C"), TERMS["knights"], ask, "B")
    assert written == (
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


@pytest.mark.parametrize("kind", [*PAPER, *dict.fromkeys(EVEN)])
@pytest.mark.parametrize("terms", TERMS.values(), ids=TERMS)
def test_every_statement_of_every_kind_is_read_back(kind, terms):
    names, stream = names_of(5), Stream(4, kind)
    filler = [said("accusation", (0,), (True,), speaker) for speaker in (1, 2, 3, 4)]
    if kind in PAPER:
        claims = [each for each, _ in sayings(kind, 0, 5)]
    else:
        worlds = [tuple(stream.coin() for _ in names) for _ in range(200)]
        claims = [each for world in worlds if (each := drawn(stream, 0, range(1, 5), world, set())).kind == kind]
        assert len(claims) > 5
    for claim in claims:
        written = prompt([claim, *filler], names, terms, "all")
        assert read_prompt(written, terms) == (list(names), [notation(claim), "A", "A", "A", "A"])


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
    with pytest.raises(InputError, match="'lamp' is neither 'knight' nor 'knave'"):
        read_prompt("A: The number of lamps among B, C and D is odd.", ("knight", "knave"))


def test_an_odd_number_of_knaves_among_three_is_an_even_number_of_knights():
    told = "A: The number of {} among B, C and D is odd.\nB: A is a knight.\nC: A is a knight.\nD: A is a knight."
    read = [read_prompt(told.format(word), ("knight", "knave"))[1][0] for word in ("knights", "knaves")]
    assert read == ["(B ^ (C ^ D))", "~(B ^ (C ^ D))"]
