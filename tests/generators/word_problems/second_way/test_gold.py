"""A plain reader of its own gets every gold answer from the English prompt alone."""

from __future__ import annotations

import re

import pytest
from told_stories.plain_reader import read, sentences

from hansproof.generators.word_problems.dataset import DATASET, PLANS

SEED = 41


@pytest.mark.parametrize("subset", PLANS)
def test_a_reader_that_knows_nothing_of_the_generator_gets_every_answer_and_every_step(subset):
    for index in range(200):
        item = DATASET.item(subset, SEED, index)
        told = read(item.prompt)
        assert str(told.gold) == item.answer, item.prompt
        assert [f"{a} {sign} {b} = {c}" for a, sign, b, c in told.worked] == item.metadata["steps"], item.prompt


def test_it_reads_a_problem_of_its_own():
    text = (
        "Alice had 40 red pens in a box. She gave 5 pens to Bob. Compared with Alice, Carl had twice as many. "
        "He packed all of his pens into boxes, seven to a box. Later, Emma handed him 3 boxes. "
        "How many boxes did he have after that?"
    )
    told = read(text.replace("Compared with Alice, Carl had twice as many.", "Carl had twice as many as Alice."))
    assert told.worked == [(40, "-", 5, 35), (35, "*", 2, 70), (70, "/", 7, 10), (10, "+", 3, 13)]
    assert told.gold == 13


def test_a_changed_word_changes_what_it_reads():
    item = DATASET.item("counterbalanced-additive", SEED, 0)
    swapped = {"more": "fewer", "fewer": "more", "less": "more"}
    other = re.sub(r"\b(more|fewer|less)\b", lambda match: swapped[match[0]], item.prompt, count=1)
    assert read(other).gold == item.metadata["trap"]


@pytest.mark.parametrize("subset", ["consistency", "counterbalanced-additive", "counterbalanced-multiplicative"])
def test_the_wrong_operation_gives_a_whole_number_in_range_at_every_step_of_every_pair(subset):
    for index in range(300):
        item = DATASET.item(subset, SEED, index)
        wrong = read(item.prompt, turned=True)
        results = [result for *_, result in wrong.worked]
        assert all(result.denominator == 1 and 2 <= result <= 999 for result in results), item.prompt
        assert results[-1] == item.metadata["trap"] != int(item.answer)


def test_the_number_of_the_distractor_matters_to_nobody():
    for number in range(150):
        plain, longer = (DATASET.item("distractor", SEED, 2 * number + member) for member in (0, 1))
        place = longer.metadata["distractor_at"]
        told = sentences(longer.prompt)
        assert " ".join([*told[:place], *told[place + 1 :]]) == plain.prompt
        # Whatever number it has, every step stays the same.
        told[place] = re.sub(r"\d+", "77", told[place])
        without, other = read(plain.prompt), read(" ".join(told))
        assert other.worked == without.worked == read(longer.prompt).worked
        idle = read(longer.prompt).numbers[place]
        values = {value for step in without.worked for value in (step[0], step[3])}
        assert idle not in values, longer.prompt


def test_two_things_of_a_story_never_share_their_name():
    for number in range(1000):
        item = DATASET.item("distractor", SEED, 4 * number + 1)
        things = {form.rpartition(", ")[2].rstrip(")").partition("/")[0] for form in item.metadata["forms"]}
        words = [set(thing.split()) for thing in things]
        # How many shells? The sea urchin shells would count, too.
        assert all(first is second or not first <= second for first in words for second in words), item.prompt


@pytest.mark.parametrize("subset", ["distractor", "surface-forms"])
def test_no_answer_stands_in_its_prompt(subset):
    for index in range(400):
        item = DATASET.item(subset, SEED, index)
        told = read(item.prompt)
        assert told.gold not in told.numbers, item.prompt
        assert item.answer not in re.findall(r"\d+", item.prompt)
