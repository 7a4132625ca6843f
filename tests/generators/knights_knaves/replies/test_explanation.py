"""Explanations: worked ones, all kinds of statement, and a second opinion that tampering does not pass."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from notated import notation

from hansproof.generators.errors import InputError, UsageError
from hansproof.generators.item import Item
from hansproof.generators.knights_knaves.explaining import FORMS, Step, explain, explained, render
from hansproof.generators.knights_knaves.formula import Both, Formula, Knight, Not, Says, parse, solutions
from hansproof.generators.knights_knaves.reasoning_errors import quotation
from hansproof.generators.knights_knaves.scorer import SCORER

NAMES = [chr(65 + i) for i in range(26)]
Judge = Callable[[Item, Any], list[str]]


def puzzle(statements: Sequence[str], terms: tuple[str, str] = ("knight", "knave"), asked: str = "") -> Item:
    n = len(statements)
    formulas = [parse(said, NAMES[:n]) for said in statements]
    worlds = solutions(formulas) if n <= 12 else ["K" * n]
    told = [f"{name}: {quotation(said, NAMES, terms)}." for name, said in zip(NAMES, formulas)]
    data = {"names": NAMES[:n], "terms": list(terms), "statements": list(statements), "solutions": worlds}
    data["ask"] = "one" if asked else "all" if len(worlds) == 1 else "open"
    if asked:
        data["asked"] = asked
    rows = ["; ".join(f"{name}: {terms['KN'.index(kind)]}" for name, kind in zip(NAMES, world)) for world in worlds]
    answer = " | ".join(rows) or "no solution"
    if asked:
        answer = terms["KN".index(worlds[0][NAMES.index(asked)])]
    return Item("x/1/y/000000", "\n".join(told), None, answer, "g", "c", {**data, "n": n, "set": "S"})


def right(item: Item, text: str) -> bool | None:
    """Whether the reasoning, followed by the answer as the prompt wants it, is a right reply."""
    solution = FORMS["one" if "asked" in item.metadata else "all"].solution(item)
    return SCORER.score(item, SCORER.read(item, f"{text}\n\n{solution}")).right


def formulas(n: int) -> st.SearchStrategy[Formula]:
    who = st.integers(0, n - 1)
    literals = who.map(Knight) | who.map(lambda place: Not(Knight(place)))
    pairs = st.builds(Both, st.sampled_from("&|^>="), literals, literals)
    return literals | pairs | st.builds(Says, who, literals) | st.builds(Says, who, pairs)


def test_a_worked_explanation_reads_as_a_person_would_reason() -> None:
    item = puzzle(["(~B & C)", "~C", "(A = B)"])
    assert item.metadata["solutions"] == ["NKN"]
    assert explained(item) == (
        "Suppose A is a knight.\n"
        '  A is a knight, so what A says is true: "B is a knave and C is a knight." '
        "So B is a knave and C is a knight.\n"
        '  But C is a knight, so what C says must be true: "A is a knight if and only if B is a knight." '
        "It is false, since A is a knight and B is a knave. That is a contradiction.\n"
        "So A is not a knight but a knave.\n"
        "Suppose B is a knave.\n"
        '  A is a knave, so what A says is false: "B is a knave and C is a knight." '
        "Since B is a knave, C must be a knave.\n"
        '  But B is a knave, so what B says must be false: "C is a knave." It is true, since C is a knave. '
        "That is a contradiction.\n"
        "So B is not a knave but a knight.\n"
        'B is a knight, so what B says is true: "C is a knave." So C is a knave.\n'
        "This fits: what B says is true, and what A and C say is false."
    )


@pytest.mark.parametrize(
    ("statements", "line"),
    [
        (["~B", "(A & A)"], "Suppose A is a knight."),
        (["(~A & ~B)", "A"], 'What A says would be false if A were a knight: "A is a knave and B is a knave." '
         "So A is a knave."),
        (["B:(A)", "A"], "A could say this only if B is a knight, whether A is a knight or a knave: "
         '"B would say that A is a knight." So B is a knight.'),
        (["~A", "A"], 'But A could not say this, whether A is a knight or a knave: "A is a knave." '
         "That is a contradiction."),
        (["A:(A)", "B"], 'What A says is true in any case: "A would say that A is a knight." So A is a knight.'),
        (["~A", "A"], "So no assignment fits."),
        (["B", "A"], "Every statement fits, so one solution is: A is a knight and B is a knight."),
        (["B", "A"], "So two assignments fit."),
    ],
)  # fmt: skip
def test_each_way_to_conclude_has_its_words(statements: list[str], line: str) -> None:
    lines = [told.strip().replace("none of", "None of") for told in explained(puzzle(statements)).split("\n")]
    assert line in lines


@given(statements=st.integers(1, 5).flatmap(lambda n: st.lists(formulas(n), min_size=n, max_size=n)))
@settings(max_examples=150, deadline=None)
def test_every_puzzle_is_explained_soundly_and_its_text_begins_a_right_reply(
    statements: list[Formula], faults_of_steps: Judge, faults_of_text: Judge
) -> None:
    item = puzzle([notation(said) for said in statements], ("truth-teller", "liar"))
    steps = explain(item)
    text = render(steps, item)
    assert faults_of_steps(item, steps) == []
    assert faults_of_text(item, text) == []
    assert right(item, text)
    assert steps == explain(item)


ITEMS = [
    puzzle(["(~B & C)", "~C", "(A = B)"]),
    puzzle(["(B > ~C)", "(A ^ (C ^ D))", "D:(~A)", "(A ^ B)"]),
    puzzle(["B", "~A"]),
    puzzle(["B", "A"]),
    puzzle(["(B & C)", "(A | C)", "A"]),
]


def changed(step: Step) -> list[Step]:
    """All small lies that one step could tell."""
    lies = [replace(step, depth=step.depth + 1), replace(step, depth=step.depth - 1)]
    if step.kind in ("suppose", "derive", "reject"):
        lies.append(replace(step, knight=not step.knight))
        lies.append(replace(step, character=9))
    if step.kind in ("derive", "contradict"):
        lies += [replace(step, because=step.because[:i] + step.because[i + 1 :]) for i in range(len(step.because))]
        lies += [
            replace(step, because=(*step.because[:i], (c, not k), *step.because[i + 1 :]))
            for i, (c, k) in enumerate(step.because)
        ]
        lies.append(replace(step, speaker=9))
    if step.kind in ("found", "answer"):
        lies += [replace(step, worlds=("K" * 9,)), replace(step, worlds=(*step.worlds, "K" * 9))]
    return lies


@pytest.mark.parametrize("item", ITEMS)
def test_no_step_can_be_changed_left_out_or_doubled_unnoticed(item: Item, faults_of_steps: Judge) -> None:
    steps = explain(item)
    assert faults_of_steps(item, steps) == []
    for place, step in enumerate(steps):
        for lie in changed(step):
            assert faults_of_steps(item, [*steps[:place], lie, *steps[place + 1 :]]), (place, lie)
        if step.kind != "check":  # checking twice does no harm
            assert faults_of_steps(item, [*steps[: place + 1], *steps[place:]]), place
        assert faults_of_steps(item, steps[:place] + steps[place + 1 :]), place


@pytest.mark.parametrize("item", ITEMS)
def test_no_word_of_the_text_can_be_swapped_unnoticed(item: Item, faults_of_text: Judge) -> None:
    text = render(explain(item), item)
    assert faults_of_text(item, text) == []
    words = [("knight", "knave"), ("knave", "knight"), ("true", "false"), ("false", "true"), ("A", "B"), ("B", "A")]
    for old, new in [
        *words,
        ("and", "or"),
        ("says", "said"),
        ("Suppose", "Perhaps"),
        ("Since", "As"),
        ("since", "as"),
        ("must", "may"),
        ("  ", " "),
    ]:
        start = text.find(old)
        while start >= 0:
            lie = text[:start] + new + text[start + len(old) :]
            line = text[:start].count("\n") + 1
            assert faults_of_text(item, lie), f"line {line}: {lie.splitlines()[line - 1]}"
            start = text.find(old, start + 1)


def test_the_checker_names_the_line_and_the_fault(faults_of_text: Judge) -> None:
    item = puzzle(["(~B & C)", "~C", "(A = B)"])
    lines = render(explain(item), item).split("\n")

    def first(place: int, old: str, new: str) -> str:
        assert old in lines[place]
        text = "\n".join([*lines[:place], lines[place].replace(old, new), *lines[place + 1 :]])
        return faults_of_text(item, text)[0]

    assert first(1, "So B is a knave", "So B is a knight") == "line 2: does not follow"
    assert first(1, '"B is a knave and', '"B is a knight and') == "line 2: does not quote what A says"
    assert first(1, "is true", "is false") == "line 2: is wrong about whether the statement is true"
    assert first(2, "must be true", "must be false") == "line 3: is wrong about whether the statement is true"
    assert first(2, "It is false, since A is a knight and", "It is false, since") == (
        "line 3: is wrong about whether the statement is true"
    )
    assert first(2, "It is false, since A is a knight and", "It is false, since C is a knight and") == (
        "line 3: is wrong about whether the statement is true"
    )
    assert first(3, "not a knight but a knave", "not a knave but a knight").startswith("line 4: rejects another")
    assert first(9, "B says is true", "B says is false") == "line 10: is wrong about what is true"
    assert first(2, "But", "Clearly,") == "line 3: is no line of an explanation"


def test_what_follows_from_a_closed_supposition_may_not_be_used(faults_of_steps: Judge) -> None:
    item = puzzle(["(~B & C)", "~C", "(A = B)"])
    steps = explain(item)
    leak = Step("derive", 0, 2, ((0, True), (1, False)), 2, False)
    assert faults_of_steps(item, [*steps[:5], leak, *steps[5:]])[0] == "step 6: uses what is not known there"


def test_an_answer_without_reasoning_is_no_explanation(faults_of_steps: Judge, faults_of_text: Judge) -> None:
    item = ITEMS[0]
    assert faults_of_steps(item, []) == ["the explanation ends without an answer"]
    assert faults_of_steps(item, [Step("answer", worlds=("NKN",))]) == ["step 1: answers before the end"]
    assert faults_of_text(item, "A: knave\nB: knight\nC: knave")[0] == "line 1: is no line of an explanation"


def test_one_of_two_cases_is_no_exhaustive_search(faults_of_steps: Judge) -> None:
    item = puzzle(["B", "A"])
    steps = explain(item)
    assert [step.kind for step in steps] == ["suppose", "derive", "found"] * 2 + ["answer"]
    half = [*steps[:3], Step("answer", worlds=("KK", "NN"))]
    assert faults_of_steps(item, half) == ["step 4: answers before the end"]


def test_the_question_for_one_character_is_answered_with_one_line(faults_of_text: Judge) -> None:
    item = puzzle(["(~B & C)", "~C", "(A = B)"], asked="B")
    text = render(explain(item), item)
    assert text.endswith("\nThis fits: what B says is true, and what A and C say is false.")
    assert right(item, text)
    assert faults_of_text(item, text) == []


def test_too_many_characters_and_broken_statements_are_refused() -> None:
    with pytest.raises(UsageError, match="has 13 characters; explanations go up to 12"):
        explain(puzzle(["A"] * 13))
    broken = puzzle(["B", "A"])
    with pytest.raises(InputError, match="where nothing more should be"):
        explain(replace(broken, metadata={**broken.metadata, "statements": ["B A", "A"]}))


def test_eight_characters_with_nested_suppositions_are_explained(faults_of_steps: Judge, faults_of_text: Judge) -> None:
    item = puzzle(["(B = C)", "(C ^ D)", "(D ^ (E ^ F))", "E:(~A)", "(F > G)", "(G & ~H)", "(A | D)", "(A ^ (B ^ C))"])
    steps = explain(item)
    assert faults_of_steps(item, steps) == []
    assert faults_of_text(item, render(steps, item)) == []
