"""One line an item: complete, readable by any JSON reader, and never half a file."""

from __future__ import annotations

import json

import pytest

from audit.documents.itemsfile import write_items
from audit.records.item_score import ItemScore
from generators.errors import InputError


def item(**changes):
    fields = {
        "id": "line 7", "answer": "yes", "predicted": "no", "correct": False, "probability": 0.25,
        "probabilities": {"yes": 0.25, "no": 0.75}, "group": 3, "vector": "word-2-tfidf", "scheme": "grouped",
    }  # fmt: skip
    return ItemScore(**(fields | changes))


def test_each_item_is_one_line_with_the_keys_in_order(tmp_path):
    write_items(tmp_path / "items.jsonl", [item(), item(id="line 8\nand more")])
    lines = (tmp_path / "items.jsonl").read_text(encoding="utf-8").splitlines()
    assert lines[0] == (
        '{"id":"line 7","answer":"yes","predicted":"no","correct":false,"probability":0.25,'
        '"probabilities":{"yes":0.25,"no":0.75},"group":3,"vector":"word-2-tfidf","scheme":"grouped"}'
    )
    assert json.loads(lines[1])["id"] == "line 8\nand more"
    assert len(lines) == 2


def test_no_items_give_an_empty_file(tmp_path):
    write_items(tmp_path / "items.jsonl", [])
    assert (tmp_path / "items.jsonl").read_bytes() == b""


def test_nan_and_none_become_null_and_surrogates_become_the_replacement_sign(tmp_path):
    rows = [
        item(probability=float("nan")),
        item(probability=None, id="\ud800", probabilities={"\udfff": 1.0}),
    ]
    write_items(tmp_path / "items.jsonl", rows)
    first, second = map(json.loads, (tmp_path / "items.jsonl").read_text(encoding="utf-8").splitlines())
    assert first["probability"] is None
    assert (second["probability"], second["id"], second["probabilities"]) == (None, "\ufffd", {"\ufffd": 1.0})


def test_an_error_on_the_way_leaves_the_older_file_and_no_draft(tmp_path):
    target = tmp_path / "items.jsonl"
    target.write_text("older\n")

    def rows():
        yield item()
        raise RuntimeError("the probe stopped")

    with pytest.raises(RuntimeError, match="the probe stopped"):
        write_items(target, rows())
    assert [path.name for path in tmp_path.iterdir()] == ["items.jsonl"]
    assert target.read_text() == "older\n"


def test_a_folder_that_does_not_exist_is_one_clear_line(tmp_path):
    with pytest.raises(InputError, match=r"nowhere/items\.jsonl: cannot be written: No such file or directory"):
        write_items(tmp_path / "nowhere" / "items.jsonl", [item()])


def test_others_may_read_the_file(tmp_path):
    write_items(tmp_path / "items.jsonl", [item()])
    assert (tmp_path / "items.jsonl").stat().st_mode & 0o444 == 0o444
