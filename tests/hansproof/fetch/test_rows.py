"""Loading a release: the same rows as a Dataset, a pandas frame, a polars frame and items."""

import json
from hashlib import sha256
from pathlib import Path

import pytest

from hansproof.fetch.download import load
from hansproof.fetch.index import Index, build, dump, index_entry
from hansproof.generators.errors import InputError, UsageError
from hansproof.generators.jsonl import read, read_bytes, write

ROOT = Path(__file__).resolve().parents[3]
DATASETS = ROOT / "datasets"
PLANTED = DATASETS / "planted-cues" / "2.0.0"


@pytest.fixture
def place(tmp_path, monkeypatch):
    """An empty cache, the repository's folder as the source, and an index of what is in it."""
    monkeypatch.delenv("HANSPROOF_BASE_URL", raising=False)
    (tmp_path / "index.json").write_bytes(dump(Index((index_entry(PLANTED),))))
    return {"source": DATASETS, "cache": tmp_path / "cache", "index": tmp_path / "index.json"}


@pytest.fixture
def lines():
    return [json.loads(line) for line in read_bytes(PLANTED / "unigram.jsonl.gz").splitlines()]


def small_release(tmp_path, subsets):
    """A release of plain files, of items of planted-cues with other metadata, and an index of it."""
    folder = tmp_path / "made" / "small" / "1.0.0"
    folder.mkdir(parents=True)
    items = read(PLANTED / "unigram.jsonl")[:3]
    for name, extra in subsets.items():
        rows = []
        for index, item in enumerate(items):
            own = {"dataset": "small", "version": "1.0.0", "subset": name, "seed": 1, "canary": "c"}
            record = item.record() | {"id": f"small/1.0.0/{name}/{index:06}", "metadata": own | extra(index)}
            rows.append(type(item).from_record(record, name))
        write(folder / f"{name}.jsonl", rows)
    sums = [f"{sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(folder.iterdir())]
    (folder / "SHA256SUMS").write_text("".join(sums))
    (tmp_path / "small.json").write_bytes(dump(build(tmp_path / "made")))
    return {"source": tmp_path / "made", "cache": tmp_path / "cache", "index": tmp_path / "small.json"}


def test_a_subset_as_a_dataset_has_the_rows_of_the_file(place, lines):
    loaded = load("planted-cues@2.0.0", subset="unigram", **place)
    assert type(loaded).__name__ == "Dataset"
    assert loaded.to_list() == lines


def test_a_dataset_is_what_load_dataset_makes_of_the_same_file(place, tmp_path):
    from datasets import load_dataset

    plain = load_dataset(
        "json", data_files=str(PLANTED / "unigram.jsonl.gz"), split="train", cache_dir=str(tmp_path / "hf")
    )
    loaded = load("planted-cues@2.0.0", subset="unigram", **place)
    assert loaded.features == plain.features
    assert loaded.to_list() == plain.to_list()


def test_a_subset_as_pandas_has_the_rows_of_the_file(place, lines):
    frame = load("planted-cues@2.0.0", subset="unigram", as_="pandas", **place)
    assert frame.to_dict(orient="records") == lines


def test_a_subset_as_polars_has_the_rows_of_the_file_and_metadata_as_a_struct(place, lines):
    import polars

    frame = load("planted-cues@2.0.0", subset="unigram", as_="polars", **place)
    assert isinstance(frame.schema["metadata"], polars.Struct)
    assert frame.to_dicts() == lines


def test_a_subset_as_items_is_what_reading_the_file_gives(place):
    assert load("planted-cues@2.0.0", subset="unigram", as_="items", **place) == read(PLANTED / "unigram.jsonl")


def test_without_a_subset_all_come_in_the_order_of_the_release(place):
    order = [subset["name"] for subset in json.loads((PLANTED / "manifest.json").read_text())["subsets"]]
    items = load("planted-cues@2.0.0", as_="items", **place)
    assert list(dict.fromkeys(item.metadata["subset"] for item in items)) == order


def test_a_second_time_the_cache_is_enough(place):
    load("planted-cues@2.0.0", subset="none", as_="items", **place)
    place.pop("source")
    assert len(load("planted-cues@2.0.0", subset="none", as_="items", offline=True, **place)) == 600


def test_a_key_that_comes_late_is_not_lost_and_subsets_keep_their_order(tmp_path):
    place = small_release(tmp_path, {"a": lambda i: {"x": None if i < 2 else "late"}, "b": lambda i: {"y": i}})
    for kind in ("datasets", "polars"):
        table = load("small", as_=kind, **place)
        rows = table.to_list() if kind == "datasets" else table.to_dicts()
        assert [row["metadata"]["subset"] for row in rows] == ["a"] * 3 + ["b"] * 3
        assert [row["metadata"]["x"] for row in rows] == [None, None, "late", None, None, None]
        assert [row["metadata"]["y"] for row in rows] == [None, None, None, 0, 1, 2]


def test_types_of_polars_fit_where_neither_becomes_text():
    import polars as pl

    from hansproof.fetch.download import _fit

    assert _fit(pl.Int64, pl.Float64)
    assert _fit(pl.List(pl.Null), pl.List(pl.String))
    assert _fit(pl.Struct({"a": pl.Int64, "b": pl.String}), pl.Struct({"b": pl.String, "c": pl.Boolean}))
    assert not _fit(pl.Int64, pl.String)
    assert not _fit(pl.List(pl.Int64), pl.List(pl.String))
    assert not _fit(pl.Struct({"a": pl.Int64}), pl.Struct({"a": pl.Boolean}))


@pytest.mark.parametrize("kind", ["datasets", "polars"])
def test_subsets_whose_types_differ_are_loaded_one_by_one_or_refused_together(tmp_path, kind):
    place = small_release(tmp_path, {"a": lambda i: {"x": i}, "b": lambda i: {"x": f"text {i}"}})
    assert len(load("small", subset="a", as_=kind, **place)) == 3
    assert len(load("small", subset="b", as_=kind, **place)) == 3
    with pytest.raises(InputError, match=r"small@1.0.0: its subsets do not fit into one table; name one"):
        load("small", as_=kind, **place)


def test_open_items_keep_their_missing_choices_in_pandas(tmp_path):
    place = small_release(tmp_path, {"a": lambda i: {}})
    path = tmp_path / "made" / "small" / "1.0.0" / "a.jsonl"
    rows = [json.loads(line) | {"choices": None} for line in path.read_bytes().splitlines()]
    data = "".join(json.dumps(row) + "\n" for row in rows).encode()
    path.write_bytes(data)
    (path.parent / "SHA256SUMS").write_text(f"{sha256(data).hexdigest()}  a.jsonl\n")
    (tmp_path / "small.json").write_bytes(dump(build(tmp_path / "made")))
    assert load("small", as_="pandas", **place)["choices"].tolist() == [None] * 3


def test_names_that_do_not_exist_are_answered_with_those_that_do(place):
    with pytest.raises(
        UsageError, match=r"planted-cues@2.0.0 has no subset 'unigrams'. Did you mean 'unigram'\? Known: none, unigram"
    ):
        load("planted-cues@2.0.0", subset="unigrams", **place)
    with pytest.raises(UsageError, match=r"no kind of table 'arrow'. Known: datasets, pandas, polars, items"):
        load("planted-cues@2.0.0", as_="arrow", **place)
    with pytest.raises(
        UsageError, match=r"no release 'unknown'\..* A release of your own needs an index of its own: `python -m"
    ):
        load("unknown", **place)
    assert not place["cache"].exists()
