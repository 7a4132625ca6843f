"""LegalBench: a table of a task with its `base_prompt.txt` beside it, which says which columns make the prompt.

The instructions and worked examples of the prompt are the same for all items. A probe that counted their words would
find every one of them in every item, so only the lines with columns are kept.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from hansproof.audit.formats.content import text_beside
from hansproof.audit.formats.table import Table

__all__ = ["with_base_prompt"]

_BASE_PROMPT = "base_prompt.txt"
_LARGEST = 2**20
_PART = re.compile(r"\{\{\s*([^{}\n]{1,100}?)\s*\}\}|\{([A-Za-z_]\w{0,99})\}|[{}]")
"""A column, or a brace that is none."""
_ANSWERS = ("answer", "label")


def with_base_prompt(table: Table, path: Path) -> Table:
    """The table, with its prompt composed as the `base_prompt.txt` beside `path` says.

    The table is returned as it is if there is no such file, or if it names no columns, the answer, or other columns
    than the table has.
    """
    template = _template(text_beside(path.parent / _BASE_PROMPT, _LARGEST) or "", table)
    if template is None:
        return table
    answer = next((name for name in _ANSWERS if name in table.columns), None)
    fixed = (("template", template), *((("answer", answer),) if answer else ()))
    ids = (("id", "index"),) if "index" in table.columns else ()
    return replace(table, format="LegalBench task", defaults=(*table.defaults, *fixed, *ids))


def _template(text: str, table: Table) -> str | None:
    """The lines with columns, written as a template of ours; None where they do not fit the table."""
    columns = {line: {_column(match) for match in _PART.finditer(line)} - {""} for line in text.splitlines()}
    named = set().union(*columns.values())
    if not named or not named <= {*table.columns} or named & {*_ANSWERS}:
        return None
    return "\n".join(_PART.sub(_written, line) for line in text.splitlines() if columns[line])


def _column(match: re.Match[str]) -> str:
    return match[1] or match[2] or ""


def _written(match: re.Match[str]) -> str:
    return f"{{{column}}}" if (column := _column(match)) else 2 * match[0]
