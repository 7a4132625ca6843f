"""Which styles suit which items, and what a style that does not suit is answered with."""

from dataclasses import replace

import pytest

from hansproof.generators.dataset import NUMBER, OPTION
from hansproof.generators.errors import UsageError
from hansproof.generators.item import Item
from hansproof.generators.registry import dataset
from hansproof.generators.styles.style import STYLES, asking_of, check_style, suitable_styles


def stranger(answer="42", choices=None):
    about = {"dataset": "theirs", "version": "1.0.0", "subset": "s", "seed": 1, "canary": "c"}
    return Item("theirs/1.0.0/s/000000", "?", choices, answer, "g", "base", about)


def test_a_registered_family_is_asked_in_its_own_form():
    problem = asking_of(dataset("word-problems").item("carry", 1, 0))
    assert (problem.form.name, problem.expertise, problem.where) == (
        "number", "arithmetic word problems", "word-problems/carry",
    )  # fmt: skip
    assert "few-shot-cot" in suitable_styles(problem)
    assert "hint-weak" not in suitable_styles(problem)


def test_a_stranger_is_asked_in_the_form_that_it_shows_and_without_solved_examples():
    assert asking_of(stranger()).form is NUMBER
    assert asking_of(stranger("yes", ("yes", "no"))).form is OPTION
    assert suitable_styles(asking_of(stranger())) == [
        name for name, style in STYLES.items() if not style.shots and not style.hint
    ]


def test_a_hint_suits_where_the_family_has_one():
    asking = replace(asking_of(stranger()), hints={"weak": "Mind the base rate."})
    assert "hint-weak" in suitable_styles(asking)
    with pytest.raises(UsageError, match=r"^hint-strong does not suit theirs/s: the dataset has no strong hint\. Use"):
        check_style(STYLES["hint-strong"], "hint-strong", asking)


def test_episodes_have_no_solved_examples(toy_bandit):
    asking = asking_of(toy_bandit.item("short", 1, 0))
    assert "few-shot" not in suitable_styles(asking)
    assert "zero-shot-cot" in suitable_styles(asking)
    # Whether reasoning was written does not matter where there is nothing to solve.
    with pytest.raises(UsageError, match=r"^few-shot-cot does not suit toy-bandit/short: episodes are played, not"):
        check_style(STYLES["few-shot-cot"], "few-shot-cot", asking)
