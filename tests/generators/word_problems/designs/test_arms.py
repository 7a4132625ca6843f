"""The problems of a group differ in what is tested, and a diff shows that nothing else does."""

import re
from collections import Counter
from itertools import chain
from statistics import mean

import pytest

from hansproof.generators.word_problems.dataset import DATASET, PLANS
from hansproof.generators.word_problems.forms import parse

SEED = 11
COUNTERBALANCED = ("counterbalanced-additive", "counterbalanced-multiplicative")
NUMBER = re.compile(r"(an?|one) (third|quarter|fifth|sixth)|half|twice|(\d+|three|four|five|six) times|\d+")
INVERSE = {"+": "-", "-": "+", "*": "/", "/": "*"}


def groups(subset, count=300, seed=SEED):
    size = PLANS[subset].size
    return [[DATASET.item(subset, seed, size * number + at) for at in range(size)] for number in range(count)]


def sentences(text):
    return re.split(r"(?<=[.?!]) ", text)


def differing(first, second):
    """Indices at which two equally long sequences differ."""
    assert len(first) == len(second)
    return [place for place, (a, b) in enumerate(zip(first, second)) if a != b]


def forms(item):
    return [parse(text) for text in item.metadata["forms"]]


def names(item):
    """The agents in the order of the forms, each at its first occurrence."""
    named = [getattr(form, key, "") for form in forms(item) for key in ("agent", "other", "receiver", "sender")]
    return [name for name in dict.fromkeys(named) if name]


@pytest.mark.parametrize("subset", [name for name, plan in PLANS.items() if plan.size > 1])
def test_a_group_shares_its_name_and_has_each_condition_once(subset):
    for group in groups(subset, 60):
        assert len({item.group for item in group}) == 1
        assert [item.condition for item in group] == list(PLANS[subset].conditions)
        assert len({item.prompt for item in group}) == len(group)
        assert len({item.metadata["n_steps"] for item in group}) == 1


@pytest.mark.parametrize("subset", ["transfer-comparison", "consistency", "plain", "distractor"])
def test_all_problems_of_a_group_have_the_same_calculation(subset):
    for first, *others in groups(subset):
        assert all(item.metadata["steps"] == first.metadata["steps"] for item in others)
        assert all(item.answer == first.answer for item in others)


@pytest.mark.parametrize("subset", COUNTERBALANCED)
def test_swapping_two_names_reverses_the_operation_in_a_counterbalanced_pair(subset):
    opposite = {"add": "subtract", "subtract": "add", "multiply": "divide", "divide": "multiply"}
    for easy, hard in groups(subset):
        assert hard.metadata["operation"] == opposite[easy.metadata["operation"]]
        assert hard.metadata["keyword"] == easy.metadata["keyword"]
        (place,) = differing(easy.metadata["forms"], hard.metadata["forms"])
        assert [place] == differing(sentences(easy.prompt), sentences(hard.prompt))
        comparison = forms(easy)[place]
        assert forms(hard)[place] == comparison._replace(agent=comparison.other, other=comparison.agent)
        assert (easy.metadata["trap"], hard.metadata["trap"]) == (int(hard.answer), int(easy.answer))
        # Exactly the same words, except that the two names and their possessives change places.
        words, others = (re.findall(r"\w+", item.prompt) for item in (easy, hard))
        swapped = [(words[i], others[i]) for i in differing(words, others)]
        assert {frozenset(names) for names in swapped} == {frozenset((comparison.agent, comparison.other))}


@pytest.mark.parametrize("subset", ["consistency", "plain"])
def test_a_consistency_pair_differs_in_one_sentence_with_the_converse_relation(subset):
    for easy, hard in groups(subset):
        (place,) = differing(sentences(easy.prompt), sentences(hard.prompt))
        assert [place] == differing(easy.metadata["forms"], hard.metadata["forms"])
        consistent, inconsistent = forms(easy)[place], forms(hard)[place]
        assert inconsistent == consistent._replace(
            agent=consistent.other, other=consistent.agent, relation=INVERSE[consistent.relation]
        )
        assert place < len(easy.metadata["forms"]) - 1  # something happens afterwards
        assert easy.metadata["trap"] == hard.metadata["trap"] != int(easy.answer)


