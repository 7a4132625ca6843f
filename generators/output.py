"""Files that appear complete or not at all: written under a name of their own, then put in place."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import stat
import time
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from typing import BinaryIO

from hansproof.generators.errors import InputError, refused
from hansproof.generators.input import refuse_inputs

__all__ = ["appearing", "is_stream", "make_folders", "preparing", "remove_folder", "write_together"]

# The name is short, and says which process on which machine writes, so that the next run can remove what a killed one
# left.

_START, _END = ".hansproof-", ".part"
_DAY = 86_400.0
"""Seconds."""


def part_of(path: Path) -> Path:
    """A name for what will be `path`, in its folder (a move within one disk), and short, however long `path` is."""
    return path.with_name(f"{_START}{_machine()}-{os.getpid()}-{os.urandom(8).hex()}{_END}")


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
    import platform  # both are slow to load, and a help page needs neither
    from hashlib import sha256

    try:
        space = str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        space = ""
    return sha256(f"{platform.node()} {space}".encode("utf-8", "replace")).hexdigest()[:8]


_WITHOUT_LINKS = (errno.EPERM, errno.EACCES, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EXDEV)


@contextlib.contextmanager
def appearing(path: str | os.PathLike[str], overwrite: bool = False) -> Iterator[BinaryIO]:
    """A file to write to, which is named `path` when the block succeeds and disappears when it fails.

    A reader sees nothing, the old file, or the complete new one, which keeps the permissions of the old one. Raises
    InputError if `path` exists and `overwrite` is False (checked before the block and again as it gets its name), if
    it is a link to nothing or not a regular file, or if the system refuses to write it; UsageError if it was read
    (`generators.input`). Other exceptions of the block pass through.
    """
    path = Path(path)
    part = part_of(path)
    try:
        _check(path, overwrite)
        sweep(path.parent)
        with part.open("xb") as file:
            yield file
            _settle(file, path)
        _check(path, overwrite)  # again: it may have appeared meanwhile
        if overwrite:
            part.replace(path)
        else:
            _move_where_nothing_is(part, path)
    except FileExistsError as error:
        raise _exists(path) from error
    except OSError as error:
        raise refused("written", error, str(path)) from error
    finally:
        remove(part)


def write_together(folder: Path, files: Mapping[str, bytes], overwrite: bool = False) -> None:
    """Put several files into `folder`, all or none: path in it -> bytes. Folders on the way are made.

    First all of them are written under other names, which is what a full disk refuses; then each is moved to its
    place. If that fails half-way, what was there before is back, and what was not is gone. Raises InputError as
    `appearing` does, and where a folder below `folder` is a link, which could lead anywhere.
    """
    folders, undo = contextlib.ExitStack(), contextlib.ExitStack()  # what to take back if anything fails
    done = contextlib.ExitStack()  # what to clear up in any case
    with folders, done, undo:
        parts: dict[Path, Path] = {}
        swept: set[Path] = set()
        for name, data in files.items():
            path = folder / name
            for made in reversed(make_folders(folder, path.parent)):
                folders.callback(remove_folder, made)
            if path.parent not in swept:
                sweep(path.parent)
                swept.add(path.parent)
            part = part_of(path)
            done.callback(remove, part)
            try:
                _check(path, overwrite)
                with part.open("xb") as file:
                    file.write(data)
                    _settle(file, path)
            except FileExistsError as error:
                raise _exists(path) from error
            except OSError as error:
                raise refused("written", error, str(path)) from error
            parts[path] = part
        for path, part in parts.items():
            _move(part, path, overwrite, undo, done)
        undo.pop_all()  # nothing failed
        folders.pop_all()


def make_folders(root: Path, folder: Path) -> list[Path]:
    """Make `folder`, in `root` or below it, with what is missing above it; those that were made, the deepest first.

    Raises InputError where a folder below `root` is a link, which could lead anywhere, and where the system refuses.
    """
    missing = []
    for level in (folder, *folder.parents):
        if level != root and level.is_relative_to(root) and level.is_symlink():
            raise InputError("is a link, and would be written through; remove it, or name another folder", str(level))
        if not os.path.lexists(level):
            missing.append(level)
    made = contextlib.ExitStack()
    with made:
        try:
            for level in reversed(missing):
                level.mkdir(exist_ok=True)  # another process may have been quicker
                made.callback(remove_folder, level)
            if not folder.is_dir():
                raise NotADirectoryError(errno.ENOTDIR, "there is a file of this name")
        except OSError as error:
            raise refused("made", error, str(folder)) from error
        made.pop_all()
    return missing


def is_stream(path: Path) -> bool:
    """True for a name of an open file, such as `/dev/stdout`: a rename would put a file in the place of the name."""
    folder = path.parent.resolve().as_posix()
    return folder == "/dev" or folder.startswith("/proc/")


def _check(path: Path, overwrite: bool) -> None:
    refuse_inputs(str(path))
    if path.is_dir():
        raise InputError("is a folder; name a file in it", str(path))
    if (path.exists() and not path.is_file()) or is_stream(path):  # a rename would put a file in a device's place
        raise InputError("is not a regular file; name another file", str(path))
    if not overwrite and os.path.lexists(path):
        raise FileExistsError
    if path.is_symlink() and not path.exists():
        raise InputError("is a link to nothing; remove it, or name another file", str(path))


def _exists(path: Path) -> InputError:
    return InputError("exists; remove it, name another file, or ask to overwrite it", str(path))


def _settle(file: BinaryIO, path: Path) -> None:
    """Bring the bytes to the disk, with the permissions of the file that they replace."""
    file.flush()
    with contextlib.suppress(FileNotFoundError, PermissionError, AttributeError):  # no old file; no such call
        os.fchmod(file.fileno(), stat.S_IMODE(path.stat().st_mode))
    os.fsync(file.fileno())


def _move(part: Path, path: Path, overwrite: bool, undo: contextlib.ExitStack, done: contextlib.ExitStack) -> None:
    """Give a part its name, and put on the two stacks what takes that back and what clears up."""
    try:
        _check(path, overwrite)
        if os.path.lexists(path):
            kept = part_of(path)
            done.callback(remove, kept)
            undo.callback(surely, partial(kept.replace, path))
            _keep(path, kept)
            part.replace(path)
        else:
            undo.callback(_remove_same, path, part.stat().st_ino)
            _move_where_nothing_is(part, path)
    except FileExistsError as error:
        raise _exists(path) from error
    except OSError as error:
        raise refused("written", error, str(path)) from error


def _move_where_nothing_is(part: Path, path: Path) -> None:
    """Rename without replacing: a hard link fails if a file appeared in the meantime, a rename does not."""
    try:
        os.link(part, path)
    except OSError as error:
        if error.errno not in _WITHOUT_LINKS:
            raise
        with path.open("xb"):  # a file system without hard links: whoever makes the name has it
            pass
        try:
            part.replace(path)
        except BaseException:
            remove(path)
            raise


def _keep(path: Path, kept: Path) -> None:
    """Give what is at `path` a second name."""
    try:
        os.link(path, kept, follow_symlinks=False)
    except OSError as error:
        if error.errno not in _WITHOUT_LINKS:
            raise
        path.replace(kept)


def _remove_same(path: Path, inode: int) -> None:
    """Remove what we put at `path`, but not what somebody else did."""

    def remove() -> None:
        if path.stat().st_ino == inode:
            path.unlink()

    surely(remove)


def remove_folder(path: Path) -> None:
    """Remove a folder that was made here, unless somebody put something in."""
    surely(path.rmdir)
