"""A table of replies as models write them (`reply_tables`): none is read as another answer than it gives.

What a plain reader would call clear and we do not is listed, and the count is pinned.
"""

import pytest
from reply_tables import (
    BARE,
    CELL,
    CELLS,
    CITIES,
    CLAIMS,
    DIGITS,
    FRUIT,
    LETTERS,
    MORE_NLI,
    MORE_POLAR,
    NLI,
    NO,
    NUMBERS,
    ORGAN,
    PAIRS,
    POLAR,
    ROME,
    TONE,
    TOWNS,
    TRUE_FALSE,
    YES,
    A,
    E,
    N,
    X,
)

from hansproof.audit.replies.scorers import THIRD_PARTY
from hansproof.generators.item import Item


def made(choices, golds, lettered=False, **more):
    about = {"dataset": "x", "version": "", "subset": "", "seed": 0, "canary": "", "accepted": golds}
    return Item("i", "?", choices, golds[0], "i", "", about | {"lettered": lettered} | more)


FRUIT_ITEM, TOWN = made(FRUIT, [A], lettered=True), made(CITIES, [ROME], lettered=True)
POLE, TRUTH = made((NO, YES), [YES]), made(("False", "True"), ["True"])
LOGIC, MOOD = made((X, E, N), [E]), made(("negative", "neutral", "positive"), ["neutral"])
CELL_ITEM, COUNT = made(CELL, [ORGAN], lettered=True), made(("1", "2", "3", "4"), ["1"], lettered=True)
TABLES = (
    (FRUIT_ITEM, LETTERS), (POLE, POLAR), (LOGIC, NLI), (TOWN, TOWNS), (TRUTH, TRUE_FALSE), (MOOD, TONE),
    (CELL_ITEM, CELLS), (POLE, MORE_POLAR), (LOGIC, MORE_NLI), (COUNT, DIGITS), (made(("A", "B", "C"), ["A"]), BARE),
    (made(("SUPPORTS", "REFUTES", "NOT ENOUGH INFO"), ["SUPPORTS"]), CLAIMS),
    (made(("equivalent", "not_equivalent"), ["equivalent"]), PAIRS),
)  # fmt: skip
CLOSED = [(item, *row) for item, rows in TABLES for row in rows]
MISSED = [
    (CELL_ITEM, "Only A"),
    (CELL_ITEM, "The question is: which is it, A or B? A."),
    (CELL_ITEM, "I'd eliminate B, C and D, leaving A."),
    (CELL_ITEM, "B and C are wrong, D too. A"),
    (CELL_ITEM, "Since neither B nor C works, A."),
    (COUNT, "2 + 2 = 4"),
    (POLE, '"No" would be the most likely answer.'),
    (LOGIC, "not neutral: contradiction"),
    (TOWN, "Berlin - Rome is too warm"),
    (TOWN, "We know B is false and C is false, so A or D. Since D is false, A."),
    (TOWN, "B I think"),
    (TOWN, "Go with B"),
    (TOWN, "The answer is A. Rome is wrong for B."),
    (TOWN, "D (100%)"),
    (TOWN, "D，因为"),
    (POLE, "No wonder he did: yes."),
    (POLE, "Most would say no, not yes."),
    (POLE, "Yes/No: Yes"),
    (POLE, "\n\nNo, Bob did not cause it. Tom's yes was irrelevant."),
    (POLE, "The answer would be 'no', because if he had known, it would be 'yes'."),
    (POLE, "Without intent there is no cause: no"),
    (TRUTH, "False, but it would hold true elsewhere"),
    (MOOD, "Positive: the food. Negative: the service. Overall: neutral"),
]
"""Clear to a reader, and unclear to us. A row that is read by now belongs above."""


def test_few_replies_of_a_large_table_are_unclear_to_us_alone():
    read = len(CLOSED) + len(NUMBERS)
    assert read > 380
    assert len(MISSED) == 23


@pytest.mark.parametrize(("item", "reply"), MISSED)
def test_what_is_unclear_to_us_alone_is_never_read_wrongly(item, reply):
    assert THIRD_PARTY.read(item, reply).said is None


@pytest.mark.parametrize(("item", "reply", "meant"), CLOSED)
def test_a_reply_is_read_as_what_it_says(item, reply, meant):
    assert THIRD_PARTY.read(item, reply).said == meant


@pytest.mark.parametrize(("gold", "reply", "meant"), NUMBERS)
def test_a_number_is_read_as_what_it_says(gold, reply, meant):
    item = made(None, [gold])
    reading = THIRD_PARTY.read(item, reply)
    assert (reading.said is None) is (meant is None)
    assert meant is None or THIRD_PARTY.score(made(None, [meant]), reading).right
