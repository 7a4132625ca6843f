"""What counts as right: SQuAD's normalisation, numbers as numbers, any accepted answer, token F1."""

import itertools
import re
import string
from collections import Counter

import numpy as np
import pytest

from hansproof.audit.reading.task_kind import final_answer
from hansproof.audit.tasks.open_answers.golds import Golds, f1, key_of, tokens


def test_long_numbers_that_differ_in_the_last_digit_are_different():
    assert key_of("1" * 50 + "2") != key_of("1" * 50 + "3")


def test_long_answers_that_differ_in_the_last_character_are_different():
    assert key_of("word " * 1000 + "a") != key_of("word " * 1000 + "b")


def squad(text):  # what the evaluation script of Rajpurkar et al. (2016) says it does, in its order
    text = "".join(char for char in text.lower() if char not in string.punctuation)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", text).split())


def bag_f1(guess, gold):  # tokens as bags: one of the gold's is used up by each of the guess's
    guess, left = squad(guess).split(), squad(gold).split()
    size, common = len(left), 0
    for token in guess:
        if token in left:
            left.remove(token)
            common += 1
    return 2 * (common / len(guess)) * (common / size) / (common / len(guess) + common / size) if common else 0.0


TEXTS = [
    "The  Eiffel Tower.", "eiffel tower", "Eiffel-Tower", "an apple", "Apple!", "theatre", "atre", "U.S.", "US", "u s",
    "well-known facts", "a the an", "it's", "its", "Saint Bernadette Soubirous", "the the cat", "cat, cat; cat",
    "don't stop, a b", "THE END (of it)", "C++ or C#", "$ and more", "x_y z",
]  # fmt: skip


def test_texts_are_compared_as_squad_does():
    for first, second in itertools.product(TEXTS, TEXTS):
        assert tokens(first) == squad(first).split()
        assert f1(Counter(tokens(first)), Counter(tokens(second))) == pytest.approx(
            bag_f1(first, second) or float(first == second == "a the an")
        )
        if {"C++ or C#", "a the an"}.isdisjoint((first, second)):
            assert (key_of(first) == key_of(second)) == (squad(first) == squad(second))
    assert key_of("?!") == "?!"
    assert tokens("“L’été”, the best") == ["lété", "best"]  # beyond ASCII as in MLQA


def test_formulas_are_compared_sign_by_sign():
    assert key_of("x + 1") == key_of("x+1") != key_of("x-1")
    assert key_of(r"(-\infty, 2]") != key_of(r"(\infty, 2]")
    assert len({key_of("3-4"), key_of("34"), key_of("3+4"), key_of("C++"), key_of("C")}) == 5
    assert key_of("X-ray") == key_of("x ray".replace(" ", ""))  # words: as SQuAD


def test_a_number_with_a_name_behind_it_is_no_number():
    assert Golds([("50 Cent",), ("Abba",), ("5 cents",), ("5",)]).number.tolist() == [False, False, True, True]


def test_f1_is_that_of_a_worked_example():
    def of(guess, gold):
        return f1(Counter(guess.split()), Counter(gold.split()))

    # guess: cat sat mat (3), gold: cat on mat (3), 2 in common: P = R = 2/3
    assert of("cat sat mat", "cat on mat") == pytest.approx(2 / 3)
    # repeated tokens count as often as they are common: min(2, 1) = 1, P = 1/2, R = 1
    assert of("go go", "go") == pytest.approx(2 / 3)
    assert (of("x", "y"), of("", "")) == (0.0, 1.0)


def test_f1_is_the_best_over_the_accepted_answers_and_all_or_nothing_for_numbers():
    table = Golds([("the cat", "a mat"), ("7", "seven mats")])
    guess = table.of("mat mats")
    assert table.f1(np.array([guess, guess]), np.arange(2)).tolist() == [pytest.approx(2 / 3), 0.0]


def test_any_accepted_answer_is_right():
    table = Golds([("Bern", "Berne"), ("7", "VII"), ("The Alps",)])
    number = {key: at for at, key in enumerate(table.keys)}
    assert table.right(np.array([number["berne"], number["vii"], number["alps"]])).tolist() == [True, True, True]
    assert table.right(np.array([number["bern"], number["bern"], -1])).tolist() == [True, False, False]
    assert table.number.tolist() == [False, True, False]


def test_the_decimals_are_those_of_most_golds():
    assert Golds([("1.25",), ("3.75",), ("4",)]).decimals == 2
    assert Golds([("a",), ("b",)]).decimals == 0


def test_worked_solutions_count_by_the_answer_at_their_end():
    assert final_answer(["2 + 3 = 5\n#### 5", "so\n#### 1,200"]) == (["5", "1,200"], "####")
    assert final_answer([r"hence \boxed{\frac{1}{2}}."] * 3) == ([r"\frac{1}{2}"] * 3, "\\boxed{")
    assert final_answer(["5", "#### 6"]) == (["5", "#### 6"], "")
