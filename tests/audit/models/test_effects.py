"""Effects of perturbations: a made-up family by hand, Holm and slices, simulated answerers, several perturbations."""

import sys
from dataclasses import replace
from math import isnan
from types import ModuleType, SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest, ttest_1samp, ttest_rel
from scored import score_models
from statsmodels.stats.multitest import multipletests

from hansproof.audit.models.difference import difference_of
from hansproof.audit.models.matching import effect_note
from hansproof.audit.report.document import Note, ReportTable
from hansproof.audit.report.study_differences import effect_section
from hansproof.audit.statistics.power import shift_found
from hansproof.generators import registry
from hansproof.generators.dataset import MatchedConditions, Subset
from hansproof.generators.item import Item
from hansproof.generators.registry import dataset
from hansproof.generators.stream import Stream

CONTRAST = MatchedConditions("plain", ("twisted",))
FOURFOLD = MatchedConditions("plain", ("twisted", "longer", "louder"))
FEW_PAIRS = "INCONCLUSIVE: fewer than 30 pairs of answers, so no test and no interval"
SUBSETS = {
    "one": Subset(9, "d", matched=CONTRAST),
    "two": Subset(9, "d", matched=CONTRAST),
    "single": Subset(9, "d"),
    "fourfold": Subset(9, "d", matched=FOURFOLD),
}


@pytest.fixture(autouse=True)
def _registered(monkeypatch):
    module = ModuleType("toy_family")
    slices = (("n_steps",), ("operation",))
    module.DATASET = replace(dataset("planted-cues"), name="toy", subsets=SUBSETS, slices=slices)
    monkeypatch.setitem(sys.modules, "toy_family", module)
    monkeypatch.setitem(registry.MODULES, "toy", "toy_family")


def item(index, condition, subset="one", group=None, steps=1, operation="add", family="toy"):
    data = {"dataset": family, "version": "1.0.0", "subset": subset, "seed": 1, "canary": "c"}
    data |= {"n_steps": steps, "operation": operation}
    name = f"{family}/1.0.0/{subset}/{index:06d}"
    return Item(name, f"Question {index}?", ("yes", "no"), "yes", group or f"{subset}-{index // 2}", condition, data)


def effects_of(rows, right):
    """The effects of replies that are right, wrong or (None) missing."""
    said = {row.id: "yes" if answer else "no" for row, answer in zip(rows, right, strict=True) if answer is not None}
    return list(score_models(rows, {"mine": said})[0].effects)


def simulated(pairs, p_original, p_perturbed, subset="one"):
    """Items of `pairs` pairs and whether each is right; half of the pairs stand or fall with one number."""
    stream, rows, right = Stream(4, "simulated", subset), [], []
    for pair in range(pairs):
        first, second, shared = stream.uniform(), stream.uniform(), stream.coin()
        about = {"subset": subset, "steps": 1 + pair % 5, "operation": stream.choice(["add", "divide"])}
        rows += [item(2 * pair, "plain", **about), item(2 * pair + 1, "twisted", **about)]
        right += [first < p_original, (first if shared else second) < p_perturbed]
    return rows, right


def shown(effects):
    """Tables, and what is said below them, of the effects of one model."""
    series = SimpleNamespace(title="m", effects=effects, asked=1, not_applicable=0)
    part = SimpleNamespace(series=[series])
    parts = effect_section(SimpleNamespace(kind="effects", answered=[part], of=lambda _: "", skips=False)).parts
    notes = [each.text for each in parts if isinstance(each, Note) and each.kind != "about"]
    return [each for each in parts if isinstance(each, ReportTable)], notes


