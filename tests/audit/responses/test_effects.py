"""Effects from items and scores: a made-up family by hand, Holm and slices, simulated answerers, faults."""

import sys
from dataclasses import replace
from math import isnan
from types import ModuleType

import numpy as np
import pandas as pd
import pytest
from scipy.stats import ttest_1samp
from statsmodels.stats.multitest import multipletests

from audit.responses.effects import effects
from audit.responses.scoring import score_replies
from generators import registry
from generators.dataset import Subset
from generators.errors import InputError
from generators.item import Item
from generators.registry import dataset
from generators.stream import Stream
from hansproof.terminal.effects import effect_tables, notes

CONTRAST = ("plain", "twisted")
SUBSETS = {"one": Subset(9, "d", contrast=CONTRAST), "two": Subset(9, "d", contrast=CONTRAST), "single": Subset(9, "d")}


@pytest.fixture(autouse=True)
def _registered(monkeypatch):
    module = ModuleType("toy_family")
    module.DATASET = replace(dataset("planted-cues"), name="toy", subsets=SUBSETS, slices=("n_steps", "operation"))
    monkeypatch.setitem(sys.modules, "toy_family", module)
    monkeypatch.setitem(registry.MODULES, "toy", "toy_family")


def item(index, condition, subset="one", group=None, steps=1, operation="add", family="toy"):
    data = {"dataset": family, "version": "1.0.0", "subset": subset, "seed": 1, "canary": "c"}
    data |= {"n_steps": steps, "operation": operation}
    name = f"{family}/1.0.0/{subset}/{index:06d}"
    return Item(name, f"Question {index}?", ("yes", "no"), "yes", group or f"{subset}-{index // 2}", condition, data)


def scored(rows, right):
    """The report of replies that are right, wrong or (None) missing."""
    said = {row.id: "yes" if one else "no" for row, one in zip(rows, right, strict=True) if one is not None}
    return score_replies(rows, said, "mine")


def simulated(pairs, p_easy, p_hard, subset="one"):
    """Items of `pairs` pairs and whether each is right; half of the pairs stand or fall with one number."""
    stream, rows, right = Stream(4, "simulated", subset), [], []
    for pair in range(pairs):
        first, second, one = stream.uniform(), stream.uniform(), stream.coin()
        about = {"subset": subset, "steps": 1 + pair % 5, "operation": stream.choice(["add", "divide"])}
        rows += [item(2 * pair, "plain", **about), item(2 * pair + 1, "twisted", **about)]
        right += [first < p_easy, (first if one else second) < p_hard]
    return rows, right


def test_pairs_are_found_and_counted_by_hand():
    rows = [
        item(0, "plain"), item(1, "twisted"),
        item(2, "twisted"), item(3, "plain"),  # the order inside a pair does not matter
        item(4, "plain"), item(5, "twisted"),
        item(6, "plain", group="alone"),
        item(8, "plain", group="three"), item(9, "twisted", group="three"), item(10, "twisted", group="three"),
        item(12, "other", group="other"),
        item(0, "plain", subset="single"), item(1, "twisted", subset="single"),
        item(0, "plain", subset="unknown"), item(1, "twisted", subset="unknown"),
    ]  # fmt: skip
    right = [True, False, False, True, True, None, *[True] * 9]
    (one,) = effects(rows, scored(rows, right))
    assert (one.subset, one.by, one.value, one.easy_condition, one.hard_condition) == ("one", "", "", *CONTRAST)
    found = one.paired
    assert (found.pairs, found.easy, found.hard, found.effect) == (3, 1.0, 0.0, 1.0)
    assert (found.easy_only, found.hard_only) == (3, 0)
    assert found.mcnemar_p == pytest.approx(0.25)  # 2 / 2^3
    assert (one.missing_easy, one.missing_hard, one.left_out) == (0, 1, 2)
    assert one.note == (
        "INCONCLUSIVE: fewer than 30 pairs; every pair has the same difference: no t-test, no interval; "
        "missing replies count as wrong: 1; groups that are no pair and left out: 2"
    )
    record = one.record()
    assert (record["p_holm"], record["paired"]["p"], record["paired"]["pairs"]) == (None, None, 3)
    assert notes([one]) == [
        "plain - twisted: one",
        "INCONCLUSIVE: fewer than 30 pairs; every pair has the same difference: no t-test, no interval: one as a whole",
        "replies missing, counted wrong, easy/hard: one 0/1",
        "groups that are no pair, left out: one 2",
    ]


def test_other_subsets_and_families_have_no_effects():
    rows = [item(0, "plain", subset="single"), item(1, "twisted", subset="single")]
    assert effects(rows, scored(rows, [True, False])) == []
    rows = [item(0, "plain", family="theirs"), item(1, "twisted", family="theirs")]
    assert effects(rows, scored(rows, [True, False])) == []
    assert effect_tables([]) == notes([]) == []


def test_a_subset_without_a_pair_says_so():
    rows = [item(0, "plain"), item(2, "plain")]
    (one,) = effects(rows, scored(rows, [True, False]))
    assert one.note == "INCONCLUSIVE: no pairs; groups that are no pair and left out: 2"
    assert (one.paired.pairs, one.left_out) == (0, 2)
    assert isnan(one.p_holm)


