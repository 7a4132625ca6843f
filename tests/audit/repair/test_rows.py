"""The rows that are left are the bytes of the source."""

from __future__ import annotations

import csv
import gzip
import io
import json
import sys

import pytest

from hansproof.audit.reading.loading import hold, load
from hansproof.audit.repair.harden import check_ending, item_rows, kept_rows
from hansproof.generators.errors import UsageError


def test_lines_of_json_keep_their_bytes(tmp_path):
    file = tmp_path / "a.jsonl"
    file.write_bytes(b'{"b":1, "a" : 2}\r\n\n  {"a":3}\n{"a":1e2}')
    assert kept_rows(file, {"line 1", "line 4"}) == b'{"b":1, "a" : 2}\r\n{"a":1e2}'
    assert kept_rows(str(file), {"line 3"}) == b'  {"a":3}\n'
    packed = tmp_path / "a.jsonl.gz"
    packed.write_bytes(gzip.compress(file.read_bytes()))
    assert kept_rows(packed, {"line 4"}) == b'{"a":1e2}'


def test_a_table_keeps_its_header_its_quotes_and_its_mark(tmp_path):
    file = tmp_path / "a.csv"
    file.write_bytes(b'\xef\xbb\xbfq,a\r\n"two\r\nlines",1\r\nplain,2\r\n"x ""y""",3\r\n')
    assert kept_rows(file, {"line 2", "line 5"}) == b'\xef\xbb\xbfq,a\r\n"two\r\nlines",1\r\n"x ""y""",3\r\n'
    assert kept_rows(file, {"line 4"}) == b"\xef\xbb\xbfq,a\r\nplain,2\r\n"
    assert kept_rows(file, set()) == b"\xef\xbb\xbfq,a\r\n"


def test_all_else_becomes_json_lines(tmp_path):
    file = tmp_path / "a.json"
    file.write_text('[{"q": "x", "a": 1},\n {"q": "y", "a": 2}]')
    assert kept_rows(file, {"row 2"}) == b'{"q":"y","a":2}\n'
    rows = kept_rows([{"q": "x", "a": "1"}, {"q": "y", "a": "2"}], {"row 1"})
    assert json.loads(rows) == {"q": "x", "a": "1"}


def test_a_name_that_promises_another_format_is_refused(tmp_path):
    file = tmp_path / "a.csv"
    file.write_text("q,a\nx,1\n")
    check_ending(file, "b.csv")
    check_ending(file, "b")
    with pytest.raises(UsageError, match=r"b\.jsonl: the rows are written as CSV; name a file that ends in \.csv"):
        check_ending(file, "b.jsonl")
    with pytest.raises(UsageError, match="written as CSV"):
        check_ending(file, "b.csv.gz")


def test_what_is_held_is_not_read_again(tmp_path, monkeypatch):
    file = tmp_path / "a.jsonl"
    file.write_bytes(b'{"a":1}\n{"a":2}\n')
    held = hold(file)
    file.write_bytes(b'{"a":3}\n')
    assert kept_rows(held, {"line 2"}) == b'{"a":2}\n'
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"q,a\nx,1\ny,2\n")))
    assert kept_rows(hold("-"), {"line 3"}) == b"q,a\ny,2\n"


def test_the_rows_that_a_registry_points_to_are_not_looked_for_in_it(tmp_path):
    (tmp_path / "s.jsonl").write_text('{"input": "x", "ideal": "1"}\n{"input": "y", "ideal": "2"}\n')
    (tmp_path / "e.yaml").write_text("e.v0:\n  class: Match\n  args:\n    samples_jsonl: s.jsonl\n")
    assert kept_rows(tmp_path / "e.yaml", {"line 2"}) == b'{"input":"y","ideal":"2"}\n'


def test_half_a_surrogate_pair_survives(tmp_path):
    (tmp_path / "a.json").write_text('[{"q": "\\ud800", "a": 1}, {"q": "y", "a": 2}]')
    assert json.loads(kept_rows(tmp_path / "a.json", {"row 1"})) == {"q": "\ud800", "a": 1}


@pytest.mark.parametrize("form", ["csv", "jsonl"])
@pytest.mark.parametrize("gold", ["index", "text", "letter"])
def test_items_are_read_again_with_their_options_golds_and_groups(tmp_path, form, gold):
    rows = [
        {
            "stem": f"Which, {n}?",
            "options": json.dumps(texts := [f"fish {n}", f"bird, {n}", f'cow "{n}"']),
            "answer": {"index": n % 3, "text": texts[n % 3], "letter": "ABC"[n % 3]}[gold],
            "group": f"g{n // 4}",
            "why": f"It is {'ABC'[n % 3]}.",
        }
        for n in range(40)
    ]
    file, out = tmp_path / f"in.{form}", tmp_path / f"out.{form}"
    with file.open("w", encoding="utf-8", newline="") as lines:
        if form == "csv":
            table = csv.DictWriter(lines, rows[0])
            table.writeheader()
            table.writerows(rows)
        else:
            lines.writelines(json.dumps(row) + "\n" for row in rows)
    items = load(file)
    out.write_bytes(item_rows(file, items))
    again = load(out)
    assert again.mapping.format == items.mapping.format
    assert (again.prompts, again.groups, again.choices) == (items.prompts, items.groups, items.choices)
    assert again.options.gold == items.options.gold
    assert b"why" not in out.read_bytes()
