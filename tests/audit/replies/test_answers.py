"""Files of answers: every key of a reply, and every fault with its line."""

import json
from dataclasses import replace

import pytest

from hansproof.audit.replies.by_model import read_answers
from hansproof.generators.errors import InputError
from hansproof.generators.item import Item
from hansproof.generators.jsonl import dump
from hansproof.release.frozen import read_items


def item(index, answer="yes", subset="s"):
    data = {"dataset": "toy", "version": "1.0.0", "subset": subset, "seed": 1, "canary": "c"}
    return Item(f"toy/1.0.0/{subset}/{index:06d}", "?", ("yes", "no"), answer, f"g{index}", "base", data)


def answers_file(tmp_path, *lines):
    path = tmp_path / "answers.jsonl"
    path.write_bytes(b"\n".join(line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines))
    return path


def test_answers_are_read_by_model_under_every_name_of_a_reply(tmp_path):
    path = answers_file(
        tmp_path, b'\xef\xbb\xbf{"id": "a", "reply": "1"}', b"", {"id": "b", "response": "2", "model": "m"},
        {"id": "a", "output": "3", "model": "m", "more": [1], "retries": "x"},
        {"id": "c", "completion": None, "model": None}, b"  ",
    )  # fmt: skip
    first, second = read_answers(path)
    assert (first.model, first.replies) == ("", {"a": "1", "c": None})
    assert [reply.line for reply in first.given.values()] == [1, 5]
    assert (second.model, second.replies) == ("m", {"b": "2", "a": "3"})


@pytest.mark.parametrize(
    ("faulty", "reason"),
    [
        (b"{", "line 2: broken JSON at character 2: .*; write one JSON object per line"),
        (b"[" * 100_000, "line 2: is nested too deeply; write one"),
        (b"null", "line 2: is not a JSON object"),
        (b"[]", "line 2: is not a JSON object"),
        (b'"\xff"', "line 2: byte 2 is not UTF-8"),
        (
            {"reply": "x", "q": 1},
            "line 2: has neither an item id nor a prompt, under `id` or `prompt`: 'reply', 'q' is all",
        ),
        ({"id": [3], "reply": "x"}, "line 2: its id is not text"),
        ({"prompt": "?", "reply": "x"}, "line 2: has no item id; only `hansproof score` finds items by prompt"),
        ({"id": "b", "reply": "x", "item_digest": 7}, "line 2: its item_digest is not text"),
        ({"id": "b"}, "line 2: has no reply under any of the keys reply, response, output, completion"),
        ({"id": "b", "reply": "x", "output": "y"}, "line 2: has reply and output; keep the one"),
        ({"id": "b", "reply": [["x"]]}, "line 2: its reply is not text"),
        ({"id": "b", "reply": "x", "model": "\x1b[31m"}, "line 2: its model is not printable text"),
        ({"id": "b", "reply": "x", "model": [7]}, "line 2: its model is not printable text"),
        (
            {"id": "b", "reply": "x", "model": "m" * 100_000},
            "line 2: its model has 100,000 characters; a name has at most 200",
        ),
        ({"id": "b", "reply": "x", "unfinished": 5}, "line 2: its unfinished is not text"),
        ({"id": "b", "reply": "x", "unfinished": None, "style": []}, "line 2: its style is not printable text"),
        ({"id": "a", "reply": "y"}, "line 2: the reply to 'a' is also on line 1; keep one"),
    ],
)
def test_a_faulty_line_is_named(tmp_path, faulty, reason):
    path = answers_file(tmp_path, {"id": "a", "reply": "x"}, faulty)
    with pytest.raises(InputError, match=f"answers.jsonl: {reason}"):
        read_answers(path)


def test_every_fault_is_a_record(tmp_path):
    path = answers_file(tmp_path, *[{"id": str(number)} for number in range(25)], {"id": "a", "reply": "x"})
    with pytest.raises(InputError, match=r"and 5 more \(25 faults in all\)") as caught:
        read_answers(path)
    assert [fault.place for fault in caught.value.faults] == [f"{path}: line {line}" for line in range(1, 26)]


