"""The options of all items as rows: "is this the one?" is asked of each, and the answers compete within an item."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from audit.benchmark import Benchmark, Options
from audit.texts.sentences import fold_text

__all__ = ["Pool"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Pool:
    """n items with R options in all; the rows of an item follow each other in the order of the source."""

    texts: list[str]
    """(R,) the options."""
    questions: list[str]
    """(n,)"""
    start: Ints
    """(n + 1,): item i has the rows start[i] to start[i + 1] - 1."""
    gold: Ints
    """(n,) the row of the right option of each item."""
    source: list[int]
    """(n,) the number of each item in the benchmark."""

    @classmethod
    def of(cls, benchmark: Benchmark, options: Options) -> Pool:
        """The items that can be used, in an order that depends on their texts alone.

        Folds and resampling number the items in this order, so that reordering the rows of a file changes nothing.
        The order is that of a hash; items alike in question, options, gold and declared group are interchangeable.
        """
        groups = benchmark.groups

        def key(number: int) -> bytes:
            texts = options.texts[number]
            parts = [options.questions[number], *sorted(texts), texts[options.gold[number]]]
            parts += [groups[number] if groups else "", *texts]
            return blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).digest()

        order = sorted(options.usable, key=key)
        start = np.cumsum([0, *(len(options.texts[number]) for number in order)])
        return cls(
            texts=[text for number in order for text in options.texts[number]],
            questions=[options.questions[number] for number in order],
            start=start,
            gold=start[:-1] + np.array([options.gold[number] for number in order], dtype=np.int64),
            source=order,
        )

    def taken(self, items: Ints) -> Pool:
        """The pool of some of the items, in this order."""
        rows, places = self.rows_of(items), self.gold[items] - self.start[items]
        start = np.concatenate(([0], np.cumsum(self.size[items])))
        return Pool(
            texts=[self.texts[row] for row in rows.tolist()],
            questions=[self.questions[item] for item in items.tolist()],
            start=start,
            gold=start[:-1] + places,
            source=[self.source[item] for item in items.tolist()],
        )

    @property
    def n(self) -> int:
        """How many items there are."""
        return len(self.start) - 1

    @cached_property
    def size(self) -> Ints:
        """(n,) how many options each item has."""
        return np.diff(self.start)

    @cached_property
    def item(self) -> Ints:
        """(R,) the item of each row."""
        return np.repeat(np.arange(self.n), self.size)

    @cached_property
    def position(self) -> Ints:
        """(R,) the place of each option within its item, from 0."""
        return np.arange(len(self.texts)) - np.repeat(self.start[:-1], self.size)

    @cached_property
    def folded(self) -> list[str]:
        """(R,) the options by which equal ones are known: one case, single spaces."""
        return [fold_text(text) for text in self.texts]

    @cached_property
    def same(self) -> Ints:
        """(R,) a number for each different option, in order of first occurrence; `folded` ones that are equal share it.

        Not by an array of texts: NumPy would give every option the room of the longest.
        """
        numbers: dict[str, int] = {}
        return np.fromiter((numbers.setdefault(text, len(numbers)) for text in self.folded), np.int64, len(self.texts))

    @cached_property
    def strata(self) -> Ints:
        """(n,) a number for each number of options, so that folds get as many items of each size."""
        return np.asarray(np.unique(self.size, return_inverse=True)[1], dtype=np.int64)

    @cached_property
    def turns(self) -> Ints:
        """(R,) the rows of each item in an order that depends on the texts of the options alone.

        Relabelling moves the gold along this order (`audit.options.numbers.null`), so that items with the same options
        move alike, wherever each option stands.
        """
        digests = [blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest() for text in self.folded]
        rows = [
            row
            for first, last in zip(self.start[:-1].tolist(), self.start[1:].tolist(), strict=True)
            for row in sorted(range(first, last), key=digests.__getitem__)
        ]
        return np.array(rows, dtype=np.int64)

    def answers(self, gold: Ints) -> Ints:
        """(R,) 1 for the rows in `gold` (n,), 0 for the others."""
        y = np.zeros(len(self.texts), dtype=np.int64)
        y[gold] = 1
        return y

    def rows_of(self, items: Sequence[int] | Ints) -> Ints:
        """The rows of some items, item by item."""
        chosen = np.asarray(items, dtype=np.int64)
        size = self.size[chosen]
        return np.asarray(np.arange(size.sum()) + np.repeat(self.start[chosen] - (np.cumsum(size) - size), size))
