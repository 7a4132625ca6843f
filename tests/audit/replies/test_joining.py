"""Replies find their items; what is left over is counted and listed; a subset that was not asked is not a zero."""

from dataclasses import replace

import made_logs
import numpy as np
import pytest

from hansproof.audit.harnesses.reply import Reply
from hansproof.audit.replies.foreign_items import items_of_replies
from hansproof.audit.replies.grid import MISSING, NOT_APPLICABLE, NOT_ASKED, RIGHT, UNCLEAR, WRONG, Series
from hansproof.audit.replies.joining import join
from hansproof.audit.replies.reply_files import read_replies
from hansproof.generators.errors import InputError
from hansproof.generators.item import Item
from hansproof.generators.registry import dataset


def item(index, subset="s", answer="yes", prompt="Is the thing number {} so?"):
    data = {"dataset": "toy", "version": "1.0.0", "subset": subset, "seed": 1, "canary": "c"}
    return Item(f"{subset}/{index}", prompt.format(index), ("yes", "no"), answer, f"g{index}", "base", data)


ITEMS = [item(0), item(1), item(2), item(0, "t"), item(1, "t", answer=None)]


def said(id, reply, model="m", **more):
    return Reply(place=f"f: line {id}", id=id, reply=reply, model=model, **more)


def test_a_grid_has_a_code_for_whatever_became_of_an_answer():
    replies = [said("s/0", "yes"), said("s/1", "no"), said("t/0", "yes and no"), said("s/0", "no", "n", style="cot")]
    joined = join(replies, ITEMS)
    assert joined.grid.series == (Series("m"), Series("n", "cot"))
    assert joined.grid.outcomes.T.tolist() == [
        [RIGHT, WRONG, MISSING, UNCLEAR, NOT_APPLICABLE],
        [WRONG, MISSING, MISSING, NOT_ASKED, NOT_ASKED],
    ]
    right = joined.grid.right()
    assert np.nanmean(right[:, 0]) == 0.25
    assert np.nanmean(right[:, 1]) == 0.0
    assert np.isnan(right[3:, 1]).all()
    assert (joined.not_asked(0), joined.not_asked(1)) == ({}, {"t": 2})
    missing = joined.read.missing[1]
    assert (missing.count, [left.place for left in missing.first]) == (2, ["s/1", "s/2"])


def test_a_null_is_missing_gives_way_to_a_reply_and_makes_its_subset_asked():
    joined = join([said("s/0", None), said("s/0", "yes"), said("s/0", "no"), said("t/0", None)], ITEMS)
    assert joined.grid.outcomes[:, 0].tolist() == [RIGHT, MISSING, MISSING, MISSING, NOT_APPLICABLE]
    assert (joined.read.replies, joined.read.empty, joined.read.doubled.count) == (4, 2, 1)
    assert str(joined.read.doubled.first[0]) == "f: line s/0: another reply to 's/0'; the first one counts"


def test_replies_to_no_item_are_listed_and_a_file_of_nothing_else_is_refused():
    strangers = [said(f"x{number}", "yes") for number in range(25)]
    joined = join([*strangers, said("s/0", "yes")], ITEMS)
    assert (joined.read.unmatched.count, len(joined.read.unmatched.first)) == (25, 20)
    assert str(joined.read.unmatched.first[3]) == "f: line x3: no item has the id 'x3'"
    with pytest.raises(InputError, match=r"none of the 25 replies belongs to an item of items\.jsonl; of the first, "):
        join(strangers, ITEMS, source="items.jsonl")
    with pytest.raises(InputError, match="there are no replies"):
        join([], ITEMS)
    with pytest.raises(InputError, match="there are no items"):
        join(strangers, [])
    with pytest.raises(InputError, match="two items have the same id"):
        join(strangers, [item(0), item(0)])
    with pytest.raises(InputError, match="items of 2 datasets"):
        join(strangers, [item(0), replace(item(1), metadata=item(1).metadata | {"dataset": "other"})])


def test_a_prompt_stands_for_an_id_confirms_it_or_contradicts_it():
    asked = "Answer with yes or no.\n\nQuestion: Is  the thing\nnumber 1 so? Think first."
    joined = join(
        [
            said(None, "yes", prompt=asked),
            said("s/0", "yes", prompt="Something quite different?"),
            said("s/2", "yes", prompt="Is the thing number 1 so?"),
            said("run-1", "yes", prompt="Who knows what this is?"),
        ],
        ITEMS[:3],
    )
    assert joined.grid.outcomes[:, 0].tolist() == [RIGHT, RIGHT, MISSING]
    assert joined.read.unconfirmed == 1
    assert [fault.reason for fault in joined.read.unmatched.first] == [
        "its prompt is not that of 's/2', but another item's", "no item has the id 'run-1', and no item has its prompt"
    ]  # fmt: skip


