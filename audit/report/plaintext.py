"""Makes text from a benchmark safe to show: characters that would act on the screen become visible signs.

Benchmarks come from strangers. An escape sequence could repaint a terminal, a bidirectional override reverses a
line, and half of a surrogate pair cannot be written to any file. The template engine does the quoting for HTML.
"""

from __future__ import annotations

import re
from typing import Final

from audit.signs import visible

__all__ = ["last_part", "one_line", "visible", "within"]

_SPACES: Final = re.compile(r"\s+")
_PLAIN: Final = {
    "…": "...",
    "≥": ">=",
    "–": "-",
    "’": "'",
    "“": '"',
    "”": '"',
    "·": ".",
    "×": "x",
    "␣": "_",
    "⏎": "\\n",
    "⇥": "\\t",
    "≤": "<=",
    "⟨": "<",
    "⟩": ">",
}
"""Substitutes for outputs without these characters."""


def one_line(text: str, width: int | None = None) -> str:
    """`text` as one visible line with single spaces, cut to `width` characters with an ellipsis."""
    if width is not None:
        text = text[: 8 * width + 64]  # a prompt of megabytes is not folded to show sixty characters
    line = _SPACES.sub(" ", visible(_SPACES.sub(" ", text))).strip()
    return line if width is None or len(line) <= width else line[: max(width - 1, 0)].rstrip() + "…"


def last_part(text: str, width: int) -> str:
    """`text` as one visible line, cut from the left to `width` characters: a line number and a file name stay.

    The cut falls on a slash if there is one, and an ellipsis stands for what is gone: `…/bench.jsonl line 812`.
    """
    line = one_line(text)
    if len(line) <= width:
        return line
    end = line[len(line) - max(width - 1, 0) :]
    slash = end.find("/")
    return "…" + (end[slash:] if 0 <= slash < len(end) // 2 else end)


def within(text: str, encoding: str) -> str:
    """`text` in the characters of `encoding`, others substituted or escaped with backslashes."""
    if _fits(text, encoding):
        return text
    text = "".join(_PLAIN.get(char, char) if not _fits(char, encoding) else char for char in text)
    return text.encode(encoding, "backslashreplace").decode(encoding)


def _fits(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
