"""The English reader: what it understands, what it refuses, and that it knows nothing of the sentences' templates."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from generators.errors import InputError
from generators.word_problems.english.reading.problems import read_problem
from generators.word_problems.forms import notation

FOLDER = Path(__file__).resolve().parents[5] / "generators" / "word_problems" / "english" / "reading"
OPENING = "Alice has 12 pens. "
QUESTION = " How many pens does Alice have?"


def second_form(sentence: str) -> str:
    return notation(read_problem(OPENING + sentence + QUESTION).forms[1])


@pytest.mark.parametrize(
    ("sentence", "form"),
    [
        ("Adam has 3 fewer pens than Alice.", "comparison(Adam, -, Alice, 3, pen)"),
        ("Adam has 3 less than her.", "comparison(Adam, -, Alice, 3, pen)"),
        ("Than Alice, Adam has 3 more pens.", "comparison(Adam, +, Alice, 3, pen)"),
        ("Compared with Adam, Alice has 3 more pens.", "comparison(Alice, +, Adam, 3, pen)"),
        ("Adam owns twice as many pens as Alice.", "comparison(Adam, *, Alice, 2, pen)"),
        ("Adam has one-third as many pens as Alice.", "comparison(Adam, /, Alice, 3, pen)"),
        ("She gives Adam 3 of her pens.", "transfer(Adam, Alice, 3, pen)"),
        ("Adam gives her 3 pens.", "transfer(Alice, Adam, 3, pen)"),
        ("3 pens are sold to Adam by Alice.", "transfer(Adam, Alice, 3, pen)"),
        ("Adam borrows 3 pens from Alice.", "transfer(Adam, Alice, 3, pen)"),
        ("She loses 3 pens.", "transfer(_, Alice, 3, pen)"),
        ("Someone sends Alice 3 pens.", "transfer(Alice, _, 3, pen)"),
        ("Adam has three red pens.", "container(Adam, 3, pen/red)"),
        ("She puts her pens into boxes of 4 pens each.", "rate(Alice, 4, pen, box)"),
        ("There are 4 pens in each of Alice's boxes.", "rate(Alice, 4, pen, box)"),
        ("Adam has 2 bowls of soup.", "container(Adam, 2, soup//bowl)"),
        ("Adam has 2 orange bowls.", "container(Adam, 2, bowl/orange)"),
        ("Adam has 2 bags of oranges.", "container(Adam, 2, orange//bag)"),
    ],
)
def test_sentences_of_our_own_are_understood(sentence: str, form: str) -> None:
    assert second_form(sentence) == form


@pytest.mark.parametrize(
    ("question", "form"),
    [
        ("How many pens do Alice and Adam have altogether?", "total(Alice, Adam, pen)"),
        ("How many more pens does Adam have than Alice?", "difference(Adam, Alice, pen)"),
        ("How many more pens than Alice does Adam have?", "difference(Adam, Alice, pen)"),
        ("How many fewer pens does Alice have than Adam?", "difference(Adam, Alice, pen)"),
    ],
)
def test_questions_about_two_are_understood(question: str, form: str) -> None:
    assert notation(read_problem(OPENING + question).question) == form


@pytest.mark.parametrize(
    "sentence",
    [
        "Adam does not have 3 pens.",
        "Adam has -3 pens.",
        "Adam has 3.5 pens.",
        "Adam has 1,000 pens.",
        "Adam has 3 or 4 pens.",
        "Adam has twice 3 as many pens as Alice.",
        "Adam has more pens than Alice.",
        "Alice has 3 more pens than Alice.",
        "Alice gives Alice 3 pens.",
        "Zaphod has 3 pens.",
        "Adam has 3 dragons.",
        "Adam has 3 pens & boxes.",
        "Adam has 3 pens in 4 boxes.",
        "Each pen is red.",
        "3.",
        "Adam has " + "9" * 5000 + " pens.",
        "<script>Adam has 3 pens</script>.",
        "Adam has ３ pens.",
    ],
)
def test_what_is_not_understood_is_refused_by_name(sentence: str) -> None:
    with pytest.raises(InputError, match=r"read|number|compares|speaks|say|who|end"):
        read_problem(OPENING + sentence + QUESTION)


@pytest.mark.parametrize("text", ["", " ", "?", OPENING, QUESTION * 2, OPENING + QUESTION + OPENING, "Pens.", "\0"])
def test_a_text_that_is_no_problem_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"question|read|say|ask|what"):
        read_problem(text)


def test_a_pronoun_is_the_last_subject_it_fits() -> None:
    text = "Alice has 12 pens. Adam has 3 more pens than Alice. She buys 2 pens. How many pens does he have?"
    problem = read_problem(text)
    assert notation(problem.forms[2]) == "transfer(Alice, _, 2, pen)"
    assert notation(problem.question) == "count(Adam, pen)"


def test_the_reader_shares_no_code_with_what_writes_the_sentences() -> None:
    imported = set()
    for name in ("problems", "parts", "words"):
        for node in ast.walk(ast.parse((FOLDER / f"{name}.py").read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                imported.add(node.module)
            elif isinstance(node, ast.Import):
                imported.update(alias.name for alias in node.names)
    own = {name.rpartition(".")[2] for name in imported if name.startswith("generators")}
    assert own == {"errors", "forms", "vocabulary", "parts", "words"}
