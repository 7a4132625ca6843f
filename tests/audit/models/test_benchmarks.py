"""Joined answers as benchmarks: a grid per subset, what was said, and the rows that the audit reads."""

import numpy as np

from hansproof.audit.harnesses.reply import Reply
from hansproof.audit.models.reliance.parts import grids_of, rows_of, says_more
from hansproof.audit.replies.foreign_items import items_of_replies
from hansproof.audit.replies.grid import NOT_ASKED
from hansproof.audit.replies.joining import join
from hansproof.generators.registry import dataset


def replies(golds=("red", "green", "blue"), benchmark="colours"):
    return [
        Reply(place=f"line {n}", reply=("red", "blue", "no idea")[n % 3], id=f"{benchmark}{n}", model=model,
              prompt=f"Which colour has thing {n}?", golds=(golds[n % len(golds)],), benchmark=benchmark)
        for model in ("a", "b")
        for n in range(60)
    ]  # fmt: skip


def test_what_was_said_is_kept_by_item_and_series():
    given = replies()
    items = items_of_replies(given)
    assert says_more(items)
    (grid,) = grids_of(join(given, items, keep="outcomes"))
    assert grid.benchmark == "colours"
    assert grid.said.shape == (60, 2)
    said = {item.id: row.tolist() for item, row in zip(grid.items, grid.said, strict=True)}
    assert (said["colours0"], said["colours1"], said["colours2"]) == (["red"] * 2, ["blue"] * 2, [""] * 2)


def test_two_answers_need_no_words():
    given = replies(golds=("red", "blue"))
    items = items_of_replies(given)
    assert not says_more(items)
    assert grids_of(join(given, items))[0].said is None


def test_each_benchmark_of_the_logs_is_a_grid_unless_they_are_one_whole():
    given = [*replies(), *replies(golds=("red", "blue"), benchmark="others")[:60]]
    joined = join(given, items_of_replies(given))
    grids = grids_of(joined)
    assert [(grid.benchmark, len(grid.items)) for grid in grids] == [("colours", 60), ("others", 60)]
    assert (grids[1].outcomes[:, 1] == NOT_ASKED).all()
    assert np.concatenate([grid.outcomes for grid in grids]).tolist() == joined.grid.outcomes.tolist()
    assert [len(grid.items) for grid in grids_of(joined, "all")] == [120]


def test_items_of_logs_become_rows_without_groups_and_shared_choices():
    given = replies()
    (grid,) = grids_of(join(given, items_of_replies(given)))
    assert rows_of(grid)[0] == {"id": "colours0", "prompt": "Which colour has thing 0?", "answer": "red"}


def test_our_own_items_keep_their_groups_and_those_without_a_gold_are_left_out():
    items = [dataset("token-bias").item("syllogism", 3, index) for index in range(4)]
    given = [Reply(place="x", reply="No", id=item.id) for item in items]
    (grid,) = grids_of(join(given, items))
    assert [row["group"] for row in rows_of(grid)] == [item.group for item in items]
    games = [dataset("cognitive-tasks").item("horizon", 5, index) for index in range(2)]
    (played,) = grids_of(join([Reply(place="x", reply="F", id=games[0].id)], games))
    assert rows_of(played) == []
