"""Choices named in replies, and open answers: the plain reading, by example."""

import pytest

from generators.item import Item
from generators.option_match import read_choice, score

YES_NO = ("yes", "no")


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("Yes", "yes"),
        ("I first thought no.\n\n**Answer:** YES.", "yes"),
        ("yes\nno", "no"),
        ("yes\nI hope that helps!", "yes"),
        ("\\boxed{no}\r\n", "no"),
        ("yes, yes", "yes"),
    ],
)
def test_the_last_line_that_names_a_choice_decides(reply, said):
    assert read_choice(reply, YES_NO) == (said, "")


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "is empty"),
        (" \n\t\n", "is empty"),
        ("Perhaps", "names no choice"),
        ("nobody knows, yesterday less than ever", "names no choice"),
        ("a no-one and a yes-man", "names no choice"),
        ("yes or no", "one line names several choices: 'yes', 'no'"),
        ("no\nyes and no", "one line names several choices: 'yes', 'no'"),
        ("It is not a yes", "says not 'yes'"),
        ("The answer isn't **no**", "says not 'no'"),
    ],
)
def test_what_is_not_clearly_one_choice_is_unparsed(reply, reason):
    assert read_choice(reply, YES_NO) == ("", reason)


@pytest.mark.parametrize(
    ("reply", "choices", "said"),
    [
        ("It is not entailed.", ("entailed", "not entailed"), "not entailed"),
        ("entailed", ("entailed", "not entailed"), "entailed"),
        ("Answer: B, because a dog barks", ("A", "B", "C"), "B"),
        ("pick b", ("A", "B"), ""),
        ("The result is -5", ("5", "7"), ""),
        ("The result is -5.", ("5", "-5"), "-5"),
        ("0.5", ("5", "0.5"), "0.5"),
        ("15.2 and 1,500", ("5", "2", "500", "1"), ""),
        ("So it is 5.", ("5", "7"), "5"),
        ("the  BLUE\thouse", ("blue house", "red house"), "blue house"),
        ("STRASSE", ("Straße", "Weg"), "Straße"),
        ("Cafe\u0301", ("café", "bar"), "café"),
        ("polish", ("polish", "Polish"), "polish"),
        ("Is it (a+b)?", ("(a+b)", "[a-b]"), "(a+b)"),
    ],
)
def test_choices_are_whole_words_the_longest_first(reply, choices, said):
    assert read_choice(reply, choices)[0] == said


def test_a_megabyte_of_text_is_read():
    assert read_choice("yes no " * 150_000 + "\nyes\n" + "hm\n" * 100_000, YES_NO) == ("yes", "")


@pytest.mark.parametrize(
    ("reply", "right", "parsed"),
    [
        ("Forty  TWO", True, True),
        ("Thinking ...\nso it is\nforty two\n", True, True),
        ("forty two!", False, True),
        ("it is forty two", False, True),
        ("", False, False),
        (None, False, False),
    ],
)
def test_open_answers_must_be_the_gold_but_for_case_and_space(reply, right, parsed):
    data = {"dataset": "toy", "version": "1.0.0", "subset": "s", "seed": 1, "canary": "c"}
    found = score(Item("toy/1.0.0/s/000000", "?", None, "forty two", "g", "base", data), reply)
    assert (found.right, found.parsed) == (right, parsed)
    assert bool(found.reason) != right