def test_items_of_one_prompt_are_told_apart_by_their_ids_alone():
    same = [item(0), replace(item(1), prompt=item(0).prompt)]
    joined = join([said("s/1", "yes", prompt=item(0).prompt), said(None, "yes", prompt=item(0).prompt)], same)
    assert joined.grid.outcomes[:, 0].tolist() == [MISSING, RIGHT]
    assert joined.read.unconfirmed == 0
    assert joined.read.unmatched.first[0].reason == "several items have its prompt; give the id"


def test_a_digest_of_another_item_is_refused_and_both_digests_of_this_one_are_not():
    puzzle = dataset("knights-knaves").item("balanced", 5, 0)
    for digest in (puzzle.digest(), puzzle.line_digest(), ""):
        join([said(puzzle.id, "A", digest=digest)], [puzzle])
    with pytest.raises(InputError, match=r"a reply is to another item with the same id as in the items \(another seed"):
        join([said(puzzle.id, "A", digest="0" * 12)], [puzzle])


def test_the_verdict_of_a_harness_is_compared_or_taken():
    replies = [said("s/0", "yes", judged=True), said("s/1", "no", judged=True), said("s/2", "no", judged=False)]
    replies.append(said("t/0", "yes"))
    ours = join(replies, ITEMS)
    assert ours.grid.outcomes[:4, 0].tolist() == [RIGHT, WRONG, WRONG, RIGHT]
    (agreement,) = ours.agreements
    # p_o = 2/3; p_e = (1/3 * 2/3 + 2/3 * 1/3) = 4/9: kappa = (2/3 - 4/9) / (5/9) = .4.
    assert (agreement.replies, agreement.both, agreement.second_only, agreement.kappa) == (3, 1, 1, pytest.approx(0.4))
    assert [str(fault) for fault in ours.read.disagreements.first] == [
        "f: line s/1: we read the answer 'no', which is wrong; the harness says right: the reply is "
        "not the gold answer, and the harness may accept another"
    ]
    theirs = join(replies, ITEMS, judged="harness")
    assert theirs.grid.outcomes[:4, 0].tolist() == [RIGHT, RIGHT, WRONG, MISSING]
    assert theirs.read.unjudged == 1
    with pytest.raises(InputError, match=r"^f: no reply has a verdict of a harness; leave out"):
        join(replies[3:], ITEMS, judged="harness")


def test_a_series_without_a_verdict_was_not_judged_and_is_in_no_number():
    replies = [said("s/0", "yes", judged=True), said("s/1", "no")]
    replies += [Reply(place="g.csv: row 3", id="s/0", reply="yes", model="n"), said("s/1", None, "n")]
    ours, theirs = join(replies, ITEMS), join(replies, ITEMS, judged="harness", keep="outcomes")
    assert (len(ours.grid.series), ours.not_judged, ours.read.about) == (2, (), [])
    assert theirs.grid.series == (Series("m"),)
    assert theirs.grid.outcomes.shape == (5, 1)
    assert len(theirs.kept) == len(theirs.agreements) == 1
    assert theirs.not_judged == ((Series("n"), "g.csv, f"),)
    assert theirs.read.about == [
        "g.csv, f: no reply of model n has a verdict of a harness: not judged, and in no number"
    ]
    assert theirs.read.unjudged == 1
    with pytest.raises(InputError, match=r"^f, g\.csv: no reply has a verdict"):
        join(replies[1:], ITEMS, judged="harness")


def test_outcomes_are_kept_where_they_are_asked_for():
    (kept,) = join([said("s/1", "No!")], ITEMS, keep="outcomes").kept
    assert [outcome and outcome.reading.said for outcome in kept] == [None, "no", None, None, None]
    assert join([said("s/1", "No!")], ITEMS).kept == ()


ROWS = [("s-2", "Is it so, or not?", "yes", "Yes.", True), ("s-10", "Is that so, or not?", "no", "yes", False)]


