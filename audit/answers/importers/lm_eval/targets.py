"""lm-evaluation-harness: the gold answers of a sample. The harness logs its `target` as `str()` writes it in Python."""

from __future__ import annotations

import ast
import re
from typing import Any

__all__ = ["target_of"]

_ESCAPED = r"\\(?:[\\'\"nrt]|x[0-9a-f]{2}|u[0-9a-f]{4}|U000[0-9a-f]{5}|U0010[0-9a-f]{4})"
_TEXT = rf"(?:'(?:[^'\\\n]|{_ESCAPED})*'|\"(?:[^\"\\\n]|{_ESCAPED})*\")"
_LIST = re.compile(rf"\[{_TEXT}(?:, {_TEXT})*\]")
"""A list of texts as `repr` writes it. Nothing else of Python is read."""
_DEEPEST = 6


def target_of(row: dict[str, Any]) -> Any:
    """The target of a sample: the texts, each of which is right, where it is a list of them written in Python.

    A text that is in the document as it stands is no list: it is the answer itself.
    """
    target = row.get("target")
    if not isinstance(target, str) or not _LIST.fullmatch(text := target.strip()) or _holds(row.get("doc"), text):
        return target
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError):
        return target


def _holds(value: Any, text: str, depth: int = 0) -> bool:
    """Whether a value of a document is this text, however deep it stands."""
    if isinstance(value, str):
        return value.strip() == text
    if depth >= _DEEPEST or not isinstance(value, dict | list):
        return False
    return any(_holds(each, text, depth + 1) for each in (value.values() if isinstance(value, dict) else value))
