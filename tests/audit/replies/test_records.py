"""Replies of many models joined to items by id or by prompt."""

import json

import pytest

from hansproof.audit.harnesses.reply import as_asked
from hansproof.audit.replies.finding import PromptIndex
from hansproof.audit.replies.grid import MISSING, NOT_ASKED, RIGHT, UNCLEAR, WRONG
from hansproof.audit.replies.joining import join
from hansproof.audit.replies.reply_files import read_replies
from hansproof.generators.errors import InputError
from hansproof.generators.registry import dataset
from hansproof.generators.styles.exemplars import exemplars
from hansproof.generators.styles.rendering import render

FAMILY = dataset("token-bias")
ITEMS = [FAMILY.item(subset, 3, index) for subset in ("syllogism", "horses") for index in range(8)]


def write(path, *records):
    path.write_text("".join((r if isinstance(r, str) else json.dumps(r)) + "\n" for r in records), encoding="utf-8")
    return path


def read(path):
    return join(read_replies(path), ITEMS)


def rows(joined):
    """(item, model, outcome) of every reply, by model, style and item."""
    return [
        (place, series.model, int(code))
        for series, column in zip(joined.grid.series, joined.grid.outcomes.T, strict=True)
        for place, code in enumerate(column)
        if code not in (MISSING, NOT_ASKED)
    ]


def test_each_reply_becomes_right_wrong_or_unclear_and_a_null_is_none(tmp_path):
    file = write(
        tmp_path / "replies.jsonl",
        {"id": ITEMS[0].id, "reply": "No.", "model": "m", "style": "s"},
        {"prompt": ITEMS[1].prompt, "response": "yes"},
        "",
        {"id": ITEMS[2].id, "reply": "yes and no", "model": "m"},
        {"id": ITEMS[8].id, "reply": None, "model": "m"},
    )
    replies = read(file)
    assert [(each.model, each.style) for each in replies.grid.series] == [("m", "s"), ("", ""), ("m", "")]
    assert replies.read.replies == 4
    assert rows(replies) == [(0, "m", RIGHT), (1, "", WRONG), (2, "m", UNCLEAR)]
    assert replies.read.empty == 1
    assert (replies.read.unmatched.count, replies.read.doubled.count) == (0, 0)


def test_half_an_emoji_in_one_reply_does_not_refuse_the_file(tmp_path):
    file = write(tmp_path / "replies.jsonl", {"id": ITEMS[0].id, "reply": "No. \ud83d", "model": "m"})
    assert "\\ud83d" in file.read_text(encoding="utf-8")
    assert rows(read(file)) == [(0, "m", RIGHT)]
    with pytest.raises(InputError, match="its model is not printable text"):
        read(write(tmp_path / "names.jsonl", {"id": ITEMS[0].id, "reply": "No", "model": "\ud83d"}))


def test_a_null_gives_way_to_a_later_reply(tmp_path):
    record = {"id": ITEMS[0].id, "model": "m"}
    replies = read(
        write(tmp_path / "replies.jsonl", *({**record, "reply": reply} for reply in (None, "No.", None, "Yes")))
    )
    assert rows(replies) == [(0, "m", RIGHT)]
    assert (replies.read.empty, replies.read.doubled.count, replies.read.replies) == (2, 1, 4)


def test_a_prompt_stands_in_for_a_strange_id_and_contradicts_another(tmp_path):
    file = write(
        tmp_path / "replies.jsonl",
        {"id": "run-7/0", "prompt": ITEMS[0].prompt, "reply": "no"},
        {"id": 7, "prompt": ITEMS[1].prompt, "reply": "no"},
        {"id": ITEMS[2].id, "prompt": "Think hard: ...", "reply": "no"},
        {"id": ITEMS[3].id, "prompt": ITEMS[4].prompt, "reply": "no"},
        {"id": "run-7/1", "prompt": "Who?", "reply": "no"},
    )
    replies = read(file)
    assert [place for place, *_ in rows(replies)] == [0, 1, 2]
    assert [fault.reason for fault in replies.read.unmatched.first] == [
        f"its prompt is not that of {ITEMS[3].id!r}, but another item's",
        "no item has the id 'run-7/1', and no item has its prompt",
    ]


