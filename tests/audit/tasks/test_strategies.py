"""What blind strategies read in a prompt, and what they answer."""

from decimal import Decimal

import pytest

from hansproof.audit.tasks.open_answers.prompt_words import Reading, alternatives, quantities, read
from hansproof.audit.tasks.open_answers.strategies import ARITHMETIC, calculated, copied


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("1,250.50 dollars, 3 dozen eggs and 7.", ["1250.5", "36", "7"]),
        ("three dozen eggs, half a dozen, a dozen", ["36", "6", "12"]),
        ("twenty-five ducks and a hundred and five geese", ["25", "105"]),
        ("twice as many as 4, triple, half of it", ["2", "4", "3", "0.5"]),
        ("10-3, $5, -8 and 3/4 of a cup", ["10", "3", "5", "-8", "0.75"]),
        ("in v1.2.3, the 3rd of A1 to room 297K", []),
        ("5km in 20 min, 2.5%", ["5", "20", "2.5"]),
        ("one of the second-hand books", []),
        ("9" * 90, []),
        ("小明有12个苹果，又买3个", ["12", "3"]),
        ("小明有 12 个苹果", ["12"]),
    ],
)
def test_numbers_are_read_in_digits_and_in_words(text, numbers):
    assert [str(quantity.value) for quantity in quantities(text)] == numbers


def test_a_number_knows_the_words_beside_it():
    (quantity,) = quantities("Ann has 12 red apples")
    assert (quantity.before, quantity.after) == ("ann has", "red")


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("first number", "12"), ("second number", "3"), ("last number", "8"),
        ("largest number", "12"), ("smallest number", "3"), ("sum", "23"), ("sum of the first two", "15"),
        ("sum of the last two", "11"), ("difference of the first two", "9"), ("difference of the last two", "5"),
        ("largest minus smallest", "9"), ("largest minus the others", "1"), ("product", "288"),
        ("product of the first two", "36"), ("product of the last two", "24"), ("quotient of the first two", "4"),
        ("quotient of the last two", "3"), ("next number", "13"),
    ],
)  # fmt: skip
def test_every_calculation_on_12_3_and_8(name, answer):
    # 8 / 3 is 2.67: rounded, because the golds have no decimals
    assert calculated(name, [Decimal(12), Decimal(3), Decimal(8)], 0) == Decimal(answer)


def test_every_calculation_is_tested_above():
    tested = next(mark for mark in test_every_calculation_on_12_3_and_8.pytestmark if mark.name == "parametrize")
    assert {name for name, _ in tested.args[1]} == set(ARITHMETIC)


def test_calculations_without_an_answer_give_none():
    assert calculated("sum", [], 0) is None
    assert calculated("second number", [Decimal(1)], 0) is None
    assert calculated("quotient of the first two", [Decimal(4), Decimal(0)], 0) is None
    assert calculated("quotient of the first two", [Decimal(1), Decimal(3)], 2) == Decimal("3.00")


PROMPT = 'In 1850 Ada Byron met Charles. "Good morning", Charles said to the Bank of Bern. Did Ada go to Rome or Oslo?'


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("first name", "Ada Byron"), ("last name", "Oslo"), ("first word", "In"),
        ("last word", "Oslo"), ("last word before the question", "Bern"),
        ("first alternative", "Rome"), ("last alternative", "Oslo"),
        ("whole prompt", PROMPT), ("text after the colon", None),
    ],
)  # fmt: skip
def test_what_is_copied(name, answer):
    others = ["did they go in", "in good morning did", "the of to or met said go"] * 3
    (reading, *_) = read([PROMPT, *others])
    assert copied(name, reading) == answer


def test_names_are_capitalised_spans_joined_by_small_words_within_a_line():
    others = ["did they go in", "in good morning did", "the of to or met said go"] * 3
    (reading, *_) = read(["In Bern, Ada of the Alps met\nCharles", *others])
    assert [name for name, _ in reading.names] == ["Bern", "Ada of the Alps", "Charles"]


@pytest.mark.parametrize(
    ("question", "word"),
    [("How many apples?", "how many"), ("In which year?", "which"), ("Name the city.", "name"), ("", "")],
)
def test_what_a_question_asks_with(question, word):
    assert Reading(question, frozenset()).asks_with == word


@pytest.mark.parametrize(
    ("question", "offered"),
    [
        ("Which city, Seattle or Las Vegas, has more rain?", ["Seattle", "Las Vegas"]),
        ("Would Team A be more or less likely to win?", ["more", "less"]),
        ("Does tank A or tank B have more oxygen?", ["tank A", "tank B"]),
        ("Did New York or Los Angeles have lower levels?", ["New York", "Los Angeles"]),
        ("Compared to May, is it higher or lower in June?", ["higher", "lower"]),
        ("Should she take the bus or the train?", ["bus", "train"]),
        ("Which is it, a red ball or a blue ball?", ["red ball", "blue ball"]),
        ("Which colour: red, dark green or blue?", ["red", "dark green", "blue"]),
        ("How much was it, $16 or $8?", ["$16", "$8"]),
        ("How many apples are left?", []), ("Is it true or", []), ("Order or", []),
    ],
)  # fmt: skip
def test_what_a_question_offers(question, offered):
    assert alternatives(question) == offered
