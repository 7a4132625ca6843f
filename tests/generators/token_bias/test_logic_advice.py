"""Hints, worked reasoning and wrong examples of syllogisms, races and letters."""

import re
from fractions import Fraction

import pytest

from hansproof.generators.registry import dataset
from hansproof.generators.styles.exemplars import examples_for
from hansproof.generators.styles.rendering import render
from hansproof.generators.styles.style import STYLES, asking_of, suitable_styles
from hansproof.generators.token_bias.entailment import check as check_syllogism
from hansproof.generators.token_bias.entailment import read_syllogism
from hansproof.generators.token_bias.horses import fewest_races
from hansproof.generators.token_bias.letters import check as check_letters
from hansproof.generators.token_bias.letters import share_of_rolls

FAMILY = dataset("token-bias")
SYLLOGISMS = ("syllogism", "balanced-syllogism", "framed-syllogism", "balanced-framed-syllogism")
RACES, LETTERS = ("horses", "balanced-horses"), ("letters", "balanced-letters")
SUBSETS = (*SYLLOGISMS, *RACES, *LETTERS)


def wrong(subset):
    (item,) = examples_for(STYLES["one-shot-wrong"], FAMILY, subset, 1, 0)
    return item


def drawn(subset, count=4, seed=0):
    return examples_for(STYLES["few-shot-cot"], FAMILY, subset, count, seed)


@pytest.mark.parametrize("subset", SUBSETS)
def test_every_style_of_the_paper_but_linda_and_bob_suits_every_subset(subset):
    item = FAMILY.item(subset, 1, 0)
    assert set(STYLES) - set(suitable_styles(asking_of(item))) == {
        f"one-shot-{name}{steps}" for name in ("linda", "bob") for steps in ("", "-cot")
    }
    shown = render(item, "hint-strong-few-shot-cot", chat=True, exemplars=drawn(subset, 1))
    assert [message["role"] for message in shown] == ["user", "assistant", "user"]


@pytest.mark.parametrize("subset", SUBSETS)
def test_the_strong_hint_says_the_weak_one_and_more_and_neither_says_an_answer(subset):
    hints = FAMILY.subsets[subset].hints
    assert hints["strong"].startswith(hints["weak"].removesuffix("."))
    assert len(hints["strong"]) > 5 * len(hints["weak"])
    for hint in hints.values():
        assert not re.search(r"\b(yes|no|valid|invalid|never follows|shorte[rs]t?|longe[rs]t?)\b(?! smaller)", hint)
        assert not re.search("[0-9]", hint)


@pytest.mark.parametrize("subset", SUBSETS)
def test_the_wrong_example_is_wrong_and_no_item(subset):
    item = wrong(subset)
    assert item.choices == FAMILY.item(subset, 1, 0).choices
    if subset in SYLLOGISMS:
        assert item.answer == "yes"
    elif subset in RACES:
        said = dict(re.findall(r"\n(\([ab]\)) (\d)", item.prompt)).get(item.answer, item.answer)
        assert int(said) == fewest_races(3, 2, timed=False) - 1
        lanes = {FAMILY.item(subset, seed, index).metadata["lanes"] for seed in range(3) for index in range(200)}
        assert min(lanes) > item.metadata["lanes"]
    else:
        assert check_letters(item) == ["answer is '(b)', not '(a)'"]
        assert item.metadata["rolls"] not in {FAMILY.item(subset, 1, i).metadata["rolls"] for i in range(100)}


def test_the_wrong_syllogism_does_not_follow():
    assert check_syllogism(wrong("syllogism")) == ["answer is 'yes', not 'no'"]


@pytest.mark.parametrize("subset", ["balanced-syllogism", "balanced-framed-syllogism"])
def test_drawn_syllogisms_are_of_both_answers_and_of_all_conditions(subset):
    shown = [item for seed in range(12) for item in drawn(subset, seed=seed)]
    assert 20 <= [item.answer for item in shown].count("no") <= 28
    assert {item.condition for item in shown} == {FAMILY.item(subset, 1, index).condition for index in range(8)}


