"""Scores by hand, and what guessing gets."""

import time
from dataclasses import replace
from typing import Any

import pytest

from hansproof.generators.answering.scorer import ANSWER, Measure, Reading, Score
from hansproof.generators.errors import InputError
from hansproof.generators.item import Item
from hansproof.generators.knights_knaves.scorer import CHARACTERS, SCORER, SWAPPED


def puzzle(
    index: int, solutions: list[str], set_: str = "S", choices: tuple[str, ...] | None = None, **more: Any
) -> Item:
    n = len(solutions[0]) if solutions else 2
    data: dict[str, Any] = {"dataset": "knights-knaves", "version": "1.0.0", "subset": "x", "seed": 1, "canary": "c"}
    data |= {"set": set_, "n": n, "names": ["A", "B", "C"][:n], "terms": ["knight", "knave"]}
    ask = "one" if "asked" in more else "number" if choices else "all" if len(solutions) == 1 else "open"
    data |= {"solutions": solutions, "statements": ["B"] * n, "ask": ask}
    rows = [
        "; ".join(f"{who}: {'knight' if k == 'K' else 'knave'}" for who, k in zip("ABC", world)) for world in solutions
    ]
    answer = more.pop("answer", " | ".join(rows) or "no solution")
    return Item(f"knights-knaves/2.1.0/x/{index:06d}", "?", choices, answer, f"x-{index}", "paper", {**data, **more})


def score(item: Item, reply: str) -> Score:
    return SCORER.score(item, SCORER.read(item, reply))


def said(item: Item, reply: str) -> str | None:
    return SCORER.read(item, reply).said


KN = puzzle(0, ["KN"])


def test_a_puzzle_is_right_only_if_every_character_is() -> None:
    assert score(KN, "A: knight\nB: knave") == Score(True, "", {CHARACTERS: Measure(1.0, 2)})
    assert score(KN, "A: knight\nB: knight") == Score(
        False, "1 of 2 characters are right", {CHARACTERS: Measure(0.5, 2)}
    )
    assert score(KN, "A: knave\nB: knight").measures == {CHARACTERS: Measure(0.0, 2)}


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "the reply is empty"),
        ("A: knight", "the longest block identifies 1 of 2 characters"),
        ("A: knight\nB: knave\n\nA: knave\nB: knight", "2 blocks of answers do not agree"),
    ],
)
def test_an_unparsed_reply_is_wrong_with_no_character_right(reply: str, reason: str) -> None:
    assert SCORER.read(KN, reply) == Reading(None, reason)
    assert score(KN, reply) == Score(False, reason, {CHARACTERS: Measure(0.0, 2)})


def test_a_reading_is_in_the_form_of_the_answer_whatever_the_order_of_its_lines() -> None:
    assert said(KN, "B: knave\nA: knight") == KN.answer == "A: knight; B: knave"
    assert said(puzzle(0, ["KN", "NK"]), "A: knave\nB: knight\n\nA: knight\nB: knave") == (
        "A: knight; B: knave | A: knave; B: knight"
    )


def test_no_solution_to_a_solvable_puzzle_is_parsed_and_wrong() -> None:
    assert said(KN, "no solution") == "no solution"
    assert score(KN, "no solution") == Score(False, "says that there is no solution", {CHARACTERS: Measure(0.0, 2)})


def test_a_puzzle_without_solution_wants_that_said() -> None:
    empty = puzzle(0, [])
    assert score(empty, "no solution") == Score(True)
    assert score(empty, "A: knight\nB: knave") == Score(False, "gives one solution")
    assert not score(empty, "several solutions").right
    assert score(empty, "") == Score(False, "the reply is empty")


def test_a_puzzle_with_several_solutions_wants_them_all_and_no_other() -> None:
    two = puzzle(0, ["KN", "NK"])
    first, second, third = "A: knight\nB: knave", "A: knave\nB: knight", "A: knave\nB: knave"
    assert score(two, f"{first}\n\n{second}").right
    assert score(two, f"{second}\n\n{first}\n\n{first}").right
    assert score(two, f"{first}\n\n{second}\n\n{third}").reason == "lists 3 solutions"
    assert score(two, first).reason == "gives one solution"
    assert score(two, "several solutions").reason == "says that there are several solutions, but lists none"
    assert not score(two, "no solution").right
    assert score(two, first).measures == {}


def test_the_canonical_answer_of_two_solutions_is_right() -> None:
    assert score(puzzle(0, ["KN", "NK"]), "A: knight; B: knave | A: knave; B: knight").right
    assert score(KN, "A: knight; B: knave").right


def test_a_list_of_solutions_has_no_character_right_in_a_puzzle_with_one() -> None:
    listed = Reading("A: knight; B: knave | A: knave; B: knave")
    assert SCORER.score(KN, listed) == Score(False, "lists 2 solutions", {CHARACTERS: Measure(0.0, 2)})


def test_one_character_is_asked_for_by_name() -> None:
    item = puzzle(0, ["KN"], choices=("knight", "knave"), asked="B", answer="knave")
    assert score(item, "If B is a knight ...\nB: knave") == Score(True, "", {CHARACTERS: Measure(1.0, 1)})
    assert score(item, "B: knight") == Score(False, "says knight", {CHARACTERS: Measure(0.0, 1)})
    assert said(item, "B: knight") == "knight"
    assert said(item, "A: knight") is None


