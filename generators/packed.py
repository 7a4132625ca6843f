"""Items that are kept packed: `NAME.jsonl.gz` in the place of `NAME.jsonl`.

A repository may hold the items of a release packed, because text shrinks to a tenth. Names, sizes and digests are
always those of the lines themselves: packed bytes depend on the library that packed them, the lines do not.
"""

from __future__ import annotations

import gzip
import os
import zlib
from pathlib import Path

from generators.errors import InputError
from generators.input.opening import open_regular

__all__ = ["PACKED", "in_packed", "is_there", "pack", "packed", "plain", "unpacked"]

PACKED = ".gz"
"""What the name of a packed file has in addition."""

_MOST = 1 << 30  # bytes; far more than any release has, and less than a bomb


def packed(path: Path) -> Path:
    """The packed file in the place of `path`."""
    return path.parent / (path.name + PACKED)  # also of `.`, which has no name


def plain(path: Path) -> Path:
    """The file that `path` stands for: itself, or the items that are packed in it."""
    return path.with_name(path.name.removesuffix(PACKED)) if path.name.endswith(f".jsonl{PACKED}") else path


def is_there(path: Path) -> bool:
    """Whether there is a file `path`, plain or packed."""
    return path.is_file() or packed(path).is_file()


def in_packed(path: Path) -> bool:
    """Whether something stands packed in the place of `path`, whatever it is: reading it says."""
    return not path.exists() and os.path.lexists(packed(path))


def pack(data: bytes) -> bytes:
    """`data` packed, without a name or a time."""
    return gzip.compress(data, compresslevel=9, mtime=0)


def unpacked(path: Path, most: int = _MOST) -> bytes:
    """The content of a packed file.

    Raises InputError where it cannot be read, is damaged, or has more than `most` bytes in it.
    """
    try:
        with open_regular(path) as stored, gzip.open(stored) as file:
            data = file.read(most + 1)
    except (OSError, EOFError, zlib.error) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        raise InputError(f"cannot be unpacked: {reason or error}", str(path)) from error
    if len(data) > most:
        raise InputError(f"unpacks to more than {most:,} bytes", str(path))
    return data
