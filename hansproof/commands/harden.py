"""`hansproof harden`: call the repair, write what is left, print the screen, choose the exit code."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from hansproof.commands.options import choice_option, examples, no_cache_option
from hansproof.generators.errors import UsageError
from hansproof.terminal.outputs import STDOUT, check_outputs, json_option, screen, write_outputs
from hansproof.terminal.streams import tell

if TYPE_CHECKING:
    from hansproof.audit.reading.loading import Columns
    from hansproof.audit.repair.goals import Recall
    from hansproof.audit.result.audit_result import AuditResult, Settings

__all__ = ["harden"]

_EPILOG = examples("harden")


@click.command(epilog=_EPILOG)
@click.argument("source")
@click.option(
    "--out", required=True, metavar="FILE", help="Write the items that are left, in its format; - for standard output."
)
@click.option("--removed", metavar="FILE", help="Write which items went or were reordered, and why, as JSON Lines.")
@json_option
@click.option("--best-effort", "partial", is_flag=True, help="Write FILE even if the goal was not reached.")
@click.option("--keep-at-least", default=0.3, show_default=True, help="Share of the items that must be left.")
@click.option(
    "--held-out",
    default=0.4,
    show_default=True,
    help="Share of the items, by group, that have no say in what is removed.",
)
@click.option("--steps", metavar="KINDS", help="Comma-separated kinds of steps to use. Default: all of them.")
@click.option("--drop", metavar="FILE",
              help="First leave out the items that this CSV of `analyse --by items` flags.")  # fmt: skip
@click.option("--recipe", metavar="NAME", help="Read a published benchmark whose columns are known, as in audit.")
@click.option("--prompt", metavar="COLUMN", help="Column with the prompt. Default: guessed from common names.")
@click.option("--answer", metavar="COLUMN", help="Column with the gold answer. Default: guessed.")
@click.option("--answer-part", metavar="REGEX|KEY", help="Judge only this part of the answer.")
@click.option(
    "--choices",
    metavar="COLUMN[,COLUMN...]",
    help="Column that lists each item's options, or one column per option, as in audit.",
)
@click.option("--template", metavar="TEXT", help='Compose the prompt from columns: "{premise} {hypothesis}".')
@click.option("--group", metavar="COLUMN", help="Column that names each item's group: pair, template, story.")
@click.option(
    "--split", metavar="COLUMN[=VALUE]", help="Column with the published split; =VALUE hardens one part only."
)
@click.option("--id", "id", metavar="COLUMN", help="Column with the item's id.")
@choice_option("--groups", ["auto", "found", "none"], "Where groups come from, as in audit.")
@choice_option("--task", ["auto", "fixed"], "fixed: treat the answers as one shared set.")
@click.option("--threshold", default=0.2, show_default=True, help="Smallest kappa that counts as a leak.")
@click.option("--alpha", default=0.05, show_default=True, help="Significance level of the audits.")
@click.option("--folds", default=5, show_default=True, help="Number of folds in each split.")
@click.option("--permutations", default=999, show_default=True, help="Permutations behind each p-value.")
@click.option("--splits", default=10, show_default=True, help="Splits of each audit.")
@click.option("--seed", default=42, show_default=True, help="Seed for holding out, removing and auditing.")
@click.option("--workers", default=0, help="Number of threads; 0 means one per core.")
@click.option("--max-left-out", default=0.1, show_default=True, help="Largest share of unusable rows.")
@no_cache_option("Audit all items anew, even if an earlier audit has the result.")
def harden(
    source: str,
    out: str,
    removed: str | None,
    json_: str | None,
    partial: bool,
    drop: str | None,
    force: bool,
    steps: str | None,
    cache: bool,
    **options: Any,
) -> None:
    """Remove the fewest items of SOURCE so that an audit finds no shortcut, and write the others to FILE.

    Items share one set of answers, or each has options of its own. Options whose position tells the right one are
    reordered, which costs no item; FILE then has the columns id, prompt, choices and answer, group and split.

    What to remove is chosen without a part of the groups, and judged on that part. Hardening removes the cues that the
    probes can see; it does not show that the items that are left test the ability. TRACES, which
    `hansproof audit` passes, counts as a fault here.
    """
    from hansproof.audit.reading.loading import hold
    from hansproof.audit.repair.harden import STEPS, check_ending
    from hansproof.audit.repair.harden import harden as repair
    from hansproof.audit.report.change_screens import show_repair
    from hansproof.audit.report.terminal import console_on
    from hansproof.audit.result.record import json_bytes
    from hansproof.terminal.streams import on_stderr

    written = (out, removed, json_)
    check_outputs(written, [source, *([drop] if drop else [])], force=force)
    held = hold(source)
    if out != STDOUT:
        check_ending(held, out)
    kinds = STEPS if steps is None else tuple(step.strip() for step in steps.split(",") if step.strip())
    if not kinds:
        raise UsageError(f"--steps is empty; name some of {', '.join(STEPS)}")
    with on_stderr() as progress:
        done = repair(
            held, steps=kinds, drop=drop, progress=progress, recall=_recalled(source) if cache else _unknown, **options
        )
    reached = done.result.goal != "not reached"
    show_repair(done.result, console_on(screen(*written)))
    kept = reached or partial
    write_outputs(
        [
            (json_, lambda: json_bytes(done.result)),
            (out if kept else None, lambda: done.rows),
            (removed if kept else None, lambda: b"".join(json_bytes(row, indent=None) for row in done.removed)),
        ],
        force=force,
    )
    if not reached:
        what = "was written all the same" if partial else "was not written; --best-effort writes it all the same"
        tell(f"{out} {what}")
    sys.exit(0 if reached else 1)


def _recalled(source: str) -> Recall:
    def recall(columns: Columns, settings: Settings) -> AuditResult | None:
        from hansproof.audit.result_cache import ResultCache

        result = ResultCache(columns, settings).recall(source)
        if result is not None:
            tell("the audit of all items is that of an earlier run; --no-cache audits anew")
        return result

    return recall


def _unknown(columns: Columns, settings: Settings) -> None:
    return None