def test_the_number_of_solutions_is_asked_for_in_words() -> None:
    item = puzzle(0, ["KN"], choices=("none", "one", "several"), answer="one")
    assert score(item, "Answer: one") == Score(True)
    assert score(item, "several") == Score(False, "says several")
    assert SCORER.read(item, "perhaps") == Reading(None, "no line is `none`, `one` or `several`")
    assert SCORER.read(item, " ") == Reading(None, "the reply is empty")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n": 3}, "do not fit"),
        ({"solutions": ["KX"]}, "do not fit"),
        ({"solutions": ["K"]}, "do not fit"),
        ({"asked": "Z"}, "metadata.asked is 'Z', not one of A, B"),
        ({"asked": "A", "solutions": []}, "asks about one character, but has 0 solutions"),
    ],
)
def test_metadata_that_is_no_puzzle_is_refused(change: dict[str, Any], message: str) -> None:
    broken = replace(KN, metadata={**KN.metadata, **change})
    with pytest.raises(InputError, match=message) as raised:
        SCORER.read(broken, "A: knight\nB: knave")
    assert raised.value.place == f"item {KN.id!r}"
    with pytest.raises(InputError, match=message):
        SCORER.score(broken, Reading("A: knight; B: knave"))


def test_metadata_of_another_dataset_is_refused() -> None:
    with pytest.raises(InputError, match="metadata lacks names, terms, solutions, n, set; is it an item of knights"):
        SCORER.read(replace(KN, metadata={}), "A: knight\nB: knave")


def test_chance_is_two_to_the_minus_n_and_one_half_per_character() -> None:
    # The paper's random baselines.
    chances = [SCORER.chance(puzzle(0, ["K" * n])) for n in (1, 2, 3)]
    assert chances == [{ANSWER: 0.5**n, CHARACTERS: 0.5} for n in (1, 2, 3)]


def test_chance_of_choices_is_their_share_and_open_lists_have_none() -> None:
    number = puzzle(0, [], choices=("none", "one", "several"), answer="none")
    asked = puzzle(0, ["KN"], choices=("knight", "knave"), asked="A", answer="knight")
    assert SCORER.chance(number) == {ANSWER: pytest.approx(1 / 3)}
    assert SCORER.chance(asked) == {ANSWER: 0.5, CHARACTERS: 0.5}
    assert SCORER.chance(puzzle(0, ["KN", "NK"])) == SCORER.chance(puzzle(0, [])) == {}


def test_the_measure_is_explained_and_is_not_called_answer() -> None:
    assert list(SCORER.measures) == [CHARACTERS, SWAPPED]
    assert ANSWER not in SCORER.measures


GOLD = "A: knight\nB: knave"


@pytest.mark.parametrize(
    "reply",
    [
        f"CONCLUSION:\n{GOLD}",
        f"**CONCLUSION:**\n\n{GOLD}",
        f"## Conclusion\n{GOLD}",
        "Conclusion: A: knight, B: knave",
        f"> CONCLUSION:\n{GOLD}\n",
        # What was tried above the heading is reasoning, even whole blocks that say otherwise.
        f"Suppose\nA: knave\nB: knight\nThat fails.\n\nCONCLUSION:\n{GOLD}",
        # The prompt repeated, and its heading with it: the last heading counts.
        f"A: B is a knave.\nB: A is a knave.\n\nCONCLUSION:\n\nLet me think.\n\nCONCLUSION:\n{GOLD}",
        # The model goes on from the heading of the prompt, or ends with an empty one.
        GOLD,
        f"{GOLD}\n\nCONCLUSION:",
    ],
)
def test_the_answer_stands_under_the_last_heading(reply: str) -> None:
    assert score(KN, reply).right


def test_what_stands_under_the_heading_counts_even_if_it_is_no_answer() -> None:
    assert SCORER.read(KN, f"{GOLD}\n\nCONCLUSION:\nA: knight").said is None
    assert not score(KN, f"{GOLD}\n\nCONCLUSION:\nA: knave\nB: knave").right
    assert SCORER.read(KN, f"CONCLUSION:\n{GOLD}\n\nA: knave\nB: knight").reason == "2 blocks of answers do not agree"


def test_a_number_and_a_list_are_read_under_the_heading_too() -> None:
    number = puzzle(3, ["KN"], choices=("none", "one", "several"), answer="one")
    assert said(number, "None of the first three fit.\nnone\n\nCONCLUSION:\none") == "one"
    listed = puzzle(4, ["KN", "NK"], ask="open")
    assert score(listed, f"{GOLD}\n\nno solution\n\nCONCLUSION:\n{GOLD}\n\nA: knave\nB: knight").right
    none = puzzle(5, [], ask="open")
    assert score(none, f"{GOLD}\n\nCONCLUSION:\nno solution").right


@pytest.mark.slow
def test_a_megabyte_of_headings_is_read_in_linear_time() -> None:
    begun = time.process_time()
    for noise in ("CONCLUSION\n" * 90_000, "#" * 10**6, "* " * 500_000 + "CONCLUSION", "conclusion: " * 90_000):
        SCORER.read(KN, noise)
    assert time.process_time() - begun < 20
