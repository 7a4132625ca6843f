"""Scores by hand, intervals against statsmodels, baselines by counting."""

from dataclasses import replace
from math import isnan
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from audit.responses.shares import wilson
from generators.errors import InputError
from generators.item import Item
from generators.knights_knaves.replies.score import baselines, score, score_all


def puzzle(
    index: int, solutions: list[str], set_: str = "S", choices: tuple[str, ...] | None = None, **more: Any
) -> Item:
    n = len(solutions[0]) if solutions else 2
    data: dict[str, Any] = {
        "dataset": "knights-knaves",
        "version": "1.0.0",
        "subset": "x",
        "seed": 1,
        "canary": "c",
    }
    data |= {"set": set_, "n": n, "names": ["A", "B", "C"][:n], "terms": ["knight", "knave"]}
    data |= {"solutions": solutions, "statements": ["B"] * n}
    answer = more.pop("answer", "see solutions")
    return Item(f"knights-knaves/1.0.0/x/{index:06d}", "?", choices, answer, f"x-{index}", "paper", {**data, **more})


KN = puzzle(0, ["KN"])


def test_a_puzzle_is_right_only_if_every_character_is() -> None:
    whole = score(KN, "A: knight\nB: knave")
    half = score(KN, "A: knight\nB: knight")
    assert (whole.right, whole.parsed, whole.characters_right, whole.reason) == (True, True, 2, "")
    assert (half.right, half.parsed, half.characters_right, half.characters) == (False, True, 1, 2)
    assert half.reason == "1 of 2 characters are right"


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (None, "there is no reply"),
        ("", "the reply is empty"),
        ("A: knight", "the longest block identifies 1 of 2 characters"),
        ("A: knight\nB: knave\n\nA: knave\nB: knight", "2 blocks of answers do not agree"),
    ],
)
def test_an_unparsed_reply_is_wrong_with_no_character_right(reply: str | None, reason: str) -> None:
    one = score(KN, reply)
    assert (one.right, one.parsed, one.characters_right, one.characters, one.reason) == (
        False,
        False,
        0,
        2,
        reason,
    )


def test_no_solution_to_a_solvable_puzzle_is_parsed_and_wrong() -> None:
    one = score(KN, "no solution")
    assert (one.right, one.parsed, one.reason) == (False, True, "says that there is no solution")


def test_a_puzzle_without_solution_wants_that_said() -> None:
    empty = puzzle(0, [])
    assert score(empty, "no solution").right
    assert not score(empty, "A: knight\nB: knave").right
    assert not score(empty, "several solutions").right
    assert not score(empty, "").right
    assert score(empty, "A: knight\nB: knave").reason == "gives one solution"


def test_a_puzzle_with_several_solutions_wants_them_all_and_no_other() -> None:
    two = puzzle(0, ["KN", "NK"])
    first, second, third = "A: knight\nB: knave", "A: knave\nB: knight", "A: knave\nB: knave"
    assert score(two, f"{first}\n\n{second}").right
    assert score(two, f"{second}\n\n{first}\n\n{first}").right
    assert score(two, f"{first}\n\n{second}\n\n{third}").reason == "lists 3 solutions"
    assert score(two, first).reason == "gives one solution"
    assert score(two, "several solutions").reason == "says several, but lists none"
    assert not score(two, "no solution").right
    assert score(two, first).characters == 0


def test_the_canonical_answer_of_two_solutions_is_right() -> None:
    assert score(puzzle(0, ["KN", "NK"]), "A: knight; B: knave | A: knave; B: knight").right
    assert score(KN, "A: knight; B: knave").right


def test_one_character_is_asked_for_by_name() -> None:
    item = puzzle(0, ["KN"], choices=("knight", "knave"), asked="B", answer="knave")
    assert score(item, "If B is a knight ...\nB: knave").right
    assert (score(item, "B: knight").right, score(item, "B: knight").characters) == (False, 1)
    assert not score(item, "A: knight").parsed


def test_the_number_of_solutions_is_asked_for_in_words() -> None:
    item = puzzle(0, ["KN"], choices=("none", "one", "several"), answer="one")
    assert score(item, "Answer: one").right
    assert (score(item, "several").right, score(item, "several").reason) == (False, "says several")
    assert (score(item, "perhaps").parsed, score(item, None).reason) == (False, "there is no reply")
    assert score(item, "one").characters == 0


