"""Folders: of several benchmarks, of one, and Hugging Face datasets."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from datasets import ClassLabel, Dataset, DatasetDict, Features, Value

from hansproof.audit.formats.content import read
from hansproof.audit.reading.loading import expand, load
from hansproof.generators.errors import InputError

N = 40
TEXTS = [f"item number {n}" for n in range(N)]
GOLDS = [("yes", "no")[n % 2] for n in range(N)]
RECORDS = [{"text": text, "label": gold} for text, gold in zip(TEXTS, GOLDS)]


FEATURES = Features({"text": Value("string"), "label": ClassLabel(names=["no", "yes"])})
LABELLED = [{"text": text, "label": int(gold == "yes")} for text, gold in zip(TEXTS, GOLDS)]


def test_saved_dataset_folders_are_read(tmp_path: Path) -> None:
    whole = Dataset.from_list(LABELLED, features=FEATURES)
    whole.save_to_disk(tmp_path / "one")
    DatasetDict({"train": whole, "test": whole}).save_to_disk(tmp_path / "two")
    assert load(tmp_path / "one").answers == GOLDS
    assert load(tmp_path / "two").splits == ["test"] * N + ["train"] * N
    assert expand(str(tmp_path)) == [str(tmp_path / "one"), str(tmp_path / "two")]
    assert expand(str(tmp_path / "one")) == [str(tmp_path / "one")]


def test_a_folder_of_parquet_shards_is_one_dataset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", tmp_path / "cache")
    folder = tmp_path / "hub"
    (folder / "data").mkdir(parents=True)
    Dataset.from_list(LABELLED, features=FEATURES).to_parquet(folder / "data" / "train-00000-of-00001.parquet")
    assert expand(str(folder)) == [str(folder)]
    benchmark = load(folder)
    assert (benchmark.name, benchmark.answers, benchmark.splits) == ("hub", GOLDS, ["train"] * N)


def test_a_folder_is_expanded_in_order_of_paths(tmp_path: Path) -> None:
    for name in (
        "b.csv",
        "a.jsonl.gz",
        ".hidden.csv",
        "manifest.json",
        "README.md",
        "deep/c.TSV",
        ".cache/d.csv",
        "notes.txt",
    ):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("x", encoding="utf-8")
    (tmp_path / "folder.jsonl").mkdir()
    names = ["a.jsonl.gz", "b.csv", "deep/c.TSV"]
    assert expand(str(tmp_path)) == [str(tmp_path / name) for name in names]
    for single in ("-", "hf://org/name", str(tmp_path / "b.csv"), str(tmp_path / "absent.csv"), "x" * 5000):
        assert expand(single) == [single]
    with pytest.raises(InputError, match="no benchmark in this folder"):
        expand(str(tmp_path / "folder.jsonl"))
    with pytest.raises(InputError, match="a folder of 3 benchmarks"):
        load(tmp_path)


def test_a_folder_with_one_benchmark_is_that_benchmark(tmp_path: Path) -> None:
    (tmp_path / "bench.csv").write_text("text,label\n" + "a,yes\nb,no\n" * 20, encoding="utf-8")
    assert load(tmp_path).name == "bench"


def test_reading_a_csv_imports_no_heavy_library(tmp_path: Path) -> None:
    path = tmp_path / "bench.csv"
    path.write_text("text,label\n" + "".join(f"{t},{g}\n" for t, g in zip(TEXTS, GOLDS)), encoding="utf-8")
    code = (
        "import sys; from hansproof.audit.reading.loading import load; load(sys.argv[1]); "
        "print(sorted({'polars', 'pandas', 'datasets', 'numpy', 'pyarrow'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[3],
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_in_a_folder_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.jsonl")
    (tmp_path / "b.jsonl").symlink_to("nowhere")
    (tmp_path / "linked").symlink_to(tmp_path)
    with pytest.warns(UserWarning, match=r"skipped, as links to folders, pipes or devices: \S+a\.jsonl, \S+linked$"):
        assert expand(str(tmp_path)) == [str(tmp_path / "b.jsonl")]


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no endless device")
def test_what_never_ends_is_given_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"/dev/zero: is a device, not a regular file"):
        read("/dev/zero", limit=5_000_000)
    with Path("/dev/zero").open("rb") as zeros:
        monkeypatch.setattr(sys, "stdin", zeros)
        with pytest.raises(InputError, match="standard input: more than 5,000,000 bytes"):
            read("-", limit=5_000_000)
    (tmp_path / "a.csv").write_bytes(b"q,a" + b"\nx,1" * 9)
    with pytest.raises(InputError, match=r"a\.csv: more than 30 bytes"):
        read(str(tmp_path / "a.csv"), limit=30)
    assert len(read(str(tmp_path / "a.csv"), limit=39).data) == 39
