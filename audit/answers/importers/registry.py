"""The table of logs: what each is called, how it is known, and what reads it. `README.md` says how to add one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from audit.answers.importers.helm import replies_of_states
from audit.answers.importers.inspect_logs import replies_of_log
from audit.answers.importers.lm_eval.samples import replies_of_samples_log
from audit.answers.importers.openai_evals import replies_of_run_log
from audit.answers.reply import Reply
from audit.formats.harnesses.inspect_ai import is_log, is_unusable
from audit.formats.harnesses.lm_eval_samples import is_harness
from audit.formats.harnesses.openai_evals import is_run_log

__all__ = ["BY_LINE", "WHOLE", "DocumentImporter", "LineImporter", "document_importer", "line_importer"]


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
