"""What is being written, under a name of its own until it is whole: how it is called, and how it goes away again.

The name is short, and says which process on which machine writes, so that the next run can tell what a killed one left
behind, and removes it.
"""

from __future__ import annotations

import contextlib
import os
import platform
import secrets
import shutil
import time
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path

from generators.errors import refused

__all__ = ["part_of", "preparing", "remove", "surely", "sweep"]

_START, _END = ".hansproof-", ".part"
_DAY = 86_400.0
"""Seconds."""


def part_of(path: Path) -> Path:
    """A name for what will be `path`, in its folder (a move within one disk), and short, however long `path` is."""
    return path.with_name(f"{_START}{_machine()}-{os.getpid()}-{secrets.token_hex(8)}{_END}")


def sweep(folder: Path) -> None:
    """Remove what killed runs left in `folder`: parts that nobody writes any more."""
    with contextlib.suppress(OSError):
        for entry in os.scandir(folder):
            if entry.name.startswith(_START) and entry.name.endswith(_END):
                with contextlib.suppress(OSError):
                    if not _is_left(entry):
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        shutil.rmtree(entry.path)
                    else:
                        Path(entry.path).unlink()


@contextlib.contextmanager
def preparing(folder: Path) -> Iterator[Path]:
    """A private folder in `folder`, in which to prepare what is moved when it is whole; then it is gone.

    Raises InputError where the system refuses.
    """
    part = part_of(folder / "any")
    try:
        try:
            sweep(folder)
            part.mkdir(0o700)
        except OSError as error:
            raise refused("written", error, str(folder)) from error
        yield part
    finally:
        surely(lambda: shutil.rmtree(part))


def remove(path: Path) -> None:
    """Remove a file, if it is there and the system lets us."""
    surely(path.unlink)


def surely(clear: Callable[[], object]) -> None:
    """Clear up, also if an interruption (of which more than one may come) falls into that very moment."""
    try:
        with contextlib.suppress(OSError):
            clear()
    except KeyboardInterrupt:
        with contextlib.suppress(OSError):
            clear()
        raise


def _is_left(entry: os.DirEntry[str]) -> bool:
    """Whether a part is that of a process which is no more: of this machine, or else untouched for a day."""
    machine, _, rest = entry.name.removeprefix(_START).partition("-")
    pid = rest.partition("-")[0]
    if machine != _machine() or not pid.isdecimal() or os.name == "nt":  # where signal 0 is Ctrl-C
        return time.time() - entry.stat(follow_symlinks=False).st_mtime > _DAY
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    return False


@cache
def _machine() -> str:
    """What process numbers belong to: a machine, or a container on it."""
    try:
        space = str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        space = ""
    return sha256(f"{platform.node()} {space}".encode("utf-8", "replace")).hexdigest()[:8]
