"""`hansproof export`: parse, call, print. Standard output is the list of files."""

from __future__ import annotations

import click

from hansproof.release.exports.harnesses import HARNESSES
from hansproof.terminal.streams import say

__all__ = ["export"]

_EXPORT_EPILOG = """\b
Examples:
  hansproof export datasets/planted-cues/2.0.0 --to lm-eval
  hansproof export datasets/planted-cues/2.0.0 --to inspect --out tasks
  hansproof export mine.jsonl --to openai-evals
  hansproof export datasets/planted-cues/2.0.0 --to hub

hub is the Hugging Face Hub: a dataset with the eval.yaml of a benchmark.

README.md in the output folder says how to run the tasks. rows/ holds the original rows, byte for byte.
"""


@click.command(epilog=_EXPORT_EPILOG)
@click.argument("path", metavar="PATH")
@click.option("--to", required=True, metavar="HARNESS", help=f"One of: {', '.join(HARNESSES)}.")
@click.option("--out", metavar="FOLDER", help="Where to write. Default: NAME-VERSION-HARNESS in the current folder.")
@click.option("--force", is_flag=True, help="Overwrite files that differ.")
@click.option("--quiet", is_flag=True, help="Print nothing.")
def export(path: str, to: str, out: str | None, force: bool, quiet: bool) -> None:
    """Convert a release, or one file of items, for another evaluation harness, and list the files written.

    PATH is a release folder (NAME/VERSION) or one .jsonl file of items.
    """
    from hansproof.release.exports.export import export as write
    from hansproof.terminal.outputs import check_folder

    if out is not None:
        check_folder(out, "--out")
    for file in write(path, to, out=out, force=force):
        if not quiet:
            say(file)
