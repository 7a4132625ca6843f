"""How much of a source is read: all rows up to a ceiling, or a sample of so many, chosen by their content and a seed.

A row is in the sample if the keyed hash of its content is among the smallest. So the same rows are chosen whatever
their order and whatever the format, and rows with equal content are chosen together or not at all, as far as there is
room. Nothing is known of groups, splits or answers: each row has the same chance. Rows are hashed as they are read, and
only those that may be chosen are kept (bottom-k sampling; Cohen & Kaplan 2007).
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from typing import Any, Generic, TypeVar

import msgspec

from hansproof.audit.benchmark import LeftOut
from hansproof.audit.formats.table import Row, Table
from hansproof.generators.errors import InputError, UsageError
from hansproof.generators.stream import Stream

__all__ = ["WHOLE", "Budget", "Sieve", "check_sample", "check_values", "parted"]

T = TypeVar("T")

ROWS = 1_000_000
"""Most rows that are audited; so many take about 10 GB. A sample may be drawn from any number of rows."""
_CELLS = 50_000_000
"""Most values in the rows that are kept: as objects of Python they take about 4 GB."""
_ADVICE = 100_000


@dataclass(frozen=True)
class Budget:
    """How many rows are kept of a source."""

    sample: int | None = None
    """Rows of the sample; None for all rows."""
    seed: int = 42

    @cached_property
    def _key(self) -> bytes:
        return Stream(self.seed, "audit", "max-rows").word().to_bytes(8, "big")

    def check_rows(self, count: int, place: str) -> None:
        """Raise InputError for a source of so many rows, before they are read."""
        if self.sample is None and count > ROWS:
            raise InputError(
                f"more than {ROWS:,} rows; `--max-rows {_ADVICE}` (`max_rows=` in Python) audits a sample of them",
                place,
            )

    def applied(self, table: Table, place: str) -> Table:
        """The table within the budget, with a note where rows were sampled. Raises InputError for too large a table."""
        if len(table.columns) * len(table.rows) > 4 * _CELLS:  # most are empty, or there were too many values
            raise InputError(
                f"{len(table.columns):,} columns for {len(table.rows):,} rows; keep those that the audit needs", place
            )
        count = len(table.rows) + len(table.left_out)
        if table.sampled_from is None:
            self.check_rows(count, place)
        if self.sample is not None and count > self.sample:
            sieve: Sieve[Row | LeftOut] = Sieve(self, place)
            for row in table.rows:
                sieve.add(row, row.values, len(row.values))
            for entry in table.left_out:
                sieve.add(entry, [entry.place, entry.full_reason])
            rows, left_out = parted(sieve.kept)
            table = replace(table, rows=rows, left_out=tuple(left_out), sampled_from=table.sampled_from or count)
        if table.sampled_from is None:
            return table
        note = (
            f"a sample of {self.sample:,} of {table.sampled_from:,} rows, chosen by content and the seed {self.seed}; "
            "it knows nothing of groups"
        )
        return replace(table, notes=(note, *table.notes))

    def digest(self, values: Any) -> int:
        """What a row is chosen by: a number that depends on its content and the seed alone."""
        try:
            content = msgspec.json.encode(values, order="deterministic", enc_hook=str)
        except (ValueError, TypeError, OverflowError):  # half a surrogate pair, a number of more than 64 bits
            content = repr(values).encode("utf-8", "surrogatepass")
        return int.from_bytes(blake2b(content, digest_size=16, key=self._key).digest(), "big")


WHOLE = Budget()
"""All rows, up to the ceiling."""


def check_sample(rows: int | None) -> int | None:
    """The size of a sample, None for none. Raises UsageError for one that is not permitted."""
    if rows is not None and not 1 <= rows <= ROWS:
        raise UsageError(f"max_rows is {rows}; it must lie between 1 and {ROWS:,}")
    return rows


def check_values(data: bytes, place: str) -> None:
    """Raise InputError for JSON that may hold too many values, before it is read; commas within texts count too."""
    if len(data) > _CELLS and data.count(b",") > _CELLS:
        raise InputError(f"may hold more than {_CELLS:,} values; keep what the audit needs", place)


def parted(kept: Iterable[Row | LeftOut]) -> tuple[list[Row], list[LeftOut]]:
    """The rows that can be used, and the others."""
    rows: list[Row] = []
    left_out: list[LeftOut] = []
    for entry in kept:
        if isinstance(entry, Row):
            rows.append(entry)
        else:
            left_out.append(entry)
    return rows, left_out


class Sieve(Generic[T]):
    """The rows of one source as they are read, of which the budget keeps all or some."""

    def __init__(self, budget: Budget, place: str) -> None:
        self._budget, self._place = budget, place
        self._seen = self._cells = 0
        self._all: list[T] = []
        self._chosen: list[tuple[int, int, int, T]] = []
        """Minus the digest and minus the place of each row, so that the first to go comes first; its values; itself."""

    def add(self, row: T, content: Any, cells: int = 1) -> None:
        """One more row, chosen by its `content`, with so many values. Raises InputError where that is too much."""
        budget = self._budget
        self._seen += 1
        self._cells += cells
        budget.check_rows(self._seen, self._place)
        if budget.sample is None:
            self._all.append(row)
        else:
            entry = (-budget.digest(content), -self._seen, cells, row)
            if len(self._chosen) < budget.sample:
                heapq.heappush(self._chosen, entry)
            else:
                self._cells -= heapq.heappushpop(self._chosen, entry)[2]
        if self._cells > _CELLS:
            raise InputError(
                f"more than {_CELLS:,} values in its rows; keep the columns that the audit needs, or read a sample "
                "with `--max-rows`",
                self._place,
            )

    @property
    def kept(self) -> list[T]:
        """The rows that are kept, in the order of the source."""
        if self._budget.sample is None:
            return self._all
        return [row for _, _, _, row in sorted(self._chosen, key=lambda entry: -entry[1])]

    @property
    def sampled_from(self) -> int | None:
        """How many rows were read, where not all of them are kept; else None."""
        sample = self._budget.sample
        return self._seen if sample is not None and sample < self._seen else None
