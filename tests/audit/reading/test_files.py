"""Every file format gives the same benchmark; hypothesis writes the awkward texts."""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hansproof.audit.reading.loading import Columns, load
from hansproof.generators.errors import InputError

ROWS: list[dict[str, Any]] = [
    {"question": f'Item {n}, with "quotes",\ttabs, commas and\nlines: ä→🐴', "label": ("yes", "no")[n % 3 == 0]}
    for n in range(40)
]
PROMPTS = [row["question"] for row in ROWS]
ANSWERS = [row["label"] for row in ROWS]


def jsonl(rows: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def delimited(rows: list[dict[str, Any]], delimiter: str = ",", end: str = "\r\n") -> bytes:
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, list(rows[0]), delimiter=delimiter, lineterminator=end)
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


def parquet(rows: list[dict[str, Any]]) -> bytes:
    out = io.BytesIO()
    pl.DataFrame(rows).write_parquet(out)
    return out.getvalue()


WRITERS = {
    "bench.jsonl": jsonl,
    "bench.ndjson": jsonl,
    "bench.json": lambda rows: json.dumps(rows, indent=1).encode(),
    "minified.json": lambda rows: json.dumps({"version": 1, "data": rows}).encode(),
    "half-pretty.json": lambda rows: b'{"data": [\n' + b",\n".join(jsonl([row]).strip() for row in rows) + b"]}",
    "columns.json": lambda rows: json.dumps({key: [row[key] for row in rows] for key in rows[0]}).encode(),
    "indexed.json": lambda rows: json.dumps(
        {key: {str(n): row[key] for n, row in enumerate(rows)} for key in rows[0]}
    ).encode(),
    "bench.csv": delimited,
    "unix.csv": lambda rows: delimited(rows, end="\n"),
    "semicolons.csv": lambda rows: delimited(rows, ";"),
    "bench.tsv": lambda rows: delimited(rows, "\t"),
    "bench.parquet": parquet,
}


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("packed", ["", ".gz", ".zst"])
def test_every_format_gives_the_same_items(tmp_path: Path, name: str, packed: str) -> None:
    data = WRITERS[name](ROWS)
    data = {"": bytes, ".gz": gzip.compress, ".zst": zstandard.compress}[packed](data)
    path = tmp_path / (name + packed)
    path.write_bytes(data)
    benchmark = load(path)
    assert benchmark.prompts == PROMPTS
    assert benchmark.answers == ANSWERS
    assert benchmark.name == name.rsplit(".", 1)[0]
    assert benchmark.source == str(path)
    assert benchmark.sha256 == hashlib.sha256(data).hexdigest()
    assert (benchmark.mapping.prompt, benchmark.mapping.answer) == ("question", "label")
    assert benchmark.mapping.guessed == ("prompt", "answer")
    assert benchmark.left_out == ()


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("wrong", ["bench", "bench.txt", "bench.json", "bench.csv", "bench.jsonl", "bench.gz"])
def test_a_wrong_extension_does_not_matter(tmp_path: Path, name: str, wrong: str) -> None:
    path = tmp_path / wrong
    path.write_bytes(WRITERS[name](ROWS))
    assert load(path).prompts == PROMPTS


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("name", ["bench.jsonl", "bench.json", "bench.csv", "bench.tsv"])
def test_byte_order_marks_are_understood(tmp_path: Path, name: str, encoding: str) -> None:
    path = tmp_path / name
    path.write_bytes(WRITERS[name](ROWS).decode().encode(encoding))
    assert load(path).prompts == PROMPTS


TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1).filter(str.strip)
ITEMS = st.lists(st.tuples(TEXT, st.sampled_from(["yes", "no"])), min_size=30, max_size=40).filter(
    lambda rows: len({answer for _, answer in rows}) == 2
)


@pytest.mark.parametrize("name", ["bench.jsonl", "bench.csv", "bench.tsv", "bench.parquet"])
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(items=ITEMS)
def test_any_text_comes_back_as_written(tmp_path: Path, name: str, items: list[tuple[str, str]]) -> None:
    path = tmp_path / name
    path.write_bytes(WRITERS[name]([{"prompt": prompt, "answer": answer} for prompt, answer in items]))
    benchmark = load(path)
    assert benchmark.prompts == [prompt for prompt, _ in items]
    assert benchmark.answers == [answer for _, answer in items]


def test_places_are_lines_as_an_editor_counts(tmp_path: Path) -> None:
    path = tmp_path / "bench.csv"
    path.write_bytes(delimited(ROWS))
    # Each row holds one line break in its prompt, so it takes two lines after the header.
    assert load(path).ids[:3] == ["line 2", "line 4", "line 6"]
    path = tmp_path / "bench.jsonl"
    path.write_bytes(b"\n\r\n" + jsonl(ROWS).replace(b"\n", b"\r\n\r\n") + b"\n\n")
    assert load(path).ids[:3] == ["line 3", "line 5", "line 7"]


def test_two_broken_lines_of_a_jsonl_file_are_not_read_as_one_document(tmp_path: Path) -> None:
    path = tmp_path / "bench.jsonl"
    path.write_bytes(b'{"question": "x"\n{"question": "y"\n' + jsonl(ROWS))
    with pytest.raises(InputError, match="line 1 column 17: broken JSON: it ends too early"):
        load(path)


