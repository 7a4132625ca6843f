"""Loaded: a frozen release as a table, from the cache or fetched into it; every file is checked before it is read."""

from __future__ import annotations

from difflib import get_close_matches
from io import BytesIO
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from generators.errors import InputError, UsageError
from generators.item import Item
from generators.jsonl import read
from hansproof.fetch.download import download
from hansproof.fetch.index import read_index

if TYPE_CHECKING:
    import datasets
    import pandas
    import polars

__all__ = ["KINDS", "load"]

KINDS = ("datasets", "pandas", "polars", "items")
"""What a release can be loaded as."""

_Place = Path | str | None


@overload
def load(
    name: str,
    *,
    subset: str | None = None,
    as_: Literal["datasets"] = "datasets",
    source: _Place = None,
    cache: _Place = None,
    offline: bool = False,
    index: _Place = None,
) -> datasets.Dataset: ...
@overload
def load(
    name: str,
    *,
    subset: str | None = None,
    as_: Literal["pandas"],
    source: _Place = None,
    cache: _Place = None,
    offline: bool = False,
    index: _Place = None,
) -> pandas.DataFrame: ...
@overload
def load(
    name: str,
    *,
    subset: str | None = None,
    as_: Literal["polars"],
    source: _Place = None,
    cache: _Place = None,
    offline: bool = False,
    index: _Place = None,
) -> polars.DataFrame: ...
@overload
def load(
    name: str,
    *,
    subset: str | None = None,
    as_: Literal["items"],
    source: _Place = None,
    cache: _Place = None,
    offline: bool = False,
    index: _Place = None,
) -> list[Item]: ...
def load(
    name: str,
    *,
    subset: str | None = None,
    as_: Literal["datasets", "pandas", "polars", "items"] = "datasets",
    source: _Place = None,
    cache: _Place = None,
    offline: bool = False,
    index: _Place = None,
) -> Any:
    """The rows of the release `NAME[@VERSION]`: one subset, or all of them one after another in the release's order.

    `as_`: "datasets" a Hugging Face Dataset, "pandas" a frame whose `choices` and `metadata` are lists and dicts,
    "polars" a frame whose `metadata` is a struct, "items" a list of Item. `source`, `cache`, `offline` and `index` are
    those of `download`. Without `subset` the metadata of all subsets has to have one type a key; a key that a subset
    lacks is null there (in pandas: absent).
    Raises UsageError for names that do not exist, DownloadError, and InputError where rows do not fit into one table.
    """
    if as_ not in KINDS:
        raise UsageError(f"a release cannot be loaded as {as_!r}. Known: {', '.join(KINDS)}")
    release = read_index(index).find(name)
    if subset is not None and subset not in release.subsets:
        near = get_close_matches(subset, release.subsets, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise UsageError(f"{release} has no subset {subset!r}.{hint} Known: {', '.join(release.subsets)}")
    folder = download(str(release), source=source, cache=cache, offline=offline, index=index)
    wanted = [subset] if subset is not None else list(release.subsets)
    paths = [folder / release.subsets[one].name for one in wanted]
    if not paths:
        raise InputError(f"{release} has no rows: none of its files is SUBSET.jsonl")
    if as_ == "polars":
        return _polars(paths, str(release))
    items = [item for path in paths for item in read(path)]
    if as_ == "items":
        return items
    records = [item.record() for item in items]
    return _pandas(records) if as_ == "pandas" else _datasets(records, str(release))


def _polars(paths: list[Path], release: str) -> polars.DataFrame:
    import polars

    parts = [path.read_bytes() for path in paths]
    # The schema from all rows: guessed from the first ones, keys that come later would vanish silently.
    frames = [polars.read_ndjson(BytesIO(part), infer_schema_length=None) for part in parts]
    if len(frames) == 1:
        return frames[0]
    # Polars would turn a number here and a text there into texts without a word.
    kinds = [frame.schema["metadata"] for frame in frames]
    if not all(_fit(one, other) for one, other in combinations(kinds, 2)):
        raise InputError(f"{release}: its subsets do not fit into one table; name one (metadata has other types)")
    return polars.read_ndjson(BytesIO(b"".join(parts)), infer_schema_length=None)


def _fit(one: Any, other: Any) -> bool:
    """Whether two types of polars can stand in one column without either being rewritten as text."""
    import polars

    if isinstance(one, polars.Struct) and isinstance(other, polars.Struct):
        theirs = {field.name: field.dtype for field in other.fields}
        return all(_fit(field.dtype, theirs.get(field.name, field.dtype)) for field in one.fields)
    if isinstance(one, polars.List) and isinstance(other, polars.List):
        return _fit(one.inner, other.inner)
    return one == other or polars.Null in (one, other) or bool(one.is_numeric() and other.is_numeric())


def _pandas(records: list[dict[str, Any]]) -> pandas.DataFrame:
    import pandas

    # Columns of objects, so that an open item's null choices do not turn into NaN.
    return pandas.DataFrame.from_records(records).astype({"choices": object, "metadata": object})


def _datasets(records: list[dict[str, Any]], release: str) -> datasets.Dataset:
    from datasets import Dataset

    try:
        return Dataset.from_list(records)
    except (TypeError, ValueError, NotImplementedError) as error:  # what Arrow's own errors are kinds of
        raise InputError(f"{release}: its subsets do not fit into one table; name one ({error})") from error