def test_logs_of_chat_and_completion_models_are_one_set_of_items(tmp_path):
    chat = made_logs.run_log(tmp_path / "chat.jsonl", ROWS, "chatty")
    flat = made_logs.run_log(
        tmp_path / "flat.jsonl", [ROWS[1], ("s-11", "And this, then?", "no", "no", True)], "old", False
    )
    replies = list(read_replies([flat, chat]))
    items = items_of_replies(replies)
    assert items == items_of_replies(read_replies([chat, flat]))
    assert [(row.id, row.prompt, row.answer) for row in items] == [
        ("s-2", "Answer.\n\nIs it so, or not?\n", "yes"),
        ("s-10", "Answer.\n\nIs that so, or not?\n", "no"),
        ("s-11", "Answer.\nUser: And this, then?\n\nAssistant: ", "no"),
    ]
    assert items[0].choices == ("no", "yes")
    grid = join(replies, items).grid
    assert [series.model for series in grid.series] == ["old", "chatty"]
    assert grid.outcomes.tolist() == [[MISSING, RIGHT], [WRONG, WRONG], [RIGHT, MISSING]]


def test_logs_that_disagree_on_a_prompt_or_a_gold_are_refused(tmp_path):
    first = made_logs.run_log(tmp_path / "a.jsonl", ROWS, "a")
    other = [("s-2", "Is it quite another thing?", "yes", "yes", True), (*ROWS[1][:2], "yes", "yes", True)]
    second = made_logs.run_log(tmp_path / "b.jsonl", other, "b")
    with pytest.raises(InputError) as caught:
        items_of_replies(read_replies([first, second]))
    assert [str(fault) for fault in caught.value.faults] == [
        f"{second}: line 2: another prompt under the id 's-2' than at {first}: line 2",
        f"{second}: line 4: another gold answer for 's-10' than at {first}: line 4",
    ]
    bare = made_logs.lines(tmp_path / "c.jsonl", [{"id": "s-2", "reply": "yes"}])
    with pytest.raises(InputError, match="so the items are needed: pass them with --items"):
        items_of_replies(read_replies(bare))


def test_several_benchmarks_are_subsets_and_a_model_may_lack_some(tmp_path):
    mine = made_logs.inspect_log(tmp_path / "a.json", [made_logs.inspect_sample(row) for row in ROWS])
    yours = made_logs.inspect_log(
        tmp_path / "b.json", [made_logs.inspect_sample(row) for row in ROWS], model="other", task="yours"
    )
    again = tmp_path / "c.json"
    again.write_text(mine.read_text().replace('"r1"', '"r2"'))
    replies = list(read_replies([mine, yours, again]))
    items = items_of_replies(replies)
    assert [row.id for row in items] == ["mine/s-2", "mine/s-10", "yours/s-2", "yours/s-10"]
    joined = join(replies, items)
    assert joined.grid.series == (Series("openai/gpt-x"), Series("other"), Series("openai/gpt-x", run="r2"))
    assert joined.not_asked(0) == {"yours": 2}
    assert joined.read.doubled.count == 0


def logged(harness, ids, model="m", place="log"):
    return [
        Reply(
            place=f"{place}: row {id}", id=id, reply="yes", prompt=f"Is {id} so?", model=model, benchmark="bench",
            golds=("yes",), harness=harness,
        )
        for id in ids
    ]  # fmt: skip


def test_harnesses_that_share_a_name_and_no_item_ask_two_benchmarks():
    replies = logged("HELM", ["id1", "id2"], "a", "h.json") + logged("inspect_ai", ["1", "2", "3"], "b", "i.json")
    items = items_of_replies(replies)
    assert [(row.id, row.metadata["subset"]) for row in items] == [
        ("id1", "bench (HELM)"), ("id2", "bench (HELM)"),
        ("1", "bench (inspect_ai)"), ("2", "bench (inspect_ai)"), ("3", "bench (inspect_ai)"),
    ]  # fmt: skip
    assert items.notes == (
        "'bench' names 2 benchmarks: logs of different harnesses call it so, but share no item. They are kept apart as "
        "'bench (HELM)' (first in h.json: row id1), 'bench (inspect_ai)' (first in i.json: row 1)",
    )
    joined = join(replies, items)
    assert joined.grid.right()[:, 0].tolist()[:2] == [1, 1]
    assert (joined.not_asked(0), joined.not_asked(1)) == ({"bench (inspect_ai)": 3}, {"bench (HELM)": 2})
    assert items_of_replies(replies[::-1]) == items


def test_harnesses_that_share_items_and_parts_of_one_harness_are_one_benchmark():
    # The third shares an item with each of the others.
    bridged = [*logged("HELM", ["1"]), *logged("inspect_ai", ["2"]), *logged("lm-evaluation-harness", ["2", "1"])]
    for replies in (bridged, bridged[::-1], logged("HELM", ["1"], place="x") + logged("HELM", ["2"], place="y")):
        items = items_of_replies(replies)
        assert ({row.metadata["subset"] for row in items}, items.notes) == ({"bench"}, ())
