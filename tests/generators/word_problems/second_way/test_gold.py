"""A plain reader of its own gets every gold answer from the English prompt alone."""

from __future__ import annotations

import re

import pytest
from told_stories.plain_reader import read, sentences

from hansproof.generators.word_problems.dataset import DATASET, PLANS

SEED = 41


@pytest.mark.parametrize("subset", [name for name in PLANS if name != "unanswerable"])
def test_a_reader_that_knows_nothing_of_the_generator_gets_every_answer_and_every_step(subset):
    for index in range(200):
        item = DATASET.item(subset, SEED, index)
        told = read(item.prompt)
        assert str(told.gold) == item.answer, item.prompt
        assert [f"{a} {sign} {b} = {c}" for a, sign, b, c in told.worked] == item.metadata["steps"], item.prompt


def test_what_nobody_can_know_depends_on_how_many_some_are():
    for index in range(200):
        item = DATASET.item("unanswerable", SEED, index)
        golds = {read(item.prompt, some=some).gold for some in (5, 8)}
        assert (len(golds) == 1) == (item.condition == "answerable"), item.prompt
        assert item.answer == ("unknown" if len(golds) == 2 else str(*golds))


def test_it_reads_a_problem_of_its_own():
    told = read(
        "Alice had 40 red pens in a box. She gave 5 pens to Bob. Carl, who was there too, drove bus 12. Emma had twice "
        "as many as Alice. Later, Bob handed her 3. How many pens did Emma have after that?"
    )
    assert told.worked == [(40, "-", 5, 35), (35, "*", 2, 70), (70, "+", 3, 73)]
    assert told.gold == 73


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
        plain, *longer = (DATASET.item("distractor", SEED, 4 * number + member) for member in range(4))
        without = read(plain.prompt)
        for item in longer:
            place = item.metadata["idle_at"]
            told = sentences(item.prompt)
            assert " ".join([*told[:place], *told[place + 1 :]]) == plain.prompt
            # Whatever number it has, every step stays the same.
            told[place] = re.sub(r"\d+", "77", told[place])
            assert read(" ".join(told)).worked == without.worked == read(item.prompt).worked
        values = {value for step in without.worked for value in (step[0], step[3])}
        assert read(item.prompt).numbers[place] not in values, item.prompt


@pytest.mark.parametrize("subset", ["distractor", "surface-forms"])
def test_no_answer_stands_in_its_prompt(subset):
    for index in range(400):
        item = DATASET.item(subset, SEED, index)
        told = read(item.prompt)
        assert told.gold not in told.numbers, item.prompt
        assert item.answer not in re.findall(r"\d+", item.prompt)
