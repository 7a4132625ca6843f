"""What `hansproof harden` does: call the repair, write what is left, print the screen, choose the exit code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from generators.errors import UsageError
from hansproof.terminal.lines import tell
from hansproof.terminal.outputs import STDOUT, check_outputs, screen, write_outputs

if TYPE_CHECKING:
    from audit.loading import Columns
    from audit.repair.audits import Recall
    from audit.repair.harden import Hardened
    from audit.result import AuditResult, Settings

__all__ = ["Files", "harden_source"]


@dataclass(frozen=True)
class Files:
    """What is written; each a file, or `-` for standard output."""

    out: str
    removed: str | None = None
    json: str | None = None
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
    from hansproof.terminal.progress import on_stderr

    written = (files.out, files.removed, files.json)
    check_outputs(written, [source], force=files.force)
    held = hold(source)
    if files.out != STDOUT:
        check_ending(held, files.out)
    kinds = STEPS if steps is None else tuple(step.strip() for step in steps.split(",") if step.strip())
    if not kinds:
        raise UsageError(f"--steps is empty; name some of {', '.join(STEPS)}")
    with on_stderr() as progress:
        done = harden(held, steps=kinds, progress=progress, recall=_recalled(source) if cache else _unknown, **options)
    reached = done.result.goal != "not reached"
    from audit.report.terminal.ink import console_on
    from audit.report.terminal.repair import show_repair

    show_repair(done.result, console_on(screen(*written)))
    _write(files, done, reached)
    if not reached:
        what = "was written all the same" if files.partial else "was not written; --partial writes it all the same"
        tell(f"{files.out} {what}")
    return 0 if reached else 1


def _recalled(source: str) -> Recall:
    def recall(columns: Columns, settings: Settings) -> AuditResult | None:
        from hansproof.auditing.cache import ResultCache

        result = ResultCache(columns, settings).recall(source)
        if result is not None:
            tell("the audit of all items is that of an earlier run; --no-cache audits anew")
        return result

    return recall


def _unknown(columns: Columns, settings: Settings) -> None:
    return None


def _write(files: Files, done: Hardened, reached: bool) -> None:
    from audit.documents.strict_json import json_bytes

    kept = reached or files.partial
    write_outputs(
        [
            (files.json, lambda: json_bytes(done.result)),
            (files.out if kept else None, lambda: done.rows),
            (files.removed if kept else None, lambda: b"".join(json_bytes(row, indent=None) for row in done.removed)),
        ],
        force=files.force,
    )
