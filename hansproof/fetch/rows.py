"""Rows: a frozen release as a table. Its files come from the cache or are downloaded, and are checked before use."""

from __future__ import annotations

from io import BytesIO
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from generators.errors import InputError, unknown
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
"""What `load` can return."""

_Place = Path | str | None


@overload
def load(name: str, *, subset: str | None = None, as_: Literal["datasets"] = "datasets", source: _Place = None,
         cache: _Place = None, offline: bool = False, index: _Place = None) -> datasets.Dataset: ...  # fmt: skip
@overload
def load(name: str, *, subset: str | None = None, as_: Literal["pandas"], source: _Place = None,
         cache: _Place = None, offline: bool = False, index: _Place = None) -> pandas.DataFrame: ...  # fmt: skip
@overload
def load(name: str, *, subset: str | None = None, as_: Literal["polars"], source: _Place = None,
         cache: _Place = None, offline: bool = False, index: _Place = None) -> polars.DataFrame: ...  # fmt: skip
@overload
def load(name: str, *, subset: str | None = None, as_: Literal["items"], source: _Place = None,
         cache: _Place = None, offline: bool = False, index: _Place = None) -> list[Item]: ...  # fmt: skip
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
    """The rows of the release `NAME[@VERSION]`: one subset, or all subsets in the order of the release.

    `as_` chooses the type: "datasets" is a Hugging Face Dataset, "pandas" a frame whose `choices` and `metadata` are
    lists and dicts, "polars" a frame whose `metadata` is a struct, "items" a list of Item. `source`, `cache`,
    `offline` and `index` are passed to `download`. Without `subset`, each metadata key needs one type across all
    subsets; a key that a subset lacks is null there (in pandas: absent).
    Raises UsageError for a name that does not exist, DownloadError, and InputError if the rows do not fit one table.
    """
    if as_ not in KINDS:
        raise unknown("kind of table", as_, KINDS)
    release = read_index(index).find(name)
    if subset is not None and subset not in release.subsets:
        raise unknown("subset", subset, release.subsets, within=str(release))
    folder = download(str(release), source=source, cache=cache, offline=offline, index=index)
    paths = [folder / release.subsets[name].name for name in ([subset] if subset is not None else release.subsets)]
    if not paths:
        raise InputError("has no rows: none of its files is SUBSET.jsonl", str(release))
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
    # Infer the schema from all rows: from the first ones alone, later keys would vanish silently.
    frames = [polars.read_ndjson(BytesIO(part), infer_schema_length=None) for part in parts]
    if len(frames) == 1:
        return frames[0]
    # Polars would silently turn a column of numbers and texts into texts.
    if not all(_fit(left, right) for left, right in combinations([frame.schema["metadata"] for frame in frames], 2)):
        raise InputError("its subsets do not fit into one table; name one (types in metadata differ)", release)
    return polars.read_ndjson(BytesIO(b"".join(parts)), infer_schema_length=None)


def _fit(left: Any, right: Any) -> bool:
    """Whether two polars types can share a column without either being rewritten as text."""
    import polars

    if isinstance(left, polars.Struct) and isinstance(right, polars.Struct):
        dtypes = {field.name: field.dtype for field in right.fields}
        return all(_fit(field.dtype, dtypes.get(field.name, field.dtype)) for field in left.fields)
    if isinstance(left, polars.List) and isinstance(right, polars.List):
        return _fit(left.inner, right.inner)
    return left == right or polars.Null in (left, right) or bool(left.is_numeric() and right.is_numeric())


def _pandas(records: list[dict[str, Any]]) -> pandas.DataFrame:
    import pandas

    # As objects, so that the null choices of an open item do not turn into NaN.
    return pandas.DataFrame.from_records(records).astype({"choices": object, "metadata": object})


def _datasets(records: list[dict[str, Any]], release: str) -> datasets.Dataset:
    from datasets import Dataset

    try:
        return Dataset.from_list(records)
    except (TypeError, ValueError, NotImplementedError) as error:  # the base classes of Arrow's errors
        raise InputError(f"its subsets do not fit into one table; name one ({error})", release) from error