def test_plain_tells_the_problems_of_consistency():
    for plain, long in zip(chain(*groups("plain")), chain(*groups("consistency"))):
        same = ("forms", "question", "steps", "trap")
        assert [plain.metadata[key] for key in same] == [long.metadata[key] for key in same]
        assert max(len(sentence.split()) for sentence in sentences(plain.prompt)) <= 14


MEASURES = {
    "words": lambda text: len(text.split()),
    "commas": lambda text: text.count(","),
    "sentences": lambda text: len(sentences(text)),
    "digits": lambda text: len(re.findall(r"\d", text)),
    "closing words": lambda text: len(re.findall(r"\b(?:did|had)\.", text)),
    "pronouns": lambda text: len(re.findall(r"\b(?:he|she)\b", text, re.IGNORECASE)),
}


@pytest.mark.parametrize("measure", MEASURES.values(), ids=MEASURES)
@pytest.mark.parametrize(
    ("subset", "arms"),
    [("transfer-comparison", (0, 1)), ("carry", (0, 1)), ("unanswerable", (0, 1)), ("distractor", (2, 3))],
)
def test_arms_are_equal_in_every_group(subset, arms, measure, request):
    if subset == "transfer-comparison" and request.node.callspec.id.endswith("closing words"):
        return  # only comparisons have them, to be as long as transfers
    for group in groups(subset):
        first, second = (measure(group[at].prompt) for at in arms)
        assert first == second, group[0].group


def test_a_filler_is_as_long_as_a_distractor():
    for _, filler, unusable, usable in groups("distractor"):
        assert len({len(item.prompt.split()) for item in (filler, unusable, usable)}) == 1
        assert len({len(item.prompt) for item in (filler, unusable, usable)}) == 1


@pytest.mark.parametrize("subset", ["carry", "unanswerable"])
def test_problems_are_equally_long_to_a_character(subset):
    assert all(len(first.prompt) == len(second.prompt) for first, second in groups(subset))


def test_transfers_and_comparisons_are_equally_long_on_average():
    gaps = [len(first.prompt) - len(second.prompt) for first, second in groups("transfer-comparison", 1000)]
    assert abs(mean(gaps)) < 1


def test_twins_have_the_same_words():
    for answerable, unanswerable in groups("unanswerable"):
        words = [Counter(re.findall(r"\w+", item.prompt)) for item in (answerable, unanswerable)]
        digits = [Counter(word for word in each.elements() if not word.isdigit()) for each in words]
        assert digits[0] == digits[1]
        assert len(differing(sentences(answerable.prompt), sentences(unanswerable.prompt))) == 2


def test_both_problems_of_a_transfer_comparison_pair_ask_the_same_about_the_same_people():
    for easy, hard in groups("transfer-comparison"):
        asked = sentences(hard.prompt)[-1].replace("Given", "After").replace("After these numbers", "In the end")
        assert sentences(easy.prompt)[-1] == asked
        assert sorted(names(easy)) == sorted(names(hard))
        assert len(names(easy)) == easy.metadata["n_steps"] + 1


def test_surface_forms_vary_one_thing_at_a_time():
    for group in groups("surface-forms", 60):
        original = group[0]
        for item in group[1:]:
            kind = item.condition.partition("-")[0]
            same_numbers = [form.quantity for form in forms(item)] == [form.quantity for form in forms(original)]
            assert (names(item) == names(original), same_numbers) == (kind != "names", kind != "numbers")
            if kind == "numbers":
                assert NUMBER.sub("0", item.prompt) == NUMBER.sub("0", original.prompt)
            if kind == "names":
                assert not set(names(item)) & set(names(original))
                people = dict(zip(names(item), names(original), strict=True))
                told = re.sub("|".join(people), lambda match, to=people: to[match[0]], item.prompt)
                assert told == original.prompt