def test_no_final_newline_and_old_line_ends_are_read(tmp_path: Path) -> None:
    path = tmp_path / "bench.jsonl"
    path.write_bytes(jsonl(ROWS).rstrip(b"\n"))
    assert len(load(path).prompts) == 40
    path.write_bytes(jsonl(ROWS).replace(b"\n", b"\r"))
    assert len(load(path).prompts) == 40


def test_a_tsv_with_stray_quotes_is_read_with_a_note(tmp_path: Path) -> None:
    path = tmp_path / "bench.tsv"
    lines = [f'"Item {n} is 5" long\t{"yes" if n % 2 else "no"}' for n in range(40)]
    path.write_text("question\tlabel\n" + "\n".join(lines), encoding="utf-8")
    benchmark = load(path)
    assert benchmark.prompts[0] == '"Item 0 is 5" long'
    assert any("quotes are read as plain characters" in note for note in benchmark.notes)


def test_cells_are_never_turned_into_numbers(tmp_path: Path) -> None:
    path = tmp_path / "bench.csv"
    path.write_text("text,label\n" + "".join(f"item {n},0{n % 2}\n" for n in range(40)), encoding="utf-8")
    assert sorted(set(load(path).answers)) == ["00", "01"]


def test_json_by_split_gets_a_split_column(tmp_path: Path) -> None:
    path = tmp_path / "bench.json"
    path.write_text(json.dumps({"train": ROWS[:30], "test": ROWS[30:]}), encoding="utf-8")
    benchmark = load(path)
    assert benchmark.splits == ["train"] * 30 + ["test"] * 10
    assert load(path, Columns(split="split=train")).prompts == PROMPTS[:30]


def test_nan_in_another_column_is_not_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "bench.jsonl"
    path.write_bytes(jsonl([{**row, "score": float("nan")} for row in ROWS]))
    assert load(path).prompts == PROMPTS


def test_a_line_of_ten_megabytes_is_read(tmp_path: Path) -> None:
    long = [{**ROWS[0], "question": "word " * 2_000_000}, *ROWS[1:]]
    for name in ("bench.jsonl", "bench.csv"):
        path = tmp_path / name
        path.write_bytes(WRITERS[name](long))
        assert len(load(path).prompts[0]) == 10_000_000


def test_label_names_that_the_hub_wrote_into_parquet_are_used(tmp_path: Path) -> None:
    features = {"label": {"names": ["entailment", "neutral"], "_type": "ClassLabel"}}
    path = tmp_path / "bench.parquet"
    frame = pl.DataFrame({"text": PROMPTS, "label": [n % 2 for n in range(40)]})
    frame.write_parquet(path, metadata={"huggingface": json.dumps({"info": {"features": features}})})
    assert load(path).answers[:2] == ["entailment", "neutral"]


def test_standard_input_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(jsonl(ROWS)), encoding="utf-8"))
    benchmark = load("-")
    assert (benchmark.name, benchmark.source, benchmark.prompts) == ("standard input", "-", PROMPTS)


def test_a_symbolic_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real.jsonl").write_bytes(jsonl(ROWS))
    (tmp_path / "link.csv").symlink_to(tmp_path / "real.jsonl")
    assert load(tmp_path / "link.csv").prompts == PROMPTS


def test_what_unpacks_to_more_than_the_limit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hansproof.audit.formats.content.LIMIT", 1000)
    for ending, pack in ((".gz", gzip.compress), (".zst", zstandard.compress)):
        path = tmp_path / f"bench.jsonl{ending}"
        path.write_bytes(pack(jsonl(ROWS)))
        with pytest.raises(InputError, match="unpacks to more than 1,000 bytes"):
            load(path)


@pytest.mark.parametrize(("ending", "pack"), [(".gz", gzip.compress), (".zst", zstandard.compress)])
def test_a_truncated_archive_is_refused(tmp_path: Path, ending: str, pack: Any) -> None:
    path = tmp_path / f"bench.jsonl{ending}"
    path.write_bytes(pack(jsonl(ROWS))[:-20])
    with pytest.raises(InputError, match=r"damaged|ends too early"):
        load(path)


def test_what_ends_too_early_ends_on_its_last_line(tmp_path):
    path = tmp_path / "bench.jsonl"
    for blank in ("", "\n", "\n\n  \n"):
        path.write_text('{"question": "x", "label": "yes"' + blank)
        with pytest.raises(InputError, match=r"line 1 column 33: broken JSON: it ends too early"):
            load(path)


def test_a_record_of_a_json_document_with_a_key_twice_is_listed_as_a_line_of_jsonl_is(tmp_path: Path) -> None:
    records = [f'{{"prompt": "item {n}", "answer": "{"yn"[n % 2]}"}}' for n in range(20)]
    records[7] = '{"prompt": "item 7", "answer": "y", "answer": "n"}'
    path = tmp_path / "twice.json"
    path.write_text(f"[{', '.join(records)}]", encoding="utf-8")
    benchmark = load(path)
    assert [row.full_reason for row in benchmark.left_out] == ["key 'answer' occurs twice"]
    assert len(benchmark.prompts) == 19
    path.write_text(f'[{", ".join(records[:7])}, {{"prompt": "answer", "answer": "prompt"}}]', encoding="utf-8")
    assert load(path).left_out == ()
