"""Proven errors: each planted in its forms, and the many sentences that only look like errors."""

from typing import Any

import pytest

from hansproof.generators.dataset import ProvenError
from hansproof.generators.errors import InputError
from hansproof.generators.item import Item
from hansproof.generators.knights_knaves.dataset import DATASET
from hansproof.generators.knights_knaves.explaining import explained
from hansproof.generators.knights_knaves.formula import parse, solutions
from hansproof.generators.knights_knaves.reasoning_errors import proven_errors, quotation


def puzzle(statements: list[str], solution: str, **more: Any) -> Item:
    names = ["A", "B", "C"][: len(solution)]
    data = {"names": names, "terms": ["knight", "knave"], "statements": statements, "solutions": [solution]}
    data |= {"n": len(solution), "set": "S", "ask": "one" if "asked" in more else "all", **more}
    told = [quotation(parse(said, names), names, data["terms"]) for said in statements]
    prompt = "\n".join(f"{name}: {said}." for name, said in zip(names, told))
    return Item("x/1/y/000000", prompt, more.get("choices"), "B: knave", "g", "c", data)


ITEM = puzzle(["(~B & C)", "~C", "(A = B)"], "NKN")
RIGHT = "\nA: knave\nB: knight\nC: knave"


def labels(trace: str, item: Item = ITEM) -> list[tuple[str, int]]:
    return [(error.category, error.line) for error in proven_errors(item, trace)]


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
        'C says "The number of knights among A, B and C is odd"',
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
    (error,) = proven_errors(ITEM, f"  B says C is a knight.{RIGHT}")
    assert error == ProvenError("SR", 1, "B says: C is a knave")


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


def test_a_wrong_answer_alone_is_no_error_in_reasoning() -> None:
    assert labels("Clear.\nA: knave\nB: knave\nC: knave\n\nThank you.") == []
    assert labels("Hm.\nno solution\n") == []


def test_an_unfaithful_answer_is_quoted() -> None:
    assert proven_errors(ITEM, f"So A is a knight.{RIGHT}") == [
        ProvenError("UF", 1, "the answer on line 4 says A: knave")
    ]


def test_an_unparsed_reply_has_no_conclusion_to_contradict() -> None:
    assert labels("A: knight\nI give up.") == []
    assert labels("") == []


def test_several_errors_stand_in_the_order_of_their_lines() -> None:
    trace = "A says B is a knight.\nB says C is a knight.\nTherefore C is a knight.\nA: knave\nB: knave\nC: knave"
    assert labels(trace) == [("SR", 1), ("SR", 2), ("UF", 3)]


def test_the_question_for_one_character_is_judged_by_its_line() -> None:
    item = puzzle(["(~B & C)", "~C", "(A = B)"], "NKN", asked="B")
    assert labels("So B is a knight.\nB: knave", item) == [("UF", 1)]
    assert labels("So B is a knight.\nB: knight", item) == []


def test_statements_in_the_first_person_are_the_speakers() -> None:
    item = puzzle(["(A > B)", "A"], "KK")
    assert labels("A says that if I am a knight, then B is a knight.\nA: knight\nB: knight", item) == []
    assert labels("A says that if I am a knight, then B is a knave.\nA: knight\nB: knight", item) == [("SR", 1)]


@pytest.mark.parametrize(
    "statements", [["(~B & C)", "~C", "(A = B)"], ["B:(~C)", "~(A ^ (B ^ C))", "(A | B)"], ["(A ^ B)", "A", "B"]]
)
def test_sound_explanations_have_no_error(statements: list[str]) -> None:
    worlds = solutions([parse(said, ["A", "B", "C"]) for said in statements])
    item = puzzle(statements, "NKN")
    item.metadata["solutions"] = worlds
    reply = "\n".join(f"{name}: {'knight' if kind == 'K' else 'knave'}" for name, kind in zip("ABC", worlds[0]))
    assert proven_errors(item, f"{explained(item)}\n\n{reply if len(worlds) == 1 else 'several solutions'}") == []


def test_the_scheme_has_the_six_categories_of_the_paper_and_proves_two_of_them() -> None:
    scheme = DATASET.errors
    assert scheme is not None
    assert list(scheme.categories) == ["SR", "TS", "TL", "LO", "UC", "UF"]
    trace = f"A says B is a knight.\nTherefore C is a knight.{RIGHT}"
    assert [error.category for error in scheme.prove(ITEM, trace)] == ["SR", "UF"]
    assert all(error.category in scheme.categories for error in scheme.prove(ITEM, trace))


def test_an_item_of_another_dataset_is_refused() -> None:
    other = Item("x/1/y/000000", "?", None, "1", "g", "c", {})
    with pytest.raises(InputError, match="metadata lacks names, terms, statements, solutions; is it"):
        proven_errors(other, "1")


def test_puzzles_too_large_for_truth_tables_are_still_searched_for_unfaithful_answers() -> None:
    item = DATASET.item("ladder@30", 1, 0)
    names, terms, world = item.metadata["names"], item.metadata["terms"], item.metadata["solutions"][0]
    wrong = terms[1 if world[0] == "K" else 0]
    reply = "\n".join(f"{name}: {terms['KN'.index(kind)]}" for name, kind in zip(names, world))
    assert labels(f"So {names[0]} is a {wrong}.\n{reply}", item) == [("UF", 1)]


def test_an_answer_under_the_heading_is_compared_with_the_reasoning_above_it() -> None:
    # The block that was tried and dropped is no part of the answer.
    trace = "A: knight\nB: knight\nC: knave\nThat fails.\nSo A is a knight.\n\nCONCLUSION:"
    assert labels(f"{trace}{RIGHT}") == [("UF", 5)]


NOISE = [
    "A says " * 150_000,
    "A says that B is a knight and " * 30_000,
    "So, as can be seen at once, A is a knight.\n" * 24_000,
    ("x" * 39 + "\n") * 25_000,
    "a\u0301\u0323" * 300_000,
    'A says "' * 120_000,
]


@pytest.mark.slow
@pytest.mark.parametrize("noise", NOISE, ids=range(len(NOISE)))
def test_a_megabyte_of_noise_is_read_through(noise: str) -> None:
    assert labels(f"{noise}\nSo A is a knave.{RIGHT}") == []
