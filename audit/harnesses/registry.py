"""The table of harnesses: how the items and the logs of each are known, and what reads them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from hansproof.audit.formats.table import Table
from hansproof.audit.harnesses.big_bench import big_bench_table, is_big_bench
from hansproof.audit.harnesses.helm import instances_of, is_helm, replies_of_states
from hansproof.audit.harnesses.inspect_ai import (
    is_log,
    is_sample,
    is_unusable,
    log_table,
    replies_of_log,
    samples_table,
    unusable,
)
from hansproof.audit.harnesses.lm_eval_logs import is_harness, replies_of_samples_log, samples_of_harness
from hansproof.audit.harnesses.openai import is_evals_sample, is_run_log, renamed, replies_of_run_log, run_log_table
from hansproof.audit.harnesses.reply import Reply

__all__ = ["document_importer", "from_document", "from_rows", "line_importer"]

_LOOKED_AT = 5
_ROLES = (("prompt", "prompt"), ("answer", "answer"), ("id", "id"))


def from_rows(table: Table, place: str) -> Table:
    """The items that a known log or data set records, else the table as it is.

    Raises InputError for a log without golds.
    """
    first = [row.values for row in table.rows[:_LOOKED_AT]]
    if not first:
        return table
    if is_run_log(first):
        return run_log_table(table, place)
    if all(map(is_harness, first)):
        return samples_of_harness(table)
    if all(map(is_evals_sample, first)):
        chat = "chat" if isinstance(first[0]["input"], list) else "text"
        return renamed(table, f"OpenAI evals samples ({chat})", (("prompt", "input"), ("answer", "ideal")))
    if all(map(is_sample, first)):
        return samples_table(table)
    if all({"prompt", "answer", "group", "condition", "metadata"} <= values.keys() for values in first):
        return renamed(table, "hansproof items", _ROLES)
    return table


def from_document(value: Any, place: str) -> Table | None:
    """The rows of a JSON document of a known shape; None for any other.

    Raises InputError for a log without samples.
    """
    if is_helm(value):
        return instances_of(value)
    if is_big_bench(value):
        return big_bench_table(value)
    if is_log(value):
        return log_table(value["samples"], value)
    if is_unusable(value):
        raise unusable(value, place)
    return None


# The table of logs: what each is called, how it is known, and what reads it. `README.md` beside it says how to add one.


@dataclass(frozen=True)
class LineImporter:
    """A log with one JSON object a line, which is read line by line."""

    knows: Callable[[Sequence[dict[str, Any]]], bool]
    """Whether a log begins with these objects: the first five of a file, at least one."""
    replies: Callable[[Iterable[tuple[int, bytes]], str], Iterator[Reply]]
    """The replies in numbered lines, from 1, of the file that is called so."""


@dataclass(frozen=True)
class DocumentImporter:
    """A log that is one JSON document, which is read whole."""

    knows: Callable[[Any], bool]
    """Whether this value is such a log."""
    replies: Callable[[Any, str], Iterator[Reply]]
    """The replies in the value, of the file that is called so."""


BY_LINE: Final[dict[str, LineImporter]] = {
    "OpenAI evals run log": LineImporter(is_run_log, replies_of_run_log),
    "lm-evaluation-harness samples": LineImporter(lambda rows: all(map(is_harness, rows)), replies_of_samples_log),
}
"""What messages call a log -> how it is known and read; the first that knows a file reads it."""

WHOLE: Final[dict[str, DocumentImporter]] = {
    "inspect_ai log": DocumentImporter(lambda value: is_log(value) or is_unusable(value), replies_of_log),
    "HELM scenario state": DocumentImporter(
        lambda value: isinstance(value, dict) and "request_states" in value, replies_of_states
    ),
}
"""The same of logs that are one document."""


def line_importer(first: Sequence[dict[str, Any]]) -> tuple[str, LineImporter] | None:
    """The importer of a log that begins with these objects, and what the log is called; None where none knows it."""
    return next(((name, importer) for name, importer in BY_LINE.items() if importer.knows(first)), None)


def document_importer(value: Any) -> tuple[str, DocumentImporter] | None:
    """The same of a log that is one document."""
    return next(((name, importer) for name, importer in WHOLE.items() if importer.knows(value)), None)
