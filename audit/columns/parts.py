"""The parts of the prompts that have columns of their own: a premise and a hypothesis, a passage and a question."""

from __future__ import annotations

from collections.abc import Sequence

from audit.benchmark import PromptPart
from audit.columns.cells import UnusableError, as_prompt
from audit.columns.guesses import Names
from audit.columns.usual_names import COMPOSED
from audit.formats.table import Row, as_name, cell

__all__ = ["part_columns", "parts_of"]


def part_columns(known: Names, template: Sequence[str], answer: str) -> tuple[str, ...]:
    """The columns of the parts: those of the template if it has several, else the first complete entry of `COMPOSED`.

    The usual pairs count even if only one of them, or a text made of them, is the prompt. Empty if there are none.
    """
    fields = tuple(dict.fromkeys(template))
    if len(fields) > 1:
        return fields
    for names in COMPOSED:
        columns = tuple(known.folded[name] for name in names if name in known.folded)
        texts = all(known.passes(column, lambda value: isinstance(value, str)) for column in columns)
        if len(columns) == len(names) and answer not in columns and texts:
            return columns
    return ()


def parts_of(rows: Sequence[Row], columns: Sequence[str]) -> tuple[PromptPart, ...]:
    """One part per column, with the text of every row; a value that is no text is the empty text."""
    return tuple(PromptPart(column, [_text(row, column) for row in rows]) for column in columns)


def _text(row: Row, column: str) -> str:
    value = cell(row.values, column)
    if isinstance(value, (int, float)):
        value = as_name(value)
    try:
        return as_prompt(value).strip()
    except UnusableError:
        return ""
