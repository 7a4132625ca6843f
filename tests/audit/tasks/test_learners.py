"""Strategies that learn: what they count, that leaving folds out leaves them out, ties, and the choice among them."""

import numpy as np
import pytest

from hansproof.audit.settings import make_settings
from hansproof.audit.tasks.open_answers.attempts import attempt
from hansproof.audit.tasks.open_answers.golds import Golds
from hansproof.audit.tasks.open_answers.prompt_words import read
from hansproof.audit.tasks.open_answers.strategies import Learner, crossfit

FOLD = np.array([0, 0, 1, 1, 2, 2])


def learner(golds, *offered):
    """From the pairs (cue, text) that each item offers; nothing without any."""
    table = Golds([(gold,) if isinstance(gold, str) else gold for gold in golds])
    pairs = [[(cue, table.of(text)) for cue, text in row] for row in offered or [[]] * len(golds)]
    return table, Learner.of("l", "", pairs, table)


def given(golds, *offered, train):
    table, way = learner(golds, *offered)
    return [table.texts[number] for number in way.answers(train)]


def test_without_cues_the_most_common_answer_of_the_training_items_is_given():
    assert given("777333", train=FOLD >= 0) == ["3"] * 6  # a tie goes to the first in the alphabet
    assert given("777333", train=FOLD != 2) == ["7"] * 6
    assert given("777333", train=FOLD != 0) == ["3"] * 6


def test_any_accepted_answer_is_learnt():
    assert given([("1", "4"), ("2", "4"), ("3", "4")], train=np.array([False, True, True])) == ["4"] * 3


def test_what_is_held_out_is_not_learnt():
    # Each item's cue is its own, and right: it would be followed if it were counted.
    table, way = learner("123456", *[[(f"cue {gold}", gold)] for gold in "123456"])
    right, first = crossfit([way], FOLD, table, make_settings(folds=3), scheme="folds", splits=2)
    assert right.sum() == 0
    assert table.right(way.answers(FOLD >= 0)).all()
    assert not table.right(first[0]).any()


def test_the_cue_that_was_right_most_often_is_followed():
    offered = [[("a", "9"), ("b", gold)] for gold in "012345"]
    assert given("012345", *offered, train=FOLD != 1) == list("012345")


def test_of_equal_cues_the_first_in_the_alphabet_is_followed():
    first = [[("b", gold), ("a", gold if at < 4 else "x")] for at, gold in enumerate("012345")]
    assert given("012345", *first, train=FOLD != 2)[4:] == ["x", "x"]


def test_cues_that_are_no_better_than_the_constant_are_not_followed():
    offered = [[("a", text)] for text in "199999"]  # right once in six, the constant five times
    assert given("122222", *offered, train=FOLD != 2) == ["2"] * 6


def attempted(rows, groups=None, splits=2):
    prompts, answers = zip(*rows, strict=True)
    index = np.arange(len(rows)) if groups is None else np.array(groups)
    return attempt(read(prompts), Golds([(answer,) for answer in answers]), index, make_settings(splits=splits))


def share(attempts, name):
    return attempts.right[attempts.at(name)].mean()


def test_the_most_common_answer_to_a_question_word_is_given_and_of_a_new_one_the_most_common_of_all():
    asked = ("Who", "Where", "How many")
    rows = [(f"{asked[n % 3]} was it on day {n}?", ("Ada", "Bern", "six")[n % 3]) for n in range(60)]
    rows += [(f"Why was it on day {n}?", "Ada") for n in range(3)]
    assert share(attempted(rows), "answer by question word") == 1.0


def test_key_words_choose_the_operation():
    rows = []
    for n in range(60):
        word, answer = (("more", 2 * n + 50), ("fewer", 50), ("times", n * (n + 50)))[n % 3]
        rows.append((f"Ann has {n + 50} pens. Bob has {n} {word} pens. How is it for Bob?", str(answer)))
    attempts = attempted(rows)
    assert share(attempts, "arithmetic by key word") == 1.0
    assert share(attempts, "sum") == pytest.approx(1 / 3)


def test_what_follows_a_cue_word_is_learnt():
    places = ["heron", "badger", "otter", "toad", "mole", "fox", "lynx", "crow"]
    rows = [
        (
            f"the {places[n % 8]}{n} met the {places[n % 5]}{n * 3} towards {places[n % 7]}{n * 7} yesterday",
            f"{places[n % 7]}{n * 7}",
        )
        for n in range(80)
    ]
    assert share(attempted(rows), "after a cue word") == 1.0


def test_a_group_that_shares_its_answer_teaches_nothing_to_itself():
    # The answer depends on the group alone: across groups nothing can be learnt but the constant.
    rows = [(f"w{n // 4} is asked {'abcdefghij'[n % 10]}", f"answer {n // 4}") for n in range(160)]
    together = attempted(rows, groups=[n // 4 for n in range(160)])
    apart = attempted(rows)
    assert together.right.mean(axis=1).max() == 0.0
    assert apart.right.mean(axis=1).max() > 0.5


def test_the_best_constant_is_no_worse_than_chance_where_answers_are_equally_common():
    # Learnt on the other folds, the most common answer would be the one that the fold lacks.
    rows = [(f"Day {n} of {n * n}", f"answer {n % 12}") for n in range(120)]
    assert attempted(rows).constant.mean() == pytest.approx(1 / 12)


def test_the_own_answer_of_an_item_has_no_say_in_what_is_offered_to_it():
    # Answers by chance, of which each occurs but a few times in a template: a candidate chosen by its number among all
    # items, the held out one too, would be right three times as often as chance.
    random = np.random.default_rng(2)
    golds = [f"Zork{at}" for at in random.integers(0, 60, 320)]
    table = Golds([(gold,) for gold in golds])
    remembering = Learner.of("l", "", (), table, [f"template {n // 8}" for n in range(320)])
    right, _ = crossfit([remembering], np.arange(320), table, make_settings(), scheme="random", splits=3)
    assert right.mean() < 0.04
    # Known beforehand, what is remembered is right for all items that share their answer.
    assert table.right(remembering.answers(np.ones(320, dtype=bool))).mean() > 0.15
