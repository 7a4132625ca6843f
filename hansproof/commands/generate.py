"""`hansproof generate`: parse, call, print. What it calls is imported when it runs.

Standard output is data, standard error is talk. Exit codes: 0 well, 2 could not run.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from generators.errors import InputError, UsageError

if TYPE_CHECKING:
    pass

__all__ = ["generate"]

_GENERATE_EPILOG = """\b
Examples:
  hansproof generate knights-knaves -n 500 --seed 7 > items.jsonl
  hansproof generate knights-knaves -n 500 --out private.jsonl
  hansproof generate word-problems --subset consistency -n 1000 --out pairs.jsonl
  hansproof generate planted-cues --subset none --subset unigram -n 3 --seed 7 | jq .prompt
  hansproof generate planted-cues -n 100000 --seed 7 --shard 2/8 --out part-2.jsonl

\b
Without --seed a fresh one is drawn from the operating system and told on standard error: no model can
have seen these items. The same seed gives the same bytes on every machine, whatever --workers is.
An id is dataset/version/subset/index for every seed; id and metadata.seed together name an item, so that
two seeds of one subset do not belong into one file (--start moves the indices).
cat of all shards 1/k ... k/k, in order, is the whole, byte for byte.
"""


@click.command(epilog=_GENERATE_EPILOG)
@click.argument("name")
@click.option(
    "-s",
    "--subset",
    "subsets",
    multiple=True,
    metavar="SUBSET",
    help="Subset, may be repeated; all of them, in the release's order, where none is named.",
)
@click.option("-n", "--count", type=int, required=True, help="Items of each subset (of matched pairs: both count).")
@click.option("--seed", type=int, help="Any 64-bit integer; a fresh private one where none is given.")
@click.option("--start", type=int, default=0, show_default=True, help="Index of the first item.")
@click.option("-o", "--out", metavar="FILE", help="Write here, whole or not at all, instead of standard output.")
@click.option("--force", is_flag=True, help="Overwrite FILE if it exists.")
@click.option("--shard", metavar="I/K", help="Only the I-th of K contiguous parts of equal size, I from 1.")
@click.option("--workers", type=int, default=1, show_default=True, help="Processes; 0 is one a core.")
def generate(
    name: str,
    subsets: tuple[str, ...],
    count: int,
    seed: int | None,
    start: int,
    out: str | None,
    force: bool,
    shard: str | None,
    workers: int,
) -> None:
    """Make items of the dataset NAME, one JSON object a line. `hansproof list` shows the names."""
    from generators.production import plan, private_seed, produce, write
    from generators.production import shard as cut
    from generators.registry import dataset
    from hansproof.terminal.line_progress import counted

    family = dataset(name)
    part, parts = _shard(shard)
    if workers < 0:
        raise UsageError(f"--workers is 0 (one a core) or more, not {workers}")
    if seed is None and parts > 1:
        raise UsageError("--shard needs --seed: parts made with different private seeds do not fit together")
    chosen = private_seed() if seed is None else seed
    stretches = plan(family, subsets, chosen, count, start)
    short = [one.subset for one in stretches if one.stop - one.start < count]
    short += [] if subsets else [one for one in family.subsets if one not in {had.subset for had in stretches}]
    stretches = cut(stretches, part, parts)
    if out not in (None, "-"):
        _refuse_existing(Path(str(out)), force)
    if seed is None:
        click.echo(f"private seed: {chosen} (keep it: --seed {chosen} makes the same items again)", err=True)
    if short:
        click.echo(f"fewer than {count:,} items, all that there are, of {', '.join(short)}", err=True)
    total = sum(one.stop - one.start for one in stretches)
    pieces = counted(produce(name, stretches, chosen, workers or _cores()), total, name)
    if out is None or out == "-":
        _print(pieces)
    else:
        written = write(out, pieces, overwrite=force)
        click.echo(f"{out}: {written.rows:,} items, {written.size:,} bytes, sha256 {written.sha256}", err=True)


def _print(pieces: Iterable[bytes]) -> None:
    """Lines to standard output; a reader that has enough (`| head`) ends the work quietly."""
    stdout = sys.stdout.buffer
    try:
        for piece in pieces:
            stdout.write(piece)
        stdout.flush()
    except OSError as error:
        # What is still buffered would fail once more when the interpreter closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            raise InputError(f"standard output: cannot be written: {error.strerror or error}") from error


def _shard(text: str | None) -> tuple[int, int]:
    if text is None:
        return 1, 1
    match = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", text)
    if match is None:
        raise UsageError(f"--shard is I/K, for example 2/8, not {text!r}")
    part, parts = int(match[1]), int(match[2])
    if not 1 <= part <= parts:
        raise UsageError(f"--shard {text}: there are shards 1/K to K/K, with K of 1 or more")
    return part, parts


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _refuse_existing(path: Path, force: bool) -> None:
    """Asked before the work, so that nobody waits an hour for a refusal."""
    if os.path.lexists(path) and not force:
        raise UsageError(f"{path}: exists; pass --force to overwrite it, or name another file")
    if not path.parent.is_dir():
        raise UsageError(f"{path}: its folder does not exist; make it first")
