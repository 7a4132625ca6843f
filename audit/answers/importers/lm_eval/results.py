"""lm-evaluation-harness: what the results of a run (`results_*.json`) say of the samples that are logged beside them.

The results of a run that writes into a folder are `results_DATE.json` in the folder of the model; those of one that
writes into a file are `FILE_DATE.json`, which may stand beside that folder.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from audit.answers.importers.values import as_label
from audit.formats.json_rows import decode
from audit.sources.content import read, utf8
from generators.errors import InputError

__all__ = ["documents_asked", "model_of", "results_of"]

_IN_ARGUMENTS = ("pretrained", "model", "path", "engine")
"""Where the arguments of a run name the model."""
_SANITISED = "__"
"""What the harness writes for `/` in the name of a model's folder."""


def model_of(path: Path, results: Iterable[dict[str, Any]]) -> str:
    """The model by the results of the run, or by the folder that the harness called after it; else empty."""
    if name := next(filter(None, map(_named, results)), ""):
        return name
    folder = path.absolute().parent.name
    return as_label(folder.replace(_SANITISED, "/", 1)) if _SANITISED in folder.strip("_") else ""


def documents_asked(results: Iterable[dict[str, Any]], task: str) -> tuple[int, int]:
    """How many documents of the task the run was to ask, and how many there are; 0, 0 where no results say so."""
    for value in results:
        counts = value.get("n-samples")
        counts = counts.get(task) if isinstance(counts, dict) else None
        if isinstance(counts, dict):
            asked, every = counts.get("effective"), counts.get("original")
            if type(asked) is int and type(every) is int and asked > 0:
                return asked, every
    return 0, 0


def results_of(path: Path, date: str | None) -> Iterator[dict[str, Any]]:
    """What the files of results say that belong to the log, as far as they can be read."""
    for file in _files(path, date):
        try:
            value = decode(utf8(read(str(file))), str(file))
        except (InputError, UnicodeDecodeError, OSError, ValueError):
            continue  # the log is whole without them, and the model can be named as NAME=FILE
        if isinstance(value, dict):
            yield value


def _files(path: Path, date: str | None) -> list[Path]:
    """The results of the same date, beside the log or a folder above; without a date, the only ones beside it."""
    try:
        if date:
            ends = f"_{date}.json"
            folders = (path.parent, path.absolute().parent.parent)
            return [file for folder in folders for file in sorted(folder.iterdir()) if file.name.endswith(ends)]
        beside = sorted(path.parent.glob("results*.json"))
        return beside if len(beside) == 1 else []
    except OSError:
        return []


def _named(results: dict[str, Any]) -> str:
    """The model that the results of a run name; empty where they do not."""
    config = results.get("config")
    config = config if isinstance(config, dict) else {}
    arguments = config.get("model_args")
    if isinstance(arguments, str):
        arguments = dict(part.partition("=")[::2] for part in arguments.split(","))
    arguments = arguments if isinstance(arguments, dict) else {}
    candidates = (results.get("model_name"), *map(arguments.get, _IN_ARGUMENTS), config.get("model"))
    return next((label for candidate in candidates if (label := as_label(candidate))), "")
