"""What a model was asked, as one text: messages lose their roles, and two logs of one question become alike.

Chat models get a list of messages, completion models one text in which a harness wrote the roles: `User: ...`. Beside
each other both say the same.
"""

from __future__ import annotations

import re
from typing import Any

__all__ = ["as_asked", "folded"]

_ROLES = re.compile(r"^[ \t]*(?:system|user|human|assistant)[ \t]*:", re.IGNORECASE | re.MULTILINE)
_DEEPEST = 4


def as_asked(value: Any) -> str | None:
    """The text of a prompt: itself, or the contents of its messages, joined by blank lines. None for anything else.

    The content of a message may be a list of parts, of which those with a text are read.
    """
    if isinstance(value, str):
        return value
    texts = list(_contents(value, 0)) if isinstance(value, list | dict) else []
    return "\n\n".join(texts) if texts else None


def folded(prompt: str) -> str:
    """A form in which a prompt as messages and the same prompt as one text are equal: no roles, single spaces."""
    return " ".join(_ROLES.sub(" ", prompt).split())


def _contents(value: Any, depth: int) -> list[str]:
    if isinstance(value, str):
        return [value]
    if depth >= _DEEPEST:
        return []
    if isinstance(value, list):
        return [text for member in value for text in _contents(member, depth + 1)]
    if isinstance(value, dict):
        inner = value.get("content", value.get("text"))
        return [] if inner is None else _contents(inner, depth + 1)
    return []
