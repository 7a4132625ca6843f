"""What counts as right: SQuAD's normalisation, numbers as numbers, any accepted answer, token F1."""

from decimal import Decimal

import pytest

from audit.benchmark import Benchmark, Mapping
from audit.openended.golds import Golds, as_number, f1, final_answer, key_of, tokens


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1,000", "1000"), ("1000.0", "1000"), ("$5", "5"), ("5 dollars", "5"), ("€ 1,250.50", "1250.5"),
        ("40 %", "40"),
        ("-3", "-3"), ("−3", "-3"), (".5", "0.5"), ("12 square miles", "12"), ("7.", "7"), ("0", "0"), ("-0.0", "0"),
    ],
)  # fmt: skip
def test_numbers_are_compared_without_format_currency_and_unit(text, number):
    assert as_number(text) == Decimal(number)
    assert key_of(text) == key_of(Decimal(number))


@pytest.mark.parametrize(
    "text", ["in 1998", "5 km per hour", "3-4", "297K", "1.5e3", "", "A1", "1,00", "number 7", "9" * 300]
)
def test_what_is_more_than_a_number_is_a_text(text):
    assert as_number(text) is None


def test_long_numbers_that_differ_in_the_last_digit_are_different():
    assert key_of("1" * 50 + "2") != key_of("1" * 50 + "3")


def test_long_answers_that_differ_in_the_last_character_are_different():
    assert key_of("word " * 1000 + "a") != key_of("word " * 1000 + "b")


def test_texts_are_compared_as_squad_does():  # the cases of its evaluation script: case, articles, punctuation, blanks
    assert key_of("The  Eiffel Tower.") == key_of("eiffel tower")
    assert key_of("an apple") == key_of("Apple!")
    assert key_of("theatre") != key_of("atre")
    assert key_of("?!") == "?!"
    assert tokens("“L’été”, the best-of") == ["l", "été", "best", "of"]


def test_f1_is_that_of_a_worked_example():
    # guess: cat sat mat (3), gold: cat on mat (3), 2 in common: P = R = 2/3
    assert f1(["cat", "sat", "mat"], [["cat", "on", "mat"]]) == pytest.approx(2 / 3)
    # repeated tokens count as often as they are common: min(2, 1) = 1, P = 1/2, R = 1
    assert f1(["go", "go"], [["go"]]) == pytest.approx(2 / 3)
    assert f1(["mat"], [["cat"], ["mat"]]) == 1.0
    assert f1(["x"], [["y"]]) == 0.0
    assert f1([], [[]]) == 1.0


def golds(accepted):
    firsts = [several[0] for several in accepted]
    names = [str(n) for n in range(len(accepted))]
    return Golds.of(Benchmark("b", "b", "0", names, firsts, names, Mapping("p", "a"), accepted=accepted))


def test_any_accepted_answer_is_right():
    import numpy as np

    table = golds([("Bern", "Berne"), ("7", "seven"), ("The Alps",)])
    number = {key: at for at, key in enumerate(table.keys)}
    assert table.right(np.array([number["berne"], number["seven"], number["alps"]])).tolist() == [True, True, True]
    assert table.right(np.array([number["bern"], number["bern"], -1])).tolist() == [True, False, False]
    assert table.number.tolist() == [False, True, False]


def test_the_decimals_are_those_of_most_golds():
    assert golds([("1.25",), ("3.75",), ("4",)]).decimals == 2
    assert golds([("a",), ("b",)]).decimals == 0


def test_worked_solutions_count_by_the_answer_at_their_end():
    assert final_answer(["2 + 3 = 5\n#### 5", "so\n#### 1,200"]) == (["5", "1,200"], "####")
    assert final_answer([r"hence \boxed{\frac{1}{2}}."] * 3) == ([r"\frac{1}{2}"] * 3, "\\boxed{")
    assert final_answer(["5", "#### 6"]) == (["5", "#### 6"], "")