def test_strangers_and_doubles_are_counted_and_listed_with_their_lines(tmp_path):
    record = {"id": ITEMS[0].id, "reply": "No."}
    file = write(
        tmp_path / "replies.jsonl", record, {**record, "reply": "yes"}, {**record, "model": "other"},
        {"id": "gone", "reply": "yes"}, {"prompt": "Who?", "reply": "yes"}, {"prompt": 5, "reply": "yes"},
    )  # fmt: skip
    replies = read(file)
    assert rows(replies) == [(0, "", RIGHT), (0, "other", RIGHT)]
    assert [str(fault) for fault in replies.read.doubled.first] == [
        f"{file}: line 2: another reply to {ITEMS[0].id!r}; the first one counts"
    ]
    assert replies.read.unmatched.count == 3
    assert [str(fault) for fault in replies.read.unmatched.first] == [
        f"{file}: line 4: no item has the id 'gone'",
        f"{file}: line 5: no item has its prompt",
        f"{file}: line 6: no item has its prompt",
    ]


@pytest.mark.parametrize("style", ["zero-shot-cot", "few-shot", "few-shot-cot", "persona-expert", "step-back"])
def test_a_prompt_is_recognised_in_any_style_and_with_other_line_ends(style):
    index = PromptIndex(ITEMS)
    for place, item in enumerate(ITEMS):
        shots = exemplars(FAMILY, item.metadata["subset"], 2, 9) if "shot" in style and "zero" not in style else []
        text = render(item, style, chat=False, exemplars=shots)
        assert index.place(text.replace("\n", "\r\n") + "  \n") == (place, "")
        assert index.place(as_asked(render(item, style, chat=True, exemplars=shots))) == (place, "")


def test_the_last_item_of_a_prompt_is_the_one_that_is_asked():
    index = PromptIndex(ITEMS)
    text = f"Question:\n{ITEMS[3].prompt}\n\nAnswer:\nno\n\nQuestion:\n{ITEMS[5].prompt}\n\nAnswer:\n"
    assert index.place(text) == (5, "")


def test_a_prompt_of_several_items_tells_none_of_them():
    assert PromptIndex([ITEMS[0], ITEMS[0]]).place(ITEMS[0].prompt) == (
        -1,
        "several items have its prompt; give the id",
    )


def test_replies_to_an_item_of_another_seed_are_refused(tmp_path):
    record = {"id": ITEMS[0].id, "reply": "No.", "item_digest": ITEMS[0].digest()}
    assert rows(read(write(tmp_path / "same.jsonl", record))) == [(0, "", RIGHT)]
    other = record | {"item_digest": FAMILY.item("syllogism", 4, 0).digest(), "model": "m"}
    with pytest.raises(InputError, match=r"other\.jsonl: line 2: a reply is to another item with the same id"):
        read(write(tmp_path / "other.jsonl", record, other))
    with pytest.raises(InputError, match="its item_digest is not text"):
        read(write(tmp_path / "odd.jsonl", record | {"item_digest": 7}))


def test_a_file_without_any_reply_to_these_items_is_refused(tmp_path):
    with pytest.raises(InputError, match="none of the 1 replies belongs to an item; of the first, no item has the id"):
        read(write(tmp_path / "other.jsonl", {"id": "else", "reply": "no"}))
    with pytest.raises(InputError, match="has no replies"):
        read(write(tmp_path / "empty.jsonl"))
    with pytest.raises(InputError, match="cannot be read"):
        read(tmp_path / "missing.jsonl")


@pytest.mark.slow
def test_a_hostile_prompt_takes_linear_time():
    index = PromptIndex(ITEMS)
    ending = ITEMS[0].prompt.rpartition("\n\n")[2]
    assert index.place(f"{ending}\n\n" * 200_000) == (-1, "no item has its prompt")
