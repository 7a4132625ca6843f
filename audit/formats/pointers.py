"""Files that point to their data: YAML of an OpenAI evals registry, and tasks of lm-evaluation-harness."""

from __future__ import annotations

import re
from pathlib import Path

from audit.formats.budget import WHOLE, Budget
from audit.formats.harnesses.lm_eval_task import Task, is_task, task_of, task_table
from audit.formats.harnesses.openai_registry import is_registry, samples_file
from audit.formats.harnesses.yaml_text import parse_yaml
from audit.formats.recognition import table_of
from audit.formats.table import Row, Table
from audit.sources.content import Content, read
from generators.errors import InputError

__all__ = ["follow", "is_pointer"]

_YAML = (".yaml", ".yml")
_TABLES = (".csv", ".tsv", ".tab", ".jsonl", ".ndjson", ".json")
_LOOKED_AT = 2**16
_KEYS = re.compile(rb"^(?:doc_to_text|doc_to_target|dataset_path)[ \t]*:|^[ \t]+samples_jsonl[ \t]*:", re.M)


def is_pointer(content: Content) -> bool:
    """True for YAML by its name, or by the keys of a task or an eval where the name says nothing."""
    if content.extension in _YAML:
        return True
    if content.extension in _TABLES or content.data.lstrip()[:1] in (b"{", b"["):
        return False
    return _KEYS.search(content.data[:_LOOKED_AT]) is not None


def follow(content: Content, budget: Budget = WHOLE) -> tuple[Table, str | None]:
    """The rows that a file points to, and the digest of the file that has them; None for data on the Hub.

    Raises InputError if the file is no task and no registry entry, or its data cannot be read.
    """
    value, path, place = parse_yaml(content.data, content.place), Path(content.place), content.place
    if is_task(value):
        return _of_task(task_of(value, path, place), place)
    if is_registry(value):
        samples = read(str(samples_file(value, path, place)))
        return table_of(samples, budget), samples.sha256
    if isinstance(value, dict) and isinstance(value.get("task"), list):
        raise InputError("a group of lm-evaluation-harness tasks: name the file of one task", place)
    raise InputError(
        "unknown format: YAML, but neither a task of lm-evaluation-harness (dataset_path, doc_to_text, doc_to_target) "
        "nor an entry of an OpenAI evals registry (samples_jsonl)",
        place,
    )


def _of_task(task: Task, place: str) -> tuple[Table, str | None]:
    """The documents of a task, from its files or from the Hub, where label numbers stay numbers."""
    if not task.files:
        from audit.formats.hugging_face import dataset_table
        from audit.sources.hub import hub_dataset

        return task_table(
            task, dataset_table(hub_dataset(task.address, fetch=False), task.address, named=False), place
        ), None
    contents = [read(str(path)) for path in task.files]
    tables = [table_of(content) for content in contents]
    if len(tables) == 1:
        return task_table(task, tables[0], place), contents[0].sha256
    rows = [
        Row(f"{path.name} {row.place}", row.values) for path, table in zip(task.files, tables) for row in table.rows
    ]
    left_out = [entry for table in tables for entry in table.left_out]
    return task_table(task, Table.of("JSONL", rows, left_out), place), None
