"""Makes text from a benchmark safe to show: characters that would act on the screen become visible signs.

Benchmarks come from strangers. An escape sequence could repaint a terminal, a bidirectional override reverses a
line, and half of a surrogate pair cannot be written to any file. The template engine does the quoting for HTML.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["last_part", "one_line", "visible", "within"]

_BIDIRECTIONAL: Final = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_INVISIBLE: Final = "\u00ad\u200b\u2028\u2029\u2060\ufeff\ufff9\ufffa\ufffb"
_ACTIVE: Final = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff{_BIDIRECTIONAL}{_INVISIBLE}]")
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


def _sign(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)  # the control pictures: ␀, ␛
    if code == 0x7F:
        return "␡"
    return f"⟨U+{code:04X}⟩"


def visible(text: str) -> str:
    """`text` with control, bidirectional and invisible characters as signs; newlines and tabs stay."""
    return _ACTIVE.sub(_sign, text.replace("\r\n", "\n"))


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
