"""Memorisation pairs: one word apart, and a measure that shows who answers from memory."""

from collections import Counter
from functools import cache

import numpy as np
import pytest

from hansproof.audit.models.matching import effects
from hansproof.audit.replies.grid import code_of
from hansproof.audit.replies.judged_reply import Outcome
from hansproof.generators.answering.scorer import ANSWER, Reading
from hansproof.generators.knights_knaves.scorer import SCORER, SWAPPED
from hansproof.generators.registry import dataset

DATASET = dataset("knights-knaves")
WORDS = {"knight.", "knave.", "knight", "knave", "knight;", "knave;", "knight,", "knave,"}


@cache
def groups(count):
    items = [DATASET.item("memorisation", 12, index) for index in range(3 * count)]
    return [items[place : place + 3] for place in range(0, len(items), 3)]


def test_a_group_differs_in_one_word_and_only_the_third_has_another_answer():
    for original, same, other in groups(24):
        assert [item.condition for item in (original, same, other)] == ["original", "same-answer", "other-answer"]
        assert len({item.group for item in (original, same, other)}) == 1
        for changed in (same, other):
            pairs = zip(original.prompt.split(), changed.prompt.split(), strict=True)
            differing = [pair for pair in pairs if pair[0] != pair[1]]
            assert len(differing) == 1
            assert set(differing[0]) <= WORDS
        assert original.answer == same.answer == other.metadata["swapped_answer"]
        assert original.metadata["swapped_answer"] == same.metadata["swapped_answer"] == other.answer
        assert other.answer != original.answer
        assert other.metadata["moved"] >= 2


def test_original_and_other_answer_are_drawn_alike():
    # The same characters are knights equally often in both, and so is the speaker whose statement changes.
    counts = Counter()
    for group in groups(100):
        for item in group[::2]:
            place = item.metadata["names"].index(item.metadata["changed"])
            counts[item.condition, item.metadata["solutions"][0][place]] += 1
    for condition in ("original", "other-answer"):
        assert abs(counts[condition, "K"] - counts[condition, "N"]) <= 30


def score_of(item, said):
    return SCORER.score(item, Reading(said))


def test_whoever_answers_from_memory_is_right_twice_and_swaps_the_third():
    outcomes = []
    for original, same, other in groups(40):
        for item in (original, same, other):
            score = score_of(item, original.answer)
            assert score.measures[SWAPPED].value == (item is other)
            outcomes.append(Outcome(item, Reading(original.answer), score, {}))
    items, codes = [each.item for each in outcomes], np.array([code_of(each) for each in outcomes], dtype=np.int8)
    told = {effect.second: effect.difference for effect in effects(items, codes, DATASET) if not effect.by}
    assert (told["same-answer"].difference, told["other-answer"].difference) == (0, 1)
    assert (told["other-answer"].a_only, told["other-answer"].b_only) == (40, 0)


def test_the_measure_says_nothing_of_other_subsets_and_has_a_chance_level():
    item = groups(1)[0][0]
    assert SCORER.chance(item)[SWAPPED] == SCORER.chance(item)[ANSWER] == 2.0 ** -item.metadata["n"]
    assert SCORER.measures[SWAPPED].better == "neither"
    ladder = DATASET.item("ladder", 1, 0)
    assert SWAPPED not in score_of(ladder, ladder.answer).measures


@pytest.mark.parametrize("said", [None, "no solution", "several solutions"])
def test_a_reply_without_an_assignment_is_no_swap(said):
    assert score_of(groups(1)[0][2], said).measures[SWAPPED].value == 0
