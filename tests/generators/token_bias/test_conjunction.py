"""Judgements of two statements: what differs in a group, whose words are borrowed, and what is right in any world."""

import re
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import combinations, product
from statistics import mean

import pytest
from scipy.stats import chi2_contingency

from hansproof.generators.registry import dataset
from hansproof.generators.stream import Stream
from hansproof.generators.token_bias.blind import BLIND, statements
from hansproof.generators.token_bias.conjunction import CONJUNCTION, check
from hansproof.generators.token_bias.judgement import borrowed, places_near
from hansproof.generators.token_bias.lexicon.entries import GENDERS, gendered
from hansproof.generators.token_bias.themes import COMPLAINTS, PERSONAS, REASONS, STORIES, SYMPTOMS, related

FAMILY = dataset("token-bias")
BALANCED = [name for name, plan in CONJUNCTION.items() if plan.subset.balanced]
PAPER = [name for name, plan in CONJUNCTION.items() if not plan.subset.balanced]
PAIRS = [name for name in PAPER if CONJUNCTION[name].subset.matched.original == "relevant"]


def near(own, other):
    return own.theme == other.theme or other.place in own.near or own.place in other.near


@cache
def groups(subset, count=160, seed=5):
    """The items of the first groups, each in the order of the contrast."""
    contrast = FAMILY.subsets[subset].matched
    conditions = [contrast.original, *contrast.perturbed]
    made = [FAMILY.item(subset, seed, index) for index in range(count * len(conditions))]
    parts = [made[start : start + len(conditions)] for start in range(0, len(made), len(conditions))]
    assert all(len({item.group for item in part}) == 1 for part in parts)
    return [sorted(part, key=lambda item: conditions.index(item.condition)) for part in parts]


def parts(item):
    """(scene, question, short statement, what the long one adds), read from the prompt."""
    scene, rest = item.prompt.split("\n\n")
    question, first, second = rest.split("\n")
    texts = sorted((first.removeprefix("(a) "), second.removeprefix("(b) ")), key=len)
    event = texts[0].removesuffix(".")
    assert texts[1].startswith(event)
    return scene, question, event, texts[1].removeprefix(event)


@pytest.mark.parametrize("subset", PAIRS)
def test_a_pair_differs_in_the_borrowed_completion_alone(subset):
    for relevant, irrelevant in groups(subset):
        (*same, ours), (*also, theirs) = parts(relevant), parts(irrelevant)
        assert same == also
        assert ours != theirs
        connective = f" {relevant.metadata['connective']} "
        assert ours.startswith(connective)
        assert theirs.startswith(connective)
        assert irrelevant.prompt == relevant.prompt.replace(ours, theirs)
        assert relevant.answer == irrelevant.answer


def test_a_famous_and_an_unknown_name_are_all_that_differs():
    for famous, unknown in groups("conjunction-celebrity"):
        names = [famous.metadata[key] for key in ("figure", "stranger")]
        assert unknown.prompt == famous.prompt.replace(*names)
        assert famous.prompt.count(names[0]) == 3


def test_the_scales_of_a_disaster_differ_in_the_number_alone():
    for medium, small, large in groups("conjunction-disaster"):
        numbers = [re.findall(r"[\d,]*\d", item.prompt) for item in (medium, small, large)]
        assert [len(set(of)) for of in numbers] == [1, 1, 1]
        assert [int(of[0].replace(",", "")) for of in (numbers[1], numbers[0], numbers[2])] == [
            int(numbers[1][0].replace(",", "")) * factor for factor in (1, 10, 100)
        ]
        assert len({item.prompt.replace(of[0], "N") for item, of in zip((medium, small, large), numbers)}) == 1


def test_no_disaster_is_told_twice_and_its_numbers_are_round():
    events = [parts(FAMILY.item("balanced-disaster", 4, index))[2] for index in range(0, 4_000, 2)]
    assert len(set(events)) == len(events)
    assert all(re.search(r"more than [\d,]*0 ", event) for event in events)


@pytest.mark.parametrize("subset", BALANCED)
def test_twins_differ_in_and_and_or_alone_and_their_answers_are_opposite(subset):
    for conjunction, disjunction in groups(subset):
        (*same, ours), (*also, theirs) = parts(conjunction), parts(disjunction)
        assert same == also
        both = ", or both will happen." if subset == "balanced-disaster" else ", or both."
        assert re.sub(r"^(,?) and ", r"\1 or ", ours).removesuffix(".") + both == theirs
        assert conjunction.answer != disjunction.answer


