"""What `hansproof audit` does: audit or take the result from the cache, write the reports, print the screen."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import stat
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

import msgspec

from hansproof.audit.reading.loading import Columns
from hansproof.audit.result.audit_result import AuditResult, Settings
from hansproof.cache import cache_folder
from hansproof.generators.errors import InputError, UsageError, printable
from hansproof.generators.input import note, read_regular, recording
from hansproof.generators.jsonl import write_bytes
from hansproof.terminal.outputs import check_outputs, screen, write_outputs
from hansproof.terminal.streams import INTERRUPTED, exit_code, tell

if TYPE_CHECKING:
    from rich.console import Console

    from hansproof.audit.result.audit_result import ScanResult
    from hansproof.audit.result.explanation import ItemScore
    from hansproof.audit.run import Examination
    from hansproof.audit.scale.folder import Done

__all__ = ["Outputs", "ResultCache", "audit_sources"]

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


_LONGEST = len("TEMPLATE-BOUND")


def line_of(done: Done) -> str:
    """`[ 3/20] LEAKS            12.3 s  deep/pairs`; `cached` in place of the seconds of a remembered result."""
    verdict = done.outcome.verdict if isinstance(done.outcome, AuditResult) else "FAILED"
    time = "  cached" if done.seconds is None else f"{done.seconds:6.1f} s"
    width = len(str(done.total))
    return printable(f"[{done.number:{width}}/{done.total}] {verdict:<{_LONGEST}} {time}  {done.name}")


_ROLES = ("prompt", "answer", "group", "template", "id", "choices", "recipe")
"""Options that name a column; `split` does too, and is a setting besides, as is `answer_part`."""


@dataclass(frozen=True)
class Outputs:
    """Where the reports go, and how much is printed."""

    html: str | None = None
    json: str | None = None
    items: str | None = None
    sarif: str | None = None
    """Each a file, or `-` for standard output."""
    force: bool = False
    """Overwrite files that exist."""
    quiet: bool = False
    full: bool = False
    """Print every table, not only what decides."""
    cache: bool = True
    """Whether results of earlier runs are used and kept."""
    dask: str | None = None
    """The address of a dask scheduler whose workers measure."""

    @property
    def files(self) -> tuple[str | None, ...]:
        """All that is to be written."""
        return self.html, self.json, self.items, self.sarif


def audit_sources(
    named: Sequence[str], outputs: Outputs, failing: Sequence[str] | None, options: dict[str, Any]
) -> int:
    """Audit files and folders with the options of the command; the exit code. Raises HansproofError."""
    from hansproof.audit.reading.loading import expand

    by_path: dict[str, str] = {}  # `a.csv` and `./a.csv` are one benchmark
    for file in (file for source in named for file in expand(source, without=cache_folder())):
        by_path.setdefault(os.path.normpath(file), file)
    files = list(by_path.values())
    if len(named) > 1 and "-" in files:
        raise UsageError("standard input is one benchmark; name it alone")
    train = options.pop("train")
    if train == "-" and "-" in files:
        raise UsageError("standard input is one source; name a file for the benchmark or for --train")
    check_outputs(outputs.files, [*named, *files, *([train] if train else [])], force=outputs.force)
    how = _how(options)
    if files == list(named[:1]):
        return _audit_file(files[0], outputs, failing, how, train)
    if train:
        raise UsageError("--train belongs to one benchmark; name one file")
    if outputs.items:
        raise UsageError("--items belongs to one benchmark; name one file")
    return _audit_folder(named[0] if len(named) == 1 else _common(files), files, outputs, failing, how)


def _common(files: Sequence[str]) -> str:
    """The folder that holds all of several files, by which reports name them."""
    try:
        return os.path.commonpath([Path(file).parent for file in files]) or "."
    except ValueError:  # files on two drives, absolute and relative names
        return "."


class _How(TypedDict):
    """What `examine` and `scan` are told alike."""

    columns: Columns
    settings: Settings
    workers: int


def _how(options: dict[str, Any]) -> _How:
    from hansproof.audit.reading.loading import Columns
    from hansproof.audit.settings import check_workers, make_settings

    columns = Columns(
        split=options["split"], answer_part=options["answer_part"], **{role: options.pop(role) for role in _ROLES}
    )
    workers = options.pop("workers")
    check_workers(workers)  # before a remembered result is
    return {"columns": columns, "settings": make_settings(**options), "workers": workers}


def _audit_file(
    source: str, outputs: Outputs, failing: Sequence[str] | None, how: _How, train: str | None = None
) -> int:

    # A result is remembered by the bytes of one source.
    cache = ResultCache(how["columns"], how["settings"]) if outputs.cache and train is None else None
    # The scores of the items are no part of a result, so they are always measured.
    result = cache.recall(source) if cache and not outputs.items else None
    scores: list[ItemScore] = []
    if result is not None:
        tell("the result of an earlier run; --no-cache audits anew")
    else:
        with recording() as journal:
            examination = _measured(source, outputs, how, train)
        result = examination.result
        if outputs.items:
            scores = examination.item_scores()
        if cache:
            cache.keep(source, None, result, journal.digests)
    from hansproof.audit.report.audit_screen import show, show_short, show_verdict

    (show_verdict if outputs.quiet else show if outputs.full else show_short)(result, _console(outputs))
    _write(result, outputs, scores)
    return exit_code(result.verdict, failing)


def _measured(source: str, outputs: Outputs, how: _How, train: str | None) -> Examination:
    from hansproof.audit.probes.spreading import connected
    from hansproof.audit.run import examine
    from hansproof.terminal.streams import on_stderr

    with on_stderr() as progress, connected(outputs.dask) as cluster:
        return examine(source, train=train, progress=progress, spread=cluster, **how)


def _audit_folder(source: str, sources: list[str], outputs: Outputs, failing: Sequence[str] | None, how: _How) -> int:
    from hansproof.audit.probes.spreading import connected
    from hansproof.audit.scale.folder import How, scan
    from hansproof.terminal.streams import lines_on_stderr

    cache = ResultCache(how["columns"], how["settings"]) if outputs.cache else None
    with lines_on_stderr() as (progress, say), connected(outputs.dask) as cluster:

        def each(done: Done) -> None:
            if not outputs.quiet:
                say(line_of(done))

        scanned = scan(source, sources, How(**how), progress=progress, memory=cache, each=each, cluster=cluster)

    from hansproof.audit.report.audit_screen import show_scan, show_verdicts

    (show_verdicts if outputs.quiet else show_scan)(scanned, _console(outputs))
    _write(scanned, outputs)
    if scanned.unfinished:
        tell("interrupted; run the same command again to go on")
        return INTERRUPTED
    codes = [exit_code(result.verdict, failing) for result in scanned.results] + [2 for _ in scanned.failures]
    # The worst news first: a failed check, then what could not be judged, then what stayed open.
    return next((code for code in (1, 2, 3) if code in codes), 0)


def _write(result: AuditResult | ScanResult, outputs: Outputs, scores: Sequence[ItemScore] = ()) -> None:
    """Write the reports, after the verdict is on the screen: a full disk costs them, and not the audit."""
    from hansproof.audit.result.document import encode, items_bytes

    def page() -> bytes:
        from hansproof.audit.report.audit_page import render, render_scan

        return (render(result) if isinstance(result, AuditResult) else render_scan(result)).encode()

    def log() -> bytes:
        from hansproof import __version__
        from hansproof.audit.report.sarif import sarif_log
        from hansproof.audit.result.record import json_bytes

        return json_bytes(sarif_log(result, __version__, os.path.realpath(".")))

    write_outputs(
        [
            (outputs.json, lambda: encode(result)),
            (outputs.html, page),
            (outputs.items, lambda: items_bytes(scores)),
            (outputs.sarif, log),
        ],
        force=outputs.force,
    )


def _console(outputs: Outputs) -> Console:
    from hansproof.audit.report.terminal import console_on

    return console_on(screen(*outputs.files))
