"""White space made visible: an n-gram of two line breaks must not look like nothing, nor `Yes ` like `Yes`."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

__all__ = ["BLANK_SIGNS", "drawn", "is_odd"]

BLANK_SIGNS: Final = {" ": "␣", "\n": "⏎", "\t": "⇥"}
"""The sign of a space, a line break and a tab."""
_PLAIN_BLANK: Final = re.compile(r"(?<=\S) (?=\S)")
"""A single space between two visible characters stays as it is."""
_CANDIDATE: Final = re.compile(r"[^\x21-\x7e]")


def drawn(text: str) -> str:
    """`text` with spaces at its ends and in runs as ␣, line breaks as ⏎, tabs as ⇥.

    Other white space and invisible characters become `U+XXXX`; single spaces between visible characters stay.
    """
    if text.isascii() and text.isprintable() and text.strip() == text and "  " not in text:
        return text
    return " ".join(_CANDIDATE.sub(_sign, part) for part in _PLAIN_BLANK.split(text))


def is_odd(text: str) -> bool:
    """Whether `drawn` changes the text."""
    return drawn(text) != text


def _sign(match: re.Match[str]) -> str:
    letter = match[0]
    if letter in BLANK_SIGNS:
        return BLANK_SIGNS[letter]
    return f"U+{ord(letter):04X}" if unicodedata.category(letter)[0] in "CZ" else letter
