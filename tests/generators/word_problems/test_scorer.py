"""Reading and scoring of replies to word problems, on worked examples."""

from dataclasses import replace

import pytest

from hansproof.generators.answering.scorer import Reading
from hansproof.generators.errors import InputError
from hansproof.generators.item import Item
from hansproof.generators.word_problems.scorer import SCORER


def problem(answer="8", **more):
    data = {"dataset": "word-problems", "version": "1.0.0", "subset": "consistency", "seed": 1, "canary": "c"}
    prompt = "Ann has 5 apples. Bob has 3 more apples than Ann. How many apples does Bob have?"
    name = "word-problems/2.1.0/consistency/000000"
    return Item(name, prompt, None, answer, "consistency-000000", "consistent", {**data, "language": "en", **more})


def test_both_readings_of_a_reply_are_kept():
    reading = SCORER.read(problem(), "Ann has 5 apples.\nSo Bob has 5 + 3 = 8.")
    assert reading == Reading("8", "", {"published": "5"})
    assert SCORER.score(problem(), reading).right
    assert not SCORER.score(problem(), Reading(reading.others["published"])).right
    assert SCORER.read(problem(), "8.0") == Reading("8", "", {"published": "8"})


def test_a_wrong_answer_has_a_reason():
    wrong = SCORER.score(problem(), SCORER.read(problem(), "Bob has 1/2."))
    assert (wrong.right, wrong.reason) == (False, "says 1/2")
    reading = SCORER.read(problem(), "I do not know.")
    assert (reading.said, reading.others) == (None, {"published": None})
    unread = SCORER.score(problem(), reading)
    assert (unread.right, unread.reason) == (False, reading.reason)
    assert reading.reason == "names no number"


def test_answers_are_compared_as_numbers():
    assert SCORER.score(problem("1/2"), Reading("2/4")).right
    assert SCORER.score(problem("8"), Reading("8/1")).right


def test_a_guess_that_is_not_a_number_is_wrong():
    assert not SCORER.score(problem(), Reading("eight")).right


def test_a_gold_answer_that_is_not_a_number_is_refused():
    with pytest.raises(InputError, match=r"^item 'word-problems/.*': the answer is 'yes', not a number$"):
        SCORER.score(problem(answer="yes"), Reading("8"))


def test_an_open_answer_has_no_chance_level():
    assert SCORER.chance(problem()) == {}


def test_with_a_trap_chance_is_a_guess_at_the_operation():
    assert SCORER.chance(problem(trap=2)) == {"answer": 0.5}


def test_between_transfers_and_comparisons_chance_is_a_guess_at_all_signs():
    item = replace(problem(n_steps=3), condition="transfer")
    assert SCORER.chance(item) == {"answer": 0.125}
    for steps in (None, "3", -1):
        assert SCORER.chance(replace(problem(n_steps=steps), condition="transfer")) == {}


@pytest.mark.parametrize(("said", "trapped"), [("2", 1.0), ("2.0", 1.0), ("8", 0.0), ("7", 0.0), (None, 0.0)])
def test_an_answer_of_the_opposite_operation_is_trapped(said, trapped):
    score = SCORER.score(problem(trap=2), Reading(said))
    assert score.measures["trapped"].value == trapped
    assert SCORER.score(problem(), Reading(said)).measures == {}


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("unknown", "unknown"),
        ("Unknown.", "unknown"),
        ("Bob has some apples and gives 3 away.\nAnswer: unknown", "unknown"),
        ("It cannot be determined how many apples Bob has.", "unknown"),
        ("The text does not say enough, so nobody can tell. There is not enough information.", "unknown"),
        ("At first I thought that it cannot be known.\nBut 5 + 3 = 8.\nAnswer: 8", "8"),
        ("8", "8"),
        ("It is not unknown: the answer is 8", "8"),
        ("I like apples.", None),
    ],
)
def test_that_nobody_can_know_is_an_answer_where_it_may_be(reply, said):
    twin = problem("unknown", answerable="no")
    assert SCORER.read(twin, reply).said == said
    score = SCORER.score(twin, SCORER.read(twin, reply))
    assert (score.right, score.measures["abstained"].value) == (said == "unknown", float(said == "unknown"))
    assert not SCORER.score(problem("9", answerable="yes"), SCORER.read(twin, reply)).right
    assert SCORER.chance(twin) == {"answer": 0.5}


def test_elsewhere_it_is_none():
    assert SCORER.read(problem(), "unknown").said is None
