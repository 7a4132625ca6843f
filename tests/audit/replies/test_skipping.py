"""Items without a reply, left out on request: as if nobody had asked them, in every number."""

from dataclasses import asdict

import numpy as np
import pytest
from scored import score_models

from hansproof.audit.harnesses.reply import Reply
from hansproof.audit.models.comparison import compare_sides, differences
from hansproof.audit.models.scores import report_joined
from hansproof.audit.models.sides import sides_of
from hansproof.audit.models.study import answered
from hansproof.audit.replies.grid import NOT_ASKED, RIGHT, SKIPPED, WRONG
from hansproof.audit.replies.joining import join
from hansproof.audit.replies.scorers import ACCEPTED, MATCHED
from hansproof.generators.item import Item
from hansproof.generators.registry import dataset


def item(index, condition="", group=None, subset="s", gold="yes"):
    about = {"dataset": "theirs", "version": "", "subset": subset, "seed": 0, "canary": "", ACCEPTED: [gold]}
    about |= {MATCHED: group or f"g{index}"}
    return Item(f"{subset}/{index}", f"? {index}", ("no", "yes"), gold, group or f"g{index}", condition, about)


def said(id, reply, model="m", **more):
    return Reply(place=f"f: line {id}", id=id, reply=reply, model=model, **more)


def comparable(report):
    """All of a report but for what was skipped, lines of nothing else, and the order; NaN is equal to NaN as text."""
    record = report.record(scores=True)
    lines = sorted(record["lines"], key=lambda line: (line["by"], line["name"]))
    record["lines"] = [line | {"skipped": 0} for line in lines if not line["note"]]
    return {name: repr(value) for name, value in record.items() if name != "skipped"}


@pytest.mark.parametrize("family", ["knights-knaves", "planted-cues", "token-bias", "word-problems"])
def test_a_partial_run_scores_as_a_whole_run_on_the_items_that_have_replies(family):
    made = dataset(family)
    # One whose items are matched, where there is one.
    subset = next((name for name, about in made.subsets.items() if about.matched), next(iter(made.subsets)))
    rows = [made.item(subset, 3, index) for index in range(48)]
    replies = {row.id: row.answer if at % 5 else "?" for at, row in enumerate(rows) if at % 3}
    (partial,) = score_models(rows, {"m": replies}, skip_missing=True)
    (whole,) = score_models([row for row in rows if row.id in replies], {"m": replies})
    assert (partial.skipped, whole.skipped, partial.not_asked) == (16, 0, {})
    assert comparable(partial) == comparable(whole)
    (wrong,) = score_models(rows, {"m": replies})
    first, kept = wrong.lines[0], partial.lines[0]
    assert (first.items, first.missing, kept.items, kept.missing) == (48, 16, 32, 0)
    assert first.right.share == pytest.approx(kept.right.share * 32 / 48)
    assert asdict(first.replied) == asdict(kept.right)  # the share of the replies stands beside it without the option


def test_nulls_are_missing_too_and_a_subset_without_any_line_is_still_not_asked():
    rows = [item(0), item(1), item(2), item(0, subset="t"), item(0, subset="u")]
    replies = [said("s/0", "yes"), said("s/1", None), said("u/0", None)]
    joined = join(replies, rows, skip_missing=True, keep="outcomes")
    assert joined.grid.outcomes[:, 0].tolist() == [RIGHT, SKIPPED, SKIPPED, NOT_ASKED, SKIPPED]
    assert (joined.skipped(0), joined.not_asked(0), joined.read.empty) == (3, {"t": 1}, 2)
    assert joined.grid.counted()[:, 0].tolist() == [True, False, False, False, False]
    assert [fault.place for fault in joined.read.missing[0].first] == ["s/1", "s/2", "u/0"]
    (report,) = report_joined(joined)
    assert (report.lines[0].items, report.lines[0].right.hits) == (1, 1)
    assert (report.skipped, report.not_asked) == (3, {"t": 1})
    (by_id,) = score_models(rows, {"": {"s/0": "yes", "s/1": None, "u/0": None}}, skip_missing=True)
    assert (by_id.skipped, by_id.not_asked) == (3, {"t": 1})
    (part,) = answered(joined).series
    assert (part.asked, part.right, part.missing, part.skipped, part.not_asked) == (1, 1, 0, 3, {"t": 1})


def test_a_model_without_any_reply_has_a_report_without_numbers():
    joined = join([said("s/0", None), said("s/0", "yes", "n")], [item(0), item(1)], skip_missing=True, keep="outcomes")
    empty, other = report_joined(joined)
    for line, by in zip(empty.lines, ("all", "subset"), strict=True):
        assert (line.by, line.items, line.right, line.replied, line.blind) == (by, 0, None, None, ())
        assert (line.skipped, line.note) == (2, "no reply")
    assert (empty.skipped, other.skipped) == (2, 1)
    (apart,) = differences(joined.grid)
    assert (apart.difference.items, apart.difference.note) == (0, "INCONCLUSIVE: no pairs of answers")
    assert answered(joined).series[0].accuracies == []


