"""The arms of a pair differ in what is tested: not in length, notation, tense or the place of who is asked about."""

import re
from collections import Counter, defaultdict
from functools import cache
from statistics import mean

import pytest
from slow_part import slow_but

from hansproof.generators.word_problems.dataset import DATASET, PLANS
from hansproof.generators.word_problems.forms import parse

SEED = 29
ARMS = ("transfer-comparison", "counterbalanced-transfer")
WORDED = re.compile(r"\b(half as|twice|(?:an?|one) (?:third|quarter|fifth|sixth)|(?:three|four|five|six) times)\b")


@cache
def pairs(subset, count=1000):
    return [
        (DATASET.item(subset, SEED, 2 * number), DATASET.item(subset, SEED, 2 * number + 1)) for number in range(count)
    ]


def words(item):
    return len(item.prompt.split())


def sentences(item):
    return re.split(r"(?<=[.?!]) ", item.prompt)


@pytest.mark.parametrize("subset", ARMS)
def test_transfers_and_comparisons_are_equally_long_within_a_word_at_every_number_of_steps(subset):
    lengths = defaultdict(list)
    for easy, hard in pairs(subset):
        lengths[easy.metadata["n_steps"]].append(words(easy) - words(hard))
    assert set(lengths) == {1, 2, 3, 4, 5}
    assert all(abs(mean(differences)) < 1 for differences in lengths.values())
    assert max(abs(difference) for differences in lengths.values() for difference in differences) <= 5


@pytest.mark.parametrize("subset", ARMS)
def test_whoever_is_asked_about_is_named_first_in_half_of_the_last_sentences_of_both_arms(subset):
    for arm in zip(*pairs(subset)):
        first = []
        for item in arm:
            (asked,) = parse(item.metadata["question"]).agents
            last = parse(item.metadata["forms"][-1])
            people = [name for name in last if isinstance(name, str) and name.isalpha()]
            named = [name for name in re.findall(r"[A-Z][a-z]+", sentences(item)[-2]) if name in people]
            first.append(named[:1] == [asked])
        assert 0.4 < mean(first) < 0.6


@pytest.mark.parametrize("subset", ARMS)
def test_questions_of_both_arms_are_in_the_same_tense(subset):
    present = re.compile(r"\b(do|does|has|is|are)\b")
    tenses = [Counter(bool(present.search(sentences(item)[-1])) for item in arm) for arm in zip(*pairs(subset))]
    assert tenses[0] == tenses[1]
    assert set(tenses[0]) == {False}


@pytest.mark.slow
@pytest.mark.parametrize(
    "subset",
    slow_but([name for name, plan in PLANS.items() if plan.size == 2 and name != "distractor"], "carry", "consistency"),
)
def test_both_arms_write_numbers_in_the_same_notation(subset):
    for easy, hard in pairs(subset, 400):
        digits = [re.findall(r"\d+", item.prompt) for item in (easy, hard)]
        assert len(digits[0]) == len(digits[1])
        assert len(WORDED.findall(easy.prompt)) == len(WORDED.findall(hard.prompt))
