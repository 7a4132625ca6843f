"""Files that appear whole or not at all: what every writer of this project writes through."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from generators.errors import InputError

__all__ = ["appearing"]


@contextlib.contextmanager
def appearing(path: str | os.PathLike[str], overwrite: bool = False) -> Iterator[BinaryIO]:
    """A file to write to, which gets the name `path` when the block ends well, and vanishes when it does not.

    A reader sees nothing, the old file or the whole new one. Raises InputError where something is there and
    `overwrite` is False (asked before the block and again at its end), where `path` is no regular file, or where the
    system refuses; whatever else the block raises passes through.
    """
    path = Path(path)
    part = path.with_name(f".{path.name}.{secrets.token_hex(8)}.part")  # same folder: a move within one disk
    try:
        if path.is_dir():
            raise InputError(f"{path}: is a folder; name a file in it")
        if path.exists() and not path.is_file():  # a rename would put a file in a device's place
            raise InputError(f"{path}: is no regular file; name another")
        if not overwrite and os.path.lexists(path):
            raise FileExistsError
        with part.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if overwrite:
            part.replace(path)
        else:
            _move_where_nothing_is(part, path)
    except FileExistsError as error:
        raise InputError(f"{path}: is there already; remove it, or ask for overwriting") from error
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror or error}") from error
    finally:
        with contextlib.suppress(FileNotFoundError):
            part.unlink()


def _move_where_nothing_is(part: Path, path: Path) -> None:
    """Rename without replacing: a hard link fails where a file came up in the meantime, a rename does not."""
    try:
        os.link(part, path)
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK):
            raise
        part.replace(path)  # a file system without hard links
