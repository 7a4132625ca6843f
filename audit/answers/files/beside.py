"""What lies beside answers in a folder: files of other kinds, files without answers, and copies of other files."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from audit.answers.files.folders import files_within
from audit.answers.files.sources import ReplyFile
from audit.harnesses.answer_lines import NoAnswersError
from generators.errors import HansproofError, InputError, UsageError

__all__ = ["Beside"]

_SHOWN = 5
"""Files that a note lists."""
_BLOCK = 2**20


class Beside:
    """What of some files is not read, and why."""

    def __init__(self, files: Sequence[ReplyFile]) -> None:
        self._files = files
        self._without: dict[str, list[tuple[str, HansproofError, str]]] = {}
        self._sizes = Counter(_size(file.path) for file in files)
        self._read: dict[tuple[str, str, str], str] = {}
        self._copies: list[str] = []

    def leave_out(self, file: ReplyFile, why: HansproofError) -> None:
        """Count a file of a folder that holds no answers, or not the columns that somebody names."""
        named = isinstance(why, UsageError)
        short = why.short if isinstance(why, NoAnswersError) else "it lacks a named column" if named else why.reason
        self._without.setdefault(file.folder, []).append((file.path, why, short))

    def is_copy(self, file: ReplyFile, model: str, benchmark: str) -> bool:
        """Whether a file has the bytes of one before it and answers of the same model to the same benchmark."""
        size = _size(file.path)
        if size <= 0 or self._sizes[size] < 2:
            return False
        first = self._read.setdefault((_digest(file.path), model, benchmark), file.path)
        if first != file.path:
            self._copies.append(f"{file.path}: a copy of {first}, byte for byte, and left out: its answers count once")
        return first != file.path

    def notes(self) -> Iterator[str]:
        """A sentence for each folder of which files are left out, and for each copy.

        Raises InputError for a folder of which nothing is left.
        """
        for folder in dict.fromkeys(file.folder for file in self._files if file.folder):
            without = self._without.get(folder, [])
            if without and len(without) == sum(file.folder == folder for file in self._files):
                raise _nothing(folder, without)
            left = [f"{_within(folder, path)} ({short})" for path, _, short in without]
            left += [_within(folder, path) for path in files_within(Path(folder)).others]
            if left:
                more = f" and {len(left) - _SHOWN:,} more" if len(left) > _SHOWN else ""
                count = "1 file holds no answers and is" if len(left) == 1 else (
                    f"{len(left):,} files hold no answers and are")  # fmt: skip
                yield f"{folder}: {count} left out: {', '.join(left[:_SHOWN])}{more}"
        yield from self._copies


def _nothing(folder: str, without: Sequence[tuple[str, HansproofError, str]]) -> HansproofError:
    _, why, _ = without[0]
    if len(without) == 1:
        return why
    return InputError(
        f"a folder without answers: none of its {len(without):,} files holds any; the first, {why}", folder
    )


def _within(folder: str, path: str) -> str:
    return str(Path(path).relative_to(folder))


def _size(path: str) -> int:
    """Of a file that can be read again; -1 for any other, and for what cannot be looked at."""
    try:
        return Path(path).stat().st_size if Path(path).is_file() else -1
    except (OSError, ValueError):
        return -1


def _digest(path: str) -> str:
    """Of the bytes of a file; of its path where they cannot be read, which makes it nobody's copy."""
    digest = hashlib.blake2b()
    try:
        with Path(path).open("rb") as file:
            while block := file.read(_BLOCK):
                digest.update(block)
    except OSError:
        return path
    return digest.hexdigest()
