"""One line an item: complete, readable by any JSON reader, and never half a file."""

from __future__ import annotations

import json

from hansproof.audit.result.document import items_bytes
from hansproof.audit.result.explanation import ItemScore


def item(**changes):
    fields = {
        "id": "line 7", "answer": "yes", "predicted": "no", "correct": False, "probability": 0.25,
        "probabilities": {"yes": 0.25, "no": 0.75}, "group": 3, "vector": "word-2-tfidf", "scheme": "grouped",
    }  # fmt: skip
    return ItemScore(**(fields | changes))


def test_each_item_is_one_line_with_the_keys_in_order():
    lines = items_bytes([item(), item(id="line 8\nand more")]).decode().splitlines()
    assert lines[0] == (
        '{"id":"line 7","answer":"yes","predicted":"no","correct":false,"probability":0.25,'
        '"probabilities":{"yes":0.25,"no":0.75},"group":3,"vector":"word-2-tfidf","scheme":"grouped"}'
    )
    assert json.loads(lines[1])["id"] == "line 8\nand more"
    assert len(lines) == 2


def test_no_items_give_an_empty_file():
    assert items_bytes([]) == b""


def test_nan_and_none_become_null_and_surrogates_become_the_replacement_sign():
    rows = [item(probability=float("nan")), item(probability=None, id="\ud800", probabilities={"\udfff": 1.0})]
    first, second = map(json.loads, items_bytes(rows).splitlines())
    assert first["probability"] is None
    assert (second["probability"], second["id"], second["probabilities"]) == (None, "\ufffd", {"\ufffd": 1.0})
