"""Choices named in replies, and open answers: the plain reading, by example."""

import random
import re
from unicodedata import normalize

import pytest

from hansproof.generators.answering.naming import choices_named
from hansproof.generators.answering.plain_scorer import PLAIN
from hansproof.generators.answering.reader import read_answer
from hansproof.generators.answering.scorer import ANSWER, Reading
from hansproof.generators.answering.signs import options
from hansproof.generators.item import Item


def read_choice(reply, choices):
    said, reason = read_answer(reply, options(tuple(choices)))
    return said or "", reason


YES_NO = ("yes", "no")


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
        ("It is (a+b).", ("(a+b)", "[a-b]"), "(a+b)"),
    ],
)
def test_choices_are_whole_words_the_longest_first(reply, choices, said):
    assert read_choice(reply, choices)[0] == said


@pytest.mark.parametrize(
    ("reply", "right", "parsed"),
    [
        ("Forty  TWO", True, True),
        ("Thinking ...\nso it is\nforty two\n", True, True),
        ("forty two!", True, True),
        ("it is forty-two", False, False),
        ("", False, False),
    ],
)
def test_open_answers_must_be_the_gold_but_for_case_and_space(reply, right, parsed):
    item = toy(None, "forty two")
    reading = PLAIN.read(item, reply)
    score = PLAIN.score(item, reading)
    assert (score.right, reading.said is not None) == (right, parsed)
    assert bool(score.reason) != right


def toy(choices, answer):
    data = {"dataset": "toy", "version": "1.0.0", "subset": "s", "seed": 1, "canary": "c"}
    return Item("toy/1.0.0/s/000000", "Is it so?", choices, answer, "g", "base", data)


def test_options_are_scored_with_a_reason():
    item = toy(YES_NO, "yes")
    assert PLAIN.score(item, PLAIN.read(item, "Yes.")).right
    wrong = PLAIN.score(item, PLAIN.read(item, "no"))
    assert (wrong.right, wrong.reason) == (False, "says 'no'")
    unread = PLAIN.score(item, PLAIN.read(item, "Perhaps"))
    assert (unread.right, unread.reason) == (False, "names no choice")


def test_nothing_is_right_where_an_item_has_no_gold_answer():
    item = toy(("A", "B"), None)
    assert PLAIN.score(item, Reading("A")).right is None
    assert PLAIN.chance(item) == {}


def test_chance_is_one_in_as_many_as_there_are_options():
    assert PLAIN.chance(toy(("a", "b", "c"), "a")) == {ANSWER: 1 / 3}
    assert PLAIN.chance(toy(None, "forty two")) == {}


def test_every_blind_strategy_answers_every_item():
    items = [toy(("yes", "maybe not"), "maybe not"), toy(("a", "b"), "a"), toy(None, "free")]
    guesses = {strategy.name: list(strategy.answers(items[:1], items)) for strategy in PLAIN.blind}
    assert guesses["first-option"] == ["yes", "a", None]
    assert guesses["last-option"] == ["maybe not", "b", None]
    assert guesses["longest-option"] == ["maybe not", "a", None]
    assert guesses["constant"] == ["maybe not"] * 3


def test_choices_are_those_of_one_pattern_of_all_of_them():  # the slow way: a pattern for each set of choices
    draw = random.Random(3)
    parts = ["a", "A", "b", "5", "-", ".", ",", "5.2", "yes", "no", "non-", "not ", " ", "é", "−", "+", "ß", ""]
    named = 0
    for _ in range(5000):
        choices = tuple(dict.fromkeys("".join(draw.choices(parts, k=draw.randint(1, 3))) for _ in range(3)))
        line = "".join(draw.choices([*parts, *choices], k=draw.randint(0, 9)))
        folds = all(len(choice) > 1 for choice in choices) and len({plain(each.casefold()) for each in choices}) == len(
            choices
        )
        written = {plain(each.casefold() if folds else each): each for each in choices}
        pattern = re.compile("|".join(map(whole, sorted(written, key=lambda name: (-len(name), name)))))
        matches = pattern.finditer(plain(line.casefold() if folds else line))
        expected = list(dict.fromkeys(written[match[0]] for match in matches))
        assert choices_named(line, choices) == expected, (line, choices)
        named += len(expected) > 1
    assert named > 100


def whole(name):
    before = r"(?<!\w)(?<!\w-)" + (r"(?<![-−+])(?<!\d[.,])" if name[:1].isdigit() else "")
    return before + re.escape(name) + r"(?!\w)(?!-\w)" + (r"(?![.,]\d)" if name[-1:].isdigit() else "")


def plain(text):
    return " ".join(normalize("NFC", text).split())


def test_no_pattern_is_compiled_for_an_item(monkeypatch):  # which took most of the time of scoring
    monkeypatch.setattr(re, "compile", lambda *_: pytest.fail("compiled"))
    monkeypatch.setattr(re, "finditer", lambda *_: pytest.fail("compiled"))
    assert read_choice("It is 17, I think.", ("17", "18 or so")) == ("17", "")
