"""What a Python caller holds gives the same items as a file."""

from __future__ import annotations

from enum import IntEnum, StrEnum
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from datasets import ClassLabel, Dataset, DatasetDict, Features, Value

from hansproof.audit.formats.table import as_plain
from hansproof.audit.reading.loading import Columns, load
from hansproof.generators.errors import InputError

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


class Gold(StrEnum):
    YES = "yes"
    NO = "no"


class Coin(IntEnum):
    HEADS = 1
    TAILS = 0


def test_subclasses_of_texts_and_numbers_are_what_they_hold() -> None:
    golds = [(Gold.NO, Gold.YES)[n % 2] for n in range(N)]
    rows = [{np.str_("text"): np.str_(text), "label": gold} for text, gold in zip(TEXTS, golds)]
    benchmark = load(rows)
    assert benchmark.prompts == TEXTS
    assert benchmark.answers == [str(gold.value) for gold in golds]
    assert benchmark.sha256 == load([{"text": text, "label": gold.value} for text, gold in zip(TEXTS, golds)]).sha256
    assert {type(text) for text in (*benchmark.prompts, *benchmark.answers)} == {str}
    assert [as_plain(value) for value in (Coin.HEADS, np.float64(0.5), np.bool_(True), np.int8(3))] == [
        "1", "0.5", "true", "3",
    ]  # fmt: skip


def test_arrays_in_cells_are_lists() -> None:
    assert [as_plain(np.array(cells)) for cells in (["a", "b"], [1], [])] == [None, None, None]
    rows = [{"text": text, "choices": np.array(["a", "b"]), "answer": "ab"[n % 2]} for n, text in enumerate(TEXTS)]
    assert load(rows).choices == [["a", "b"]] * N
    frame = pl.DataFrame({"text": TEXTS, "label": pl.Series(GOLDS, dtype=pl.Object)})
    assert load(frame).answers == GOLDS


def test_columns_of_bytes_or_objects_and_rows_that_are_no_dicts_are_called_so() -> None:
    with pytest.raises(InputError, match="40 prompt is a value of type bytes, not text"):
        load([{"text": text.encode(), "label": gold} for text, gold in zip(TEXTS, GOLDS)])
    with pytest.raises(InputError, match="answer is a value of type object, not a label"):
        load([{"text": text, "label": object()} for text in TEXTS], Columns(answer="label"))
    with pytest.raises(InputError, match="40 prompt is a value of type object, not text"):
        load([{"text": object(), "label": gold} for gold in GOLDS])
    with pytest.raises(InputError, match=r"3 not a dict\. First: row 1 \(not a dict: of type int\), .* of type str\)"):
        load([1, 2.5, "x"])
