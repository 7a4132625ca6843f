"""What `hansproof audit` does: call the audit, write the reports, print the screen, choose the exit code."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

from generators.errors import UsageError
from generators.input import recording
from hansproof.auditing.exit_codes import INTERRUPTED, exit_code
from hansproof.cache import cache_folder
from hansproof.terminal.lines import tell
from hansproof.terminal.outputs import check_outputs, screen, write_outputs

if TYPE_CHECKING:
    from rich.console import Console

    from audit.loading import Columns
    from audit.records.item_score import ItemScore
    from audit.result import AuditResult, ScanResult, Settings
    from audit.run import Examination
    from audit.scan.folder import Done

__all__ = ["Outputs", "audit_sources"]

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
    from audit.loading import expand

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
    from audit.loading import Columns
    from audit.settings import check_workers, make_settings

    columns = Columns(
        split=options["split"], answer_part=options["answer_part"], **{role: options.pop(role) for role in _ROLES}
    )
    workers = options.pop("workers")
    check_workers(workers)  # before a remembered result is
    return {"columns": columns, "settings": make_settings(**options), "workers": workers}


def _audit_file(
    source: str,
    outputs: Outputs,
    failing: Sequence[str] | None,
    how: _How,
    train: str | None = None,
) -> int:
    from hansproof.auditing.cache import ResultCache

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
    known = result

    def page() -> str:
        from audit.report.page.page import render

        return render(known)

    from audit.report.terminal.screen import show, show_verdict

    (show_verdict if outputs.quiet else show)(result, _console(outputs))
    _write(result, outputs, page, scores)
    return exit_code(result.verdict, failing)


def _measured(source: str, outputs: Outputs, how: _How, train: str | None) -> Examination:
    from audit.cluster.connection import connected
    from audit.run import examine
    from hansproof.terminal.progress import on_stderr

    with on_stderr() as progress, connected(outputs.dask) as cluster:
        return examine(source, train=train, progress=progress, spread=cluster, **how)


def _audit_folder(
    source: str,
    sources: list[str],
    outputs: Outputs,
    failing: Sequence[str] | None,
    how: _How,
) -> int:
    from audit.cluster.connection import connected
    from audit.scan.folder import How, scan
    from hansproof.auditing.cache import ResultCache
    from hansproof.auditing.lines import line_of
    from hansproof.terminal.progress import lines_on_stderr

    cache = ResultCache(how["columns"], how["settings"]) if outputs.cache else None
    with lines_on_stderr() as (progress, say), connected(outputs.dask) as cluster:

        def each(done: Done) -> None:
            if not outputs.quiet:
                say(line_of(done))

        scanned = scan(source, sources, How(**how), progress=progress, memory=cache, each=each, cluster=cluster)

    def page() -> str:
        from audit.report.page.page import render_scan

        return render_scan(scanned)

    from audit.report.terminal.screen import show_scan, show_verdicts

    (show_verdicts if outputs.quiet else show_scan)(scanned, _console(outputs))
    _write(scanned, outputs, page)
    if scanned.unfinished:
        tell("interrupted; run the same command again to go on")
        return INTERRUPTED
    codes = [exit_code(result.verdict, failing) for result in scanned.results] + [2 for _ in scanned.failures]
    # The worst news first: a failed check, then what could not be judged, then what stayed open.
    return next((code for code in (1, 2, 3) if code in codes), 0)


def _write(
    result: AuditResult | ScanResult, outputs: Outputs, page: Callable[[], str], scores: Sequence[ItemScore] = ()
) -> None:
    """Write the reports, after the verdict is on the screen: a full disk costs them, and not the audit."""
    from audit.documents.document import encode
    from audit.documents.itemsfile import items_bytes

    def log() -> bytes:
        from audit.documents.strict_json import json_bytes
        from audit.report.sarif.log import sarif_log
        from hansproof import __version__

        return json_bytes(sarif_log(result, __version__, os.path.realpath(".")))

    write_outputs(
        [
            (outputs.json, lambda: encode(result)),
            (outputs.html, lambda: page().encode()),
            (outputs.items, lambda: items_bytes(scores)),
            (outputs.sarif, log),
        ],
        force=outputs.force,
    )


def _console(outputs: Outputs) -> Console:
    from audit.report.terminal.ink import console_on

    return console_on(screen(*outputs.files))
