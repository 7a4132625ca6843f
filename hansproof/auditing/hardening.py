"""What `hansproof harden` does: call the repair, write what is left, print the screen, choose the exit code."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from generators.errors import UsageError

if TYPE_CHECKING:
    from audit.loading import Columns
    from audit.repair.audits import Recall
    from audit.repair.harden import Hardened
    from audit.result import AuditResult, Settings

__all__ = ["Files", "harden_source"]


@dataclass(frozen=True)
class Files:
    """What is written."""

    out: str
    removed: str | None = None
    json: str | None = None
    """A file, or `-` for standard output."""
    partial: bool = False
    """Write `out` even if the goal was not reached."""
    force: bool = False


def harden_source(source: str, files: Files, steps: str | None, options: dict[str, Any], *, cache: bool = True) -> int:
    """Harden a benchmark with the options of the command; the exit code. Raises HansproofError.

    With `cache`, the result of an earlier audit with the same options takes the place of the first one.
    """
    from audit.loading import hold
    from audit.repair.harden import harden
    from audit.repair.rows import check_ending
    from audit.repair.search import STEPS
    from hansproof.terminal.outputs import check_outputs
    from hansproof.terminal.progress import on_stderr

    check_outputs([files.out, files.removed, None if files.json == "-" else files.json], [source], force=files.force)
    held = hold(source)
    check_ending(held, files.out)
    kinds = STEPS if steps is None else tuple(step.strip() for step in steps.split(",") if step.strip())
    if not kinds:
        raise UsageError(f"--steps is empty; name some of {', '.join(STEPS)}")
    with on_stderr() as progress:
        done = harden(held, steps=kinds, progress=progress, recall=_recalled(source) if cache else _unknown, **options)
    reached = done.result.goal != "not reached"
    _write(files, done, reached)
    from audit.report.terminal.ink import console_on
    from audit.report.terminal.repair import show_repair

    console = console_on(sys.stderr if files.json == "-" else sys.stdout)
    show_repair(done.result, console)
    if not reached:
        what = "was written all the same" if files.partial else "was not written; --partial writes it all the same"
        click.echo(f"{files.out} {what}", err=True)
    return 0 if reached else 1


def _recalled(source: str) -> Recall:
    def recall(columns: Columns, settings: Settings) -> AuditResult | None:
        from hansproof.auditing.cache import ResultCache

        result = ResultCache(columns, settings).recall(source)
        if result is not None:
            click.echo("the audit of all items is that of an earlier run; --no-cache audits anew", err=True)
        return result

    return recall


def _unknown(columns: Columns, settings: Settings) -> None:
    return None


def _write(files: Files, done: Hardened, reached: bool) -> None:
    from audit.documents.strict_json import json_bytes
    from generators.jsonl import write_bytes

    if files.json == "-":
        click.echo(json_bytes(done.result), nl=False)
    elif files.json:
        write_bytes(files.json, json_bytes(done.result), overwrite=files.force)
    if reached or files.partial:
        write_bytes(files.out, done.rows, overwrite=files.force)
        if files.removed:
            removed = b"".join(json_bytes(removal, indent=None) for removal in done.removed)
            write_bytes(files.removed, removed, overwrite=files.force)
