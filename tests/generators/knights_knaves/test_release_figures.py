"""The figures of a release of knights-knaves: worked numbers, and that each falls if what it is about breaks."""

from dataclasses import replace
from math import isnan

import pytest

from hansproof.generators.knights_knaves.dataset import DATASET, figures


def released(subset, count=None):
    rows = DATASET.subsets[subset].rows if count is None else count
    return [DATASET.item(subset, DATASET.seed, index) for index in range(rows)]


def value(subset, items, name):
    return next(figure.value for figure in figures({subset: items}) if figure.name == name)


def missed(items):
    """The names of the figures that miss a bound."""
    return {
        figure.name
        for figure in figures(items)
        if (figure.least is not None and not figure.value >= figure.least)
        or (figure.most is not None and not figure.value <= figure.most)
    }


def changed(item, **about):
    return replace(item, metadata={**item.metadata, **about})


@pytest.mark.slow
def test_the_release_keeps_every_bound():
    whole = ("set-S", "set-I", "set-E", "balanced", "character", "number", "solutions")
    items = {name: released(name) for name in whole}
    items["memorisation"] = released("memorisation", 60)
    items["logicians"] = released("logicians", 3 * 32)
    assert missed(items) == set()
    assert len(figures(items)) == 2 + 4 + 4 + 8 + 12


def test_a_puzzle_under_other_names_or_in_other_words_is_one_too_many_and_three_vocabularies_of_it_are_not():
    rows = released("set-E", 30)
    assert value("set-E", rows, "repeated puzzles") == 0
    # The same puzzle with the first two characters in each other's place.
    turned = str.maketrans("AB", "BA")
    told = [text.translate(turned) for text in rows[0].metadata["statements"]]
    told[0], told[1] = told[1], told[0]
    assert value("set-E", [*rows, changed(rows[0], statements=told)], "repeated puzzles") == 1
    other = replace(rows[0], group="another")
    assert value("set-E", rows, "parted puzzles") == 0
    assert value("set-E", [*rows, other], "parted puzzles") == 1
    # `B if and only if C` and a denied `either B or C` are one puzzle; the first three share their statements.
    told = [["(B = C)", "A", "~A"], ["(~B ^ C)", "A", "~A"]]
    same = [changed(rows[0], statements=statements) for statements in told]
    assert value("set-E", [replace(item, condition="knights") for item in same], "repeated puzzles") == 1
    scenes = released("logicians", 3)
    assert value("logicians", [*scenes, scenes[1]], "repeated puzzles") == 1


def test_one_puzzle_less_unbalances_the_assignments_and_the_answers():
    rows = released("balanced")
    assert value("balanced", rows, "assignments in balanced") == 0
    assert value("balanced", rows[:-1], "assignments in balanced") == 1


def test_a_linear_puzzle_is_seen_in_sets_that_promise_none():
    rows = released("balanced", 4)
    assert value("balanced", rows, "linear in balanced") == 0
    linear = changed(rows[0], kinds=["parity", "nested", "exclusive", "equivalence", "accusation"])
    assert missed({"balanced": [*rows, linear, *rows]}) >= {"linear in balanced"}
    assert "linear in set-S" not in missed({"set-S": [changed(released("set-S", 1)[0], kinds=["self"])]})


def test_twins_differ_in_one_word_that_is_not_about_the_character():
    left, right = released("character", 2)
    assert value("character", [left, right], "twins in character") == 1
    line = next(a for a, b in zip(left.prompt.split("\n"), right.prompt.split("\n"), strict=True) if a != b)
    speaker = line.partition(":")[0]
    for broken in (
        (left, replace(right, answer=left.answer)),
        (left, left),
        (left,),
        (changed(left, asked=speaker), right),
        (left, replace(right, prompt=right.prompt + " again")),
    ):
        assert value("character", broken, "twins in character") == 0


def test_kinds_that_tell_who_speaks_are_seen():
    row = released("balanced", 1)[0]
    knights = [changed(row, kinds=["nested"], solutions=["K"])] * 3
    assert value("balanced", [*knights, changed(row, kinds=["nested"], solutions=["N"])], "kinds in balanced") == 0.25
    assert isnan(value("balanced", [changed(row, kinds=[], solutions=[""])], "kinds in balanced"))


def test_threes_must_be_whole_and_of_the_same_kinds():
    rows = released("number", 6)
    assert value("number", rows, "threes in number") == 1
    assert value("number", rows[:5], "threes in number") == 0.5
    assert value("number", [changed(rows[0], kinds=["self"]), *rows[1:]], "threes in number") == 0.5
    assert value("number", [replace(rows[0], group="other"), *rows[1:]], "threes in number") == 0.5


@pytest.mark.parametrize(
    "broken",
    [
        lambda original, same, other: (original, same, same),
        lambda original, same, other: (original, replace(same, prompt=same.prompt + " again"), other),
        lambda original, same, other: (original, replace(same, prompt=original.prompt), other),
        lambda original, same, other: (original, same, replace(other, answer=original.answer)),
        lambda original, same, other: (original, replace(same, answer=other.answer), other),
        lambda original, same, other: (replace(original, condition="same-answer"), same, other),
    ],
)
def test_a_group_that_does_not_match_is_seen(broken):
    rows = released("memorisation", 6)
    assert value("memorisation", rows, "changed words in memorisation") == 1
    assert value("memorisation", [*broken(*rows[:3]), *rows[3:]], "changed words in memorisation") == 0.5


def test_the_commonest_assignment_is_counted():
    told = [changed(item, solutions=[world]) for item in released("set-S", 1) for world in ("KNN", "NNN", "NNN")]
    assert value("set-S", told, "set-S, 3 characters") == pytest.approx(2 / 3)
