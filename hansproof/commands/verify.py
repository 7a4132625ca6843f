"""`hansproof verify`: parse, call, print."""

from __future__ import annotations

import os
import sys

import click

from hansproof.terminal.outputs import check_output, json_option, write_json
from hansproof.terminal.streams import say

__all__ = ["verify"]

_VERIFY_EPILOG = """\b
Examples:
  hansproof verify datasets/planted-cues/2.0.0
  hansproof verify downloads/knights-knaves/2.1.0 --no-regenerate --json

\b
Exit codes:
  0  every check that could be made passed
  1  a check failed
  2  there is no release to check
"""


@click.command(epilog=_VERIFY_EPILOG)
@click.argument("path")
@click.option("--no-regenerate", is_flag=True, help="Skip the regeneration of every line.")
@click.option("--workers", default=0, help="Number of processes; 0 means one per core.")
@json_option
def verify(path: str, no_regenerate: bool, workers: int, json_: str | None, force: bool) -> None:
    """Check a release byte for byte: digests, rows, ids, gold answers, and regeneration of every line.

    PATH is the folder of one release, with its manifest.json and SHA256SUMS.
    """
    from hansproof.release.verify import verify as check_release
    from hansproof.terminal.streams import on_stderr

    if json_ is not None:
        check_output(json_, force=force, inputs=(path,))
    with on_stderr() as progress:
        verification = check_release(
            path, regenerate=not no_regenerate, progress=progress, workers=workers or os.cpu_count() or 1
        )
    if json_ is not None:
        write_json(json_, verification.record(), force=force)
        sys.exit(0 if verification.passed else 1)
    for check in verification.checks:
        say(f"{check.status:<9} {check.name:<14} {check.note}")
        for fault in check.faults:
            say(f"          {fault}")
    undone = [check.name for check in verification.checks if not check.done]
    passed = f"every check that was made passed; not made: {', '.join(undone)}" if undone else "every check passed"
    say(f"{verification.release or verification.path}: {passed if verification.passed else 'FAILED'}")
    sys.exit(0 if verification.passed else 1)
