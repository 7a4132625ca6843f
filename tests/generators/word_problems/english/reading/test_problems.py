"""The reader of English problems: what it reads, what it refuses, and that it is independent of the frames."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from hansproof.generators.errors import InputError
from hansproof.generators.word_problems.english.reading import read_problem
from hansproof.generators.word_problems.forms import notation

FOLDER = Path(__file__).resolve().parents[5] / "generators" / "word_problems" / "english"
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
        ("Adam had 3 red pens.", "container(Adam, 3, pen/red)"),
        ("Adam baked 3 scones for a wedding.", "container(Adam, 3, scone)"),
        ("There were 3 rolls on Adam's desk.", "container(Adam, 3, roll)"),
        ("There were 3 more pens on Adam's desk than on Alice's.", "comparison(Adam, +, Alice, 3, pen)"),
        ("In the first lesson, Alice lent 3 to Adam.", "transfer(Adam, Alice, 3, pen)"),
        ("Alice was given 3 pens by her teacher.", "transfer(Alice, _, 3, pen)"),
        ("Alice let Adam have 3 pens.", "transfer(Adam, Alice, 3, pen)"),
        ("According to the teacher, she had a third as many as Adam.", "comparison(Alice, /, Adam, 3, pen)"),
        ("Adam, by the teacher's count, had three times as many as Alice did.", "comparison(Adam, *, Alice, 3, pen)"),
        ("She gave some to Adam.", "transfer(Adam, Alice, some, pen)"),
        ("Adam had some red pens.", "container(Adam, some, pen/red)"),
        ("She gave some pens to some children.", "transfer(_, Alice, some, pen)"),
        ("Adam, who was there too, had a flat in Elm Row.", "remark(Adam, _)"),
        ("Adam, who was there too, was born at 12 Elm Row.", "remark(Adam, 12)"),
        ("Adam still lived at 12 Park Road.", "remark(Adam, 12)"),
        ("Adam used to live in Park Road.", "remark(Adam, _)"),
        ("As luck would have it, Adam had 3 fewer pens than Alice.", "comparison(Adam, -, Alice, 3, pen)"),
        ("Alice also had 5 rulers.", "container(Alice, 5, ruler)"),
        ("Adam has 2 jars of honey.", "container(Adam, 2, honey//jar)"),
        ("Adam has 2 orange marigolds.", "container(Adam, 2, marigold/orange)"),
        ("Adam has 7 kilograms of flour.", "container(Adam, 7, flour//kilogram)"),
    ],
)
def test_a_sentence_becomes_its_logical_form(sentence: str, form: str) -> None:
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
def test_a_question_about_two_agents_becomes_its_logical_form(question: str, form: str) -> None:
    assert notation(read_problem(OPENING + question).question) == form


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("Adam does not have 3 pens.", "unknown words: not"),
        ("Adam has -3 pens.", "unreadable characters: '-'"),
        ("Adam has 3.5 pens.", "has 2 numbers instead of one"),
        ("Adam has 1,000 pens.", "has 2 numbers instead of one"),
        ("Adam has 3 or 4 pens.", "has 2 numbers instead of one"),
        ("Adam has twice 3 as many pens as Alice.", "has two numbers"),
        ("Adam has more pens than Alice.", "has 0 numbers instead of one"),
        ("Alice has 3 more pens than Alice.", "a comparison needs two agents, not 1"),
        ("Alice gives Alice 3 pens.", "does not say who gives or gets"),
        ("Zaphod has 3 pens.", "unknown words: zaphod"),
        ("Adam has 3 dragons.", "unknown words: dragons"),
        ("Adam has 3 pens & pots.", "unreadable characters: '&'"),
        ("Adam has 3 pens in 4 tins.", "has 2 numbers instead of one"),
        ("3.", "fits no logical form"),
        ("Adam has " + "9" * 5000 + " pens.", f"unreadable characters: {'9' * 5000!r}"),
        ("<script>Adam has 3 pens</script>.", "unreadable characters: '<>   </>'"),
        ("Adam has ３ pens.", "unreadable characters: '３'"),
    ],
)
def test_an_unreadable_sentence_is_refused_with_its_reason(sentence: str, reason: str) -> None:
    with pytest.raises(InputError, match=r"^sentence [12], '") as caught:  # a very long sentence is cut in the message
        read_problem(OPENING + sentence + QUESTION)
    assert caught.value.reason == reason
    assert sentence in caught.value.place


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "a problem ends with its only question"),
        (" ", "a problem ends with its only question"),
        ("?", "does not say what is counted"),
        (OPENING, "a problem ends with its only question"),
        (QUESTION * 2, "a problem ends with its only question"),
        (OPENING + QUESTION + OPENING, "a problem ends with its only question"),
        ("Pens.", "fits no logical form"),
        ("\0", r"unreadable characters: '\\x00'"),
    ],
)
def test_a_text_that_is_not_a_problem_is_refused(text: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        read_problem(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Alice gave Bob 3 pens and 2 rulers. How many pens did Alice have?", "mentions 2 things, where one is"),
        ("Alice had 3 pens. Bob had more than Alice. How many pens did Bob have?", "has 0 numbers instead of one"),
        ("Alice had 3 pens. Bob had twice as many. How many pens did Bob have?", "a comparison needs two agents"),
        ("Alice had 3 pens. Were the pens Alice's?", "does not ask how many"),
        ("Alice had 3 pens. How many pens did Alice and Bob have?", "is not a known kind of question"),
        ("Alice had 3 pens. Alice sold Alice 2 pens. How many pens did she have?", "does not say who gives or gets"),
        ("She had 3. How many pens did she have?", "does not say what is counted|fits no logical form"),
    ],
)
def test_the_reader_refuses_what_it_cannot_place(text: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        read_problem(text)


def test_measures_are_less_and_shorter_names_mean_what_was_named_before() -> None:
    text = "Alice had 12 kilograms of flour. Adam had 3 kilograms less than Alice did. How many kilograms did he have?"
    problem = read_problem(text)
    assert notation(problem.forms[1]) == "comparison(Adam, -, Alice, 3, flour//kilogram)"
    assert notation(problem.question) == "count(Adam, flour//kilogram)"


def test_a_pronoun_means_the_last_subject_of_its_gender() -> None:
    text = "Alice has 12 pens. Adam has 3 more pens than Alice. She buys 2 pens. How many pens does he have?"
    problem = read_problem(text)
    assert notation(problem.forms[2]) == "transfer(Alice, _, 2, pen)"
    assert notation(problem.question) == "count(Adam, pen)"


def test_the_reader_shares_no_code_with_the_wording() -> None:
    imported = set()
    for name in ("reading", "sentence_parts"):
        for node in ast.walk(ast.parse((FOLDER / f"{name}.py").read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                imported.add(node.module)
            elif isinstance(node, ast.Import):
                imported.update(alias.name for alias in node.names)
    own = {name.rpartition(".")[2] for name in imported if name.startswith("hansproof")}
    assert own == {"errors", "forms", "vocabulary", "sentence_parts"}
