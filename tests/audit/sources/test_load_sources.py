"""Roles of columns, frames, dataset folders and the Hub."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest
from datasets import ClassLabel, Dataset, DatasetDict, Features, Value

from audit.loading import Columns, expand, load
from generators.errors import InputError

N = 40
TEXTS = [f"item number {n}" for n in range(N)]
GOLDS = [("yes", "no")[n % 2] for n in range(N)]
RECORDS = [{"text": text, "label": gold} for text, gold in zip(TEXTS, GOLDS)]


def save(tmp_path: Path, rows: list[Any], name: str = "bench.jsonl") -> Path:
    path = tmp_path / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_our_own_items_keep_their_groups_and_ids(tmp_path: Path) -> None:
    rows = [
        {
            "id": f"x/{n}",
            "prompt": TEXTS[n],
            "choices": ["yes", "no"],
            "answer": GOLDS[n],
            "group": f"g{n // 2}",
            "condition": "original",
            "metadata": {"subset": f"s{n % 2}"},
        }
        for n in range(N)
    ]
    found = load(save(tmp_path, rows))
    assert found.ids[5] == "x/5"
    assert found.groups == [f"g{n // 2}" for n in range(N)]
    assert found.choices == [["yes", "no"]] * N
    assert found.mapping.guessed == ("group",)
    assert load(save(tmp_path, rows), Columns(group="metadata.subset")).groups == [f"s{n % 2}" for n in range(N)]


@pytest.mark.parametrize(
    ("values", "used"),
    [([n // 2 for n in range(N)], True), (list(range(N)), False), ([0] * N, False)],
)
def test_a_group_column_is_used_untold_only_where_it_groups(tmp_path: Path, values: list[int], used: bool) -> None:
    found = load(save(tmp_path, [{**row, "pair_id": value} for row, value in zip(RECORDS, values)]))
    assert (found.groups is not None) is used
    assert found.groups is None or found.groups[2] == "1"
    named = load(save(tmp_path, [{**row, "template": "t"} for row in RECORDS]))
    assert named.groups is None


def test_an_item_without_a_group_stands_alone() -> None:
    rows = [{**row, "group": None if n == 3 else n // 4} for n, row in enumerate(RECORDS)]
    groups = load(rows).groups
    assert groups is not None
    assert groups[2:5] == ["0", "alone: row 4", "1"]


def test_two_sentences_are_composed_and_templates_compose_at_will() -> None:
    rows = [{"Premise": text, "Hypothesis": "It is.", "Gold Label": gold} for text, gold in zip(TEXTS, GOLDS)]
    found = load(rows)
    assert found.prompts[0] == "item number 0\nIt is."
    assert (found.mapping.prompt, found.mapping.answer) == ("{Premise}\n{Hypothesis}", "Gold Label")
    own = load(rows, Columns(template="{{P}} {Premise} / {Hypothesis}"))
    assert own.prompts[0] == "{P} item number 0 / It is."
    assert own.mapping.guessed == ("answer",)


def test_numbers_and_truth_values_become_their_canonical_text() -> None:
    rows = [{"text": text, "label": (True, 1, 1.0, "1 ")[n % 4]} for n, text in enumerate(TEXTS)]
    assert load(rows).answers[:4] == ["true", "1", "1.0", "1"]


def test_a_split_keeps_its_rows_and_a_wrong_one_names_those_there_are() -> None:
    rows = [{**row, "part": ("test", "train")[n >= 35]} for n, row in enumerate(RECORDS)]
    assert load(rows).splits is None
    found = load(rows, Columns(split="part=test"))
    assert len(found.prompts) == 35
    assert "35 of 40 rows are in the split part=test" in found.notes
    with pytest.raises(
        InputError, match=r"column 'part' has no value 'tets'\. Did you mean 'test'\? Known: test, train"
    ):
        load(rows, Columns(split="part=tets"))


FRAMES = {
    "list of dicts": RECORDS,
    "dict of columns": {"text": TEXTS, "label": GOLDS},
    "pandas DataFrame": pd.DataFrame(RECORDS),
    "polars DataFrame": pl.DataFrame(RECORDS),
    "Hugging Face dataset": Dataset.from_list(RECORDS),
}


@pytest.mark.parametrize("name", FRAMES)
def test_every_frame_gives_the_same_items_and_digest(name: str) -> None:
    found = load(FRAMES[name])
    assert (found.prompts, found.answers, found.ids[0]) == (TEXTS, GOLDS, "row 1")
    assert found.sha256 == load(RECORDS).sha256
    assert found.name == name
    assert load(FRAMES[name], name="mine").name == "mine"


def test_frames_with_gaps_arrays_and_lazy_ones_are_read(tmp_path: Path) -> None:
    frame = pd.DataFrame({"text": [None, *TEXTS], "label": [1.0, *([0, 1] * 20)]})
    assert load(frame).left_out[0].reason == "no prompt"
    path = tmp_path / "x.parquet"
    pl.DataFrame({"text": TEXTS, "choices": [["a", "b"]] * N, "answer": GOLDS}).write_parquet(path)
    assert load(pd.read_parquet(path)).choices == [["a", "b"]] * N
    assert load(pl.DataFrame(RECORDS).lazy()).prompts == TEXTS
    twice = pd.DataFrame([["a", "b"]], columns=["text", "text"])
    with pytest.raises(InputError, match="the column 'text' occurs more than once"):
        load(twice)
    with pytest.raises(InputError, match=r"a builtins\.int is not a benchmark"):
        load(3)


FEATURES = Features({"text": Value("string"), "label": ClassLabel(names=["no", "yes"])})
LABELLED = [{"text": text, "label": int(gold == "yes")} for text, gold in zip(TEXTS, GOLDS)]


def test_class_labels_give_their_names_and_unlabelled_splits_are_set_aside() -> None:
    whole = Dataset.from_list(LABELLED, features=FEATURES)
    hidden = Dataset.from_list([{"text": "?", "label": -1}] * 50, features=FEATURES)
    found = load(DatasetDict({"train": whole, "test": hidden}))
    assert (found.prompts, found.answers) == (TEXTS, GOLDS)
    assert found.splits == ["train"] * N
    assert any("'test' has no labels" in note for note in found.notes)
    assert found.ids[0] == "train row 1"


def test_saved_dataset_folders_are_read(tmp_path: Path) -> None:
    whole = Dataset.from_list(LABELLED, features=FEATURES)
    whole.save_to_disk(tmp_path / "one")
    DatasetDict({"train": whole, "test": whole}).save_to_disk(tmp_path / "two")
    assert load(tmp_path / "one").answers == GOLDS
    assert load(tmp_path / "two").splits == ["train"] * N + ["test"] * N
    assert expand(str(tmp_path)) == [str(tmp_path / "one"), str(tmp_path / "two")]
    assert expand(str(tmp_path / "one")) == [str(tmp_path / "one")]


def test_a_folder_of_parquet_shards_is_one_dataset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", tmp_path / "cache")
    folder = tmp_path / "hub"
    (folder / "data").mkdir(parents=True)
    Dataset.from_list(LABELLED, features=FEATURES).to_parquet(folder / "data" / "train-00000-of-00001.parquet")
    assert expand(str(folder)) == [str(folder)]
    found = load(folder)
    assert (found.name, found.answers, found.splits) == ("hub", GOLDS, ["train"] * N)


def test_a_hub_address_is_taken_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def served(*names: str | None, split: str | None = None) -> Dataset:
        asked.append((*names, split))
        if names[0] == "org/none":
            raise ConnectionError("Couldn't reach it\nand a long story")
        return Dataset.from_list(LABELLED, features=FEATURES)

    monkeypatch.setattr("datasets.load_dataset", served)
    monkeypatch.setattr("huggingface_hub.HfApi.dataset_info", lambda self, path, timeout: None)
    found = load("hf://org/name:config@test")
    assert (found.name, found.source) == ("org/name:config", "hf://org/name:config@test")
    assert load("hf://name").answers == GOLDS
    assert asked == [("org/name", "config", "test"), ("name", None, None)]
    with pytest.raises(InputError, match=r"hf://org/none: cannot reach the Hub: Couldn't reach it$"):
        load("hf://org/none")
    with pytest.raises(InputError, match="not an address"):
        load("hf://")


def test_a_folder_is_expanded_in_order_of_paths(tmp_path: Path) -> None:
    for name in (
        "b.csv",
        "a.jsonl.gz",
        ".hidden.csv",
        "manifest.json",
        "README.md",
        "deep/c.TSV",
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
    save(tmp_path, RECORDS)
    assert load(tmp_path).name == "bench"


def test_reading_a_csv_imports_no_heavy_library(tmp_path: Path) -> None:
    path = tmp_path / "bench.csv"
    path.write_text("text,label\n" + "".join(f"{t},{g}\n" for t, g in zip(TEXTS, GOLDS)), encoding="utf-8")
    code = (
        "import sys; from audit.loading import load; load(sys.argv[1]); "
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
