"""Results of earlier audits on disk, so that a second report is instant and an interrupted scan goes on.

A result is named by a digest of all that it follows from: the bytes of the file, its name, the columns and settings,
the code of the audit and the libraries. So nothing ever expires, and the folder may be deleted at any time. An entry is
the result's JSON behind its digest; one that does not match, or that another user wrote, is ignored and written anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import stat
import sys
from dataclasses import asdict
from pathlib import Path

import msgspec

from audit.formats.harnesses.legal_bench import BASE_PROMPT
from audit.formats.releases.label_lists import label_list
from audit.loading import Columns
from audit.result import AuditResult, Settings
from generators.errors import InputError
from generators.jsonl import write_bytes
from hansproof.cache import cache_folder

__all__ = ["ResultCache"]


class ResultCache:
    """The results of one set of columns and settings."""

    def __init__(self, columns: Columns, settings: Settings, folder: Path | None = None) -> None:
        """`folder` is by default `audits` in the cache folder."""
        self._how = json.dumps([asdict(columns), msgspec.to_builtins(settings), _method()], sort_keys=True)
        self._folder = cache_folder() / "audits" if folder is None else folder

    def recall(self, file: str, name: str | None = None) -> AuditResult | None:
        """The result of the bytes that are in `file` now; None if it is not known, or if `file` is no plain file."""
        from audit.documents.document import decode

        try:
            if not _is_alone(file):
                return None
            with Path(file).open("rb") as stream:
                own = hashlib.file_digest(stream, "sha256").hexdigest()
            checksum, _, data = _own_bytes(self._entry(file, name, own)).partition(b"\n")
            if checksum != hashlib.sha256(data).hexdigest().encode():
                return None
            result = decode(data)
        except (OSError, ValueError, InputError):
            return None
        return result if isinstance(result, AuditResult) and result.sha256 == own else None

    def keep(self, file: str, name: str | None, result: AuditResult) -> None:
        """Remember the result of a plain file; nothing happens where the cache cannot be written."""
        from audit.documents.document import encode

        if not _is_alone(file):
            return
        data = encode(result)
        entry = self._entry(file, name, result.sha256)
        with contextlib.suppress(OSError, InputError):
            self._folder.mkdir(0o700, parents=True, exist_ok=True)  # results quote prompts, which may be private
            entry.parent.mkdir(exist_ok=True)
            write_bytes(entry, hashlib.sha256(data).hexdigest().encode() + b"\n" + data, overwrite=True)

    def _entry(self, file: str, name: str | None, sha256: str) -> Path:
        key = hashlib.sha256(json.dumps([file, name, sha256, self._how]).encode()).hexdigest()
        return self._folder / key[:2] / f"{key}.json"


def _is_alone(file: str) -> bool:
    """True for a plain file whose result follows from it alone: a prompt or labels beside it are read, too.

    A source that only looks like the name of a file, such as `-`, is none, even where a file is called so.
    """
    if file == "-" or file.startswith("hf://"):
        return False
    path = Path(file)
    beside = (path.parent / BASE_PROMPT, label_list(path))
    return path.is_file() and not any(other.is_file() for other in beside)


def _own_bytes(entry: Path) -> bytes:
    """The content of a plain file that this user wrote. Raises OSError for any other, without waiting for it."""
    if sys.platform == "win32":
        flags = os.O_RDONLY | os.O_BINARY
    else:
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
    with os.fdopen(os.open(entry, flags), "rb") as file:
        known = os.fstat(file.fileno())
        if not stat.S_ISREG(known.st_mode) or (sys.platform != "win32" and known.st_uid != os.geteuid()):
            raise PermissionError(f"{entry} is not a file of this user")
        return file.read()


def _method() -> list[str]:
    """What the numbers follow from beside the settings: the code itself, and the versions of the libraries."""
    from audit.code import code_digest, library_versions

    return [code_digest(), json.dumps(library_versions())]