def test_replies_to_unknown_items_and_items_given_twice_are_refused() -> None:
    with pytest.raises(InputError, match="1 replies belong to no item, the first one to 'other'"):
        score_all([KN], {"other": "A: knight"})
    with pytest.raises(InputError, match="two items have one id"):
        score_all([KN, KN], {})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n": 3}, "do not fit"),
        ({"solutions": ["KX"]}, "do not fit"),
        ({"solutions": ["K"]}, "do not fit"),
        ({"asked": "Z"}, "metadata.asked is 'Z', not one of A, B"),
        ({"asked": "A", "solutions": []}, "asks for one character, but has 0 solutions"),
    ],
)
def test_metadata_that_is_no_puzzle_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        score(replace(KN, metadata={**KN.metadata, **change}), "A: knight\nB: knave")


def test_metadata_of_another_dataset_is_refused() -> None:
    with pytest.raises(InputError, match="metadata lacks names, terms, solutions, n, set; is it of knights-knaves"):
        score(replace(KN, metadata={}), "A: knight\nB: knave")


@given(
    st.integers(1, 500).flatmap(lambda t: st.tuples(st.integers(0, t), st.just(t))),
    st.sampled_from([0.9, 0.95, 0.99]),
)
def test_intervals_are_those_of_statsmodels(counts: tuple[int, int], level: float) -> None:
    hits, total = counts
    rate = wilson(hits, total, level)
    low, high = proportion_confint(hits, total, alpha=1 - level, method="wilson")
    assert (rate.low, rate.high) == pytest.approx((low, high), abs=1e-9)
    assert rate.low <= rate.share <= rate.high


def test_nothing_scored_is_undefined_and_impossible_counts_are_refused() -> None:
    rate = wilson(0, 0)
    assert isnan(rate.share)
    assert (rate.low, rate.high) == (0.0, 1.0)
    for hits, total, level in ((2, 1, 0.95), (-1, 1, 0.95), (1, 1, 1.0), (1, 1, 0.0)):
        with pytest.raises(InputError, match="0 <= hits <= total"):
            wilson(hits, total, level)


def test_baselines_are_those_of_counting() -> None:
    # Solutions KN, KN, NN: always KN gets 2 of 3; knaves are 4 of 6 characters; a coin gets 2^-2.
    (one,) = baselines([puzzle(0, ["KN"]), puzzle(1, ["KN"]), puzzle(2, ["NN"])])
    assert (one.items, one.random, one.majority, one.majority_character) == (3, 0.25, 2 / 3, 4 / 6)


def test_always_giving_the_majority_answer_scores_the_majority_baseline() -> None:
    items = [puzzle(i, [solution]) for i, solution in enumerate(("KN", "NN", "KN", "NK", "KN"))]
    scores = score_all(items, {item.id: "A: knight\nB: knave" for item in items})
    assert sum(one.right for one in scores) / len(scores) == baselines(items)[0].majority == 0.6


def test_the_random_baselines_of_the_paper_are_two_to_the_minus_n() -> None:
    found = [baselines([puzzle(0, ["K" * n])])[0].random for n in (1, 2, 3)]
    assert found == [0.5, 0.25, 0.125]


def test_baselines_of_choices_and_of_lists() -> None:
    numbers = [
        puzzle(i, [], choices=("none", "one", "several"), answer=a) for i, a in enumerate(("none", "one", "none"))
    ]
    (one,) = baselines(numbers)
    assert (one.random, one.majority) == (pytest.approx(1 / 3), pytest.approx(2 / 3))
    assert isnan(one.majority_character)
    asked = [puzzle(i, ["KN"], choices=("knight", "knave"), asked=who) for i, who in enumerate("AB")]
    assert baselines(asked)[0] == replace(baselines(asked)[0], random=0.5, majority=0.5, majority_character=0.5)
    (listed,) = baselines([puzzle(0, ["KN", "NK"]), puzzle(1, [])])
    assert (isnan(listed.random), listed.majority, isnan(listed.majority_character)) == (True, 0.5, True)
