"""What `hansproof audit` does: audit or take the result from the cache, write the reports, print the screen."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from hansproof.audit.reading.loading import Columns, expand
from hansproof.audit.result.audit_result import AuditResult
from hansproof.audit.result_cache import ResultCache, cache_folder
from hansproof.audit.scale.folder import Done, How, scan
from hansproof.audit.settings import Options, check_workers, make_settings
from hansproof.generators.errors import UsageError, printable
from hansproof.generators.input import recording
from hansproof.terminal.outputs import check_outputs, screen, write_outputs
from hansproof.terminal.streams import INTERRUPTED, exit_code, lines_on_stderr, on_stderr, tell

if TYPE_CHECKING:
    from rich.console import Console

    from hansproof.audit.result.audit_result import ScanResult
    from hansproof.audit.result.explanation import ItemScore
    from hansproof.auditing.policy import Policy

__all__ = ["Outputs", "audit_sources"]

_LONGEST = len("TEMPLATE-BOUND")


def line_of(done: Done) -> str:
    """`[ 3/20] LEAKS            12.3 s  deep/pairs`; `cached` in place of the seconds of a remembered result."""
    verdict = done.outcome.verdict if isinstance(done.outcome, AuditResult) else "FAILED"
    time = "  cached" if done.seconds is None else f"{done.seconds:6.1f} s"
    width = len(str(done.total))
    return printable(f"[{done.number:{width}}/{done.total}] {verdict:<{_LONGEST}} {time}  {done.name}")


@dataclass(frozen=True)
class Outputs:
    """Where the reports go, and how much is printed."""

    html: str | None = None
    json: str | None = None
    csv: str | None = None
    items: str | None = None
    sarif: str | None = None
    """Each a file, or `-` for standard output."""
    croissant: tuple[str, str] | None = None
    """The author's description of the dataset, and the name of the copy that says what was measured."""
    force: bool = False
    """Overwrite files that exist."""
    quiet: bool = False
    full: bool = False
    """Print every table, not only what decides."""
    cache: bool = True
    """Whether results of earlier runs are used and kept."""
    workers: int = 0
    """Threads; 0 is one per core."""
    dask: str | None = None
    """The address of a dask scheduler whose workers measure."""
    failing: Sequence[str] | None = None
    """The verdicts that exit with 1; None for the usual ones."""

    @property
    def files(self) -> tuple[str | None, ...]:
        """All that is to be written."""
        return self.html, self.json, self.csv, self.items, self.sarif, self.croissant[1] if self.croissant else None


def audit_sources(named: Sequence[str], outputs: Outputs, options: Mapping[str, Any], policy: Policy) -> int:
    """Audit files and folders with the options of the command; the exit code. Raises HansproofError."""
    check_workers(outputs.workers)  # before a remembered result is
    by_path: dict[str, str] = {}  # `a.csv` and `./a.csv` are one benchmark
    for file in (file for source in named for file in expand(source, without=cache_folder())):
        by_path.setdefault(os.path.normpath(file), file)
    files = list(by_path.values())
    if len(named) > 1 and "-" in files:
        raise UsageError("standard input is one benchmark; name it alone")
    train, predictions = options["train"], named_predictions(options["predictions"])
    if train == "-" and "-" in files:
        raise UsageError("standard input is one source; name a file for the benchmark or for --train")
    inputs = [*named, *files, *([train] if train else []), *predictions.values(), *(outputs.croissant or ())[:1]]
    check_outputs(outputs.files, inputs, force=outputs.force)
    if outputs.croissant:
        from hansproof.audit.report.croissant import read_croissant

        read_croissant(outputs.croissant[0])  # before the work, so that nothing is lost
    hows = {file: _how({**options, **policy.columns(file)}) for file in files}
    if files == list(named[:1]):
        return _audit_file(
            files[0], hows[files[0]], {"train": train, "predictions": predictions or None}, outputs, policy
        )
    for option, given in (("--train", train), ("--predictions", predictions), ("--item-scores", outputs.items)):
        if given:
            raise UsageError(f"{option} belongs to one benchmark; name one file")
    return _audit_folder(named[0] if len(named) == 1 else _common(files), hows, outputs, policy)


def named_predictions(given: Sequence[str]) -> dict[str, str]:
    """`NAME=FILE` or `FILE`, by name. Raises UsageError for a name that is given twice, and for standard input."""
    from hansproof.audit.formats.content import bare_name

    files: dict[str, str] = {}
    for each in given:
        name, equals, file = each.partition("=")
        if not equals or Path(each).exists():
            name, file = bare_name(Path(each))[0], each
        if name in files:
            raise UsageError(f"two files are called {name!r}; name them: --predictions NAME=FILE", "--predictions")
        if file == "-":
            raise UsageError("predictions are read from a file, not from standard input", "--predictions")
        files[name] = file
    return files


