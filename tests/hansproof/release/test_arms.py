"""Differences between matched arms: counted by hand, tested as scipy tests them, on cards only where beyond noise."""

from __future__ import annotations

from dataclasses import replace

import pytest
from scipy.stats import ttest_rel

from hansproof.generators.dataset import Draft, MatchedConditions, Subset
from hansproof.release.arms import ASPECTS, arm_entries, beyond_noise
from hansproof.release.card import arm_lines
from hansproof.release.manifest import Manifest
from hansproof.release.objections import arm_faults

TEXT = "On 1250 hills, Ann met Bob Lee. It's noon! He has 7 well-worn coats. How many, all told? Reply with a number."


def test_each_aspect_is_what_a_reader_counts():
    counted = {aspect: measure(TEXT) for aspect, measure in ASPECTS.items()}
    assert counted == {
        "words": 22, "characters": 109, "sentences": 5, "names": 3, "digits": 5, "commas": 2, "first number": 1250,
        "question at": TEXT.index(" How") / 109,
    }  # fmt: skip
    assert ASPECTS["first number"]("Of 1,250, take 3.") == 1250


def test_what_a_prompt_lacks_is_no_number():
    lacking = [aspect for aspect, measure in ASPECTS.items() if measure("Go on") != measure("Go on")]
    assert lacking == ["first number", "question at"]


def make(stream, subset, index):
    """Groups of three arms; `long` has two words more, `other` a number of its own."""
    group, place = divmod(index, 3)
    draws = stream.child(subset).child(group)
    number, other = 10 + draws.below(90), 10 + draws.below(90)
    arm = ("plain", "long", "other")[place]
    text = f"Ann has {other if arm == 'other' else number} figs{' in all' if arm == 'long' else ''}."
    return Draft(f"{text} How many in bag {group}?", None, str(number), str(group), arm, {})


MATCHED = MatchedConditions("plain", ("long", "other"))


@pytest.fixture
def items(tiny, register):
    """60 items, 20 groups."""
    family = register(replace(tiny, subsets={"sums": Subset(60, "figs", matched=MATCHED)}, make=make))
    return [family.item("sums", 3, index) for index in range(60)]


def by_scipy(items, arm):
    """Difference and p of the first number of an arm, as scipy has them."""
    values = {name: [ASPECTS["first number"](item.prompt) for item in items if item.condition == name]
              for name in ("plain", arm)}  # fmt: skip
    mean = sum(values[arm]) / len(values[arm]) - sum(values["plain"]) / len(values["plain"])
    return mean, ttest_rel(values[arm], values["plain"]).pvalue


def test_a_constant_difference_is_beyond_noise_and_any_other_one_is_tested_with_holms_correction(items):
    long, other = arm_entries(items)
    assert [(arm.before, arm.after, arm.groups) for arm in (long, other)] == [
        ("plain", "long", 20),
        ("plain", "other", 20),
    ]
    assert (long.differences["words"], long.differences["characters"], long.differences["digits"]) == (2.0, 7.0, 0.0)
    assert (long.p_holm["words"], long.p_holm["digits"]) == (0.0, 1.0)
    assert set(beyond_noise(long)) == {"words", "characters", "question at"}
    mean, p = by_scipy(items, "other")
    assert other.differences["first number"] == pytest.approx(mean, abs=5e-5)
    # Of 16 differences, three are certain; the number is the next one.
    assert other.p_holm["first number"] == pytest.approx(min(1, p * 13), abs=5e-5)
    assert beyond_noise(other) == {}


def test_a_number_that_is_larger_in_one_arm_is_called_a_difference(items):
    shifted = [
        replace(item, prompt=item.prompt.replace("Ann has ", "Ann has 1")) if item.condition == "other" else item
        for item in items
    ]
    _, other = arm_entries(shifted)
    mean, p = by_scipy(shifted, "other")
    assert p * 13 < 1e-6
    assert beyond_noise(other)["first number"] == pytest.approx(mean, abs=5e-5)


def test_several_pairs_of_a_group_count_once(items):
    joined = [
        replace(item, group="g", metadata={**item.metadata, "matched_by": item.group})
        if int(item.group) < 10 else item for item in items
    ]  # fmt: skip
    alone = [item for item in joined if item.group != "g"]
    assert arm_entries(joined)[0].groups == len(alone) // 3 + 1 == 11
    # Ten pairs with the mean of their differences, beside ten of their own.
    values = [ASPECTS["first number"](after.prompt) - ASPECTS["first number"](before.prompt)
              for before, after in zip(items[::3], items[2::3], strict=True)]  # fmt: skip
    mean = (sum(values[:10]) / 10 + sum(values[10:])) / 11
    assert arm_entries(joined)[1].differences["first number"] == pytest.approx(mean, abs=5e-5)


def test_two_items_of_one_arm_that_nothing_tells_apart_count_as_their_mean(items):
    doubled = [*items, *(replace(item, prompt="x" + item.prompt) for item in items if item.condition == "long")]
    assert arm_entries(doubled)[0].differences["characters"] == 7.5


def test_without_groups_that_match_nothing_differs(items, tiny, register):
    apart = arm_entries([replace(item, group=item.id) for item in items])
    assert {arm.groups for arm in apart} == {0}
    assert {value for arm in apart for value in arm.differences.values()} == {None}
    assert [beyond_noise(arm) for arm in apart] == [{}, {}]
    register(replace(tiny, subsets={"sums": Subset(60, "figs")}, make=make))
    assert arm_entries(items) == arm_entries([]) == []


def test_other_differences_than_those_of_the_items_are_a_fault(items, freeze, tiny, register):
    from hansproof.generators.registry import dataset
    from hansproof.release.manifest import decode

    manifest = decode((freeze(dataset("tiny")) / "manifest.json").read_bytes(), "m")
    assert isinstance(manifest, Manifest)
    (entry,) = manifest.subsets
    ((change, text), names), *_ = arm_lines(manifest).items()
    assert (change, names) == ("plain → long", ["sums"])
    assert text.startswith("words +2, characters +7, question at +0.")
    assert arm_faults(entry, items) == []
    longer = [replace(item, prompt=item.prompt + " Say.") if item.condition == "long" else item for item in items]
    assert [str(fault) for fault in arm_faults(entry, longer)] == [
        "manifest.json: sums: its differences between arms do not match the items"
    ]
