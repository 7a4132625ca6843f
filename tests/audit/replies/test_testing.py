"""Hypotheses tested on replies: pairs, contingency tables, corrections, what is left out."""

import json
import random
from dataclasses import replace
from itertools import product
from math import isnan, nan, sqrt

import pytest
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

from hansproof.audit.models.hypotheses import (
    SubsetTable,
    Untested,
    asked_hypotheses,
    benjamini_hochberg,
    examine_hypotheses,
    shift_test,
)
from hansproof.audit.models.matching import matched_by
from hansproof.audit.replies.joining import join
from hansproof.audit.replies.reply_files import read_replies
from hansproof.audit.report.hypothesis_figure import paired_bars
from hansproof.generators import registry
from hansproof.generators.dataset import Hypothesis
from hansproof.generators.errors import InputError, UsageError
from hansproof.generators.registry import dataset

FAMILY = dataset("token-bias")
ITEMS = [FAMILY.item("syllogism", 3, index) for index in range(60)]
FRAMED = [FAMILY.item("framed-syllogism", 3, index) for index in range(40)]


def said(item, right):
    return item.answer if right else next(choice for choice in item.choices if choice != item.answer)


def write(path, records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def answered(model, before, after, style=""):
    """Replies of one model to 30 pairs; `before` and `after` say which pairs it gets right."""
    for item in ITEMS:
        pair = int(item.id.rpartition("/")[2]) // 2
        right = pair in (before if item.condition == "original" else after)
        yield {"id": item.id, "reply": said(item, right), "model": model, "style": style}


def examined(tmp_path, records, items=ITEMS, names=("H4",), **options):
    chosen = asked_hypotheses(items, names)
    replies = read_replies(write(tmp_path / "replies.jsonl", records))
    return examine_hypotheses(join(replies, items), chosen, **options)


def test_the_contingency_table_and_the_test(tmp_path):
    # 20 pairs right before, 8 after; 5 of them are the same: n12 = 15, n21 = 3, z = -12 / sqrt(18).
    report = examined(tmp_path, answered("m", set(range(20)), {0, 1, 2, 3, 4, 20, 21, 22}))
    (tested,) = report.tests
    assert (tested.hypothesis, tested.before, tested.after, tested.model, tested.style) == (
        "H4", "original", "synonyms", "m", ""
    )  # fmt: skip
    assert (tested.pairs, tested.both, tested.before_only, tested.after_only, tested.neither) == (30, 5, 15, 3, 7)
    assert tested.z == pytest.approx(-12 / sqrt(18))
    assert tested.p == pytest.approx(0.002338867, rel=1e-5)  # one-sided: fewer are right after the change
    assert (tested.before_right, tested.after_right) == (20 / 30, 8 / 30)
    assert tested.shift == pytest.approx(-12 / 30)
    assert (tested.p_bh, tested.supported, tested.method) == (tested.p, True, "normal")
    assert tested.parts == (SubsetTable("syllogism", 5, 15, 3, 7, 0, 0, 0, 0),)
    assert (tested.left_out, tested.unanswered, tested.unclear_before, tested.unclear_after) == (0, 0, 0, 0)


def test_a_shift_against_the_expected_direction_is_not_supported(tmp_path):
    (tested,) = examined(tmp_path, answered("m", set(), set(range(30)))).tests
    assert (tested.after_only, tested.supported) == (30, False)
    assert tested.p > 0.999


def test_p_values_are_corrected_over_all_tests_of_a_hypothesis_and_beside_it_over_the_models(tmp_path):
    records = [
        record
        for place, style in enumerate(("a", "b"))
        for count in (4, 9, 12)
        for record in answered(f"m{count}", set(range(count + 3 * place)), {29}, style)
    ]
    tests = examined(tmp_path, records).tests
    assert [(tested.model, tested.style) for tested in tests] == [
        (model, style) for model in ("m4", "m9", "m12") for style in ("a", "b")
    ]
    for style in ("a", "b"):
        same = [tested for tested in tests if tested.style == style]
        assert [tested.p_bh for tested in same] == pytest.approx(benjamini_hochberg([tested.p for tested in same]))
    assert [tested.p_bh_all for tested in tests] == pytest.approx(benjamini_hochberg([tested.p for tested in tests]))
    clustered = [tested.p_clusters for tested in tests]
    assert [tested.p_clusters_bh_all for tested in tests] == pytest.approx(benjamini_hochberg(clustered))


def test_a_star_needs_the_correction_over_all_tests(tmp_path):
    # p of 5 pairs one way: 1 / 32. Over one model, it stays .031; with another style in which one moves, .0625.
    records = [*answered("m", set(range(5)), set(), "a"), *answered("m", set(), {1}, "b")]
    moved, other = examined(tmp_path, records).tests
    assert (moved.p, moved.p_bh, moved.p_bh_all, moved.supported) == (1 / 32, 1 / 32, 1 / 16, False)
    assert (other.p, other.supported) == (1.0, False)
    # A style in which nothing moves has no p, and is none of those that are corrected.
    records = [*answered("m", set(range(5)), set(), "a"), *answered("m", {1}, {1}, "b")]
    moved, still = examined(tmp_path, records).tests
    assert (moved.p_bh_all, moved.supported) == (1 / 32, True)
    assert isnan(still.p)
    assert isnan(still.p_bh_all)
    assert (still.supported, still.note) == (False, "no pair is right on one side only")
    (alone,) = examined(tmp_path, answered("m", set(range(5)), set())).tests
    assert (alone.p_bh_all, alone.supported) == (1 / 32, True)


def test_pairs_with_one_reply_are_left_out_and_unclear_replies_are_wrong(tmp_path):
    records = list(answered("m", set(range(30)), set(range(30))))
    records[1]["reply"] = "yes or no"
    records[3]["reply"] = None
    del records[4]
    (tested,) = examined(tmp_path, records).tests
    assert (tested.pairs, tested.left_out, tested.before_only, tested.unclear_after) == (28, 2, 1, 1)
    assert (tested.unclear_before, tested.unanswered) == (0, 0)
    assert tested.left_out_first == (matched_by(ITEMS[3]), matched_by(ITEMS[4]))


def test_pairs_without_any_reply_are_counted(tmp_path):
    records = list(answered("m", set(), set()))
    (tested,) = examined(tmp_path, records[6:]).tests
    assert (tested.pairs, tested.left_out, tested.unanswered) == (27, 0, 3)
    both = [*ITEMS, *FRAMED]
    other = [{"id": item.id, "reply": "no"} for item in FRAMED if item.condition in ("unframed", "satirical")]
    report = examined(tmp_path, [*other, {"id": FRAMED[0].id, "reply": None, "model": "x"}], both, ())
    assert [(tested.hypothesis, tested.after, tested.pairs) for tested in report.tests] == [("H5", "satirical", 10)]
    assert (report.empty, report.unused) == (1, 0)
    assert {(idle.hypothesis, idle.after): idle.reason for idle in report.untested if idle.hypothesis in "H4H5"} == {
        ("H4", ""): "no model has replies to both sides of a pair",
        ("H5", "reputable"): "no model has replies to both sides of a pair",
        ("H5", "anonymous"): "no model has replies to both sides of a pair",
    }


def test_a_model_with_one_side_only_is_named(tmp_path):
    half = [record for record in answered("half", set(), set(), "s") if "0000" in record["id"]][::2]
    report = examined(tmp_path, [*answered("whole", set(), set(), "s"), *half])
    assert [tested.model for tested in report.tests] == ["whole"]
    assert report.untested == (
        Untested("H4", "original", "synonyms", "half", "s", "replies to one of the two only"),
    )  # fmt: skip


def test_replies_to_items_that_no_hypothesis_is_about_are_counted(tmp_path):
    report = examined(tmp_path, [*answered("m", set(), set()), {"id": FRAMED[0].id, "reply": "no"}], [*ITEMS, *FRAMED])
    assert (report.unused, report.lines) == (1, 61)


def test_pairs_of_one_kind_are_a_cluster(tmp_path):
    items = [replace(item, metadata={**item.metadata, "category": matched_by(item)[-1]}) for item in ITEMS]
    (tested,) = examined(tmp_path, answered("m", set(range(20)), set()), items).tests
    assert (tested.clusters, tested.before_only) == (10, 20)
    assert tested.p_clusters == tested.p_clusters_bh_all == shift_test([-2] * 10, "worse").p == 1 / 1024
    (other,) = examined(tmp_path, answered("m", {0, 10, 20, 1}, {2}), items).tests
    assert other.p_clusters == shift_test([-3, -1, 1], "worse").p


def test_every_table_is_that_of_a_count_by_hand(tmp_path):
    rng = random.Random(7)
    items = [*ITEMS, *FRAMED]
    records, kept = [], {}
    for model, style, item in product("abc", "xy", items):
        for _ in range(rng.choice((0, 1, 1, 1, 1, 2))):
            right = rng.choice((True, True, False, None, "null"))
            reply = None if right == "null" else "yes no" if right is None else said(item, right)
            records.append({"id": item.id, "reply": reply, "model": model, "style": style})
    rng.shuffle(records)
    for record in records:
        if record["reply"] is not None:
            kept.setdefault((record["model"], record["style"], record["id"]), record["reply"])
    report = examined(tmp_path, records, items, ("H4", "H5"))
    assert len(report.tests) == 6 * 4
    assert report.doubled.count == sum(record["reply"] is not None for record in records) - len(kept)
    assert report.empty == sum(record["reply"] is None for record in records)
    for tested in report.tests:
        table = dict.fromkeys(product((True, False, None), repeat=2), 0)
        unclear, clear = [0, 0], 0
        for pair in dict.fromkeys(map(matched_by, items)):
            sides = [
                [item for item in items if matched_by(item) == pair and item.condition == condition]
                for condition in (tested.before, tested.after)
            ]
            if not all(sides):
                continue
            replies = [kept.get((tested.model, tested.style, side.id)) for (side,) in sides]
            rights = [reply and reply == side.answer for reply, (side,) in zip(replies, sides, strict=True)]
            table[tuple(rights)] += 1
            clear += not {None, "yes no"} & {*replies}
            for place in (0, 1):
                unclear[place] += None not in replies and replies[place] == "yes no"
        halves = sum(number for cell, number in table.items() if cell.count(None) == 1)
        assert (tested.both, tested.before_only, tested.after_only, tested.neither) == (
            table[True, True], table[True, False], table[False, True], table[False, False]
        )  # fmt: skip
        assert (tested.left_out, tested.unanswered) == (halves, table[None, None])
        assert [tested.unclear_before, tested.unclear_after] == unclear
        two_sided = mcnemar([[0, tested.before_only], [tested.after_only, 0]], exact=True).pvalue
        if tested.hypothesis == "H5":
            shown = clear and tested.before_only + tested.after_only
            assert tested.p_exact == pytest.approx(two_sided if shown else nan, nan_ok=True)
    for name in ("H4", "H5"):
        same = [tested for tested in report.tests if tested.hypothesis == name]
        with_p = [tested for tested in same if not isnan(tested.p)]
        corrected = multipletests([tested.p for tested in with_p], method="fdr_bh")[1]
        assert [tested.p_bh_all for tested in with_p] == pytest.approx(corrected)
        assert all(isnan(tested.p_bh_all) for tested in same if tested not in with_p)


def test_several_changes_of_one_original_are_tests_of_their_own(tmp_path):
    records = [{"id": item.id, "reply": said(item, item.condition != "satirical")} for item in FRAMED]
    tests = examined(tmp_path, records, FRAMED, ("H5",)).tests
    assert [(tested.after, tested.pairs, tested.before_only) for tested in tests] == [
        ("reputable", 10, 0), ("satirical", 10, 10), ("anonymous", 10, 0)
    ]  # fmt: skip
    assert [tested.p for tested in tests] == pytest.approx([nan, 2 / 1024, nan], nan_ok=True)


def test_styles_are_compared_item_by_item_on_the_named_conditions(tmp_path, monkeypatch):
    hypothesis = Hypothesis("HX", "A hint.", ("syllogism",), (("plain", "hint"),), "better", True, ("original",))
    family = replace(FAMILY, hypotheses=(hypothesis,))
    monkeypatch.setattr("hansproof.audit.models.hypotheses.family_of", lambda items: family)
    records = [*answered("m", set(range(10)), set(), "plain"), *answered("m", set(range(25)), set(), "hint")]
    report = examined(tmp_path, records, names=())
    (tested,) = report.tests
    assert (tested.pairs, tested.both, tested.before_only, tested.after_only, tested.style) == (30, 10, 0, 15, "")
    assert tested.supported
    other = examined(tmp_path, answered("m", set(), set(), "plain"), names=())
    reason = "it compares prompt styles, and no reply has the style hint"
    assert other.untested == (Untested("HX", "", "", None, None, reason),)


def test_what_cannot_be_tested_says_why(tmp_path):
    report = examined(tmp_path, answered("m", set(), set()), names=("H4", "H5"))
    (idle,) = report.untested
    assert (idle.hypothesis, idle.reason) == ("H5", "none of its subsets is among the items: framed-syllogism")
    lonely = [{"id": item.id, "reply": "no"} for item in ITEMS if item.condition == "original"]
    (idle,) = examined(tmp_path, lonely).untested
    assert (idle.hypothesis, idle.reason) == ("H4", "no model has replies to both sides of a pair")


def test_what_is_asked_for_must_exist(tmp_path):
    with pytest.raises(UsageError, match=r"token-bias has no hypothesis 'H44'\. Did you mean 'H4'"):
        examined(tmp_path, answered("m", set(), set()), names=("H44",))
    with pytest.raises(UsageError, match="the shift must be a share above 0 and up to 1, not 5"):
        examined(tmp_path, answered("m", set(), set()), shift=5)
    puzzle = registry.dataset("knights-knaves").item("set-S", 1, 0)
    with pytest.raises(UsageError, match="there is nothing to test: knights-knaves declares no matched conditions in "):
        examined(tmp_path, [], [registry.dataset("knights-knaves").item("ladder", 1, 0)], ())
    with pytest.raises(InputError, match="2 releases to test"):
        examined(tmp_path, [], [puzzle, *ITEMS])
    with pytest.raises(InputError, match="there are no items"):
        examined(tmp_path, [], [])
    with pytest.raises(InputError, match="two items have the same id"):
        examined(tmp_path, answered("m", set(), set()), [*ITEMS, ITEMS[0]])


def test_the_order_of_the_lines_changes_no_number(tmp_path):
    records = [*answered("a", {1, 2, 3}, {3, 4}), *answered("b", {9}, {1, 2, 3, 4})]
    tests = examined(tmp_path, records).tests
    again = examined(tmp_path, [records[0], *records[:0:-1]]).tests
    assert sorted(again, key=lambda tested: tested.model) == list(tests)


def test_the_figure_has_a_pair_of_bars_for_each_test_and_escapes_names(tmp_path):
    report = examined(tmp_path, answered("<b>&", set(range(20)), set(range(5))))
    drawn = paired_bars(report)
    assert (drawn.count('class="before"/>'), drawn.count('class="after"/>')) == (1, 1)
    assert 'width="200.00" height="11" class="before"' in drawn  # 20 of 30 pairs, of 300 pixels
    assert 'width="50.00" height="11" class="after"' in drawn
    assert "&lt;b&gt;&amp;" in drawn
    assert "30 pairs, n12 = 15, n21 = 0, BH p &lt; .001 *" in drawn
    assert "<b>" not in drawn
    assert drawn.count(f"token-bias {FAMILY.version}: right answers before and after a change</text>") == 1
    assert drawn.count('class="before-key"/>') == drawn.count('class="after-key"/>') == 1
    long = paired_bars(examined(tmp_path, answered("m" * 90, {1}, {1}, "hint-strong-few-shot-cot")))
    assert "m…, hint-strong-few-shot-cot</text>" in long
    nothing = paired_bars(replace(report, tests=()))
    assert "No hypothesis could be tested" in nothing


def test_undefined_numbers_are_nan_in_the_record(tmp_path):
    (tested,) = examined(tmp_path, answered("m", {1}, {1})).tests
    assert all(isnan(number) for number in (tested.z, tested.p, tested.p_exact, tested.p_bh, tested.p_clusters))
    assert (tested.method, tested.note) == ("", "no pair is right on one side only")
    (single,) = examined(tmp_path, [*answered("m", {1}, {1})][:2]).tests
    assert (single.pairs, single.unanswered) == (1, 29)
    assert isnan(single.shift_found)