def _common(files: Sequence[str]) -> str:
    """The folder that holds all of several files, by which reports name them."""
    try:
        return os.path.commonpath([Path(file).parent for file in files]) or "."
    except ValueError:  # files on two drives, absolute and relative names
        return "."


def _how(options: Mapping[str, Any]) -> How:
    columns = Columns(**{role.name: options[role.name] for role in fields(Columns)})
    return How(columns, make_settings(**{name: options[name] for name in Options.__annotations__}))


def _audit_file(source: str, how: How, beside: Mapping[str, Any], outputs: Outputs, policy: Policy) -> int:
    from hansproof.audit.report.audit_screen import show, show_short, show_verdict

    # A result is remembered by the bytes of one source.
    cache = ResultCache(how.columns, how.settings) if outputs.cache and not any(beside.values()) else None
    # The scores of the items are no part of a result, so they are always measured.
    result = cache.recall(source) if cache and not outputs.items else None
    scores: list[ItemScore] = []
    if result is not None:
        tell("the result of an earlier run; --no-cache audits anew")
    else:
        from hansproof.audit.probes.spreading import connected
        from hansproof.audit.run import examine

        with recording() as journal, on_stderr() as progress, connected(outputs.dask) as cluster:
            examination = examine(
                source, how.columns, how.settings, workers=outputs.workers, progress=progress, spread=cluster, **beside
            )
        result = examination.result
        if outputs.items:
            scores = examination.item_scores()
        if cache:
            cache.keep(source, None, result, journal.digests)
    result = msgspec.structs.replace(result, policy=policy.used(source))
    (show_verdict if outputs.quiet else show if outputs.full else show_short)(result, _console(outputs))
    _write(result, outputs, scores)
    return _code(result, outputs)


def _code(result: AuditResult, outputs: Outputs) -> int:
    """The exit code of one result; 0 for a verdict that the policy ignores."""
    from hansproof.audit.report.words import ignored_because

    return 0 if ignored_because(result) else exit_code(result.verdict, outputs.failing)


def _audit_folder(source: str, hows: Mapping[str, How], outputs: Outputs, policy: Policy) -> int:
    from hansproof.audit.probes.spreading import connected
    from hansproof.audit.report.audit_screen import show_scan, show_verdicts

    with lines_on_stderr() as (progress, say), connected(outputs.dask) as cluster:

        def each(done: Done) -> None:
            if not outputs.quiet:
                say(line_of(done))

        scanned = scan(
            source, hows, workers=outputs.workers, progress=progress, cache=outputs.cache, each=each, cluster=cluster
        )
    results = [msgspec.structs.replace(each, policy=policy.used(each.source)) for each in scanned.results]
    failures = [
        msgspec.structs.replace(each, reason=policy.blamed(each.reason, each.place.partition(": ")[0]))
        for each in scanned.failures
    ]
    exits = [_code(result, outputs) for result in results]
    scanned = msgspec.structs.replace(scanned, results=results, failures=failures, exits=exits)
    (show_verdicts if outputs.quiet else show_scan)(scanned, _console(outputs))
    _write(scanned, outputs)
    if scanned.unfinished:
        tell("interrupted; run the same command again to go on")
        return INTERRUPTED
    # The worst news first, as on the screen: a failed check, then what could not be judged, then what stayed open.
    return min(filter(None, [*exits, *(2 for _ in failures)]), default=0)


def _write(result: AuditResult | ScanResult, outputs: Outputs, scores: Sequence[ItemScore] = ()) -> None:
    """Write the reports, after the verdict is on the screen: a full disk costs them, and not the audit."""
    from hansproof.audit.notation import csv_text
    from hansproof.audit.result.document import encode, items_bytes

    def page() -> bytes:
        from hansproof.audit.report.audit_document import render, render_scan

        return (render(result) if isinstance(result, AuditResult) else render_scan(result)).encode()

    def log() -> bytes:
        from hansproof import __version__
        from hansproof.audit.report.sarif import sarif_log
        from hansproof.audit.result.record import json_bytes

        return json_bytes(sarif_log(result, __version__, os.path.realpath(".")))

    def described() -> bytes:
        from hansproof.audit.report.croissant import annotated, read_croissant

        return annotated(read_croissant(description), result)

    description, copy = outputs.croissant or ("", None)
    write_outputs(
        [
            (outputs.json, lambda: encode(result)),
            (outputs.csv, lambda: csv_text(result.rows())),
            (outputs.html, page),
            (outputs.items, lambda: items_bytes(scores)),
            (outputs.sarif, log),
            (copy, described),
        ],
        force=outputs.force,
    )


def _console(outputs: Outputs) -> Console:
    from hansproof.audit.report.terminal import console_on

    return console_on(screen(*outputs.files))
