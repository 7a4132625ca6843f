"""Strategies that learn: what they count, that leaving folds out leaves them out, ties, and the choice among them."""

import numpy as np
import pytest

from hansproof.audit.benchmark import Benchmark, Mapping
from hansproof.audit.settings import make_settings
from hansproof.audit.tasks.open_answers.attempts import attempt
from hansproof.audit.tasks.open_answers.golds import Golds
from hansproof.audit.tasks.open_answers.learners import Candidates, Lookup, crossfit
from hansproof.audit.tasks.open_answers.prompt_words import read


def column(*numbers):
    return np.array(numbers)[:, None]


FOLD = np.array([0, 0, 1, 1, 2, 2])


def constant(accepted):
    return Lookup("constant", "", np.zeros(len(accepted), dtype=np.int64), accepted)


def test_the_most_common_answer_is_that_of_the_training_items():
    learner = constant(column(7, 7, 7, 3, 3, 3))
    assert learner.answers(FOLD >= 0).tolist() == [3] * 6  # a tie goes to the smallest number
    assert learner.answers(FOLD != 2).tolist() == [7] * 6
    assert learner.answers(FOLD != 0).tolist() == [3] * 6


def test_any_accepted_answer_is_learnt():
    assert constant(np.array([[1, 4], [2, 4], [3, 4]])).answers(np.array([False, True, True])).tolist() == [4] * 3


def test_a_lookup_gives_the_answer_of_the_feature_and_the_constant_for_a_new_one():
    lookup = Lookup("l", "", np.array([0, 1, 0, 1, 0, 2]), column(5, 6, 5, 6, 5, 9))
    assert lookup.answers(FOLD != 2).tolist() == [5, 6, 5, 6, 5, 5]


def test_what_is_held_out_is_not_learnt():
    # Each item's own answer would be the majority of its feature if it were counted.
    lookup = Lookup("l", "", np.arange(6), column(1, 2, 3, 4, 5, 6))
    settings = make_settings(folds=3)
    right, first = crossfit([lookup], FOLD, lambda given: given == np.arange(1, 7), settings, scheme="folds", splits=2)
    assert right.sum() == 0
    assert (first != np.arange(1, 7)).all()


def test_the_cue_that_was_right_most_often_is_followed():
    # cue 0 offers the gold for every item, cue 1 a wrong text; text numbers are gold numbers here
    item, cue = np.repeat(np.arange(6), 2), np.tile([0, 1], 6)
    text = np.array([n if c == 0 else 9 for n, c in zip(item, cue, strict=True)])
    gold = np.arange(10)
    candidates = Candidates("c", "", item, cue, text, gold, np.arange(6)[:, None])
    assert candidates.answers(FOLD != 1).tolist() == [0, 1, 2, 3, 4, 5]


def test_cues_that_are_no_better_than_the_constant_are_not_followed():
    item, cue = np.arange(6), np.zeros(6, dtype=np.int64)
    text = np.array([1, 9, 9, 9, 9, 9])  # right once in six, the constant five times
    candidates = Candidates("c", "", item, cue, text, np.arange(10), column(1, 2, 2, 2, 2, 2))
    assert candidates.answers(FOLD != 2).tolist() == [2] * 6


def benchmark(rows):
    prompts, answers = zip(*rows, strict=True)
    return Benchmark("b", "b", "0", list(prompts), list(answers), [str(n) for n in range(len(rows))], Mapping("p", "a"))


def attempted(rows, groups=None, splits=2):
    made = benchmark(rows)
    index = np.arange(len(rows)) if groups is None else np.array(groups)
    return attempt(read(made.prompts), Golds.of(made), index, make_settings(splits=splits))


def share(attempts, name):
    return next(way.right.mean() for way in attempts.strategies if way.name == name)


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
    assert max(way.right.mean() for way in together.strategies) == 0.0
    assert max(way.right.mean() for way in apart.strategies) > 0.5


def test_the_best_constant_is_no_worse_than_chance_where_answers_are_equally_common():
    # Learnt on the other folds, the most common answer would be the one that the fold lacks.
    rows = [(f"Day {n} of {n * n}", f"answer {n % 12}") for n in range(120)]
    assert attempted(rows).constant.right.mean() == pytest.approx(1 / 12)
