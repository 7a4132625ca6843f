"""`hansproof verify`: parse, call, print. Exit 0 all is well, 1 a check failed, 2 could not run."""

from __future__ import annotations

import json
import sys

import click

__all__ = ["verify"]

_EPILOG = """\b
Examples:
  hansproof verify datasets/planted-cues/1.0.0
  hansproof verify downloads/knights-knaves/1.0.0 --no-regenerate --json

\b
Exit codes:
  0  every check that could be done passed
  1  a check failed
  2  there is no release to check
"""


@click.command(epilog=_EPILOG)
@click.argument("path")
@click.option("--no-regenerate", is_flag=True, help="Leave out making every line again.")
@click.option("--json", "as_json", is_flag=True, help="Print the checks as JSON.")
def verify(path: str, no_regenerate: bool, as_json: bool) -> None:
    """Check a release byte for byte: digests, rows, ids, gold answers, and every line made again.

    PATH is the folder of one release, with its manifest.json and SHA256SUMS.
    """
    from hansproof.release.verify import verify as check

    found = check(path, regenerate=not no_regenerate)
    if as_json:
        click.echo(json.dumps(found.record(), indent=2, ensure_ascii=False))
    else:
        for one in found.checks:
            click.echo(f"{one.status:<9} {one.name:<14} {one.note}")
            for fault in one.faults:
                click.echo(f"          {fault}")
        words = "every check passed" if all(one.done for one in found.checks) else "nothing wrong in what was checked"
        click.echo(f"{found.release or found.path}: {words if found.passed else 'FAILED'}")
    sys.exit(0 if found.passed else 1)
