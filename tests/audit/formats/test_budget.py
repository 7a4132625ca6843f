"""How much of a source is read: ceilings before work begins, and samples by content and seed."""

import csv
import gzip
import io
import json
import random
import tracemalloc
from pathlib import Path

import polars as pl
import pytest

from hansproof.audit.benchmark import Benchmark
from hansproof.audit.formats import table as budgets
from hansproof.audit.reading.loading import load
from hansproof.audit.run import audit
from hansproof.generators.errors import InputError, UsageError

WORDS = ("red", "green", "blue", "small", "large", "old", "new", "round")


def records(count: int) -> list[dict[str, str]]:
    draw = random.Random(3)
    return [
        {"question": f"{draw.choice(WORDS)} {draw.choice(WORDS)} item {i}", "label": draw.choice(("yes", "no"))}
        for i in range(count)
    ]


def jsonl(rows: list[dict[str, str]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def sampled(path: Path, text: str, count: int = 50, seed: int = 42) -> Benchmark:
    path.write_text(text, encoding="utf-8")
    return load(path, max_rows=count, seed=seed)


def test_the_same_rows_are_sampled_in_any_order_and_format_and_others_with_another_seed(tmp_path: Path) -> None:
    rows = records(300)
    first = sampled(tmp_path / "a.jsonl", jsonl(rows))
    assert len(first.prompts) == 50
    assert first.places is not None
    assert [int(place.removeprefix("line ")) for place in first.places] == sorted(
        int(place.removeprefix("line ")) for place in first.places
    )
    mixed = random.Random(1).sample(rows, len(rows))
    assert sorted(sampled(tmp_path / "b.jsonl", jsonl(mixed)).prompts) == sorted(first.prompts)
    out = io.StringIO()
    table = csv.DictWriter(out, ["question", "label"])
    table.writeheader()
    table.writerows(rows)
    pl.DataFrame(rows).write_parquet(tmp_path / "c.parquet")
    assert sampled(tmp_path / "c.csv", out.getvalue()).prompts == first.prompts
    assert sampled(tmp_path / "c.json", json.dumps(rows)).prompts == first.prompts
    assert load(tmp_path / "c.parquet", max_rows=50).prompts == first.prompts
    assert load(rows, max_rows=50).prompts == first.prompts
    assert sorted(sampled(tmp_path / "d.jsonl", jsonl(rows), seed=7).prompts) != sorted(first.prompts)


def test_every_row_has_the_same_chance(tmp_path: Path) -> None:
    rows = records(60)
    times = [0] * 60
    for seed in range(200):
        for prompt in load(rows, max_rows=20, seed=seed).prompts:
            times[int(prompt.split()[-1])] += 1
    # Binomial: 200 draws of 1/3, mean 66.7, standard deviation 6.7; five of them cover 60 rows.
    assert sum(times) == 200 * 20
    assert 33 < min(times) <= max(times) < 100


def test_a_sample_says_so_in_the_result_and_a_source_that_is_small_enough_is_read_whole(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(jsonl(records(300)))
    notes = load(tmp_path / "a.jsonl", max_rows=50, seed=7).notes
    said = "a sample of 50 of 300 rows, chosen by content and the seed 7; it knows nothing of groups"
    assert said in notes
    whole = load(tmp_path / "a.jsonl", max_rows=300)
    assert whole == load(tmp_path / "a.jsonl")
    result = audit(tmp_path / "a.jsonl", max_rows=5, seed=7)
    assert result.items == 5
    assert result.settings.max_rows == 5
    assert said.replace("50", "5") in result.notes


@pytest.mark.parametrize("rows", [0, -1, 1_000_001])
def test_a_sample_of_no_rows_or_of_too_many_is_refused(rows: int) -> None:
    with pytest.raises(UsageError, match=f"max_rows is {rows}; it must lie between 1 and 1,000,000"):
        load(records(10), max_rows=rows)


@pytest.mark.parametrize("ending", ["jsonl", "csv", "json", "parquet"])
def test_more_rows_than_the_ceiling_are_refused_in_one_line_that_says_what_to_do(
    ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budgets, "ROWS", 100)
    rows, path = records(101), tmp_path / f"bench.{ending}"
    if ending == "parquet":
        pl.DataFrame(rows).write_parquet(path)
    elif ending == "csv":
        path.write_text("question,label\n" + "".join(f"{row['question']},{row['label']}\n" for row in rows))
    else:
        path.write_text(jsonl(rows) if ending == "jsonl" else json.dumps(rows))
    with pytest.raises(
        InputError, match=rf"bench\.{ending}: more than 100 rows; `--max-rows 100000` .* audits a sample"
    ):
        load(path)
    assert len(load(path, max_rows=100).prompts) == 100


def test_a_bomb_of_rows_stops_at_the_ceiling_and_a_sample_of_it_takes_little_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budgets, "ROWS", 1_000)
    path = tmp_path / "bomb.csv.gz"
    lines = "".join(f"{i},{i % 2}\n" for i in range(40_000))
    path.write_bytes(gzip.compress(f"prompt,answer\n{lines}".encode()))
    tracemalloc.start()
    with pytest.raises(InputError, match=r"bomb\.csv\.gz: more than 1,000 rows"):
        load(path)
    refused = tracemalloc.get_traced_memory()[1]
    tracemalloc.reset_peak()
    assert len(load(path, max_rows=500).prompts) == 500
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert refused < 5e6  # 300 kB unpack; their rows take 16 MB
    assert peak < 5e6


def test_a_parquet_file_of_very_many_rows_is_refused_by_its_metadata_and_sampled_piece_by_piece(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pl.DataFrame({"question": ["a"] * 1_001, "label": ["b"] * 1_001}).write_parquet(tmp_path / "a.parquet")
    with monkeypatch.context() as patch:
        patch.setattr(budgets, "ROWS", 1_000)
        patch.setattr(pl.LazyFrame, "slice", None)
        with pytest.raises(InputError, match=r"a\.parquet: more than 1,000 rows; `--max-rows"):
            load(tmp_path / "a.parquet")
    monkeypatch.setattr("hansproof.audit.formats.frames._PIECE", 7)
    rows = records(100)
    pl.DataFrame(rows).write_parquet(tmp_path / "b.parquet")
    assert load(tmp_path / "b.parquet").prompts == [row["question"] for row in rows]


def test_a_text_that_a_parquet_file_has_once_for_all_rows_counts_as_often_as_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hansproof.audit.formats.frames.LIMIT", 1_000_000)
    for kind in (pl.String, pl.Categorical):
        frame = pl.DataFrame({"question": ["long " * 1_000] * 1_000, "label": ["b"] * 1_000})
        frame.cast({"question": kind}).write_parquet(tmp_path / "a.parquet")
        assert (tmp_path / "a.parquet").stat().st_size < 100_000
        with pytest.raises(InputError, match=r"a\.parquet: more than 1,000,000 bytes"):
            load(tmp_path / "a.parquet")


def test_too_many_values_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wide = {f"k{i}": "x" for i in range(60)}
    monkeypatch.setattr(budgets, "_CELLS", 100)
    (tmp_path / "a.jsonl").write_text((json.dumps(wide) + "\n") * 2)
    with pytest.raises(InputError, match=r"a\.jsonl: more than 100 values in its rows; keep the columns"):
        load(tmp_path / "a.jsonl")
    (tmp_path / "b.json").write_text(json.dumps([{"a": [1] * 102}]))
    with pytest.raises(InputError, match=r"b\.json: may hold more than 100 values; keep what the audit needs"):
        load(tmp_path / "b.json")
    with pytest.raises(InputError, match="60 columns for 60 rows; keep those that the audit needs"):
        load([{f"k{i}": "x"} for i in range(60)])


def test_rows_that_json_cannot_hold_are_sampled_too() -> None:
    rows = [{"question": f"half {i} \ud800", "label": "yes", "n": 2**80} for i in range(20)]
    digest = budgets.Budget(5).digest
    assert len({digest(row) for row in rows}) == 20
