"""What an `hf://` address may name: a dataset on the Hub and nothing else.

`datasets` would also read a folder of that name in the working directory, or, given the name of one of its own
readers, whatever files are there.
"""

from __future__ import annotations

import importlib.util
import os
import re
from dataclasses import dataclass

from generators.errors import InputError

__all__ = ["Address", "parse_address"]

_PART = r"[A-Za-z0-9_][A-Za-z0-9_.-]*"
_CONFIG = r"[^@\s:/\\](?:[^@\x00-\x1f\x7f:/\\]*[^@\s:/\\])?"  # names of configurations may have spaces
_ADDRESS = re.compile(rf"hf://(?P<path>{_PART}(?:/{_PART})?)(?::(?P<config>{_CONFIG}))?(?:@(?P<split>[^\s/\\]+))?\Z")


@dataclass(frozen=True)
class Address:
    """The parts of `hf://org/name:config@split`."""

    path: str
    """`name` or `org/name`."""
    config: str | None
    split: str | None


def parse_address(address: str) -> Address:
    """The parts of an address. Raises InputError if it is malformed, or would be read from this disk."""
    match = _ADDRESS.match(address)
    if match is None or ".." in address:
        raise InputError("not an address; write hf://org/name, hf://org/name:config or hf://org/name@split", address)
    path = match["path"]
    if os.path.lexists(path):
        raise InputError(
            f"{path!r} also exists in the working directory, and hf:// never reads local data; "
            f"pass ./{path} for the local one, or run this elsewhere for the one on the Hub",
            address,
        )
    if path.isidentifier() and importlib.util.find_spec(f"datasets.packaged_modules.{path}") is not None:
        raise InputError(f"{path!r} is a reader of local files, not a dataset on the Hub; pass the file", address)
    return Address(path, match["config"], match["split"])
