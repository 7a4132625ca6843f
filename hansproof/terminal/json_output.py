"""JSON for people and programs on standard output."""

from __future__ import annotations

from typing import Any

from hansproof.terminal.lines import emit

__all__ = ["print_json"]


def print_json(value: Any) -> None:
    """Write a value of dicts, lists, numbers, texts and dataclasses, indented, with undefined numbers as null."""
    from audit.documents.strict_json import json_bytes

    emit(json_bytes(value))
