"""Tables that are released without a header line, told by every one of their rows."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["names_of"]

_COLA = ("source", "label", "mark", "sentence")
_MMLU = ("question", "A", "B", "C", "D", "answer")


def names_of(rows: Sequence[Sequence[str]]) -> tuple[str, ...] | None:
    """The names of the columns of a table without a header line; None for a table that has one.

    CoLA: source, 0 or 1, nothing or a star, sentence. MMLU: question, four options, a letter from A to D. All rows must
    be so, the first one too: a header line says `label` or `answer` in the place of the gold.
    """
    if not rows:
        return None
    if all(len(row) == 4 and row[1] in ("0", "1") and row[2].strip("*?") == "" and row[3].strip() for row in rows):
        return _COLA
    if all(len(row) == 6 and row[5] in ("A", "B", "C", "D") for row in rows):
        return _MMLU
    return None
