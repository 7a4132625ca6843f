"""Hypotheses tested on replies: pairs, contingency tables, corrections, what is left out."""

import json
from dataclasses import replace
from math import isnan, sqrt

import pytest

from audit.responses.hypotheses.figure import paired_bars
from audit.responses.hypotheses.mcnemar import benjamini_hochberg
from audit.responses.hypotheses.testing import examine_hypotheses
from generators import registry
from generators.errors import InputError, UsageError
from generators.hypothesis import Hypothesis
from generators.registry import dataset

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
        pair = int(item.group.rpartition("-")[2])
        right = pair in (before if item.condition == "original" else after)
        yield {"id": item.id, "reply": said(item, right), "model": model, "style": style}


def examined(tmp_path, records, items=ITEMS, names=("H4",), **options):
    return examine_hypotheses(write(tmp_path / "replies.jsonl", records), items, names, **options)


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
    assert [(part.subset, part.before_only) for part in tested.parts] == [("syllogism", 15)]
    assert tested.note == ""


def test_a_shift_against_the_expected_direction_is_not_supported(tmp_path):
    (tested,) = examined(tmp_path, answered("m", set(), set(range(30)))).tests
    assert (tested.after_only, tested.supported) == (30, False)
    assert tested.p > 0.999


def test_p_values_are_corrected_over_the_models_and_beside_it_over_all_styles(tmp_path):
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


def test_pairs_with_one_reply_are_left_out_and_unparsed_replies_are_wrong(tmp_path):
    records = list(answered("m", set(range(30)), set(range(30))))
    records[1]["reply"] = "yes or no"
    records[3]["reply"] = None
    del records[4]
    (tested,) = examined(tmp_path, records).tests
    assert (tested.pairs, tested.left_out, tested.before_only, tested.unparsed_after) == (28, 2, 1, 1)
    assert tested.note == (
        "left out, with a reply to one of the two only: 2; unparsed, counted as wrong: 0 before and 1 after the change"
    )


def test_several_changes_of_one_original_are_tests_of_their_own(tmp_path):
    records = [{"id": item.id, "reply": said(item, item.condition != "satirical")} for item in FRAMED]
    tests = examined(tmp_path, records, FRAMED, ("H5",)).tests
    assert [(tested.after, tested.pairs, tested.before_only, tested.p) for tested in tests] == [
        ("reputable", 10, 0, 1.0), ("satirical", 10, 10, 2 / 1024), ("anonymous", 10, 0, 1.0)
    ]  # fmt: skip


def test_styles_are_compared_item_by_item_on_the_named_conditions(tmp_path, monkeypatch):
    hypothesis = Hypothesis("HX", "A hint.", ("syllogism",), (("plain", "hint"),), "better", True, ("original",))
    family = replace(FAMILY, hypotheses=(hypothesis,))
    monkeypatch.setattr("audit.responses.hypotheses.testing.dataset", lambda name: family)
    records = [*answered("m", set(range(10)), set(), "plain"), *answered("m", set(range(25)), set(), "hint")]
    report = examined(tmp_path, records, names=())
    (tested,) = report.tests
    assert (tested.pairs, tested.both, tested.before_only, tested.after_only, tested.style) == (30, 10, 0, 15, "")
    assert tested.supported
    other = examined(tmp_path, answered("m", set(), set(), "plain"), names=())
    assert other.untested == {"HX": "it compares prompt styles, and no reply has the style hint"}


def test_what_cannot_be_tested_says_why(tmp_path):
    report = examined(tmp_path, answered("m", set(), set()), names=("H4", "H5"))
    assert report.untested == {"H5": "none of its subsets is among the items: framed-syllogism"}
    lonely = [{"id": item.id, "reply": "no"} for item in ITEMS if item.condition == "original"]
    assert examined(tmp_path, lonely).untested == {"H4": "no model has replies to both sides of a pair"}


def test_what_is_asked_for_must_exist(tmp_path):
    with pytest.raises(UsageError, match=r"token-bias has no hypothesis 'H44'\. Did you mean 'H4'"):
        examined(tmp_path, answered("m", set(), set()), names=("H44",))
    with pytest.raises(UsageError, match="the shift must be a share above 0 and up to 1, not 5"):
        examined(tmp_path, answered("m", set(), set()), shift=5)
    puzzle = registry.dataset("knights-knaves").item("S-3", 1, 0)
    with pytest.raises(UsageError, match="knights-knaves declares no hypotheses"):
        examined(tmp_path, [], [puzzle])
    with pytest.raises(InputError, match="2 releases to test"):
        examined(tmp_path, [], [puzzle, *ITEMS])


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
    assert "n12 = 15, n21 = 0, corrected p &lt; .001 *" in drawn
    assert "<b>" not in drawn
    nothing = paired_bars(replace(report, tests=()))
    assert "No hypothesis could be tested" in nothing


def test_undefined_numbers_are_nan_in_the_record(tmp_path):
    (tested,) = examined(tmp_path, answered("m", {1}, {1})).tests
    assert isnan(tested.z)
    assert isnan(tested.pairs_needed)
    assert tested.p == 1.0