@pytest.mark.parametrize("subset", ["conjunction-persona", "conjunction-disease"])
def test_both_arms_of_a_block_have_the_same_completions_from_another_theme_and_no_place_near(subset):
    size = FAMILY.subsets[subset].rows // 2
    pairs = groups(subset, size)
    lent, borrowed = ([pair[arm].metadata["completion"] for pair in pairs] for arm in (0, 1))
    assert set(Counter(lent).values()) == set(Counter(borrowed).values()) == {1}
    assert set(lent) == set(borrowed)
    if subset == "conjunction-disease":
        return
    named = {entry.name: entry for entry in PERSONAS}
    assert not any(near(named[own], named[other]) for own, other in zip(lent, borrowed))


@pytest.mark.parametrize("kind", ["to", "because", "so that"])
def test_aims_and_reasons_that_no_story_suggests_are_as_long_as_those_that_it_does(kind):
    pairs = groups(f"conjunction-story-{kind.replace(' ', '-')}", len(STORIES))
    words, characters = ([[size(item.prompt) for item in pair] for pair in pairs]
                         for size in (lambda text: len(text.split()), len))  # fmt: skip
    assert abs(mean(ours - theirs for ours, theirs in words)) < 0.25
    assert abs(mean(ours - theirs for ours, theirs in characters)) < 3
    lent = Counter(irrelevant.metadata["completion"] for _, irrelevant in pairs)
    assert set(lent) <= {reason.name for reason in REASONS}
    assert len(lent) > 9
    assert max(lent.values()) < len(pairs) / 4


def test_symptoms_complaints_and_ages_fit_the_disease():
    lenders = {symptom.name: symptom for symptom in SYMPTOMS}
    complaints = {
        gendered(entry.values["complaint"], gender): related(entry) for entry in COMPLAINTS for gender in GENDERS
    }
    for relevant, irrelevant in groups("conjunction-disease", 3 * len(SYMPTOMS)):
        own, other = (lenders[item.metadata["completion"]] for item in (relevant, irrelevant))
        disease = relevant.metadata["disease"]
        assert own.values["disease"] == disease
        assert own.theme != other.theme
        assert disease not in related(other)
        assert other.values["disease"] not in related(own)
        complaint = parts(relevant)[2].removeprefix(f"{relevant.metadata['name']} has ")
        assert not {disease, other.values["disease"]} & set(complaints[complaint]), complaint
        first, last = map(int, own.values.get("ages", "40-70").split("-"))
        assert first <= relevant.metadata["age"] <= last


def entailed(connective, a, b):
    return a or b if connective == "or" else a and b


@pytest.mark.parametrize("subset", CONJUNCTION)
def test_the_answer_is_right_whatever_the_probabilities_of_the_four_worlds(subset):
    draws = Stream(1, "worlds")
    for item in (item for group in groups(subset) for item in group):
        question, _, added = parts(item)[1:]
        connective = re.match(r",? (so that|\w+) ", added)[1]
        weights = {world: draws.integer(1, 99) for world in product((True, False), repeat=2)}
        short = sum(weight for (a, b), weight in weights.items() if a)
        long = sum(weight for (a, b), weight in weights.items() if entailed(connective, a, b))
        assert short != long
        lengths = {label: len(text) for label, text in statements(item)}
        by_length = sorted(lengths, key=lengths.get)
        wanted = (short > long) == (" more " in question)
        assert item.answer == by_length[0 if wanted else 1]


@pytest.mark.parametrize("subset", CONJUNCTION)
def test_a_changed_item_is_noticed(subset):
    item = groups(subset)[3][0]
    other = {"(a)": "(b)", "(b)": "(a)"}
    connective = item.metadata["connective"]
    swapped = item.prompt.replace("\n(a) ", "\n(c) ").replace("\n(b) ", "\n(a) ").replace("\n(c) ", "\n(b) ")
    flipped = re.sub(
        "more|less",
        lambda match: {"more": "less", "less": "more"}[match[0]] + "",
        item.prompt.rpartition("\n(a)")[0].rpartition("\n")[2],
    )
    asked = item.prompt.rpartition("\n(a)")[0].rpartition("\n")[2]
    changes = [
        replace(item, answer=other[item.answer]),
        replace(item, prompt=swapped),
        replace(item, prompt=item.prompt.replace(asked, flipped)),
        replace(item, prompt=item.prompt.replace(f" {connective} ", " nor ")),
        replace(item, metadata={**item.metadata, "shorter": other[item.metadata["shorter"]]}),
        replace(item, prompt=item.prompt.replace("(b)", "(b) No:")),
        replace(item, prompt=item.prompt + "\nThink."),
    ]
    assert check(item) == []
    assert [number for number, changed in enumerate(changes) if check(changed) == []] == []


