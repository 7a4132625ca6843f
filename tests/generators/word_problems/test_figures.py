"""The figures of a release of word problems: worked numbers, and that today's problems keep their bounds."""

from math import isnan

import pytest

from hansproof.generators.item import Item
from hansproof.generators.stream import Stream
from hansproof.generators.word_problems.dataset import DATASET, PLANS
from hansproof.generators.word_problems.figures import distinct, figures, masked


def test_names_numbers_and_counted_nouns_are_masked_and_scenery_is_not():
    text = "Over lunch, Alice sold 4 crusty rolls and 2 kilograms of flour to Bob."
    assert masked(text) == ["over", "lunch", "name", "sold", "number", "noun", "and", "number", "noun", "to", "name"]


def test_distinct_4_grams_of_worked_texts():
    words = [f"w{chr(97 + i // 26 % 26)}{chr(97 + i % 26)}{chr(97 + i // 676)}" for i in range(1353)]
    assert distinct([" ".join(words)], Stream(1)) == 1.0  # 1,353 different words have 1,350 different 4-grams
    assert distinct(["so so so so so"] * 1000, Stream(1)) == pytest.approx(1 / 1350)
    assert isnan(distinct(["too short to tell"], Stream(1)))


def item(group, condition, prompt, steps):
    about = {"forms": ["container(Alice, 5, roll)"], "question": "count(Alice, roll)", "n_steps": steps, "steps": []}
    return Item(f"word-problems/2.1.0/mini/{group}", prompt, None, "5", group, condition, about)


def test_the_commonest_sentence_and_the_lengths_of_arms_are_counted():
    rows = [
        item("1", "transfer", "Alice had 5 rolls. How many rolls did Alice have?", 1),
        item("1", "comparison", "Bob had 5 rolls. How many did Bob have?", 1),
        item("2", "transfer", "Bob baked 5 rolls. How many rolls were there?", 2),
        item("2", "comparison", "Bob baked 50 rolls, too. How many were there?", 2),
    ]
    by_name = {figure.name: figure for figure in figures({"transfer-comparison": rows})}
    # One item of each group: 2 containers and 2 questions, all different once they are masked.
    assert by_name["commonest sentence"].value == 0.5
    assert by_name["sentences"].value == 4
    assert by_name["nouns"].value == 1
    assert by_name["words in transfer-comparison"].value == 0.5
    assert by_name["commas in transfer-comparison"].value == -0.5
    assert by_name["digits in transfer-comparison"].value == -0.5
    assert by_name["sentences in transfer-comparison"].value == 0
    assert by_name["characters in transfer-comparison"].value == 5
    assert isnan(by_name["distinct 4-grams"].value)


def sums(group, condition, first, second, answer, **more):
    about = {
        "forms": [f"container(Alice, {first}, roll)", f"comparison(Bob, +, Alice, {second}, roll)"],
        "question": "count(Bob, roll)", "steps": [f"{first} + {second} = {answer}"], "n_steps": 1, **more,
    }  # fmt: skip
    prompt = "Alice had rolls. Bob had more. How many did Bob have?"
    return Item(f"word-problems/2.1.0/mini/{group}", prompt, None, str(answer), group, condition, about)


def values(**items):
    return {figure.name: figure.value for figure in figures({name.replace("_", "-"): items[name] for name in items})}


@pytest.mark.parametrize(("trap", "share"), [(2, 1.0), (999, 1.0), (1, 0.0), (1000, 0.0), (8, 0.0), (None, 0.0)])
def test_a_trap_that_nobody_can_walk_into_is_none(trap, share):
    assert values(consistency=[sums("1", "consistent", 5, 3, 8, trap=trap)])["traps"] == share


def test_distractors_and_printed_answers_are_counted():
    plain, idle = sums("1", "original", 5, 3, 8, idle_at=-1), sums("1", "usable-number", 5, 8, 8, idle_at=1)
    counted = values(distractor=[plain, idle])
    assert counted["idle results"] == 1
    assert counted["printed answers"] == 1
    assert values(surface_forms=[plain, plain])["printed answers"] == 0


@pytest.mark.slow
def test_todays_problems_keep_every_bound():
    rows = {name: range(plan.subset.rows) for name, plan in PLANS.items()}
    items = {name: [DATASET.item(name, DATASET.seed, at) for at in every] for name, every in rows.items()}
    for figure in figures(items):
        assert figure.least is None or figure.value >= figure.least, figure
        assert figure.most is None or figure.value <= figure.most, figure
