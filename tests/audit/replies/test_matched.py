"""Matched groups and effects: a number is of the groups with one answered item of each condition that it is about."""

from itertools import product

import pytest
from scored import score_models

from hansproof.audit.replies.scorers import ACCEPTED, MATCHED
from hansproof.generators.item import Item
from hansproof.generators.registry import dataset

CONDITIONS = ("original", "first", "second")


def three_conditions(groups):
    """Items of so many groups, each of three conditions, in one subset."""
    about = {"dataset": "theirs", "version": "", "subset": "s", "seed": 0, "canary": "", ACCEPTED: ["yes"]}
    return [
        Item(f"{group}/{name}", f"? {group} {name}", ("no", "yes"), "yes", f"g{group}", name,
             about | {MATCHED: f"g{group}"})
        for group, name in product(range(groups), CONDITIONS)
    ]  # fmt: skip


def by_brute_force(replies, groups, conditions):
    """Of the groups with a reply in each of the `conditions`: how many there are, with all right, and with some."""
    held = [[replies[f"{group}/{name}"] == "yes" for name in conditions] for group in range(groups)
            if all(replies.get(f"{group}/{name}") is not None for name in conditions)]  # fmt: skip
    return len(held), sum(map(all, held)), sum(any(each) and not all(each) for each in held)


def answered_in(replies, conditions):
    """Groups with a reply in any of the conditions."""
    return sum(any(replies.get(f"{group}/{name}") is not None for name in conditions) for group in range(60))


@pytest.fixture
def partial():
    """Sixty groups: every fifth lacks the second perturbation, every seventh the original, every eleventh the first."""
    replies = {}
    for group, (place, name) in product(range(60), enumerate(CONDITIONS)):
        if group % (7, 11, 5)[place]:
            replies[f"{group}/{name}"] = "yes" if (group * (place + 2)) % 5 else "no"
    return replies


@pytest.mark.parametrize("skip", [True, False])
def test_an_effect_needs_two_replies_and_groups_right_all_three(partial, skip):
    rows = three_conditions(60)
    (report,) = score_models(rows, {"m": partial}, skip_missing=skip)
    known = partial if skip else {row.id: partial.get(row.id, "no reply") for row in rows}
    line = report.lines[0]
    total, right, mixed = by_brute_force(known, 60, CONDITIONS)
    assert (line.matched.total, line.matched.hits, line.flips.total, line.flips.hits) == (total, right, total, mixed)
    assert total + line.incomplete == answered_in(known, CONDITIONS)
    assert [effect.second for effect in report.effects] == ["first", "second"]
    for effect in report.effects:
        pairs, both, apart = by_brute_force(known, 60, ("original", effect.second))
        paired = effect.difference
        assert (paired.items, paired.both_right) == (pairs, pytest.approx(both / pairs))
        assert paired.a_only + paired.b_only == apart
        assert paired.items + effect.left_out == answered_in(known, ("original", effect.second))
    if skip:
        # The rule: a group without a reply in the second perturbation is still in the effect of the first.
        assert report.effects[0].difference.items > total < report.effects[1].difference.items
    else:
        assert {effect.difference.items for effect in report.effects} == {total} == {60}


def test_of_a_family_with_several_perturbations_the_same_rule_holds():
    family = dataset("token-bias")
    subset = next(name for name, about in family.subsets.items() if about.matched and len(about.matched.perturbed) > 1)
    rows = [family.item(subset, 3, index) for index in range(60)]
    contrast = family.subsets[subset].matched
    gone = next(row for row in rows if row.condition == contrast.perturbed[-1])
    (whole,) = score_models(rows, {"m": {row.id: row.answer for row in rows}})
    (report,) = score_models(rows, {"m": {row.id: row.answer for row in rows if row.id != gone.id}}, skip_missing=True)
    assert (whole.lines[0].incomplete, report.lines[0].incomplete) == (0, 1)
    assert report.lines[0].matched.total == whole.lines[0].matched.total - 1
    lost = {
        (effect.first, effect.second): before.difference.items - effect.difference.items
        for before, effect in zip(whole.effects, report.effects, strict=True)
    }
    assert sum(lost.values()) == 1
    assert next(pair for pair, count in lost.items() if count)[1] == gone.condition


def test_items_without_conditions_are_in_no_group():
    rows = [row for row in three_conditions(30) if row.condition == "original"]
    (report,) = score_models(rows, {"m": {row.id: "yes" for row in rows}})
    assert (report.lines[0].matched, report.lines[0].flips, report.lines[0].incomplete) == (None, None, 0)
    assert report.effects == ()