def test_pairs_are_found_and_counted_by_hand():
    rows = [
        item(0, "plain"), item(1, "twisted"),
        item(2, "twisted"), item(3, "plain"),  # the order inside a pair does not matter
        item(4, "plain"), item(5, "twisted"),
        item(6, "plain", group="alone"),
        item(8, "plain", group="three"), item(9, "twisted", group="three"), item(10, "twisted", group="three"),
        item(12, "other", group="other"),
        item(0, "plain", subset="single"), item(1, "twisted", subset="single"),
    ]  # fmt: skip
    right = [True, False, False, True, True, None, *[True] * 7]
    (effect,) = effects_of(rows, right)
    assert (effect.subset, effect.by, effect.name) == ("one", "", "")
    assert (effect.first, effect.second) == ("plain", "twisted")
    paired = effect.difference
    assert (paired.items, paired.a, paired.b, paired.difference) == (3, 1.0, 0.0, 1.0)
    assert (paired.a_only, paired.b_only) == (3, 0)
    assert all(isnan(value) for value in (paired.p, paired.low, paired.t, paired.t_p, paired.detectable))
    assert (effect.missing[0], effect.missing[1], effect.left_out) == (0, 1, 2)
    alike = f"{FEW_PAIRS}; no standard error: every item has the same difference"
    lacking = "groups without exactly one item of each condition that counts, left out"
    assert effect_note(effect) == f"{alike}; missing replies count as wrong: 1; {lacking}: 2"
    assert isnan(effect.p_holm)
    assert shown([effect])[1] == [f"m, one: {alike}; missing replies count as wrong: 1; {lacking}: 2"]


def test_a_subset_that_declares_no_contrast_has_no_effects():
    rows = [item(0, "plain", subset="single"), item(1, "twisted", subset="single")]
    assert effects_of(rows, [True, False]) == []
    assert shown([]) == ([], [])


def test_a_subset_without_a_pair_says_so():
    rows = [item(0, "plain"), item(2, "plain")]
    (effect,) = effects_of(rows, [True, False])
    assert (
        effect_note(effect) == "INCONCLUSIVE: no pairs of answers; "
        "groups without exactly one item of each condition that counts, left out: 2"
    )
    assert (effect.difference.items, effect.left_out) == (0, 2)
    assert isnan(effect.p_holm)