def test_drawn_races_are_never_the_twenty_five_horses_and_are_with_and_without_a_stopwatch():
    assert {item.condition for seed in range(5) for item in drawn("horses", seed=seed)} == {"both"}
    balanced = [item.metadata["timed"] for seed in range(12) for item in drawn("balanced-horses", seed=seed)]
    assert 12 < balanced.count("yes") < 36


@pytest.mark.parametrize("subset", SYLLOGISMS)
def test_the_reasoning_of_a_syllogism_ends_at_its_answer(subset):
    for index in range(40):
        item = FAMILY.item(subset, 3, index)
        steps = FAMILY.subsets[subset].form.reasoning(item)
        ending = "the conclusion follows." if item.answer == "yes" else "it does not follow."
        assert steps.endswith(ending)
        if "property" in item.metadata:
            assert steps.count(item.metadata["property"]) == 2
            continue
        *premises, conclusion = read_syllogism(item.prompt)
        assert all(term in steps for term in conclusion[1:])
        if item.answer == "yes":  # every premise that is cited is one
            cited = re.findall(r"because (all|no) ([^.]+?) are ([^.]+?)\.", steps)
            assert set(cited) <= set(premises)
            continue
        people = re.search(r"there are only (.+)\. Then", steps)[1].split(" and some who are ")
        world = [set(each.removeprefix("some who are ").partition(" but ")[0].split(" and ")) for each in people]
        assert all(true(said, world) for said in premises)
        assert not true(conclusion, world)


def true(statement, world):
    quantifier, subject, predicate = statement
    within = [predicate in kind for kind in world if subject in kind]
    return {"all": all(within), "no": not any(within), "some": any(within), "not": not all(within)}[quantifier]


@pytest.mark.parametrize("subset", RACES)
def test_the_reasoning_of_races_counts_to_the_answer(subset):
    for index in range(60):
        item = FAMILY.item(subset, 3, index)
        steps = FAMILY.subsets[subset].form.reasoning(item)
        lanes, timed = item.metadata["lanes"], item.metadata.get("timed") == "yes"
        assert (f"take {lanes} races" if timed else f"{lanes} + 1 + 1 = {lanes + 2} races") in steps
        right = dict(re.findall(r"\n(\([ab]\)) (\d+)", item.prompt)).get(item.answer, item.answer)
        assert int(right) == lanes + 2 * (not timed)
        assert re.search("stopwatch works", steps) if timed else re.search("Only the order", steps)


@pytest.mark.parametrize("subset", LETTERS)
def test_the_reasoning_of_letters_gives_exact_chances_and_the_right_row(subset):
    for index in range(60):
        item = FAMILY.item(subset, 3, index)
        about = item.metadata
        steps = FAMILY.subsets[subset].form.reasoning(item)
        assert steps.endswith(f"So {about['gold']} is the {about['question']} likely one.")
        said = dict(reversed(pair) for pair in re.findall(r"([0-9.]+) % for ([A-Z]+)", steps))
        assert len(said) == 3
        for row, percent in said.items():
            share = share_of_rolls(row.replace(about["often"], "1").replace(about["seldom"], "0"), about["rolls"])
            assert abs(Fraction(percent) / 100 - share) <= share / 199
        extreme = max if about["question"] == "most" else min
        assert extreme(said, key=lambda row: Fraction(said[row])) == about["gold"]


@pytest.mark.parametrize(
    ("name", "pairs"), [("H1", 400), ("H2", 500), ("H3", 100), ("H4", 200), ("H5", 200), ("H6", 800)]
)
def test_a_release_has_at_least_as_many_pairs_per_hypothesis_as_the_paper(name, pairs):
    (hypothesis,) = (each for each in FAMILY.hypotheses if each.name == name)
    befores = hypothesis.conditions if hypothesis.styles else {before for before, _ in hypothesis.changes}
    assert pairs <= sum(
        FAMILY.subsets[subset].rows // (1 + len(FAMILY.subsets[subset].matched.perturbed))
        for subset in hypothesis.subsets
        if FAMILY.subsets[subset].matched.original in befores
    )
