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
    assert len(figures(items)) == 21


def test_a_puzzle_under_other_names_is_one_too_many_and_three_vocabularies_of_it_are_not():
    rows = released("set-E", 30)
    assert value("set-E", rows, "repeated puzzles") == 0
    # The same puzzle with the first two characters in each other's place.
    turned = str.maketrans("AB", "BA")
    told = [text.translate(turned) for text in rows[0].metadata["statements"]]
    told[0], told[1] = told[1], told[0]
    assert value("set-E", [*rows, changed(rows[0], statements=told)], "repeated puzzles") == 1
    other = changed(rows[0], subset="set-I")
    assert value("set-E", [*rows, other], "repeated puzzles") == 1
    scenes = released("logicians", 3)
    assert value("logicians", [*scenes, scenes[1]], "repeated puzzles") == 1


def test_one_puzzle_less_unbalances_the_assignments_and_the_answers():
    for subset, name in (("balanced", "assignments in balanced"), ("character", "answers in character")):
        rows = released(subset)
        assert value(subset, rows, name) == 0
        assert value(subset, rows[:-1], name) == 1


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


@pytest.mark.parametrize(
    "broken",
    [
        lambda original, same, other: (original, same),
        lambda original, same, other: (original, replace(same, prompt=same.prompt + " again"), other),
        lambda original, same, other: (original, replace(same, prompt=original.prompt), other),
        lambda original, same, other: (original, same, replace(other, answer=original.answer)),
        lambda original, same, other: (original, replace(same, answer=other.answer), other),
        lambda original, same, other: (replace(original, condition="same-answer"), same, other),
    ],
)
def test_a_group_that_does_not_match_is_seen(broken):
    rows = released("memorisation", 6)
    assert value("memorisation", rows, "changed words") == 1
    assert value("memorisation", [*broken(*rows[:3]), *rows[3:]], "changed words") == 0.5


def test_the_smallest_rung_and_the_commonest_assignment_are_counted():
    rows = [changed(item, n=n, rung=rung) for item in released("ladder", 1)
            for n, rung in ((3, "none"), (3, "none"), (3, "one"), (4, "none"))]  # fmt: skip
    assert value("ladder", rows, "ladder, 3 characters") == 1
    assert value("ladder", rows, "ladder, 4 to 40 characters") == 1
    assert missed({"ladder": rows}) >= {"ladder, 3 characters", "ladder, 4 to 40 characters"}
    told = [changed(item, solutions=[world]) for item in released("set-S", 1) for world in ("KNN", "NNN", "NNN")]
    assert value("set-S", told, "set-S, 3 characters") == pytest.approx(2 / 3)


def test_the_ladder_of_the_release_has_as_many_puzzles_on_each_rung_as_it_promises():
    assert DATASET.subsets["ladder"].rows == 2 * 144 + 3 * (208 + 224 + 256) + 6 * 4 * 200
