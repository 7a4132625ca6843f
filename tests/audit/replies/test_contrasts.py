"""Which conditions are compared where no family says it, what pairs belong together, and why there is nothing."""

import random

import numpy as np
import pytest

from hansproof.audit.models.difference import difference_of
from hansproof.audit.models.matching import MOST, ORIGINALS, contrast_name, contrasted, effects, linked, why_none
from hansproof.audit.replies.grid import code_of
from hansproof.audit.replies.judged_reply import Outcome
from hansproof.audit.replies.scorers import ACCEPTED, MATCHED
from hansproof.generators.answering.scorer import Reading, Score
from hansproof.generators.item import Item
from hansproof.generators.registry import dataset


def outcome(number, condition, matched, group="", right=True, subset=""):
    about = {"dataset": "theirs", "version": "", "subset": subset, "seed": 0, "canary": ""}
    about |= {ACCEPTED: ["yes"], MATCHED: matched}
    item = Item(f"q{number}", "Is it?", ("yes", "no"), "yes", group or matched, condition, about)
    return Outcome(item, Reading("yes" if right else "no"), Score(right), {})


def groups_of(*members):
    """Outcomes: a group per text, an item per condition that it lists."""
    every = []
    for name, conditions in enumerate(members):
        every += [outcome(f"{name}-{at}", condition, str(name)) for at, condition in enumerate(conditions.split())]
    return every


def column(outcomes):
    return [each.item for each in outcomes], np.array([code_of(each) for each in outcomes], dtype=np.int8)


def compared(outcomes):
    return [
        (each.original, each.perturbed, len(each.pairs), each.left_out) for each in contrasted(*column(outcomes), None)
    ]


def test_every_condition_is_compared_with_the_first_or_the_one_that_is_called_original():
    assert compared(groups_of("b a", "a b", "b")) == [("b", "a", 2, 1)]
    assert compared(groups_of("b a c", "a c")) == [("b", "a", 1, 1), ("b", "c", 1, 1)]
    assert compared(groups_of("b Control", "Control b")) == [("Control", "b", 2, 0)]
    assert compared(groups_of("clean Original", "x Original")) == [
        ("Original", "clean", 1, 1), ("Original", "x", 1, 1),
    ]  # fmt: skip
    assert len(set(ORIGINALS)) == len(ORIGINALS)


def test_a_group_with_two_items_of_a_condition_is_no_pair():
    assert compared(groups_of("a a b", "a b")) == [("a", "b", 1, 1)]


def test_conditions_that_never_meet_in_a_group_are_not_compared():
    assert compared(groups_of("a", "b", "a", "b")) == []
    assert compared(groups_of("a b", "c")) == [("a", "b", 1, 0)]
    assert compared(groups_of("a b", "c d")) == [("a", "b", 1, 0)]  # neither c nor d ever stands beside a


def test_subsets_are_apart():
    rows = [outcome(0, "a", "1", subset="test"), outcome(1, "b", "1", subset="train")]
    assert compared(rows) == []


def test_a_subset_that_a_family_does_not_know_is_compared_by_its_conditions():
    family = dataset("word-problems")
    carry = [outcome(0, "b", "1", subset="carry"), outcome(1, "a", "1", subset="carry")]
    assert list(contrasted(*column(carry), family)) == []
    other = [outcome(0, "b", "1", subset="other"), outcome(1, "a", "1", subset="other")]
    (effect,) = effects(*column(other), family)
    assert (effect.first, effect.second, effect.difference.items) == ("b", "a", 1)


def test_too_many_conditions_are_no_design():
    def design(size):
        return groups_of(*(f"a c{number}" for number in range(size - 1)))

    assert len(compared(design(MOST))) == MOST - 1
    assert compared(design(MOST + 1)) == []
    assert f"{MOST + 1} conditions (a; c0; c1; c2; c3; and {MOST - 4} more) are no design" in why_none(
        [each.item for each in design(MOST + 1)]
    )


@pytest.mark.parametrize("seed", range(5))
def test_pairs_that_share_a_group_count_together(seed):
    """Against labels that are spread from pair to pair until nothing changes."""
    draw = random.Random(seed)
    pairs = [(draw.randrange(30), draw.randrange(30)) for _ in range(25)]
    numbers = linked(np.array(pairs))[[original for original, _ in pairs]]
    label = {number: number for number in range(30)}
    for _ in range(30):
        for pair in pairs:
            label |= dict.fromkeys(pair, min(label[group] for group in pair))
    want = [label[original] for original, _ in pairs]
    assert len(set(zip(numbers.tolist(), want, strict=True))) == len(set(want)) == len(set(numbers.tolist()))
    assert linked(np.empty((0, 2), dtype=np.int64)).tolist() == []


def test_the_effect_counts_the_groups_that_pairs_share():
    """Forty pairs in twenty templates: the interval is that of twenty groups, and wider than that of forty pairs."""
    draw, rows = random.Random(4), []
    for pair in range(40):
        shared = random.Random(pair // 2).random() < 0.5
        for condition in "ab":
            right = shared if condition == "a" else draw.random() < 0.4
            rows.append(outcome(f"{pair}{condition}", condition, str(pair), f"t{pair // 2}", right))
    (effect,) = effects(*column(rows), None)
    left, right = (np.array([float(each.right) for each in rows if each.item.condition == name]) for name in "ab")
    expected = difference_of(left, right, np.arange(40) // 2)
    assert (effect.difference.low, effect.difference.high, effect.difference.p) == (
        expected.low,
        expected.high,
        expected.p,
    )
    alone = difference_of(left, right, np.arange(40))
    assert effect.difference.p != alone.p


def test_what_a_contrast_is_called():
    assert contrast_name("sub", "a", "b") == "sub: a - b"
    assert contrast_name("", "a", "", "−") == "a − (unnamed)"


def test_why_nothing_is_compared():
    def reason(*conditions):
        return why_none([each.item for each in groups_of(*conditions)])

    advice = "Name two columns of the items: --group (which are matched) and --condition (how they differ)"
    assert reason("a b") == ""
    assert reason("a a", "a") == f"all items have the condition 'a'. {advice}"
    assert reason("a", "b") == f"no group of items has two of the 2 conditions (a; b). {advice}"
    blank = outcome(0, "", "1").item
    assert why_none([blank]) == f"no item says its condition. {advice}"
    blank.metadata.pop(ACCEPTED)
    assert why_none([blank]).endswith("share their `group`, and differ in their `condition`")
    ours = [dataset("planted-cues").item("none", 1, 0)]
    assert why_none(ours) == "planted-cues declares no matched conditions in none"
    paired = [dataset("word-problems").item("carry", 1, index) for index in range(2)]
    assert why_none(paired) == ""
