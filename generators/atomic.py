"""Files that appear complete or not at all; everything in this project writes through here."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from generators.errors import InputError, refused

__all__ = ["appearing", "is_stream"]


@contextlib.contextmanager
def appearing(path: str | os.PathLike[str], overwrite: bool = False) -> Iterator[BinaryIO]:
    """A file to write to, which is named `path` when the block succeeds and disappears when it fails.

    A reader sees nothing, the old file, or the complete new one. Raises InputError if `path` exists and `overwrite` is
    False (checked before the block and again at its end), if it is not a regular file, or if the system refuses to
    write it. Other exceptions of the block pass through.
    """
    path = Path(path)
    part = path.with_name(f".{path.name}.{secrets.token_hex(8)}.part")  # same folder: a move within one disk
    try:
        if path.is_dir():
            raise InputError("is a folder; name a file in it", str(path))
        if (path.exists() and not path.is_file()) or is_stream(path):  # a rename would put a file in a device's place
            raise InputError("is not a regular file; name another file", str(path))
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
        raise InputError("exists; remove it, name another file, or ask to overwrite it", str(path)) from error
    except OSError as error:
        raise refused("written", error, str(path)) from error
    finally:
        with contextlib.suppress(FileNotFoundError):
            part.unlink()


def is_stream(path: Path) -> bool:
    """True for a name of an open file, such as `/dev/stdout`: a rename would put a file in the place of the name."""
    folder = path.parent.resolve().as_posix()
    return folder == "/dev" or folder.startswith("/proc/")


def _move_where_nothing_is(part: Path, path: Path) -> None:
    """Rename without replacing: a hard link fails if a file appeared in the meantime, a rename does not."""
    try:
        os.link(part, path)
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK):
            raise
        part.replace(path)  # a file system without hard links
