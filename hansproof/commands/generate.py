"""`hansproof generate`: parse, call, print. What it calls is imported when it runs, so that `--help` is quick."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from math import lcm
from typing import TYPE_CHECKING

import click

from hansproof.generators.errors import UsageError
from hansproof.terminal.streams import emit, tell

if TYPE_CHECKING:
    from hansproof.generators.dataset import Dataset
    from hansproof.generators.errors import Progress
    from hansproof.generators.production import Stretch

__all__ = ["generate"]

_GENERATE_EPILOG = """\b
Examples:
  hansproof generate knights-knaves -n 500 --seed 7 > items.jsonl
  hansproof generate knights-knaves -n 500 --out private.jsonl
  hansproof generate word-problems --subset consistency -n 1000 --out pairs.jsonl
  hansproof generate word-problems --subset nonlinear --difficulty 24 -n 100 --out long.jsonl
  hansproof generate planted-cues --subset none --subset unigram -n 3 --seed 7 | jq .prompt
  hansproof generate planted-cues -n 100000 --seed 7 --shard 2/8 --out part-2.jsonl

\b
Without --seed, the command draws a private seed from the operating system and prints it to standard
error: no model can have seen these items. The same seed gives the same bytes on every machine and with
any number of workers.
An id is dataset/version/subset/index, whatever the seed. Do not mix items from two seeds of the same
subset in one file, unless --start keeps their indices apart.
Items at a level of difficulty are a subset of their own, SUBSET@LEVEL.
Shards 1/K to K/K, concatenated in order, equal the whole file, byte for byte.
"""


@click.command(epilog=_GENERATE_EPILOG)
@click.argument("name")
@click.option(
    "-s",
    "--subset",
    "subsets",
    multiple=True,
    metavar="SUBSET",
    help="Subset; repeat the option for several. Default: all, in release order.",
)
@click.option(
    "-n", "--count", type=int, required=True, help="Number of items per subset. Both items of a matched pair count."
)
@click.option("--difficulty", type=int, metavar="LEVEL", help="How hard: a level that `hansproof list NAME` explains.")
@click.option("--seed", type=int, help="Any 64-bit integer. Default: a private seed.")
@click.option("--start", default=0, show_default=True, help="Index of the first item.")
@click.option("-o", "--out", metavar="FILE", help="Write to FILE, completely or not at all. Default: standard output.")
@click.option("--force", is_flag=True, help="Overwrite FILE if it exists.")
@click.option("--shard", metavar="I/K", help="Generate only part I of K equal, contiguous parts; I starts at 1.")
@click.option("--workers", default=1, show_default=True, help="Number of processes; 0 means one per core.")
def generate(
    name: str,
    subsets: tuple[str, ...],
    count: int,
    difficulty: int | None,
    seed: int | None,
    start: int,
    out: str | None,
    force: bool,
    shard: str | None,
    workers: int,
) -> None:
    """Generate items of the dataset NAME, one JSON object per line. `hansproof list` shows the names."""
    from hansproof.generators.production import plan, private_seed, produce, write
    from hansproof.generators.production import shard as cut
    from hansproof.generators.registry import dataset
    from hansproof.terminal.outputs import check_output
    from hansproof.terminal.streams import on_stderr

    family = dataset(name)
    part, parts = _shard(shard)
    if workers < 0:
        raise UsageError(f"--workers is {workers}; it must be a number of processes, or 0 for one per core")
    if seed is None and parts > 1:
        raise UsageError("--shard needs --seed: parts made with different private seeds do not fit together")
    chosen = private_seed() if seed is None else seed
    if difficulty is not None:
        subsets = _levelled(family, subsets, difficulty)
    stretches = plan(family, subsets, chosen, count, start)
    short = _short(family, subsets, count, stretches)
    stretches = cut(stretches, part, parts)
    if out is not None:
        check_output(out, force=force)
    if seed is None:
        tell(f"private seed: {chosen} (keep it: --seed {chosen} makes the same items again)")
    if short:
        tell(f"note: fewer than {count:,} items exist in {', '.join(short)}; all of them are written")
    if parted := _parted(family, subsets, count, start, short):
        whole = lcm(*parted.values())
        named = ", ".join(f"{name} ({size} items a group)" for name, size in parted.items())
        use = f"-n {whole * -(-count // whole)}" if start % whole == 0 else f"--start and -n in multiples of {whole}"
        tell(f"note: the first or the last group of matched items is cut in {named}; to keep groups whole, use {use}")
    total = sum(stretch.stop - stretch.start for stretch in stretches)
    with on_stderr() as progress:
        pieces = _counted(produce(name, stretches, chosen, workers or _cores()), name, total, progress)
        if out is None or out == "-":
            _print(pieces)
            return
        written = write(out, pieces, overwrite=force)
    tell(f"{out}: {written.rows:,} items, {written.size:,} bytes, sha256 {written.sha256}")


def _levelled(family: Dataset, subsets: Sequence[str], level: int) -> tuple[str, ...]:
    """The names of the subsets at a level. Raises UsageError where none is named, as a level means one thing each."""
    from hansproof.generators.dataset import LEVEL

    if not subsets:
        having = [name for name, subset in family.subsets.items() if subset.knob is not None]
        raise UsageError(f"--difficulty needs --subset: {', '.join(having)}" if having else "no subset has levels")
    return tuple(f"{name}{LEVEL}{level}" for name in subsets)


def _short(family: Dataset, subsets: Sequence[str], count: int, stretches: Sequence[Stretch]) -> list[str]:
    """The subsets of which fewer than `count` items are made, because no more exist."""
    made = {stretch.subset: stretch.stop - stretch.start for stretch in stretches}
    return [subset for subset in subsets or family.subsets if made.get(subset, 0) < count]


def _parted(family: Dataset, subsets: Sequence[str], count: int, start: int, short: Sequence[str]) -> dict[str, int]:
    """The subsets whose matched items, which stand side by side, are cut by the first item or the last, and how many of
    them a group has."""
    parted = {}
    for name in subsets or family.subsets:
        contrast = family.subset(name).matched
        size = 1 + len(contrast.perturbed) if contrast else 1
        if start % size or (name not in short and (start + count) % size):
            parted[name] = size
    return parted


def _counted(pieces: Iterable[bytes], name: str, total: int, progress: Progress) -> Iterator[bytes]:
    done = 0
    for piece in pieces:
        yield piece
        done += piece.count(b"\n")
        progress(name, done, total)


def _print(pieces: Iterable[bytes]) -> None:
    from hansproof.terminal.streams import reader_has_left

    for piece in pieces:
        emit(piece)
        if reader_has_left():
            return


def _shard(text: str | None) -> tuple[int, int]:
    if text is None:
        return 1, 1
    match = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", text)
    if match is None:
        raise UsageError(f"--shard is {text!r}; it must be I/K, for example 2/8")
    part, parts = int(match[1]), int(match[2])
    if not 1 <= part <= parts:
        raise UsageError(f"--shard is {text}; shards run from 1/K to K/K, with K at least 1")
    return part, parts


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
