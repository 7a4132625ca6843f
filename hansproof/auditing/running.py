"""What `hansproof audit` does: audit or take the result from the cache, write the reports, print the screen."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

import msgspec

from hansproof.audit.reading.loading import Columns
from hansproof.audit.result.audit_result import AuditResult, Settings
from hansproof.audit.result_cache import ResultCache, cache_folder
from hansproof.generators.errors import Fault, HansproofError, UsageError, printable
from hansproof.generators.input import recording
from hansproof.terminal.outputs import check_outputs, screen, write_outputs
from hansproof.terminal.streams import INTERRUPTED, exit_code, tell

if TYPE_CHECKING:
    from rich.console import Console

    from hansproof.audit.result.audit_result import ScanResult
    from hansproof.audit.result.explanation import ItemScore
    from hansproof.audit.run import Examination
    from hansproof.audit.scale.folder import Done
    from hansproof.auditing.policy import Policy

__all__ = ["Outputs", "Ruled", "audit_sources"]

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
    dask: str | None = None
    """The address of a dask scheduler whose workers measure."""

    @property
    def files(self) -> tuple[str | None, ...]:
        """All that is to be written."""
        return self.html, self.json, self.csv, self.items, self.sarif, self.croissant[1] if self.croissant else None


def audit_sources(
    named: Sequence[str], outputs: Outputs, failing: Sequence[str] | None, options: dict[str, Any], ruled: Ruled
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
    predictions = named_predictions(options.pop("predictions"))
    beside = {"--train": [train] if train else [], "--predictions": [*predictions.values()]}
    inputs = [*named, *files, *(file for given in beside.values() for file in given), *(outputs.croissant or ())[:1]]
    check_outputs(outputs.files, inputs, force=outputs.force)
    if outputs.croissant:
        from hansproof.audit.report.croissant import read_croissant

        read_croissant(outputs.croissant[0])  # before the work, so that nothing is lost
    if files == list(named[:1]):
        how = _how(options, ruled.columns(files[0]))
        return _audit_file(files[0], outputs, failing, how, _Beside(train, predictions), ruled)
    for option, given in (beside | {"--item-scores": [outputs.items] if outputs.items else []}).items():
        if given:
            raise UsageError(f"{option} belongs to one benchmark; name one file")
    hows = {file: _how(options, ruled.columns(file)) for file in files}
    return _audit_folder(named[0] if len(named) == 1 else _common(files), hows, outputs, failing, ruled)


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


class _Beside(NamedTuple):
    """What is read beside the benchmark."""

    train: str | None = None
    predictions: Mapping[str, str] = {}


def _common(files: Sequence[str]) -> str:
    """The folder that holds all of several files, by which reports name them."""
    try:
        return os.path.commonpath([Path(file).parent for file in files]) or "."
    except ValueError:  # files on two drives, absolute and relative names
        return "."


class Ruled(NamedTuple):
    """The policy of the project, and the options that the command line has given, which win."""

    policy: Policy | None = None
    given: Mapping[str, object] = {}

    def columns(self, file: str) -> dict[str, str]:
        """The columns that the policy gives to a file, by the names of options."""
        return {} if self.policy is None else self.policy.columns(file, self.given)

    def over(self, result: AuditResult, file: str) -> AuditResult:
        """The result with what of the policy holds for it."""
        used = None if self.policy is None else self.policy.used(file, self.given)
        return msgspec.structs.replace(result, policy=used)

    def blamed(self, error: HansproofError, file: str) -> HansproofError:
        """The error, which also names the policy where it speaks of an option or a column that came from there."""
        if self.policy is None:
            return error
        used = self.policy.used(file, self.given).used.items()
        options = error.reason if isinstance(error, UsageError) else ""  # of other faults, columns alone are a cause
        about = [
            f"{name} {value}"
            for name, value in used
            if name in options or value in options or repr(value) in error.reason
        ]
        said = f"{error.reason} ({self.policy.file} says: {', '.join(about)})" if about else error.reason
        return type(error).of([Fault(said, error.place), *error.faults[1:]])


class _How(TypedDict):
    """What `examine` and `scan` are told alike."""

    columns: Columns
    settings: Settings
    workers: int


def _how(given: Mapping[str, Any], columns_of_file: Mapping[str, str]) -> _How:
    from hansproof.audit.reading.loading import Columns
    from hansproof.audit.settings import check_workers, make_settings

    options = {**given, **columns_of_file}
    columns = Columns(
        split=options["split"], answer_part=options["answer_part"], **{role: options.pop(role) for role in _ROLES}
    )
    workers = options.pop("workers")
    check_workers(workers)  # before a remembered result is
    return {"columns": columns, "settings": make_settings(**options), "workers": workers}


def _audit_file(
    source: str, outputs: Outputs, failing: Sequence[str] | None, how: _How, beside: _Beside, ruled: Ruled
) -> int:
    # A result is remembered by the bytes of one source.
    cache = ResultCache(how["columns"], how["settings"]) if outputs.cache and not any(beside) else None
    # The scores of the items are no part of a result, so they are always measured.
    result = cache.recall(source) if cache and not outputs.items else None
    scores: list[ItemScore] = []
    if result is not None:
        tell("the result of an earlier run; --no-cache audits anew")
    else:
        with recording() as journal:
            examination = _measured(source, outputs, how, beside)
        result = examination.result
        if outputs.items:
            scores = examination.item_scores()
        if cache:
            cache.keep(source, None, result, journal.digests)
    from hansproof.audit.report.audit_screen import show, show_short, show_verdict

    result = ruled.over(result, source)
    (show_verdict if outputs.quiet else show if outputs.full else show_short)(result, _console(outputs))
    _write(result, outputs, scores)
    return _code(result, failing)


def _measured(source: str, outputs: Outputs, how: _How, beside: _Beside) -> Examination:
    from hansproof.audit.probes.spreading import connected
    from hansproof.audit.run import examine
    from hansproof.terminal.streams import on_stderr

    with on_stderr() as progress, connected(outputs.dask) as cluster:
        return examine(
            source, train=beside.train, predictions=beside.predictions or None, progress=progress, spread=cluster, **how
        )


def _code(result: AuditResult, failing: Sequence[str] | None) -> int:
    """The exit code of one result; 0 for a verdict that the policy ignores."""
    from hansproof.audit.report.words import ignored_because

    return 0 if ignored_because(result) else exit_code(result.verdict, failing)


class _Kept(NamedTuple):
    """The results of earlier runs, each by how its file is audited."""

    hows: Mapping[str, _How]

    def recall(self, file: str, name: str) -> AuditResult | None:
        """As `ResultCache` does."""
        return self._of(file).recall(file, name)

    def keep(self, file: str, name: str, result: AuditResult, read: Mapping[str, str | None]) -> None:
        """As `ResultCache` does."""
        self._of(file).keep(file, name, result, read)

    def _of(self, file: str) -> ResultCache:
        return ResultCache(self.hows[file]["columns"], self.hows[file]["settings"])


def _audit_folder(
    source: str, hows: Mapping[str, _How], outputs: Outputs, failing: Sequence[str] | None, ruled: Ruled
) -> int:
    from hansproof.audit.probes.spreading import connected
    from hansproof.audit.scale.folder import How, scan
    from hansproof.terminal.streams import lines_on_stderr

    cache = _Kept(hows) if outputs.cache else None
    by_file = {file: How(**how) for file, how in hows.items()}
    how = next(iter(by_file.values()))  # all have the same number of workers
    with lines_on_stderr() as (progress, say), connected(outputs.dask) as cluster:

        def each(done: Done) -> None:
            if not outputs.quiet:
                say(line_of(done))

        scanned = scan(
            source, list(hows), how, progress=progress, memory=cache, each=each, cluster=cluster, by_file=by_file
        )
    results = [ruled.over(result, result.source) for result in scanned.results]
    exits = [_code(result, failing) for result in results]
    scanned = msgspec.structs.replace(scanned, results=results, exits=exits)
    from hansproof.audit.report.audit_screen import show_scan, show_verdicts

    (show_verdicts if outputs.quiet else show_scan)(scanned, _console(outputs))
    _write(scanned, outputs)
    if scanned.unfinished:
        tell("interrupted; run the same command again to go on")
        return INTERRUPTED
    codes = exits + [2 for _ in scanned.failures]
    # The worst news first, as on the screen: a failed check, then what could not be judged, then what stayed open.
    return min(filter(None, codes), default=0)


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
