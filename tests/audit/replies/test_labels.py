"""Labels that somebody names, and golds that merely repeat: what a reply beside them is."""

import polars
import pytest

from hansproof.audit.reading.loading import load
from hansproof.audit.replies.foreign_items import items_of, labels_of
from hansproof.audit.replies.scorers import INFERRED, THIRD_PARTY

CAPITALS = {"France": "Paris", "Italy": "Rome", "Spain": "Madrid", "Peru": "Lima"}


def capitals(ask):
    rows = [(ask.format(land=land, n=n), city) for n in range(12) for land, city in CAPITALS.items()]
    return items_of(load(polars.DataFrame(rows, schema=["question", "answer"], orient="row"), name="capitals"))


@pytest.mark.parametrize(
    ("reply", "said", "right"),
    [
        ("Paris", "Paris", True), ("It is Paris, of course.", "Paris", True), ("London", "London", False),
        ("**Oslo**.", "**Oslo**.", False), ("I don't know", None, False), ("Paris or Rome", None, False),
        ("It is hard to say which city is meant here.", None, False), ("London?", None, False), ("", None, False),
        ("Not Paris", None, False), ("Maybe London", None, False), ("London\nor Oslo", None, False),
        ("N/A", None, False),
    ],
)  # fmt: skip
def test_another_city_is_a_wrong_answer_and_no_unclear_one(reply, said, right):
    item = capitals("What is the capital of {land}, in form {n}?")[0]
    assert (item.choices, item.metadata[INFERRED]) == (("Lima", "Madrid", "Paris", "Rome"), True)
    reading = THIRD_PARTY.read(item, reply)
    assert (reading.said, THIRD_PARTY.score(item, reading).right) == (said, right)


def test_labels_that_prompts_name_are_all_there_are():
    item = capitals("Form {n}: is the capital of {land} Paris, Rome, Madrid or Lima?")[0]
    assert INFERRED not in item.metadata
    assert THIRD_PARTY.read(item, "London").said is None


@pytest.mark.parametrize(
    ("golds", "names", "inferred"),
    [
        (["yes", "no"], ("no", "yes"), False), (["entailment", "neutral"], ("entailment", "neutral"), False),
        (["A", "B", "C"], ("A", "B", "C"), False), (["0", "1", "2"], ("0", "1", "2"), False),
        (["Not enough info", "Supports"], ("Not enough info", "Supports"), False),
        (["Paris", "Rome"], ("Paris", "Rome"), True), (["yes", "Rome"], ("Rome", "yes"), True),
        # Numbers that are calculated are open, and their replies are read as numbers.
        (["12", "18", "40"], None, False), (["1.5", "2"], None, False), (["-1", "1"], None, False),
        (["Paris"], None, False),
    ],
)  # fmt: skip
def test_what_is_a_label_by_custom(golds, names, inferred):
    labels = labels_of(golds * 20, golds * 20, [f"Question {n}?" for n in range(20 * len(golds))])
    assert (labels.names, labels.inferred) == (names, inferred)


def test_many_different_answers_are_open():
    answers = [f"word {n}" for n in range(100)]
    assert labels_of(answers, answers, answers).names is None


@pytest.mark.parametrize(
    ("gold", "labels"),
    [("[No]", ("[No]", "[Yes]")), ("true", ("false", "true")), ("NO", ("NO", "YES")), ("(Yes)", ("(No)", "(Yes)")),
     ("Paris", None), ("neutral", None)],
)  # fmt: skip
def test_one_gold_for_all_leaves_the_other_answer_where_it_is_known(gold, labels):
    assert labels_of([gold] * 40, [gold] * 40, ["?"] * 40).names == labels
