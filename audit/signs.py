"""Signs for characters that act instead of being seen, wherever a stranger's text is written for people.

An escape sequence could repaint a terminal, a bidirectional override reverses a line, also in a spreadsheet.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["visible"]

_BIDIRECTIONAL: Final = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_INVISIBLE: Final = "\u00ad\u200b\u2028\u2029\u2060\ufeff\ufff9\ufffa\ufffb"
_ACTIVE: Final = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff{_BIDIRECTIONAL}{_INVISIBLE}]")


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
