"""Files of answers: every key of a reply, and every fault with its line."""

import json

import pytest

from audit.responses.answers import read_answers
from generators.errors import InputError
from generators.item import Item
from generators.jsonl import dump
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
        {"id": "a", "output": "3", "model": "m", "more": [1]}, {"id": "c", "completion": None, "model": None}, b"  ",
    )  # fmt: skip
    first, second = read_answers(path)
    assert (first.model, first.replies, first.lines) == ("", {"a": "1", "c": None}, {"a": 1, "c": 5})
    assert (second.model, second.replies) == ("m", {"b": "2", "a": "3"})


@pytest.mark.parametrize(
    ("faulty", "reason"),
    [
        (b"{", "line 2: broken JSON at character 2: .*; write one JSON object per line"),
        (b"[" * 100_000, "line 2: is nested too deeply; write one"),
        (b"null", "line 2: is not a JSON object"),
        (b"[]", "line 2: is not a JSON object"),
        (b'"\xff"', "line 2: byte 2 is not UTF-8"),
        ({"reply": "x"}, "line 2: has no item id"),
        ({"id": 3, "reply": "x"}, "line 2: its id is not text"),
        ({"id": "b"}, "line 2: has no reply under any of the keys reply, response, output, completion"),
        ({"id": "b", "reply": "x", "output": "y"}, "line 2: has reply and output; keep the one"),
        ({"id": "b", "reply": ["x"]}, "line 2: its reply is not text"),
        ({"id": "b", "reply": "x", "model": "\x1b[31m"}, "line 2: its model is not printable text"),
        ({"id": "b", "reply": "x", "model": 7}, "line 2: its model is not printable text"),
        ({"id": "a", "reply": "y"}, "line 2: the reply to 'a' is also on line 1; keep one"),
    ],
)
def test_a_faulty_line_is_named(tmp_path, faulty, reason):
    path = answers_file(tmp_path, {"id": "a", "reply": "x"}, faulty)
    with pytest.raises(InputError, match=f"answers.jsonl: {reason}"):
        read_answers(path)


def test_every_fault_is_a_record(tmp_path):
    path = answers_file(tmp_path, *[{"id": str(number)} for number in range(25)])
    with pytest.raises(InputError, match=r"and 5 more \(25 faults in all\)") as caught:
        read_answers(path)
    assert [fault.place for fault in caught.value.faults] == [f"{path}: line {line}" for line in range(1, 26)]


def test_answers_to_unknown_items_are_refused(tmp_path):
    (answers,) = read_answers(answers_file(tmp_path, {"id": "a", "reply": "1"}, {"id": "b", "reply": "2"}))
    answers.refuse_unknown({"a", "b"}, "items.jsonl")
    with pytest.raises(InputError, match=r"a reply has an id that no item of items\.jsonl has; .* 'b' on line 2;"):
        answers.refuse_unknown({"a"}, "items.jsonl")
    with pytest.raises(InputError, match=r"2 replies have ids that no item") as caught:
        answers.refuse_unknown({"c"}, "items.jsonl")
    assert caught.value.place == answers.path


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