def test_or_without_both_is_noticed():
    item = next(item for group in groups("balanced-persona") for item in group if item.condition == "disjunction")
    assert check(replace(item, prompt=item.prompt.replace(", or both", ""))) == [
        "`or both` goes with `or`, and with nothing else"
    ]


@pytest.mark.parametrize("subset", BALANCED)
def test_in_a_block_nothing_and_no_two_things_say_anything_about_the_answer(subset):
    items = [item for group in groups(subset, 16) for item in group]
    factors = ["connective", "question", "shorter"] + (["gender"] if "disaster" not in subset else [])
    if "disaster" not in subset:
        factors.append("wording")
    for keys in [*combinations(factors, 1), *combinations(factors, 2)]:
        table = Counter((*(item.metadata[key] for key in keys), item.answer) for item in items)
        assert set(table.values()) == {32 // 2 ** (len(keys) + 1)}, keys


@pytest.mark.parametrize("subset", PAPER)
def test_in_a_block_of_the_papers_design_the_answer_has_nothing_to_do_with_gender(subset):
    heads = [group[0] for group in groups(subset, 16)]
    table = Counter((item.metadata.get("gender"), item.answer) for item in heads)
    assert set(table.values()) == {4 if "disaster" not in subset else 8}


@pytest.mark.parametrize("subset", ["conjunction-persona", "balanced-persona", "conjunction-disease", "balanced-story"])
def test_names_ages_jobs_and_texts_have_nothing_to_do_with_the_answer(subset):
    # One item of each of 2,000 groups, because the items of a group share all of this.
    conditions = len(groups(subset, 1)[0])
    heads = [FAMILY.item(subset, 9, conditions * number) for number in range(2_000)]
    for key in ("name", "age", "occupation", "disease", "frame", "completion"):
        if key not in heads[0].metadata:
            continue
        table = Counter((item.metadata[key], item.answer) for item in heads)
        values = sorted({value for value, _ in table}, key=str)
        rows = [[table[value, label] for label in ("(a)", "(b)")] for value in values]
        assert chi2_contingency(rows).pvalue > 0.0005, key
    jobs = Counter((item.metadata.get("occupation"), item.metadata["gender"]) for item in heads)
    if "occupation" in heads[0].metadata:
        names = sorted({job for job, _ in jobs})
        assert chi2_contingency([[jobs[job, gender] for gender in ("woman", "man")] for job in names]).pvalue > 0.0005


def right(strategy, items):
    guesses = strategy.answers(items, items)
    return sum(guess == item.answer for guess, item in zip(guesses, items)) / len(items)


@pytest.mark.parametrize("subset", PAPER)
def test_where_the_paper_asks_the_shorter_statement_is_always_right(subset):
    items = [item for group in groups(subset) for item in group]
    named = {strategy.name: right(strategy, items) for strategy in BLIND}
    assert (named["shorter"], named["longer"]) == (1.0, 0.0)


@pytest.mark.parametrize("subset", BALANCED)
def test_in_balanced_subsets_no_strategy_is_right_more_often_than_chance(subset):
    items = [item for group in groups(subset) for item in group]
    for strategy in BLIND:
        if strategy.name in ("constant", "first-option", "last-option", "shorter", "longer", "question-and-length"):
            assert right(strategy, items) == 0.5, strategy.name
        if strategy.name in ("contains-and", "contains-or"):
            # Symptoms and events may say `and` too, so it is not exactly half.
            assert right(strategy, items) == pytest.approx(0.5, abs=0.03), strategy.name


def test_a_block_in_which_swaps_are_not_enough_is_drawn_again():
    apart = places_near(STORIES)
    for seed in range(120):
        root = Stream(seed, "z")
        pairs = [borrowed(root, STORIES, number, apart) for number in range(len(STORIES))]
        assert not [(own.name, other.name) for own, other in pairs if near(own, other)], seed
        assert {other for _, other in pairs} == set(STORIES)