def test_a_subset_that_was_not_asked_is_passed_over():
    rows = [item(i, ("plain", "twisted")[i % 2], subset=("one", "two")[i // 4], group=str(i // 2)) for i in range(8)]
    found = effects(rows, scored(rows, [True, False, True, True, None, None, None, None]))
    assert [one.subset for one in found if not one.by] == ["one"]
    found = effects(rows, scored(rows, [True, False, True, True, None, None, None, False]))
    assert [one.subset for one in found if not one.by] == ["one", "two"]


def test_a_report_of_other_items_is_refused():
    rows = [item(0, "plain"), item(1, "twisted")]
    report = scored(rows, [True, False])
    with pytest.raises(InputError, match="scores other items than those given, or in another order"):
        effects(rows[::-1], report)


def test_known_effects_are_recovered_and_agree_with_pandas():
    # 38.4 points as published for consistency, 2.4 as for carry (Opedal et al. 2024).
    rows, right = simulated(500, 0.8, 0.416)
    others, more = simulated(500, 0.55, 0.526, "two")
    rows, right = rows + others, right + more
    found = effects(rows, scored(rows, right))
    whole = [one for one in found if not one.by]
    assert [one.subset for one in whole] == ["one", "two"]
    for one, truth in zip(whole, (0.384, 0.024), strict=True):
        assert one.paired.low < truth < one.paired.high
        assert one.paired.pairs == 500
        assert 0.05 < one.paired.detectable < 0.09
    assert whole[0].p_holm < 1e-20
    frame = pd.DataFrame({"right": np.array(right, float), "condition": [row.condition for row in rows],
                          "group": [row.group for row in rows]})  # fmt: skip
    for key in ("subset", "n_steps", "operation"):
        frame[key] = [row.metadata[key] for row in rows]
    for one in found:
        part = frame[frame["subset"] == one.subset]
        part = part[part[one.by].astype(str) == one.value] if one.by else part
        wide = part.pivot_table(index="group", columns="condition", values="right")
        differences = wide["plain"] - wide["twisted"]
        other = ttest_1samp(differences, 0)
        assert (one.paired.pairs, one.paired.effect) == (len(wide), pytest.approx(differences.mean()))
        assert (one.paired.t, one.paired.p) == (pytest.approx(other.statistic), pytest.approx(other.pvalue))
        assert (one.paired.low, one.paired.high) == pytest.approx(tuple(other.confidence_interval()))


def test_slices_part_the_pairs_and_are_corrected_within_their_subset():
    rows, right = simulated(300, 0.8, 0.7)
    others, more = simulated(200, 0.8, 0.7, "two")
    rows, right = rows + others, right + more
    found = effects(rows, scored(rows, right))
    names = [(one.by, one.value) for one in found if one.subset == "one"]
    steps = [("n_steps", str(n)) for n in range(1, 6)]
    assert names == [("", ""), *steps, ("operation", "add"), ("operation", "divide")]
    for subset, pairs in (("one", 300), ("two", 200)):
        slices = [one for one in found if one.by and one.subset == subset]
        for key in ("n_steps", "operation"):
            assert sum(one.paired.pairs for one in slices if one.by == key) == pairs
        expected = multipletests([one.paired.p for one in slices], method="holm")[1]
        assert [one.p_holm for one in slices] == pytest.approx(list(expected))
        expected = multipletests([one.paired.mcnemar_p for one in slices], method="holm")[1]
        assert [one.mcnemar_p_holm for one in slices] == pytest.approx(list(expected))
    whole = [one for one in found if not one.by]
    expected = multipletests([one.paired.p for one in whole], method="holm")[1]
    assert [one.p_holm for one in whole] == pytest.approx(list(expected))


def test_pairs_whose_items_differ_in_a_key_are_a_slice_of_their_own():
    rows = [item(0, "plain"), item(1, "twisted", operation="subtract"), item(2, "plain"), item(3, "twisted"),
            item(4, "plain", steps=10), item(5, "twisted", steps=10)]  # fmt: skip
    found = effects(rows, scored(rows, [True] * 6))
    assert [(one.by, one.value, one.paired.pairs) for one in found[1:]] == [
        ("n_steps", "1", 2), ("n_steps", "10", 1), ("operation", "add", 2), ("operation", "add / subtract", 1),
    ]  # fmt: skip


def test_a_key_with_one_value_makes_no_slices():
    rows = [item(0, "plain"), item(1, "twisted"), item(2, "plain"), item(3, "twisted")]
    assert len(effects(rows, scored(rows, [True] * 4))) == 1


def test_tables_show_points_intervals_and_counts():
    rows, right = simulated(100, 0.8, 0.6)
    found = effects(rows, scored(rows, right))
    main, parts = effect_tables(found)
    cells = [cell.plain for cell in main.rows[0]]
    one = found[0].paired
    assert cells[0] == "one"
    assert cells[1] == f"+{100 * one.effect:.1f} [{100 * one.low:.1f}, {100 * one.high:.1f}]"
    assert cells[5:7] == ["100", f"{one.easy_only}/{one.hard_only}"]
    assert cells[7] == f"{100 * one.detectable:.1f}"
    assert [row[0].plain for row in parts.rows][:3] == ["one", "n_steps 1", "n_steps 2"]
    # 20 pairs a number of steps, too few; the operations have about 50 each.
    assert notes(found)[1] == (
        "INCONCLUSIVE: fewer than 30 pairs: one n_steps 1, n_steps 2, n_steps 3, n_steps 4, n_steps 5"
    )
