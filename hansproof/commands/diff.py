"""`hansproof diff`: parse, call, print."""

from __future__ import annotations

import sys

import click

from hansproof.terminal.outputs import check_output, json_option, write_json

__all__ = ["diff"]

_DIFF_EPILOG = """\b
Examples:
  hansproof audit bench.jsonl --json new.json && hansproof diff old.json new.json
  hansproof diff old.json new.json --json

\b
A verdict is worse if it stands further to the right:
  CLEAN, TRACES, INCONCLUSIVE, NOT ASSESSED, IMBALANCED, TEMPLATE-BOUND, LEAKS

\b
Exit codes:
  0  no verdict became worse
  1  a verdict became worse, or a file can no longer be audited
  2  the documents could not be compared, or their numbers are not comparable
"""


@click.command(epilog=_DIFF_EPILOG)
@click.argument("old")
@click.argument("new")
@json_option
def diff(old: str, new: str, json_: str | None, force: bool) -> None:
    """Show what changed between two audits: verdict, kappas, items, answers, n-grams and settings.

    OLD and NEW are JSON documents written by hansproof audit --json, both of one benchmark or both of a folder.
    Benchmarks of folders are matched by name.
    """
    from hansproof.audit.result.diff import diff as compare_documents

    if json_ is not None:
        check_output(json_, force=force, inputs=(old, new))
    changes = compare_documents(old, new)
    if json_ is not None:
        write_json(json_, changes, force=force)
    else:
        from hansproof.audit.report.change_screens import show_diff
        from hansproof.audit.report.terminal import console_on

        show_diff(changes, console_on(sys.stdout))
    sys.exit(1 if changes.worse else 0 if changes.comparable else 2)
