"""The table of harnesses: how the items and the logs of each are known, and what reads them.

`README.md` beside it says how to add one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from hansproof.audit.formats.json_rows import Entry, keys_of
from hansproof.audit.formats.table import Table
from hansproof.audit.harnesses import every_eval_ever, lighteval, openai
from hansproof.audit.harnesses.big_bench import is_big_bench, items_of_big_bench
from hansproof.audit.harnesses.chats import CHATS, is_chats, items_of_chats
from hansproof.audit.harnesses.helm import is_instances, is_states, items_of_instances, replies_of_states
from hansproof.audit.harnesses.inspect_ai import is_log, is_samples, items_of_log, items_of_samples, replies_of_log
from hansproof.audit.harnesses.lm_eval import items_of_sample_log, replies_of_sample_log
from hansproof.audit.harnesses.reply import Reply, entries_of_table, table_of_replies
from hansproof.generators.errors import InputError

__all__ = ["from_document", "from_rows", "replies_of_document", "replies_of_rows"]

_LOOKED_AT = 5
_OWN = (("prompt", "prompt"), ("answer", "answer"), ("id", "id"))


@dataclass(frozen=True)
class Importer:
    """What reads the files of a harness: a log or a data set, with an object a line or row, or as one document."""

    knows: Callable[[Any], bool] | tuple[str, ...]
    """Whether this is such a file: by its first five objects, at least one, or by the whole document; or the keys that
    every one of its objects has."""
    read_items: Callable[[Any, str], Table] | None = None
    """The items in a table of its rows, or in the document, of the file that is called so; None where it has none."""
    read_replies: Callable[[Any, str], Iterator[Reply]] | None = None
    """The replies in its entries (`formats.json_rows.Entry`), which come as a stream, or in the document, likewise."""

    def fits(self, seen: Any) -> bool:
        """Whether these objects, or this document, are what it reads."""
        if isinstance(self.knows, tuple):
            return bool(seen) and all({*self.knows} <= row.keys() for row in seen)
        return bool(seen) and self.knows(seen)


def _answered(format: str, read: Callable[[Any, str], Iterator[Reply]]) -> Callable[[Table, str], Table]:
    """What reads the items of a log by its replies."""
    return lambda table, place: table_of_replies(format, read(entries_of_table(table, place), place), table, place)


_DETAILS = _answered("lighteval details", lighteval.replies_of_details), lighteval.replies_of_details

BY_ROW: Final[dict[str, Importer]] = {
    "OpenAI evals run log": Importer(openai.is_run_log, openai.items_of_run_log, openai.replies_of_run_log),
    "lm-evaluation-harness samples": Importer(
        ("doc", "target", "arguments"), items_of_sample_log, replies_of_sample_log
    ),
    "OpenAI batch output": Importer(("custom_id", "response", "error"), None, openai.replies_of_batch),
    "Every Eval Ever samples": Importer(
        ("evaluation_name", "sample_id", "interaction_type", "input", "evaluation"),
        _answered("Every Eval Ever samples", every_eval_ever.replies_of_samples),
        every_eval_ever.replies_of_samples,
    ),
    "lighteval details": Importer(("doc", "model_response", "metric"), *_DETAILS),
    "lighteval details (flat)": Importer(("example", "full_prompt", "predictions", "metrics"), *_DETAILS),
    "OpenAI evals samples": Importer(("input", "ideal"), openai.items_of_evals_samples),
    "inspect_ai samples": Importer(is_samples, items_of_samples),
    CHATS: Importer(is_chats, items_of_chats),
    "hansproof items": Importer(
        ("id", "prompt", "answer", "group", "condition", "metadata"),
        lambda table, place: replace(table, format="hansproof items", defaults=_OWN),
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
    _, importer = _known(BY_ROW, [row.values for row in table.rows[:_LOOKED_AT]])
    return importer.read_items(table, place) if importer.read_items else table


def from_document(value: Any, place: str) -> Table | None:
    """The rows of a JSON document of a known shape; None for any other.

    Raises InputError for a log without samples.
    """
    _, importer = _known(WHOLE, value)
    return importer.read_items(value, place) if importer.read_items else None


def replies_of_rows(
    first: Sequence[dict[str, Any]], entries: Iterable[Entry], path: str
) -> tuple[str, Iterator[Reply]] | None:
    """What a log is called that begins with these objects, and the replies in its entries; None where nothing reads it.

    Raises InputError, when it is read, for an entry that lacks a key.
    """
    name, importer = _known(BY_ROW, first)
    needed = importer.knows if isinstance(importer.knows, tuple) else ()

    def checked() -> Iterator[Entry]:
        for entry in entries:
            if not entry.values.keys() >= {*needed}:
                told = f"it needs {', '.join(needed)}, and has {keys_of(entry.values)}"
                raise InputError(f"is no entry of {name}, as those before it are: {told}", entry.place)
            yield entry

    return (name, importer.read_replies(checked(), path)) if importer.read_replies else None


def replies_of_document(value: Any, path: str) -> tuple[str, Iterator[Reply]] | None:
    """The same of a log that is one document."""
    name, importer = _known(WHOLE, value)
    return (name, importer.read_replies(value, path)) if importer.read_replies else None


def _known(importers: dict[str, Importer], seen: Any) -> tuple[str, Importer]:
    """The first importer that knows a file, and its name; one that reads nothing where none does."""
    return next(((name, each) for name, each in importers.items() if each.fits(seen)), ("", Importer(())))
