"""The table of harnesses: how the items and the logs of each are known, and what reads them.

`README.md` beside it says how to add one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from hansproof.audit.formats.table import Table
from hansproof.audit.harnesses import every_eval_ever, lighteval
from hansproof.audit.harnesses.big_bench import is_big_bench, items_of_big_bench
from hansproof.audit.harnesses.helm import is_instances, is_states, items_of_instances, replies_of_states
from hansproof.audit.harnesses.inspect_ai import is_log, is_samples, items_of_log, items_of_samples, replies_of_log
from hansproof.audit.harnesses.lm_eval_logs import is_sample_log, items_of_sample_log, replies_of_sample_log
from hansproof.audit.harnesses.openai import (
    is_batch,
    is_evals_samples,
    is_run_log,
    items_of_evals_samples,
    items_of_run_log,
    renamed,
    replies_of_batch,
    replies_of_run_log,
)
from hansproof.audit.harnesses.reply import Reply

__all__ = ["document_importer", "from_document", "from_rows", "row_importer"]

_LOOKED_AT = 5
_OWN = frozenset(("prompt", "answer", "group", "condition", "metadata"))


@dataclass(frozen=True)
class Importer:
    """What reads the files of a harness: a log or a data set, with an object a line or row, or as one document."""

    knows: Callable[[Any], bool]
    """Whether this is such a file: by its first five objects, at least one, or by the whole document."""
    read_items: Callable[[Any, str], Table] | None = None
    """The items in a table of its rows, or in the document, of the file that is called so; None where it has none."""
    read_replies: Callable[[Any, str], Iterator[Reply]] | None = None
    """The replies in its entries (`formats.json_rows.Entry`), which come as a stream, or in the document, likewise."""


BY_ROW: Final[dict[str, Importer]] = {
    "OpenAI evals run log": Importer(is_run_log, items_of_run_log, replies_of_run_log),
    "lm-evaluation-harness samples": Importer(is_sample_log, items_of_sample_log, replies_of_sample_log),
    "OpenAI batch output": Importer(is_batch, None, replies_of_batch),
    "Every Eval Ever samples": Importer(
        every_eval_ever.is_samples, every_eval_ever.items_of_samples, every_eval_ever.replies_of_samples
    ),
    "lighteval details": Importer(lighteval.is_details, lighteval.items_of_details, lighteval.replies_of_details),
    "OpenAI evals samples": Importer(is_evals_samples, items_of_evals_samples),
    "inspect_ai samples": Importer(is_samples, items_of_samples),
    "hansproof items": Importer(
        lambda first: all(values.keys() >= _OWN for values in first),
        lambda table, place: renamed(table, "hansproof items", [(role, role) for role in ("prompt", "answer", "id")]),
    ),
}
"""What messages call a file -> how it is known and read; the first that knows a file reads it."""

WHOLE: Final[dict[str, Importer]] = {
    "HELM scenario state": Importer(is_states, items_of_instances, replies_of_states),
    "HELM instances": Importer(is_instances, items_of_instances),
    "BIG-bench task": Importer(is_big_bench, items_of_big_bench),
    "inspect_ai log": Importer(is_log, items_of_log, replies_of_log),
}
"""The same of files that are one document."""


def from_rows(table: Table, place: str) -> Table:
    """The items that a known log or data set records, else the table as it is.

    Raises InputError for a log without golds.
    """
    first = [row.values for row in table.rows[:_LOOKED_AT]]
    for importer in BY_ROW.values() if first else ():
        if importer.read_items and importer.knows(first):
            return importer.read_items(table, place)
    return table


def from_document(value: Any, place: str) -> Table | None:
    """The rows of a JSON document of a known shape; None for any other.

    Raises InputError for a log without samples.
    """
    for importer in WHOLE.values():
        if importer.read_items and importer.knows(value):
            return importer.read_items(value, place)
    return None


ReadReplies = Callable[[Any, str], Iterator[Reply]]


def row_importer(first: Sequence[dict[str, Any]]) -> tuple[str, ReadReplies] | None:
    """What a log is called that begins with these objects, and what reads its replies; None where nothing does."""
    return _reader(BY_ROW, first)


def document_importer(value: Any) -> tuple[str, ReadReplies] | None:
    """The same of a log that is one document."""
    return _reader(WHOLE, value)


def _reader(table: dict[str, Importer], seen: Any) -> tuple[str, ReadReplies] | None:
    for name, importer in table.items():
        if importer.read_replies and importer.knows(seen):
            return name, importer.read_replies
    return None
