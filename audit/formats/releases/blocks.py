"""LogiQA's text files: eight lines per item, of which the first is blank.

The lines are: nothing, the letter of the right option, the context, the question, and four options, `A.` to `D.`.
"""

from __future__ import annotations

import re

from audit.benchmark import LeftOut
from audit.formats.table import Row, Table

__all__ = ["blocks_table", "is_blocks"]

_LINES = 8
_LOOKED_AT = 3
_BEGINNING = 200_000
"""Characters that are looked at to tell the format."""
_MARK = re.compile(r"\s*\(?([A-Da-d])\s*[.、．:：)]\s*")
_ROLES = (("template", "{context}\n{question}"), ("answer", "label"), ("choices", "options"))


def is_blocks(text: str) -> bool:
    """True for a text that begins with items of eight lines."""
    lines = _lines(text[:_BEGINNING])[: _LINES * _LOOKED_AT]
    blocks = [lines[at : at + _LINES] for at in range(0, len(lines), _LINES)]
    return bool(blocks) and all(_is_block(block) for block in blocks)


def blocks_table(text: str) -> Table:
    """One row per item: `context`, `question`, `options` without their letters, and `label`, a letter.

    Eight lines that are no item are left out and listed by their first line.
    """
    lines = _lines(text)
    while lines and not lines[-1].strip():
        lines.pop()
    rows: list[Row] = []
    left_out: list[LeftOut] = []
    for at in range(0, len(lines), _LINES):
        block, place = lines[at : at + _LINES], f"line {at + 1}"
        if not _is_block(block):
            left_out.append(LeftOut(place, "not an item of eight lines (blank, letter, context, question, options)"))
            continue
        _, letter, context, question, *options = block
        values = {
            "context": context.strip(), "question": question.strip(), "label": letter.strip().upper(),
            "options": [_MARK.sub("", option, count=1).strip() for option in options],
        }  # fmt: skip
        rows.append(Row(place, values))
    return Table.of("LogiQA text", rows, left_out, defaults=_ROLES, for_any=False)


def _lines(text: str) -> list[str]:
    """The lines as an editor counts them; other marks of lines and pages may stand inside a text."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _is_block(block: list[str]) -> bool:
    if len(block) != _LINES or block[0].strip():
        return False
    marks = [match[1].upper() if (match := _MARK.match(option)) else "" for option in block[4:]]
    return block[1].strip().upper() in ("A", "B", "C", "D") and marks == ["A", "B", "C", "D"]
