"""Hostile and broken input gives one clear line with the place, or a listed row; never a traceback."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hansproof.audit.reading.loading import Columns, load
from hansproof.audit.reading.task_kind import kind
from hansproof.generators.errors import HansproofError, InputError, UsageError

GOOD = [json.dumps({"question": f"item number {n}", "label": ("yes", "no")[n % 2]}) for n in range(100)]


def write(tmp_path: Path, lines: list[str | bytes], name: str = "bench.jsonl") -> Path:
    path = tmp_path / name
    path.write_bytes(b"\n".join(line.encode() if isinstance(line, str) else line for line in lines))
    return path


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"question": "x",, "label": "yes"}', r"line 3 column 18: broken JSON"),
        ('{"question": "x", "label: 1}', r"line 3 column 19: broken JSON: unterminated string$"),
        ('{"question": "x", "label": ', r"line 3 column 2[78]: broken JSON: it ends too early"),
        ('{"question": "é", "label": yes}', r"line 3 column 28: broken JSON"),
        ('{"question": "a\x00b", "label": "yes"}', r"line 3 column 16: broken JSON"),
        ('{"a": 1} {"b": 2}', r"line 3 column \d+: broken JSON: extra data"),
        ('{"question": "x, "label": ', r"line 3 column 19: broken JSON: expecting ',' delimiter"),
        ('{"question": "x}', r"line 3 column 14: broken JSON: unterminated string"),
        ('{"a": ' + "9" * 5000 + ",}", r"line 3: has an integer of more than 4,300 digits"),
        ('{"a": ' + "[" * 200_000, r"line 3: JSON is nested too deeply"),
    ],
)
def test_broken_json_is_named_by_line_and_column(tmp_path: Path, line: str, message: str) -> None:
    path = write(tmp_path, [*GOOD[:2], line, *GOOD[2:]])
    with pytest.raises(InputError, match=rf"bench\.jsonl: {message}"):
        load(path)


def test_a_broken_first_line_is_named_as_well(tmp_path: Path) -> None:
    for name in ("bench.jsonl", "bench.json", "bench"):
        path = write(tmp_path, ['{"question": "x"', *GOOD], name)
        with pytest.raises(InputError, match=r"line 1 column 17: broken JSON: it ends too early"):
            load(path)


def test_a_fault_in_a_json_document_is_named_by_line_and_column(tmp_path: Path) -> None:
    path = write(tmp_path, ["[", '  {"question": "x", "label": 1},', '  {"question": "y" "label": 2}', "]"], "b.json")
    with pytest.raises(InputError, match=r"b\.json: line 3 column \d+: broken JSON"):
        load(path)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"question": "", "label": "yes"}', "empty prompt"),
        ('{"question": " \\n\\t", "label": "yes"}', "empty prompt"),
        ('{"question": null, "label": "yes"}', "no prompt"),
        ('{"label": "yes"}', "no prompt"),
        ('{"question": 7, "label": "yes"}', "prompt is a number, not text"),
        ('{"question": {"a": 1}, "label": "yes"}', "prompt is an object, not text"),
        ('{"question": [], "label": "yes"}', "prompt is a list, not text"),
        ('{"question": "x"}', "no answer"),
        ('{"question": "x", "label": null}', "no answer"),
        ('{"question": "x", "label": []}', "no answer"),
        ('{"question": "x", "label": "  "}', "empty answer"),
        ('{"question": "x", "label": {"a": 1}}', "answer is an object, not a label: --answer-part takes a part of it"),
        ('{"question": "x", "label": NaN}', "answer is not finite (NaN, or missing)"),
        ('{"question": "x", "label": Infinity}', "answer is not finite"),
        ('{"question": "x", "label": [-Infinity, "yes"]}', "answer is not finite"),
        ('{"question": ' + "[" * 900 + '"x"' + "]" * 900 + ', "label": "yes"}', "prompt is nested too deeply"),
        ('{"question": "x", "label": ' + "[" * 900 + '"x"' + "]" * 900 + "}", "answer is nested too deeply"),
        ('{"question": ' + '{"text": ' * 900 + '"x"' + "}" * 900 + ', "label": "yes"}', "prompt is nested too deeply"),
        ('{"question": "a\\u0000b", "label": "yes"}', "NUL character in the prompt"),
        ('{"question": "\\ud800", "label": "yes"}', "prompt is not valid Unicode"),
        ('{"question": "x", "label": "yes", "label": "no"}', "key 'label' occurs twice"),
        ('["x", "yes"]', "not a JSON object"),
        ("17", "not a JSON object"),
        (b'{"question": "caf\xe9", "label": "yes"}', "not UTF-8: byte 0xe9 at offset 17 of the line"),
    ],
)
def test_a_row_that_cannot_be_used_is_listed(tmp_path: Path, line: str | bytes, reason: str) -> None:
    benchmark = load(write(tmp_path, [*GOOD[:4], line, *GOOD[4:]]))
    assert [(row.place, row.full_reason) for row in benchmark.left_out] == [("line 5", reason)]
    assert len(benchmark.prompts) == len(benchmark.answers) == len(benchmark.ids) == 100


def test_too_many_unusable_rows_are_refused_with_counts_and_first_places(tmp_path: Path) -> None:
    empty = ['{"question": "", "label": "yes"}'] * 12 + ['{"question": "x"}'] * 8
    path = write(tmp_path, [*empty, *GOOD[:80]])
    expected = (
        r"20 of 100 rows are unusable \(20.0%; at most 10% may be\): 12 empty prompt, 8 no answer\. "
        r"First: line 1 \(empty prompt\), line 2 \(empty prompt\), line 3 \(empty prompt\)"
    )
    with pytest.raises(InputError, match=expected):
        load(path)
    assert len(load(path, max_left_out=0.2).left_out) == 20
    with pytest.raises(UsageError, match="max_left_out is 2"):
        load(path, max_left_out=2)


def test_rows_left_out_for_one_reason_are_counted_together_whatever_their_details(tmp_path: Path) -> None:
    latin = [b'{"question": "' + b"x" * n + b'\xe9", "label": "yes"}' for n in range(12)]
    with pytest.raises(InputError) as caught:
        load(write(tmp_path, [*latin, *GOOD[:88]]))
    assert "may be): 12 not UTF-8. First: line 1 (not UTF-8: byte 0xe9 at offset 14 of the line)" in caught.value.reason
    assert caught.value.place == str(tmp_path / "bench.jsonl")


def test_a_part_of_a_template_that_is_not_text_is_named_with_its_column() -> None:
    rows = [{"a": f"item {n}", "b": [1] if n == 7 else "x", "label": ("yes", "no")[n % 2]} for n in range(40)]
    (row,) = load(rows, Columns(template="{a} {b}")).left_out
    assert (row.place, row.reason) == ("row 8", "prompt is a list, not text (column 'b')")


@pytest.mark.parametrize(("row", "cells"), [("a,b,yes", "3 cells"), ("onlyone", "1 cell")])
def test_a_ragged_csv_row_is_named_by_its_line(tmp_path: Path, row: str, cells: str) -> None:
    lines: list[str | bytes] = ["question,label", '"two\nlines",no', row, *(f"item {n},yes" for n in range(40))]
    with pytest.raises(InputError, match=f"line 4: {cells} where the header has 2"):
        load(write(tmp_path, lines, "bench.csv"))


def test_a_quote_that_never_closes_is_named_by_its_line(tmp_path: Path) -> None:
    lines: list[str | bytes] = ["question,label", "x,no", '"open,yes', *(f"item {n},yes" for n in range(40))]
    with pytest.raises(InputError, match="line 3: the quote that opens here is never closed"):
        load(write(tmp_path, lines, "bench.csv"))


def test_a_repeated_header_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the header names 'label' more than once"):
        load(write(tmp_path, ["text,label,label", "x,a,b"], "bench.csv"))


def test_undecodable_bytes_in_a_table_are_named(tmp_path: Path) -> None:
    path = write(tmp_path, ["question,label", b"caf\xe9,yes"], "bench.csv")
    with pytest.raises(InputError, match="line 2: not UTF-8: byte 0xe9 at offset 18; save the file as UTF-8"):
        load(path)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "the file is empty"),
        (b"\n \r\n", "the file is empty"),
        (b"\xef\xbb\xbf", "the file is empty"),
        (b"PK\x03\x04rest", "unknown format: this is a zip archive"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:00\n", "a Git LFS pointer, not the file"),
        (b"<!DOCTYPE html><html>, ,</html>", "unknown format: this is a web page"),
        (b"just words\nand more words\n", "unknown format: not JSONL"),
        ("question,label\nx,y\n".encode("utf-16-le"), "UTF-16 without its byte-order mark"),
        (b"\xff\xfeq", "not UTF-16 at byte"),
        (b"PAR1 and nothing else", "damaged Parquet file"),
        (b"\x1f\x8b and nothing else", "damaged gzip data"),
        (b"question,label\n", "no rows"),
        (b"[]", "no rows"),
        (b'{"a": [1], "b": {"c": 2}}', "unknown format: an object with the keys 'a', 'b'; a list of objects is"),
        (b'{"a": [{"x": 1}], "b": [{"x": 1}]}', r"several lists of records \('a', 'b'\)"),
    ],
)
def test_a_file_that_is_not_a_benchmark_is_refused_in_one_line(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "bench.dat"
    path.write_bytes(data)
    with pytest.raises(InputError, match=message) as caught:
        load(path)
    assert "\n" not in str(caught.value)


def test_a_missing_file_suggests_its_neighbour(tmp_path: Path) -> None:
    write(tmp_path, [*GOOD])
    with pytest.raises(InputError, match=r"no such file\. Did you mean 'bench\.jsonl'\?"):
        load(tmp_path / "bensh.jsonl")
    with pytest.raises(InputError, match="cannot be read"):
        load("x" * 5000)


def test_a_file_without_permission_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: str, flags: int) -> None:
        raise PermissionError(13, "Permission denied")

    path = write(tmp_path, [*GOOD])
    monkeypatch.setattr("hansproof.generators.input.os.open", refuse)
    with pytest.raises(InputError, match=r"bench\.jsonl: cannot be read: Permission denied"):
        load(path)


def test_a_single_label_is_refused_by_name(tmp_path: Path) -> None:
    rows: list[str | bytes] = [json.dumps({"text": f"item {n}", "label": "yes"}) for n in range(50)]
    with pytest.raises(InputError, match="only one answer occurs: all 50 answers are 'yes'"):
        load(write(tmp_path, rows))


def test_fewer_than_thirty_items_are_read_and_reported_as_too_few(tmp_path: Path) -> None:
    benchmark = load(write(tmp_path, [*GOOD[:29]]))
    assert (len(benchmark.prompts), len(benchmark.sha256), benchmark.mapping.prompt) == (29, 64, "question")
    assert kind(benchmark).name == "too-few"
    assert kind(benchmark).reason == "Only 29 items: the audit needs at least 30 to hold some out and measure kappa."
    assert kind(load(write(tmp_path, [*GOOD[:30]]))).name == "fixed"


def test_a_single_label_in_a_handful_of_items_is_not_refused(tmp_path: Path) -> None:
    judged = kind(load(write(tmp_path, [*GOOD[:1]])))
    assert judged.reason == "Only 1 item: the audit needs at least 30 to hold some out and measure kappa."


@pytest.mark.parametrize(
    ("n", "distinct", "open_ended"),
    [(40, 20, False), (40, 21, True), (400, 50, False), (400, 51, True), (1000, 100, False), (1000, 101, True)],
)
def test_labels_nearly_all_distinct_are_open_ended(tmp_path: Path, n: int, distinct: int, open_ended: bool) -> None:
    rows: list[str | bytes] = [json.dumps({"text": f"item {i}", "answer": f"a{i % distinct}"}) for i in range(n)]
    path = write(tmp_path, rows)
    benchmark = load(path)
    assert len(set(benchmark.answers)) == distinct
    assert kind(benchmark).name == ("open-ended" if open_ended else "fixed")
    assert (f"{distinct} different answers in {n:,} items" in kind(benchmark).reason) is open_ended


def test_a_missing_column_lists_the_existing_ones(tmp_path: Path) -> None:
    path = write(tmp_path, [*GOOD])
    with pytest.raises(InputError) as caught:
        load(path, Columns(answer="lable"))
    assert caught.value.place == str(path)
    assert caught.value.reason == "there is no column 'lable'. Did you mean 'label'? Known: question, label"
    for columns in (Columns(prompt="x"), Columns(group="x"), Columns(id="x"), Columns(split="x=1")):
        with pytest.raises(InputError, match="there is no column 'x'"):
            load(path, columns)
    with pytest.raises(InputError, match="there is no column 'premise'"):
        load(path, Columns(template="{premise} {question}"))


def test_a_column_that_cannot_be_guessed_has_to_be_named(tmp_path: Path) -> None:
    rows: list[str | bytes] = [json.dumps({"foo": "x", "bar": "y", "baz": "z"})] * 40
    with pytest.raises(InputError, match=r"no column looks like the prompt or the answer; name them with --prompt and"):
        load(write(tmp_path, rows))


@pytest.mark.parametrize("template", ["no braces", "{question!r}", "{question:>9}", "{}", "{question"])
def test_a_template_that_cannot_be_read_is_refused(tmp_path: Path, template: str) -> None:
    with pytest.raises(UsageError, match="template"):
        load(write(tmp_path, [*GOOD]), Columns(template=template))
    with pytest.raises(UsageError, match="both a prompt column and a template were given"):
        load(write(tmp_path, [*GOOD]), Columns(template="{question}", prompt="question"))


def test_the_same_text_with_two_golds_is_kept(tmp_path: Path) -> None:
    rows: list[str | bytes] = ['{"question": "Same  text", "label": "yes"}', '{"question": "same text", "label": "no"}']
    benchmark = load(write(tmp_path, [*rows, *GOOD]))
    assert len(benchmark.prompts) == 102


def test_any_bytes_give_a_benchmark_or_one_line(tmp_path: Path) -> None:
    base = "\n".join(GOOD[:40]).encode()
    path = tmp_path / "bench.jsonl"
    refused: list[str] = []
    for at in range(0, len(base), 7):
        for byte in (b"\x00", b"\xff", b'"', b"{", b"\n", b"\\", b","):
            path.write_bytes(base[:at] + byte + base[at + 1 :])
            try:
                benchmark: Any = load(path)
            except HansproofError as error:
                refused.append(str(error))
            else:
                assert len(benchmark.prompts) + len(benchmark.left_out) >= 39
    assert len(refused) > 100
    assert not any("\n" in message for message in refused)


@pytest.mark.parametrize("depth", [40, 60, 600, 900, 950, 980, 995, 1010, 3000])
@pytest.mark.parametrize("role", ["group", "id", "choices", "split", "tree"])
def test_nesting_of_any_depth_never_gives_a_traceback(tmp_path: Path, depth: int, role: str) -> None:
    nested = "[" * depth + "1" + "]" * depth
    path = write(tmp_path, [*GOOD, f'{{"question": "x", "label": "yes", "{role}": {nested}}}'])
    try:
        outcome = f"{len(load(path).prompts)} items"
    except InputError as error:
        outcome = str(error)
    # How deep the reader of JSON goes depends on the stack it starts from.
    refused = f"{path}: line 101: JSON is nested too deeply"
    assert outcome in (["101 items"] if depth < 900 else [refused] if depth > 1000 else ["101 items", refused])
