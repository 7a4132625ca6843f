"""Explanations: worked ones, all kinds of statement, and a checker that tampering does not pass."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generators.errors import InputError, UsageError
from generators.item import Item
from generators.knights_knaves.replies.explanation import Step, explain, render
from generators.knights_knaves.explanation_check import faults_of_steps, faults_of_text
from generators.knights_knaves.formula import (
    Both,
    Count,
    Formula,
    Knight,
    Not,
    Says,
    notation,
    parse,
    solutions,
    table,
)
from generators.knights_knaves.replies.quotation import QuotationReader, quotation
from generators.knights_knaves.replies.score import score

NAMES = [chr(65 + i) for i in range(26)]


def puzzle(statements: Sequence[str], terms: tuple[str, str] = ("knight", "knave"), asked: str = "") -> Item:
    n = len(statements)
    worlds = solutions([parse(one, NAMES[:n]) for one in statements]) if n <= 12 else ["K" * n]
    data = {"names": NAMES[:n], "terms": list(terms), "statements": list(statements), "solutions": worlds}
    if asked:
        data["asked"] = asked
    return Item("x/1/y/000000", "?", None, "?", "g", "c", {**data, "n": n, "set": "S"})


def formulas(n: int) -> st.SearchStrategy[Formula]:
    who = st.integers(0, n - 1)
    some = st.lists(who, min_size=1, max_size=n, unique=True).map(tuple)
    counts = some.flatmap(lambda chosen: st.integers(0, len(chosen)).map(lambda k: Count(k, chosen)))
    literals = who.map(Knight) | who.map(lambda one: Not(Knight(one)))
    pairs = st.builds(Both, st.sampled_from("&|^>="), literals, literals)
    return literals | pairs | counts | st.builds(Says, who, literals) | st.builds(Says, who, pairs)


def test_a_worked_explanation_reads_as_a_person_would_reason() -> None:
    item = puzzle(["(~B & C)", "~C", "(A = B)"])
    assert item.metadata["solutions"] == ["NKN"]
    assert render(explain(item), item) == (
        "Suppose A is a knight.\n"
        '  Since A is a knight, what A says is true: "B is a knave and C is a knight". So B is a knave.\n'
        '  Since A is a knight, what A says is true: "B is a knave and C is a knight". So C is a knight.\n'
        '  But C is a knight, A is a knight and B is a knave, while C says: "A is a knight if and only if '
        'B is a knight". That is a contradiction.\n'
        "So A is not a knight but a knave.\n"
        "Suppose B is a knave.\n"
        '  Since A is a knave and B is a knave, what A says is false: "B is a knave and C is a knight". '
        "So C is a knave.\n"
        '  But B is a knave and C is a knave, while B says: "C is a knave". That is a contradiction.\n'
        "So B is not a knave but a knight.\n"
        'Since B is a knight, what B says is true: "C is a knave". So C is a knave.\n'
        "To check: what A says is false, what B says is true and what C says is false, as it must be.\n"
        "A: knave\nB: knight\nC: knave\n"
    )


@given(st.integers(1, 5).flatmap(lambda n: st.lists(formulas(n), min_size=n, max_size=n)))
@settings(max_examples=150, deadline=None)
def test_every_puzzle_is_explained_soundly_and_its_text_is_a_right_reply(statements: list[Formula]) -> None:
    item = puzzle([notation(one) for one in statements], ("truth-teller", "liar"))
    steps = explain(item)
    text = render(steps, item)
    assert faults_of_steps(item, steps) == []
    assert faults_of_text(item, text) == []
    assert score(item, text).right
    assert steps == explain(item)


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
        ("Exactly two of us are knights", "#2(A,B,C)"),
        ("Exactly one of A and C is a knight", "#1(A,C)"),
        ("None of us is a knight", "#0(A,B,C)"),
        ("All of us are knights", "#3(A,B,C)"),
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
     "B is a knight and C is a knave or A is a knight", "if B is a knight", "exactly nine of us are knights",
     "D is a knight", "B is a knight " * 100_000, "[" * 100_000, "B is a knight and " * 20 + "C is a knight"],
)  # fmt: skip
def test_sentences_that_are_not_certain_are_not_understood(text: str) -> None:
    assert QuotationReader(NAMES[:3], ("knight", "knave")).read(text, speaker=0) is None


def test_i_without_a_speaker_is_not_understood() -> None:
    assert QuotationReader(NAMES[:3], ("knight", "knave")).read("I am a knight") is None


ITEMS = [
    puzzle(["(~B & C)", "~C", "(A = B)"]),
    puzzle(["(B > ~C)", "#2(A,B,C,D)", "D:(~A)", "(A ^ B)"]),
    puzzle(["B", "~A"]),
    puzzle(["B", "A"]),
    puzzle(["(B & C)", "(A | C)", "A"]),
]


def changed(step: Step) -> list[Step]:
    """All small lies that one step could tell."""
    found = [replace(step, depth=step.depth + 1), replace(step, depth=step.depth - 1)]
    if step.kind in ("suppose", "derive", "reject"):
        found.append(replace(step, knight=not step.knight))
        found.append(replace(step, character=9))
    if step.kind in ("derive", "contradict"):
        found += [replace(step, because=step.because[:i] + step.because[i + 1 :]) for i in range(len(step.because))]
        found += [
            replace(step, because=(*step.because[:i], (c, not k), *step.because[i + 1 :]))
            for i, (c, k) in enumerate(step.because)
        ]
        found.append(replace(step, speaker=9))
    if step.kind in ("found", "answer"):
        found += [replace(step, worlds=("K" * 9,)), replace(step, worlds=(*step.worlds, "K" * 9))]
    return found


@pytest.mark.parametrize("item", ITEMS)
def test_no_step_can_be_changed_left_out_or_doubled_unnoticed(item: Item) -> None:
    steps = explain(item)
    assert faults_of_steps(item, steps) == []
    for place, step in enumerate(steps):
        for lie in changed(step):
            assert faults_of_steps(item, [*steps[:place], lie, *steps[place + 1 :]]), (place, lie)
        if step.kind != "check":  # checking twice does no harm
            assert faults_of_steps(item, [*steps[: place + 1], *steps[place:]]), place
        assert faults_of_steps(item, steps[:place] + steps[place + 1 :]), place


@pytest.mark.parametrize("item", ITEMS)
def test_no_word_of_the_text_can_be_swapped_unnoticed(item: Item) -> None:
    text = render(explain(item), item)
    assert faults_of_text(item, text) == []
    words = [
        ("knight", "knave"),
        ("knave", "knight"),
        ("true", "false"),
        ("false", "true"),
        ("A", "B"),
        ("B", "A"),
    ]
    for old, new in [
        *words,
        ("and", "or"),
        ("says", "said"),
        ("Suppose", "Perhaps"),
        ("Since", "As"),
        ("  ", " "),
    ]:
        start = text.find(old)
        while start >= 0:
            lie = text[:start] + new + text[start + len(old) :]
            line = text[:start].count("\n") + 1
            assert faults_of_text(item, lie), f"line {line}: {lie.splitlines()[line - 1]}"
            start = text.find(old, start + 1)


def test_the_checker_names_the_line_and_the_fault() -> None:
    item = puzzle(["(~B & C)", "~C", "(A = B)"])
    lines = render(explain(item), item).split("\n")

    def first(place: int, old: str, new: str) -> str:
        assert old in lines[place]
        text = "\n".join([*lines[:place], lines[place].replace(old, new), *lines[place + 1 :]])
        return faults_of_text(item, text)[0]

    assert first(1, "So B is a knave", "So B is a knight") == "line 2: does not follow"
    assert first(1, '"B is a knave and', '"B is a knight and') == "line 2: does not quote what A says"
    assert first(1, "is true", "is false") == "line 2: is wrong about whether the statement is true"
    assert first(3, "C is a knight, A is a knight and", "C is a knight and") == "line 4: is no contradiction"
    assert first(4, "not a knight but a knave", "not a knave but a knight").startswith("line 5: rejects another")
    assert first(10, "A says is false", "A says is true") == "line 11: is wrong about what is true"
    assert first(11, "knave", "knight").endswith("2 of 3 characters are right")
    assert first(2, "Since", "Clearly,") == "line 3: is not a line of an explanation"


def test_what_follows_from_a_closed_supposition_may_not_be_used() -> None:
    item = puzzle(["(~B & C)", "~C", "(A = B)"])
    steps = explain(item)
    leak = Step("derive", 0, 2, ((0, True), (1, False)), 2, False)
    assert faults_of_steps(item, [*steps[:5], leak, *steps[5:]])[0] == "step 6: uses what is not known there"


def test_an_answer_without_reasoning_is_no_explanation() -> None:
    item = ITEMS[0]
    assert faults_of_steps(item, []) == ["the explanation ends without an answer"]
    assert faults_of_steps(item, [Step("answer", worlds=("NKN",))]) == ["step 1: answers before the end"]
    assert faults_of_text(item, "A: knave\nB: knight\nC: knave") == ["line 1: answers before the end"]


def test_one_of_two_cases_is_no_exhaustive_search() -> None:
    item = puzzle(["B", "A"])
    steps = explain(item)
    assert [step.kind for step in steps] == ["suppose", "derive", "found"] * 2 + ["answer"]
    half = [*steps[:3], Step("answer", worlds=("KK", "NN"))]
    assert faults_of_steps(item, half) == ["step 4: answers before the end"]


def test_the_question_for_one_character_is_answered_with_one_line() -> None:
    item = puzzle(["(~B & C)", "~C", "(A = B)"], asked="B")
    text = render(explain(item), item)
    assert text.endswith("as it must be.\nB: knight\n")
    assert faults_of_text(item, text) == []


def test_too_many_characters_and_broken_statements_are_refused() -> None:
    with pytest.raises(UsageError, match="has 13 characters; explanations go up to 12"):
        explain(puzzle(["A"] * 13))
    broken = puzzle(["B", "A"])
    with pytest.raises(InputError, match="where nothing more should be"):
        explain(replace(broken, metadata={**broken.metadata, "statements": ["B A", "A"]}))


def test_eight_characters_with_nested_suppositions_are_explained() -> None:
    item = puzzle(
        ["(B = C)", "(C ^ D)", "#4(A,B,C,D,E,F,G,H)", "E:(~A)", "(F > G)", "(G & ~H)", "(A | D)", "#1(A,B,C)"]
    )
    steps = explain(item)
    assert faults_of_steps(item, steps) == []
    assert faults_of_text(item, render(steps, item)) == []
