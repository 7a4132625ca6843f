"""Making many items: a plan of index ranges in, canonical lines out, by one process or several."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Thread

from hansproof.generators.dataset import Dataset, check_seed
from hansproof.generators.errors import HansproofError, UsageError
from hansproof.generators.input import first_repeated
from hansproof.generators.item import Item
from hansproof.generators.output import appearing
from hansproof.generators.registry import dataset as registered

__all__ = ["Stretch", "follow_parent", "items", "plan", "private_seed", "produce", "release_stretch", "shard", "write"]


def follow_parent() -> None:
    """The initialiser of a worker: it ends with its parent, even if that is killed, and leaves Ctrl-C to it.

    A terminal sends Ctrl-C to all processes, but only the parent knows what is done.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    Thread(target=watch, daemon=True).start()


# Item i depends on dataset, subset, seed and i alone. So the work can be split anywhere (chunks, workers, shards on a
# cluster), and the bytes, concatenated in order, stay the same.

CHUNK = 250
"""Items per chunk: enough to outweigh the traffic between processes, few enough to keep several in memory."""

_MOST_ITEMS = 100_000_000
"""Of one subset in one run: a day of work and a full disk."""
_LAST = 10**12
_MOST_PARTS = 1_000_000


@dataclass(frozen=True)
class Stretch:
    """Items `start` to `stop` of one subset, `stop` excluded."""

    subset: str
    start: int
    stop: int


@dataclass(frozen=True)
class Written:
    """What `write` put into a file."""

    rows: int
    size: int
    """Bytes."""
    sha256: str


def private_seed() -> int:
    """A seed from the operating system's entropy, for items that no model has seen.

    It has 53 bits, so every JSON reader keeps it exactly; guessing it takes 2**52 attempts on average.
    """
    return int.from_bytes(os.urandom(8), "big") >> 11


def plan(family: Dataset, subsets: Sequence[str], seed: int, count: int, start: int = 0) -> list[Stretch]:
    """`count` items of each subset from index `start` on; without `subsets`, of all of them in release order.

    If a subset has few different items (`Subset.limit`) and you did not name it, you get as many as exist.
    Raises UsageError for an unknown or repeated subset, a count or start out of bounds, a seed beyond 64 bits, and more
    items of a named subset than exist.
    """
    for what, number in (("number of items", count), ("first index", start)):
        if type(number) is not int:
            raise UsageError(f"the {what} must be a whole number, not {number!r}")
    if count < 1:
        raise UsageError(f"the number of items must be at least 1, not {count}")
    if start < 0:
        raise UsageError(f"the first index must be at least 0, not {start}")
    for what, number, most in (("number of items", count, _MOST_ITEMS), ("first index", start, _LAST)):
        if number > most:
            raise UsageError(f"the {what} must be at most {most:,} per subset, not {number}")
    check_seed(seed)
    stretches = []
    for name in subsets or family.subsets:
        limit = family.subset(name).limit
        stop = start + count
        if limit is not None and stop > limit:
            if subsets:
                raise UsageError(
                    f"{family.name}/{name} has only {limit:,} different items, with indices below {limit}; "
                    f"you asked for {start} to {stop - 1}"
                )
            stop = max(start, limit)
        stretches.append(Stretch(name, start, stop))
    if (repeated := first_repeated(subsets)) is not None:
        raise UsageError(f"subset {repeated!r} is named twice, which would repeat its items")
    return [stretch for stretch in stretches if stretch.stop > stretch.start]


