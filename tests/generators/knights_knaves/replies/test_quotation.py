"""Quoted sentences: read back to what they say, or not at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hansproof.generators.knights_knaves.formula import Both, Formula, Knight, Not, Says, parse, table
from hansproof.generators.knights_knaves.reasoning_errors import QuotationReader, quotation

NAMES = [chr(65 + i) for i in range(26)]


def formulas(n: int) -> st.SearchStrategy[Formula]:
    who = st.integers(0, n - 1)
    literals = who.map(Knight) | who.map(lambda place: Not(Knight(place)))
    pairs = st.builds(Both, st.sampled_from("&|^>="), literals, literals)
    return literals | pairs | st.builds(Says, who, literals) | st.builds(Says, who, pairs)


@given(formulas(4))
def test_a_quotation_is_read_back_with_the_same_truth_table(formula: Formula) -> None:
    terms = ("jabba", "tette")
    read = QuotationReader(NAMES[:4], terms).read(quotation(formula, NAMES, terms))
    assert read is not None
    assert table(read, 4) == table(formula, 4)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("I am a knight", "A"),
        ("I'm not a knight.", "~A"),
        ("If I am a knight, then B is not a knave", "(A > B)"),
        ("if B is a knave then C is a knave", "(~B > ~C)"),
        ("B is a knight or C is a knight, or both", "(B | C)"),
        ("Either B is a knight or C is not a knight, but not both", "(B ^ ~C)"),
        ("The number of knights among A, B, and C is odd", "(A ^ (B ^ C))"),
        ("the number of knaves among A, B and C is odd.", "~(A ^ (B ^ C))"),
        ("The number of knights among A, B and C is even", "~(A ^ (B ^ C))"),
        ("B would say that I am a knave", "B:(~A)"),
        ("B and C are knaves", "(~B & ~C)"),
        ("**B** is a Knave and C is a KNIGHT!", "(~B & C)"),
    ],
)
def test_sentences_as_prompts_and_people_word_them_are_understood(text: str, written: str) -> None:
    read = QuotationReader(NAMES[:3], ("knight", "knave")).read(text, speaker=0)
    assert read is not None
    assert table(read, 3) == table(parse(written, NAMES[:3]), 3)


@pytest.mark.parametrize(
    "text",
    ["", "knight", "B lies", "B is a knight, so C is a knave", "B would say that C is a knight and A is a knave",
     "B is a knight and C is a knave or A is a knight", "if B is a knight",
     "the number of knights among B, B and C is odd",
     "D is a knight", "B is a knight " * 100_000, "[" * 100_000, "B is a knight and " * 20 + "C is a knight"],
)  # fmt: skip
def test_sentences_that_are_not_certain_are_not_understood(text: str) -> None:
    assert QuotationReader(NAMES[:3], ("knight", "knave")).read(text, speaker=0) is None


def test_i_without_a_speaker_is_not_understood() -> None:
    assert QuotationReader(NAMES[:3], ("knight", "knave")).read("I am a knight") is None
