"""Which files hold the answers, and whose they are: `NAME=FILE`, folders of logs, and the list of model families."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path

from audit.answers.files.lines import name_fault
from audit.sources.content import read, utf8
from generators.errors import Fault, InputError, UsageError

__all__ = ["ReplyFile", "read_families", "reply_files"]

_STATE = "scenario_state.json"
_LOGS = ("samples_*.jsonl", "*.eval", "*.jsonl", "*.json")
"""What a folder is searched for; the first kind that is there counts, so that summaries beside logs do not."""


@dataclass(frozen=True)
class ReplyFile:
    """One file of answers."""

    path: str
    model: str = ""
    """The name that all its answers get; empty to take it from the file."""


def reply_files(sources: Iterable[str | PathLike[str]]) -> list[ReplyFile]:
    """The files that `sources` name: `FILE`, `NAME=FILE`, or a folder of logs of one harness.

    Raises UsageError for a name that is too long or not printable and for no sources, InputError for a folder without
    logs.
    """
    named = list(sources)
    odd = next((source for source in named if not isinstance(source, str | PathLike)), None)
    if odd is not None:
        raise UsageError(f"answers are named by their files, not by {type(odd).__name__}")
    files = [file for source in named for file in _files(fspath(source))]
    if not files:
        raise UsageError("there are no files of answers; name at least one")
    return files


def _files(source: str) -> list[ReplyFile]:
    name, equals, path = source.partition("=")
    # A file whose own name has an equals sign is still that file.
    if equals and name and path and not _is_there(source) and "/" not in name:
        if wrong := name_fault(name):
            raise UsageError(f"the name of a model {wrong}", source)
        return [ReplyFile(inner.path, name) for inner in _files_at(path)]
    return _files_at(source)


def _files_at(path: str) -> list[ReplyFile]:
    folder = Path(path)
    try:
        if not folder.is_dir():
            return [ReplyFile(path)]
        if (folder / _STATE).is_file():
            return [ReplyFile(str(folder / _STATE))]
        states = sorted(map(str, folder.rglob(_STATE)))
        kinds = (states, *(sorted(map(str, folder.rglob(pattern))) for pattern in _LOGS))
        files = next((kind for kind in kinds if kind), [])
    except (OSError, ValueError):
        return [ReplyFile(path)]  # opening it says why
    if not files:
        raise InputError(f"a folder without logs: none of {_STATE}, {', '.join(_LOGS)}", path)
    return [ReplyFile(file) for file in files]


def _is_there(path: str) -> bool:
    try:
        return Path(path).exists()
    except (OSError, ValueError):
        return False


def read_families(path: str | PathLike[str]) -> Mapping[str, str]:
    """Model -> family, from a CSV file with the columns `model` and `family`.

    Raises InputError for a file without these columns, a model without a name, and a model with two families.
    """
    place = fspath(path)
    try:
        text = utf8(read(place)).decode()
        rows = list(csv.reader(io.StringIO(text, newline="")))
    except UnicodeDecodeError as error:
        raise InputError("is not UTF-8", place) from error
    except csv.Error as error:
        raise InputError(f"is not CSV: {error}", place) from error
    header = [cell.strip().lower() for cell in rows[0]] if rows else []
    if "model" not in header or "family" not in header:
        raise InputError("has no columns `model` and `family`: write a line of headings `model,family`", place)
    model_at, family_at = header.index("model"), header.index("family")
    families: dict[str, str] = {}
    faults = []
    for number, row in enumerate(rows[1:], start=2):
        if not any(cell.strip() for cell in row):
            continue
        where = f"{place}: row {number}"
        if len(row) <= max(model_at, family_at) or not row[model_at].strip():
            faults.append(Fault("needs a model and its family", where))
            continue
        model, family = row[model_at].strip(), row[family_at].strip()
        if wrong := name_fault(model) or name_fault(family):
            faults.append(Fault(f"a name {wrong}", where))
        elif families.setdefault(model, family) != family:
            faults.append(Fault(f"the model {model!r} has another family above", where))
    if faults:
        raise InputError.of(faults)
    return families
