"""JSON for people and programs: indented, undefined numbers as null."""

from __future__ import annotations

import json
from typing import Any

import click

__all__ = ["json_bytes", "print_json"]


def json_bytes(value: Any) -> bytes:
    """A value of dicts, lists, numbers, texts and dataclasses as indented UTF-8 that ends with a newline.

    NaN and infinities become null. Raises TypeError for a value of another kind.
    """
    import msgspec

    try:
        return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"
    except UnicodeEncodeError:  # half a surrogate pair, which a reply may hold and UTF-8 cannot write
        plain = json.loads(json.dumps(msgspec.to_builtins(value)), parse_constant=lambda name: None)
        return json.dumps(plain, indent=2).encode() + b"\n"


def print_json(value: Any) -> None:
    """Write `json_bytes` of a value to standard output."""
    click.echo(json_bytes(value), nl=False)