def test_a_group_that_lacks_a_reply_is_no_matched_group():
    rows = [item(at, "abc"[at % 3], f"g{at // 3}") for at in range(9)]
    # All of the first; b of the second is missing, so a and c alone are no group; nothing of the third.
    replies = {row.id: "yes" for row in rows[:6] if row.id != "s/4"} | {"s/2": "no"}
    (kept,) = score_models(rows, {"m": replies}, skip_missing=True)
    assert (kept.lines[0].items, kept.lines[0].matched.total, kept.lines[0].matched.hits) == (5, 1, 0)
    assert (kept.lines[0].flips.total, kept.lines[0].flips.hits) == (1, 1)
    (wrong,) = score_models(rows, {"m": replies})
    assert (wrong.lines[0].matched.total, wrong.lines[0].flips.hits) == (3, 2)


def test_a_pair_of_a_family_without_both_replies_is_left_out_and_counted():
    family = dataset("token-bias")
    subset = next(name for name, about in family.subsets.items() if about.matched and len(about.matched.perturbed) == 1)
    rows = [family.item(subset, 3, index) for index in range(80)]
    gone = {rows[0].id, rows[7].id}
    (report,) = score_models(rows, {"m": {row.id: row.answer for row in rows if row.id not in gone}}, skip_missing=True)
    effect = report.effects[0]
    groups = len({row.group for row in rows})
    assert (effect.difference.items, effect.left_out) == (groups - 2, 2)
    assert (effect.missing[0], effect.missing[1], effect.difference.difference) == (0, 0, 0.0)


def test_differences_are_of_items_that_both_answered_in_every_run():
    rows = [item(at) for at in range(40)]
    runs = [said(f"s/{at}", "yes" if at % 2 else "no", "a", run="1") for at in range(30)]
    runs += [said(f"s/{at}", "yes", "a", run="2") for at in range(5, 40)]
    every = [*runs, *(said(f"s/{at}", "no", "b") for at in range(2, 37))]
    (apart,) = differences(join(every, rows, skip_missing=True).grid)
    assert apart.difference.items == 25  # 5 to 29
    odd = sum(at % 2 for at in range(5, 30))
    assert apart.difference.a == pytest.approx((odd / 25 + 1) / 2)
    assert apart.difference.b == 0.0
    # The other way: all runs are wrong where they lack a reply, and `compare` leaves such items out.
    grid = join(every, rows).grid
    by_compare = compare_sides(grid, *sides_of(grid.series), skip_missing=True).whole.difference
    assert (by_compare.items, by_compare.a, by_compare.se) == (25, apart.difference.a, apart.difference.se)


def test_a_verdict_on_nothing_is_missing_whether_it_says_right_or_wrong():
    rows = [item(at) for at in range(4)]
    replies = [
        said("s/0", "yes", judged=True), said("s/1", None, judged=True), said("s/2", None, judged=False),
        said("s/3", "no"),
    ]  # fmt: skip
    ours = join(replies, rows, skip_missing=True)
    assert ours.grid.outcomes[:, 0].tolist() == [RIGHT, SKIPPED, SKIPPED, WRONG]
    assert (ours.agreements[0].replies, ours.agreements[0].both) == (1, 1)
    theirs = join(replies, rows, judged="harness", skip_missing=True)
    assert theirs.grid.outcomes[:, 0].tolist() == [RIGHT, SKIPPED, SKIPPED, SKIPPED]
    assert theirs.read.unjudged == 1


def test_the_first_reply_counts_however_often_the_harness_failed_before():
    rows = [item(0), item(1)]
    replies = [said("s/0", None), said("s/0", "no"), said("s/0", "yes"), said("s/0", None)]
    joined = join(replies, rows, skip_missing=True)
    assert joined.grid.outcomes[:, 0].tolist() == [WRONG, SKIPPED]
    assert (joined.read.empty, joined.read.doubled.count) == (2, 1)
    assert np.isnan(joined.grid.right()[1, 0])


def test_the_original_condition_is_the_same_whichever_replies_are_missing():
    rows = [item(at, "abc"[at % 3], f"g{at // 3}") for at in range(9)]
    # In the first group only b and c have a reply.
    replies = {row.id: "yes" for row in rows if row.id != "s/0"}
    (report,) = score_models(rows, {"m": replies}, skip_missing=True)
    contrasts = [(effect.first, effect.second) for effect in report.effects]
    assert contrasts == [("a", "b"), ("a", "c")]
    assert [effect.difference.items for effect in report.effects] == [2, 2]
