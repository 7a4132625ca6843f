"""What a Python caller holds gives the same items as a file."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import polars as pl
import pytest
from datasets import ClassLabel, Dataset, DatasetDict, Features, Value

from audit.loading import load
from generators.errors import InputError

N = 40
TEXTS = [f"item number {n}" for n in range(N)]
GOLDS = [("yes", "no")[n % 2] for n in range(N)]
RECORDS = [{"text": text, "label": gold} for text, gold in zip(TEXTS, GOLDS)]


FRAMES = {
    "list of dicts": RECORDS,
    "dict of columns": {"text": TEXTS, "label": GOLDS},
    "pandas DataFrame": pd.DataFrame(RECORDS),
    "polars DataFrame": pl.DataFrame(RECORDS),
    "Hugging Face dataset": Dataset.from_list(RECORDS),
}


@pytest.mark.parametrize("name", FRAMES)
def test_every_frame_gives_the_same_items_and_digest(name: str) -> None:
    benchmark = load(FRAMES[name])
    assert (benchmark.prompts, benchmark.answers, benchmark.ids[0]) == (TEXTS, GOLDS, "row 1")
    assert benchmark.sha256 == load(RECORDS).sha256
    assert benchmark.name == name
    assert load(FRAMES[name], name="mine").name == "mine"


def test_frames_with_gaps_or_arrays_and_lazy_frames_are_read(tmp_path: Path) -> None:
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


def test_class_labels_become_their_names_and_unlabelled_splits_are_set_aside() -> None:
    whole = Dataset.from_list(LABELLED, features=FEATURES)
    hidden = Dataset.from_list([{"text": "?", "label": -1}] * 50, features=FEATURES)
    benchmark = load(DatasetDict({"train": whole, "test": hidden}))
    assert (benchmark.prompts, benchmark.answers) == (TEXTS, GOLDS)
    assert benchmark.splits == ["train"] * N
    assert any("'test' has no labels" in note for note in benchmark.notes)
    assert benchmark.ids[0] == "train row 1"
