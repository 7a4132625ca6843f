"""Ids of one task are often those of another: names, prompts and digests say whose they are, or a note does."""

from dataclasses import replace

import pytest

from hansproof.audit.harnesses.reply import Reply
from hansproof.audit.replies.joining import join
from hansproof.audit.replies.reply_files import read_replies
from hansproof.audit.report.study_reading import by_id_notes
from hansproof.generators.errors import InputError
from hansproof.generators.item import Item


def item(number, **more):
    data = {"dataset": "sums", "version": "", "subset": "", "seed": 0, "canary": "", "accepted": ["yes"]}
    return Item(f"{number}", f"Is it {number}, or not?", ("yes", "no"), "yes", f"g{number}", "", data | more)


ITEMS = [item(1), item(2)]


def said(id, task="", reply="yes", model="m", **more):
    return Reply(place=f"f: line {id}", id=id, reply=reply, model=model, benchmark=task, **more)


def test_a_name_that_is_not_that_of_the_items_is_counted_and_told():
    joined = join([said("1", "history"), said("2", "history"), said("1", "art", model="n")], ITEMS)
    assert joined.read.by_id == joined.read.by_id == {"history": 2, "art": 1}
    assert by_id_notes(joined.read.by_id) == [
        "3 replies of the tasks 'history' (2); 'art' (1) joined items that are called otherwise, by id alone: "
        "nothing confirms that these are the same items"
    ]


@pytest.mark.parametrize("task", ["sums", "evals/Sums", "SUMS"])
def test_the_name_of_the_items_confirms_them_however_it_is_written(task):
    assert join([said("1", task)], ITEMS).read.by_id == {}


def test_a_subset_is_a_name_too_and_only_of_its_own_items():
    parts = [item(1, subset="easy"), item(2, subset="hard")]
    assert join([said("1", "easy"), said("2", "sums_hard")], parts).read.by_id == {}
    assert join([said("1", "hard")], parts).read.by_id == {"hard": 1}


def test_a_prompt_or_a_digest_confirms_a_renamed_task():
    replies = [said("1", "renamed", prompt=ITEMS[0].prompt), said("2", "renamed")]
    assert join(replies[::-1], ITEMS).read.by_id == {}
    assert join([said("1", "renamed", digest=ITEMS[0].digest())], ITEMS).read.by_id == {}


@pytest.mark.parametrize("order", [1, -1])
def test_another_task_of_a_model_that_has_the_items_own_is_left_out_in_any_order(order):
    replies = [said("1", "art", "no"), said("2", "sums"), said("1", "sums"), said("2", "art", "no", "n")][::order]
    joined = join(replies, ITEMS)
    right = {series.model: joined.grid.right()[:, at].tolist() for at, series in enumerate(joined.grid.series)}
    assert right == {"m": [1, 1], "n": [0, 0]}
    assert [str(fault) for fault in joined.read.unmatched.first] == [
        "f: line 1: its task is 'art', and that of items with such ids is 'sums'"
    ]
    assert (joined.read.by_id, joined.read.doubled.count, joined.read.replies) == ({"art": 1}, 0, 4)


def test_other_names_that_never_meet_the_own_one_are_parts_of_one_benchmark():
    # Half of the replies are confirmed by their name; the other half calls its part otherwise, and has other ids.
    joined = join([said("1", "sums"), said("2", "geometry")], ITEMS)
    assert (joined.grid.right()[:, 0].tolist(), joined.read.by_id) == ([1, 1], {"geometry": 1})
    assert joined.read.unmatched.count == 0


def test_two_tasks_that_share_ids_are_refused_where_neither_is_that_of_the_items():
    with pytest.raises(InputError, match=r"^f: line 1: 'art' and 'law' are two tasks with the same id '1'.*'law/1'"):
        join([said("1", "art"), said("1", "law")], ITEMS)
    apart = join([said("1", "art"), said("1", "law", model="n"), said("2", "law")], ITEMS)
    assert apart.read.by_id == {"art": 1, "law": 2}


def test_mere_numbers_without_a_name_are_told_and_other_ids_are_not():
    joined = join([said("1"), said("2", prompt=ITEMS[1].prompt)], ITEMS)
    assert joined.read.by_id == {"": 1}
    assert by_id_notes(joined.read.by_id)[0].startswith("1 reply joined by id alone, and the ids are mere numbers: ")
    assert join([said("sums-1")], [replace(ITEMS[0], id="sums-1")]).read.by_id == {}


def test_the_benchmark_of_a_table_keeps_two_tasks_apart(tmp_path):
    (tmp_path / "t.csv").write_text("id,benchmark,model,reply\n1,art,m,no\n1,sums,m,yes\n2,sums,m,yes\n")
    (tmp_path / "t.jsonl").write_text(
        '{"id": "1", "benchmark": "art", "model": "m", "reply": "no"}\n'
        '{"id": "1", "benchmark": "sums", "model": "m", "reply": "yes"}\n'
        '{"id": "2", "benchmark": {"odd": 1}, "model": "m", "reply": "yes"}\n'
    )
    for name in ("t.csv", "t.jsonl"):
        joined = join(read_replies(tmp_path / name), ITEMS)
        assert joined.grid.right()[:, 0].tolist() == [1, 1]
        assert (joined.read.unmatched.count, joined.read.doubled.count) == (1, 0)