def test_answers_to_unknown_items_are_refused(tmp_path):
    rows = [item(0), item(1)]
    (answers,) = read_answers(answers_file(tmp_path, *({"id": row.id, "reply": "1"} for row in rows)))
    answers.refuse_others(rows, "items.jsonl")
    with pytest.raises(InputError, match=r"a reply has an id that no item of items\.jsonl has; .*000001' on line 2;"):
        answers.refuse_others(rows[:1], "items.jsonl")
    with pytest.raises(InputError, match=r"2 replies have ids that no item") as caught:
        answers.refuse_others([], "items.jsonl")
    assert caught.value.place == answers.path


def test_answers_to_an_item_of_another_seed_are_refused(tmp_path):
    asked, other = item(0), replace(item(0), prompt="Another?")
    assert asked.digest() == "8a8de823d5ed"  # SHA-256 of "?"
    line = {"id": asked.id, "reply": "1"}
    (answers,) = read_answers(answers_file(tmp_path, line | {"item_digest": asked.digest()}))
    answers.refuse_others([asked], "items.jsonl")
    with pytest.raises(InputError, match=r"line 1: a reply is to another item with the same id as in items\.jsonl "):
        answers.refuse_others([other], "items.jsonl")
    for silent in (line, line | {"item_digest": None}):
        (answers,) = read_answers(answers_file(tmp_path, silent))
        answers.refuse_others([other], "items.jsonl")


def test_replies_by_prompt_are_told_once_to_give_ids(tmp_path):
    path = answers_file(tmp_path, *[{"prompt": "?", "reply": "x"}] * 800)
    with pytest.raises(
        InputError, match="finds items by prompt, so give ids; none of its 800 lines can be used"
    ) as caught:
        read_answers(path)
    assert len(caught.value.faults) == 1


@pytest.mark.parametrize("content", [b"prompt,answer\nWhat?,yes\n", b'{"prompt": "What?", "answer": "yes"}\n' * 800])
def test_a_benchmark_of_ones_own_is_not_a_file_of_items(tmp_path, content):
    (tmp_path / "own").write_bytes(content)
    with pytest.raises(InputError, match="is not a file of hansproof items: generate or download them") as caught:
        read_items(tmp_path / "own")
    assert len(caught.value.faults) == 1


def test_a_broken_item_and_a_file_that_is_no_text_keep_their_own_faults(tmp_path):
    (tmp_path / "s.jsonl").write_bytes(dump([item(0)])[:-3])
    with pytest.raises(InputError, match="line 1: broken JSON"):
        read_items(tmp_path / "s.jsonl")
    (tmp_path / "s.jsonl").write_bytes(dump([item(0)]).decode().encode("utf-16"))
    with pytest.raises(InputError, match="line 1: byte 1 is not UTF-8"):
        read_items(tmp_path / "s.jsonl")


@pytest.mark.parametrize("content", [b"", b"\n \n"])
def test_a_file_without_answers_is_refused(tmp_path, content):
    with pytest.raises(InputError, match="has no replies"):
        read_answers(answers_file(tmp_path, content))


def test_items_come_from_a_file_or_a_folder(tmp_path):
    rows = [item(0), item(1, "no")]
    others = [item(0, subset="t")]
    (tmp_path / "s.jsonl").write_bytes(dump(rows))
    (tmp_path / "t.jsonl").write_bytes(dump(others))
    assert read_items(tmp_path / "s.jsonl") == rows
    assert read_items(tmp_path) == rows + others
    (tmp_path / "empty.jsonl").write_bytes(b"")
    with pytest.raises(InputError, match=r"empty\.jsonl: has no items"):
        read_items(tmp_path / "empty.jsonl")
    with pytest.raises(InputError, match=r"nowhere\.jsonl: cannot be read"):
        read_items(tmp_path / "nowhere.jsonl")