def shard(stretches: Sequence[Stretch], part: int, parts: int) -> list[Stretch]:
    """Part `part` of `parts` contiguous parts of the items, counted from 1.

    The bytes of all parts, concatenated in order, are the bytes of the whole. Sizes differ by at most one item; with
    more parts than items, some parts are empty.
    Raises UsageError unless 1 <= part <= parts, and for more than a million parts.
    """
    if parts > _MOST_PARTS:
        raise UsageError(f"there are at most {_MOST_PARTS:,} shards, not {parts:,}")
    if not 1 <= part <= parts:
        raise UsageError(f"there is no shard {part}/{parts}; shards run from 1/{parts} to {parts}/{parts}")
    total = sum(stretch.stop - stretch.start for stretch in stretches)
    first, last = total * (part - 1) // parts, total * part // parts
    chosen, before = [], 0
    for stretch in stretches:
        size = stretch.stop - stretch.start
        low, high = max(first - before, 0), min(last - before, size)
        if low < high:
            chosen.append(Stretch(stretch.subset, stretch.start + low, stretch.start + high))
        before += size
    return chosen


def produce(
    name: str, stretches: Iterable[Stretch], seed: int, workers: int = 1, chunk: int = CHUNK
) -> Iterator[bytes]:
    """The canonical lines of the items of dataset `name`, in order, at most `chunk` items per piece.

    `workers` is a number of processes, each a fresh interpreter, so a script that uses several must keep its own start
    behind `if __name__ == "__main__"`. Neither `workers` nor `chunk` changes the bytes, only where they are split.
    Raises UsageError for an unknown dataset, workers < 1 or chunk < 1, InputError for an item that breaks the rules of
    its fields, HansproofError if a worker dies.
    """
    if workers < 1 or chunk < 1:
        raise UsageError(f"workers and chunk must be at least 1, not {workers} and {chunk}")
    registered(name)  # fail on an unknown name before any process starts
    stretches = list(stretches)
    count = sum(-(-(stretch.stop - stretch.start) // chunk) for stretch in stretches)
    tasks = (
        (name, Stretch(stretch.subset, low, min(low + chunk, stretch.stop)), seed)
        for stretch in stretches
        for low in range(stretch.start, stretch.stop, chunk)
    )
    workers = min(workers, count)
    return (lines(*task) for task in tasks) if workers <= 1 else _parallel(tasks, workers)


def lines(name: str, stretch: Stretch, seed: int) -> bytes:
    """The canonical lines of one stretch: the work of one worker."""
    return b"".join([item.line() for item in items(registered(name), stretch, seed)])


def items(family: Dataset, stretch: Stretch, seed: int) -> Iterator[Item]:
    """The items of one stretch, in order: the only loop from (family, subset, seed, indices) to items.

    Raises UsageError for an unknown subset and for indices that do not exist.
    """
    make = family.item
    for index in range(stretch.start, stretch.stop):
        yield make(stretch.subset, seed, index)


def release_stretch(family: Dataset, subset: str) -> Stretch:
    """The items of a subset that its release contains. Raises UsageError for an unknown subset."""
    return Stretch(subset, 0, family.subset(subset).rows)


def _parallel(tasks: Iterator[tuple[str, Stretch, int]], workers: int) -> Iterator[bytes]:
    # Spawned, not forked: the same on every platform, and safe in a process that has threads.
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=follow_parent) as pool:
        waiting: deque[Future[bytes]] = deque()
        try:
            # A bounded window: a slow reader must not let finished chunks pile up.
            for task in islice(tasks, 2 * workers):
                waiting.append(pool.submit(lines, *task))
            while waiting:
                piece = waiting.popleft().result()
                for task in islice(tasks, 1):
                    waiting.append(pool.submit(lines, *task))
                yield piece
        except BrokenProcessPool as error:
            raise HansproofError("a worker process died (out of memory?); try fewer workers") from error
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def write(path: Path | str, pieces: Iterable[bytes], overwrite: bool = False) -> Written:
    """Stream lines into `path`; the file appears only when it is complete.

    Raises InputError if `path` exists and `overwrite` is False (checked before the first piece is made and again at the
    end), or if the system refuses to write it. Exceptions of `pieces` pass through, and nothing is left behind.
    """
    digest, rows, size = sha256(), 0, 0
    with appearing(path, overwrite) as file:
        for piece in pieces:
            file.write(piece)
            digest.update(piece)
            rows, size = rows + piece.count(b"\n"), size + len(piece)
    return Written(rows, size, digest.hexdigest())
