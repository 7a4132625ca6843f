"""The results of earlier audits, kept on disk; and the folder of all that can be computed or downloaded again."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import stat
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec

from hansproof.audit.reading.roles import Columns
from hansproof.audit.result.audit_result import AuditResult, Settings
from hansproof.generators.errors import InputError, UsageError
from hansproof.generators.input import note, read_regular, recording
from hansproof.generators.jsonl import write_bytes

__all__ = ["ResultCache", "cache_folder"]


def cache_folder(cache: Path | str | None = None) -> Path:
    """The folder that keeps downloads and results: `cache`, else HANSPROOF_CACHE, else the platform's cache folder.

    Raises UsageError for a folder of a user who does not exist: `~nobody/cache`.
    """
    from platformdirs import user_cache_path

    named = cache or os.environ.get("HANSPROOF_CACHE")
    try:
        return Path(named).expanduser() if named else user_cache_path("hansproof", appauthor=False)
    except RuntimeError as error:
        raise UsageError("the cache folder is that of a user who does not exist; name another", str(named)) from error


# An entry holds all that a result follows from (settings, code, libraries, digests of the bytes read) and is believed
# where all of it is the same now. So nothing ever expires, and the folder may be deleted at any time.


class ResultCache:
    """The results of one set of columns and settings."""

    def __init__(self, columns: Columns, settings: Settings, folder: Path | None = None) -> None:
        """`folder` is by default `audits` in the cache folder."""
        how = {"columns": asdict(columns), "settings": msgspec.to_builtins(settings), "method": _method()}
        self._how = json.loads(json.dumps(how))  # as it comes back from an entry
        self._folder = cache_folder() / "audits" if folder is None else folder

    def recall(self, file: str, name: str | None = None) -> AuditResult | None:
        """The result of the bytes that are in `file` now; None if it is not known, or if `file` is no plain file."""
        from hansproof.audit.result.document import decode

        try:
            if file == "-" or not Path(file).is_file():
                return None
            with recording(aside=True) as now:
                read_regular(file)
                checksum, _, content = self._own_bytes(self._entry(file, name, now.digests)).partition(b"\n")
                if checksum != hashlib.sha256(content).hexdigest().encode():
                    return None
                key, _, data = content.partition(b"\n")
                known = json.loads(key)
                for other in known["read"].keys() - {file}:
                    with contextlib.suppress(OSError, ValueError, InputError):
                        read_regular(other)
            result = decode(data) if known == self._key(file, name, now.digests) else None
        except (OSError, ValueError, LookupError, TypeError, AttributeError, InputError):
            return None
        for other, digest in now.digests.items() if result else ():
            note(other, digest)  # what the result follows from is an input, and what an older one did is none
        return result if isinstance(result, AuditResult) else None

    def keep(self, file: str, name: str | None, result: AuditResult, read: Mapping[str, str | None]) -> None:
        """Remember the result of a plain file, for which `read` was read (`generators.input`).

        Nothing happens where not all bytes are known that the result follows from, or the cache cannot be written.
        """
        from hansproof.audit.result.document import encode

        if file not in read or None in read.values() or result.sha256 is None:  # None: its data are on the Hub
            return
        content = json.dumps(self._key(file, name, read)).encode() + b"\n" + encode(result)
        with contextlib.suppress(OSError, InputError):
            self._folder.mkdir(0o700, parents=True, exist_ok=True)  # results quote prompts, which may be private
            if _is_private(self._folder.lstat(), stat.S_ISDIR):
                entry = self._entry(file, name, read)
                write_bytes(entry, hashlib.sha256(content).hexdigest().encode() + b"\n" + content, overwrite=True)
                entry.chmod(0o600)

    def _key(self, file: str, name: str | None, read: Mapping[str, str | None]) -> dict[str, Any]:
        return {"file": file, "name": name, "read": dict(read), **self._how}

    def _entry(self, file: str, name: str | None, read: Mapping[str, str | None]) -> Path:
        """Hidden, so that nobody who searches a folder takes it for a benchmark or for answers."""
        key = json.dumps(self._key(file, name, {file: read[file]}), sort_keys=True)
        return self._folder / f".{hashlib.sha256(key.encode()).hexdigest()}.json"

    def _own_bytes(self, entry: Path) -> bytes:
        """The content of an entry that only this user can write. Raises OSError for any other, without waiting."""
        if sys.platform == "win32":
            flags = os.O_RDONLY | os.O_BINARY
        else:
            flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
        with os.fdopen(os.open(entry, flags), "rb") as file:
            own = _is_private(os.fstat(file.fileno()), stat.S_ISREG) and _is_private(self._folder.lstat(), stat.S_ISDIR)
            if not own:
                raise PermissionError(f"others than this user could have written {entry}")
            return file.read()


def _is_private(known: os.stat_result, is_kind: Callable[[int], bool]) -> bool:
    """Whether a file or folder is of that kind, belongs to this user, and is open to nobody else."""
    if not is_kind(known.st_mode):
        return False
    return sys.platform == "win32" or (known.st_uid == os.geteuid() and not known.st_mode & 0o077)


def _method() -> list[str]:
    """What the numbers follow from beside the settings: the code itself, and the versions of the libraries."""
    from hansproof.audit.result.document import code_digest, library_versions

    return [code_digest(), json.dumps(library_versions())]
