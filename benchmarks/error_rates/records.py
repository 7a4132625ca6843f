"""Records of audits as JSON lines: a header that says what was run, then one line per audit, in order of arrival."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from hansproof.generators.errors import InputError

__all__ = ["TEMPLATES", "Record", "append", "read_records", "start"]

TEMPLATES = "templates"
"""Under this name, what remembering the templates of open-ended answers gains stands beside the strategies."""


@dataclass(frozen=True)
class Record:
    """One audit of one repeat of a scenario."""

    scenario: str
    repeat: int
    verdict: str
    reason: str
    items: int
    seconds: float
    """CPU seconds of the audit."""
    vectors: Mapping[str, tuple[float | None, float | None, float | None]]
    """Cohen's kappa under grouped folds and the ends of its 95 % interval, by counted vector; of open-ended answers the
    advantage, by strategy and of remembering the templates."""


def start(path: Path, header: Mapping[str, Any], *, resume: bool) -> list[Record]:
    """Prepare the file for more records, and return those that it has.

    A line that an interrupted run left unfinished is dropped. Raises InputError if the file exists and `resume` is
    false, or if it comes from a run with other settings or texts.
    """
    if not path.exists():
        path.write_text(json.dumps(header) + "\n", encoding="utf-8")
        return []
    if not resume:
        raise InputError("exists; pass --resume to add to it", str(path))
    known, records = read_records(path)
    if known != header:
        differing = ", ".join(sorted(key for key in {*known, *header} if known.get(key) != header.get(key)))
        raise InputError(f"comes from another run: {differing} differ", str(path))
    text = path.read_text(encoding="utf-8")
    if not text.endswith("\n"):
        path.write_text(text[: text.rfind("\n") + 1], encoding="utf-8")
    return records


def append(path: Path, records: Iterable[Record]) -> None:
    """Add records to the file."""
    with path.open("a", encoding="utf-8") as file:
        for record in records:
            file.write(json.dumps(asdict(record)) + "\n")


def read_records(path: Path) -> tuple[dict[str, Any], list[Record]]:
    """The header and all finished records. Raises InputError if there are none to read."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    except OSError as error:
        raise InputError(error.strerror or "cannot be read", str(path)) from None
    finished = [line for line in lines if line.endswith("\n")]
    if not finished:
        raise InputError("has no records", str(path))
    header: dict[str, Any] = json.loads(finished[0])
    records = []
    for line in finished[1:]:
        fields = json.loads(line)
        fields["vectors"] = {name: tuple(numbers) for name, numbers in fields["vectors"].items()}
        records.append(Record(**fields))
    return header, records