def test_what_was_not_asked_is_passed_over():
    rows = [item(i, ("plain", "twisted")[i % 2], subset=("one", "two")[i // 4], group=str(i // 2)) for i in range(8)]

    def asked(*of_two):
        return [effect.subset for effect in effects_of(rows, [True, False, True, True, *of_two]) if not effect.by]

    assert asked(None, None, None, None) == ["one"]
    assert asked(True, None, True, None) == ["one"]  # an effect of +100 would be a statement about nothing
    assert asked(None, True, None, True) == ["one"]  # and so would be one of -100
    assert asked(None, False, True, None) == ["one", "two"]


def test_items_without_a_right_answer_are_in_no_pair():
    rows = [replace(row, answer=None) for row in (item(0, "plain"), item(1, "twisted"))]
    assert effects_of(rows, [True, True]) == []


def fourfold(groups, *shares):
    """Groups of one original and three perturbations, and whether each is right, with the given probabilities."""
    stream, rows, right = Stream(5, "fourfold"), [], []
    for group in range(groups):
        operation = stream.choice(["add", "divide"])
        for place, (condition, share) in enumerate(zip(("plain", *FOURFOLD.perturbed), shares, strict=True)):
            rows.append(item(4 * group + place, condition, "fourfold", f"f{group}", operation=operation))
            right.append(stream.uniform() < share)
    return rows, right


def test_three_perturbations_of_one_original_are_three_effects():
    rows, right = fourfold(200, 0.8, 0.6, 0.75, 0.5)
    others, more = simulated(60, 0.8, 0.7)
    effects = effects_of(rows + others, right + more)
    whole = [effect for effect in effects if not effect.by]
    assert [(effect.subset, effect.first, effect.second) for effect in whole] == [
        ("fourfold", "plain", "twisted"), ("fourfold", "plain", "longer"), ("fourfold", "plain", "louder"),
        ("one", "plain", "twisted"),
    ]  # fmt: skip
    table = np.array(right, dtype=float).reshape(200, 4)
    for place, effect in enumerate(whole[:3], start=1):
        paired, tested = effect.difference, ttest_rel(table[:, 0], table[:, place])
        only, other = (table[:, 0] > table[:, place]).sum(), (table[:, 0] < table[:, place]).sum()
        assert (paired.items, paired.a_only, paired.b_only, effect.left_out) == (200, only, other, 0)
        assert paired.difference == pytest.approx(table[:, 0].mean() - table[:, place].mean())
        assert (paired.t, paired.t_p) == (pytest.approx(tested.statistic), pytest.approx(tested.pvalue))
        assert paired.p == pytest.approx(binomtest(int(only), int(only + other)).pvalue)
        same = difference_of(table[:, 0], table[:, place], np.arange(200), tests=4)
        assert (paired.se, paired.low, paired.high, paired.p) == (same.se, same.low, same.high, same.p)
        assert paired.detectable == same.detectable
        alone = shift_found(200, (only + other) / 200, two_sided=True, alpha=0.05 / 4)
        assert paired.detectable == pytest.approx(alone, rel=0.08)  # McNemar's power, without an item for ties
    # Holm over all whole effects, and over all slices of a subset, whatever they perturb.
    expected = multipletests([effect.difference.p for effect in whole], method="holm")[1]
    assert [effect.p_holm for effect in whole] == pytest.approx(list(expected))
    slices = [effect for effect in effects if effect.by and effect.subset == "fourfold"]
    assert [(effect.second, effect.name) for effect in slices] == [
        (condition, operation) for condition in FOURFOLD.perturbed for operation in ("add", "divide")
    ]  # fmt: skip
    expected = multipletests([effect.difference.p for effect in slices], method="holm")[1]
    assert [effect.p_holm for effect in slices] == pytest.approx(list(expected))


def test_a_group_that_lacks_one_perturbation_is_left_out_of_that_effect_alone():
    rows, right = fourfold(3, 1, 0, 0, 0)
    effects = effects_of(rows[:-1], right[:-1])
    assert [(effect.difference.items, effect.left_out) for effect in effects if not effect.by] == [
        (3, 0),
        (3, 0),
        (2, 1),
    ]


def test_tables_name_the_perturbation_where_there_are_several():
    rows, right = fourfold(40, 0.8, 0.6, 0.75, 0.5)
    others, more = simulated(40, 0.8, 0.7)
    effects = effects_of(rows + others, right + more)
    (main, parts), _ = shown(effects)
    leaving = sorted((column.goes, column.title) for column in main.columns if column.goes is not None)
    # A narrow terminal drops them in turn.
    assert [title for _, title in leaving] == [
        "t-test\np", "p", "detectable", "both\nright", "only one\nright", "pairs"
    ]  # fmt: skip
    changes = [f"fourfold: plain − {condition}" for condition in FOURFOLD.perturbed]
    assert [row[0].text for row in main.rows if len(row) == 1] == [*changes, "one: plain − twisted"]
    assert [row[0].text for row in parts.rows if len(row) == 1] == [*(f"m, {change}" for change in changes), "m, one"]


def test_known_effects_are_recovered_and_agree_with_pandas():
    # 38.4 points as published for consistency, 2.4 as for carry (Opedal et al. 2024).
    rows, right = simulated(500, 0.8, 0.416)
    others, more = simulated(500, 0.55, 0.526, "two")
    rows, right = rows + others, right + more
    effects = effects_of(rows, right)
    whole = [effect for effect in effects if not effect.by]
    assert [effect.subset for effect in whole] == ["one", "two"]
    for effect, truth in zip(whole, (0.384, 0.024), strict=True):
        assert effect.difference.low < truth < effect.difference.high
        assert effect.difference.items == 500
        assert 0.06 < effect.difference.detectable < 0.1
    assert whole[0].p_holm < 1e-20
    frame = pd.DataFrame({"right": np.array(right, float), "condition": [row.condition for row in rows],
                          "group": [row.group for row in rows]})  # fmt: skip
    for key in ("subset", "n_steps", "operation"):
        frame[key] = [row.metadata[key] for row in rows]
    for effect in effects:
        part = frame[frame["subset"] == effect.subset]
        part = part[part[effect.by].astype(str) == effect.name] if effect.by else part
        wide = part.pivot_table(index="group", columns="condition", values="right")
        differences = wide["plain"] - wide["twisted"]
        other = ttest_1samp(differences, 0)
        assert (effect.difference.items, effect.difference.difference) == (len(wide), pytest.approx(differences.mean()))
        apart = effect.difference
        assert (apart.t, apart.t_p) == (pytest.approx(other.statistic), pytest.approx(other.pvalue))
        # Tango's interval is not symmetric; with as many pairs it is nearly the t interval.
        assert (apart.low, apart.high) == pytest.approx(tuple(other.confidence_interval()), abs=0.015)


def test_slices_part_the_pairs_and_are_corrected_within_their_subset():
    rows, right = simulated(300, 0.8, 0.7)
    others, more = simulated(200, 0.8, 0.7, "two")
    rows, right = rows + others, right + more
    effects = effects_of(rows, right)
    names = [(effect.by, effect.name) for effect in effects if effect.subset == "one"]
    steps = [("n_steps", str(n)) for n in range(1, 6)]
    assert names == [("", ""), *steps, ("operation", "add"), ("operation", "divide")]
    for subset, pairs in (("one", 300), ("two", 200)):
        slices = [effect for effect in effects if effect.by and effect.subset == subset]
        for key in ("n_steps", "operation"):
            assert sum(effect.difference.items for effect in slices if effect.by == key) == pairs
        expected = multipletests([effect.difference.p for effect in slices], method="holm")[1]
        assert [effect.p_holm for effect in slices] == pytest.approx(list(expected))
    whole = [effect for effect in effects if not effect.by]
    expected = multipletests([effect.difference.p for effect in whole], method="holm")[1]
    assert [effect.p_holm for effect in whole] == pytest.approx(list(expected))


def test_pairs_whose_items_differ_in_a_key_are_a_slice_of_their_own():
    rows = [item(0, "plain"), item(1, "twisted", operation="subtract"), item(2, "plain"), item(3, "twisted"),
            item(4, "plain", steps=10), item(5, "twisted", steps=10)]  # fmt: skip
    effects = effects_of(rows, [True] * 6)
    assert [(effect.by, effect.name, effect.difference.items) for effect in effects[1:]] == [
        ("n_steps", "1", 2), ("n_steps", "10", 1), ("operation", "add", 2), ("operation", "add / subtract", 1),
    ]  # fmt: skip


def test_a_key_with_one_value_makes_no_slices():
    rows = [item(0, "plain"), item(1, "twisted"), item(2, "plain"), item(3, "twisted")]
    assert len(effects_of(rows, [True] * 4)) == 1


def test_tables_show_points_intervals_and_counts():
    rows, right = simulated(100, 0.8, 0.6)
    effects = effects_of(rows, right)
    (main, parts), notes = shown(effects)
    cells = [cell.text for cell in main.rows[1]]
    effect = effects[0].difference
    assert [main.rows[0][0].text, cells[0]] == ["one: plain − twisted", "m"]
    assert cells[1:3] == [f"+{100 * effect.difference:.1f}", f"[{100 * effect.low:+.1f}, {100 * effect.high:+.1f}]"]
    both = np.mean([a and b for a, b in zip(right[::2], right[1::2], strict=True)])
    assert cells[6:9] == ["100", f"{100 * both:.1f}", f"{effect.a_only}/{effect.b_only}"]
    assert cells[9] == f"{100 * effect.detectable:.1f}"
    assert [row[0].text for row in parts.rows][:3] == ["m, one", "n_steps 1", "n_steps 2"]
    # 20 pairs per number of steps, too few; the operations have about 50 each.
    steps = "; ".join(f"m, one, n_steps {n}" for n in (1, 2, 3))
    assert notes[0] == f"{FEW_PAIRS}: {steps}; and 2 more"
    assert notes[-1].startswith("detectable: the smallest effect that would be found about 80 % of ")


def test_too_few_pairs_have_an_effect_and_nothing_else():
    rows = [item(index, ("plain", "twisted")[index % 2]) for index in range(6)]
    (effect, *_) = effects_of(rows, [True, False, True, False, True, True])
    # Differences 1, 1, 0: a t interval would be .667 -+ 4.303 * .577 / sqrt(3) = [-.768, 2.101], up to 210 points.
    assert effect.difference.difference == pytest.approx(2 / 3)
    (table,), notes = shown([effect])
    assert [cell.text for cell in table.rows[1]] == ["m", "+66.7", "", "3", "33.3", "2/0", ""]
    titles = ["effect", "95 % interval", "pairs", "both\nright", "only one\nright", "effect"]
    assert [column.title for column in table.columns][1:] == titles
    assert not any("detectable" in note for note in notes)


def test_valid_and_invalid_items_are_each_compared_with_their_own_original():
    rows = [dataset("token-bias").item("balanced-framed-syllogism", 3, index) for index in range(16)]
    assert [(effect.first, effect.second) for effect in effects_of(rows, [True] * 16)] == [
        (f"{validity}-unframed", f"{validity}-{framing}")
        for validity in ("invalid", "valid")
        for framing in ("reputable", "satirical", "anonymous")
    ]
    horses = [dataset("token-bias").item("framed-syllogism", 3, index) for index in range(8)]
    assert {effect.first for effect in effects_of(horses, [True] * 8)} == {"unframed"}
