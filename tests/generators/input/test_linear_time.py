"""Readers that took minutes on tens of thousands of keys: each bound is a tenth of that, or less, on a busy machine."""

import json
import time
from pathlib import Path

import pytest

from hansproof.audit.formats.json_rows import jsonl_table
from hansproof.generators import jsonl
from hansproof.generators.errors import InputError


def test_rows_of_very_many_keys_are_read_once_and_a_key_that_is_there_twice_is_seen() -> None:
    row = json.dumps({f"k{i}": i for i in range(20_000)}).encode()
    twice = row[:-1] + b', "k7": 1}'
    begun = time.process_time()
    table = jsonl_table(b"\n".join([row, twice, row]), "bench.jsonl")
    assert time.process_time() - begun < 2  # counting each key in the line took three seconds a row
    assert len(table.rows) == 2
    assert [left.full_reason for left in table.left_out] == ["key 'k7' occurs twice"]


def test_an_item_whose_sixty_thousandth_key_is_there_twice_is_refused_at_once(tmp_path: Path) -> None:
    keys = ",".join(f'"k{i}":1' for i in [*range(60_000), 59_999])
    (tmp_path / "items.jsonl").write_text(f"{{{keys}}}\n")
    begun = time.process_time()
    with pytest.raises(InputError, match=r"items\.jsonl: line 1: the key 'k59999' occurs twice"):
        jsonl.read(tmp_path / "items.jsonl")
    assert time.process_time() - begun < 4  # it took forty seconds
