"""Labels on traces: each error planted in its forms, and the many sentences that only look like errors."""

from typing import Any

import pytest

from generators.item import Item
from generators.knights_knaves.replies.errors_in_traces import trace_errors
from generators.knights_knaves.replies.explanation import explain, render


def puzzle(statements: list[str], solution: str, **more: Any) -> Item:
    names = ["A", "B", "C"][: len(solution)]
    data = {"names": names, "terms": ["knight", "knave"], "statements": statements, "solutions": [solution]}
    data |= {"n": len(solution), "set": "S", **more}
    return Item("x/1/y/000000", "?", more.get("choices"), "B: knave", "g", "c", data)


ITEM = puzzle(["(~B & C)", "~C", "(A = B)"], "NKN")
RIGHT = "\nA: knave\nB: knight\nC: knave"


def labels(trace: str, item: Item = ITEM) -> list[tuple[str, int]]:
    return [(one.label, one.line) for one in trace_errors(item, trace)]


@pytest.mark.parametrize(
    "line",
    [
        "A says that B is a knight and C is a knight.",
        'A says: "B is a knight."',
        "A claims “C is a knave”, so",
        "- **A** said B is a knight, which is odd",
        'Character A states that "B is a knave and C is a knave".',
        "First, B says C is a knight.",
        "B said I am a knave.",
        'C says "A is a knight and B is a knight".',
        "C asserts that A is a knave.",
        "C says that A is a knight if and only if B is a knave.",
        'C says "Exactly one of A and B is a knight"',
    ],
)
def test_a_statement_reproduced_falsely_is_labelled_with_its_line(line: str) -> None:
    assert labels(f"Let me see.\n{line}{RIGHT}") == [("SR", 2)]


@pytest.mark.parametrize(
    "line",
    [
        "A says that B is a knave and C is a knight.",
        "A says that C is a knight and B is not a knight.",
        "A says that B is a knave.",
        "A says B is a knave and A is a knight.",
        "A says that C is a knight, so C must be one.",
        "If A says that B is a knight, all is lost.",
        "B would say that A says that B is a knight.",
        "Suppose A says B is a knight.",
        "A would say that B is a knight.",
        "A does not say that B is a knight.",
        "Nobody claims A says that B is a knight.",
        "A says B is a knight or a knave.",
        "A says something about B. B is a knight.",
        "A says nothing: B is a knight.",
        "What A says is false: B is a knight.",
        'A says "B is a kn',
        "D says that B is a knight.",
        "C says that either A and B are knights or neither is.",
        "C says that B is a knight if and only if A is a knight.",
        "AA says that B is a knight.",
        "Does it matter whether A says that B is a knight?",
    ],
)
def test_what_may_be_meant_otherwise_is_not_labelled(line: str) -> None:
    assert labels(f"{line}{RIGHT}") == []


def test_the_detail_says_what_the_speaker_really_said() -> None:
    (error,) = trace_errors(ITEM, f"  B says C is a knight.{RIGHT}")
    assert error.text == "B says C is a knight."
    assert error.detail == "B says: C is a knave"


@pytest.mark.parametrize(
    "trace",
    [
        "Therefore, A is a knight.",
        "So A is not a knave",
        "- Hence A must be a knight.",
        "Suppose A is a knave.\nThis is a contradiction.\nThus, A is a knight.",
        "So A is a knave.\nTherefore A is a knight.",
    ],
)
def test_an_answer_against_the_last_conclusion_is_unfaithful(trace: str) -> None:
    assert labels(trace + RIGHT) == [("UF", trace.count("\n") + 1)]


@pytest.mark.parametrize(
    "trace",
    [
        "So A is a knave.",
        "Suppose B is a knave.\nSo A is a knight.",
        "Suppose B is a knave.\nSuppose C is a knave.\nContradiction.\nThis is impossible.\nSo A is a knight.",
        "If C is a knight,\nthen C is honest.\nHence A is a knight.",
        "Case 1: B lies.\nThus A is a knight.",
        "So A is a knight.\nBut A cannot be one.",
        "So A is a knight.\nNo, I was wrong about A.",
        "So A is a knight or B is.",
        "So A is a knight if B is.",
        "A is a knight.",
    ],
)
def test_conclusions_that_are_supposed_revised_or_hedged_are_not_held_against_the_answer(trace: str) -> None:
    assert labels(trace + RIGHT) == []


def test_a_wrong_conclusion_is_labelled_where_the_answer_ends() -> None:
    errors = trace_errors(ITEM, "Clear.\nA: knave\nB: knave\nC: knave\n\nThank you.")
    assert [(one.label, one.line, one.text) for one in errors] == [("WC", 4, "C: knave")]
    assert errors[0].detail == "2 of 3 characters are right; right is B: knave"


def test_no_solution_to_a_solvable_puzzle_is_a_wrong_conclusion() -> None:
    assert labels("Hm.\nno solution\n") == [("WC", 2)]


def test_an_unparsed_reply_has_no_conclusion_to_be_wrong() -> None:
    assert labels("A: knight\nI give up.") == []
    assert labels("") == []


def test_several_errors_stand_in_the_order_of_their_lines() -> None:
    trace = "A says B is a knight.\nB says C is a knight.\nTherefore C is a knight.\nA: knave\nB: knave\nC: knave"
    assert labels(trace) == [("SR", 1), ("SR", 2), ("UF", 3), ("WC", 6)]


def test_the_question_for_one_character_is_judged_by_its_line() -> None:
    item = puzzle(["(~B & C)", "~C", "(A = B)"], "NKN", asked="B")
    assert labels("So B is a knight.\nB: knave", item) == [("UF", 1), ("WC", 2)]
    assert labels("So B is a knight.\nB: knight", item) == []


def test_statements_in_the_first_person_are_the_speakers() -> None:
    item = puzzle(["(A > B)", "A"], "KK")
    assert labels("A says that if I am a knight, then B is a knight.\nA: knight\nB: knight", item) == []
    assert labels("A says that if I am a knight, then B is a knave.\nA: knight\nB: knight", item) == [("SR", 1)]


@pytest.mark.parametrize(
    "statements", [["(~B & C)", "~C", "(A = B)"], ["B:(~C)", "#2(A,B,C)", "(A | B)"], ["(A ^ B)", "A", "B"]]
)
def test_sound_explanations_have_no_error(statements: list[str]) -> None:
    item = puzzle(statements, "NKN")
    steps = explain(item)
    (*_, answer) = steps
    if len(answer.worlds) == 1:
        item = puzzle(statements, answer.worlds[0])
    else:
        item.metadata["solutions"] = list(answer.worlds)
    assert trace_errors(item, render(steps, item)) == []


NOISE = [
    "A says " * 150_000,
    "A says that B is a knight and " * 30_000,
    "So, as can be seen at once, A is a knight.\n" * 24_000,
    ("x" * 39 + "\n") * 25_000,
    "a\u0301\u0323" * 300_000,
    'A says "' * 120_000,
]


@pytest.mark.parametrize("noise", NOISE, ids=range(len(NOISE)))
def test_a_megabyte_of_noise_is_read_through(noise: str) -> None:
    assert labels(f"{noise}\nSo A is a knave.{RIGHT}") == []
