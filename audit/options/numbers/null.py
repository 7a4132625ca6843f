"""What probes would score if nothing told the right option from the others: golds moved within their items."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from audit.options.items.pool import Pool
from audit.statistics.permutation import Null

__all__ = ["null_of", "rotated"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def rotated(pool: Pool, groups: Ints, times: int, random: np.random.Generator) -> Iterator[Ints]:
    """`times` relabellings (n,), each the row of a new gold, under the null that options and goldness are unrelated.

    Within an item every option is then as likely to be gold. All items of one of the `groups` (n,) move together, by
    the same share of a full turn along `Pool.turns`: items with the same options get the same option as gold, if they
    had, and a pair that differed still differs. Where the items of a group have as many options, these moves form a
    group of transformations, of which the golds as they are count as one, and p = (b + 1) / (B + 1) holds (Hemerik &
    Goeman 2018). Items that stand alone draw their gold anew.
    """
    place = np.empty(len(pool.texts), dtype=np.int64)
    place[pool.turns] = np.arange(len(pool.texts)) - np.repeat(pool.start[:-1], pool.size)
    own, first = place[pool.gold], pool.start[:-1]
    count = int(groups.max()) + 1
    for _ in range(times):
        shift = np.floor(random.random(count)[groups] * pool.size).astype(np.int64)
        yield pool.turns[first + (own + shift) % pool.size]


def null_of(pool: Pool, groups: Ints, shares: NDArray[np.float32], times: int, random: np.random.Generator) -> Null:
    """The null distribution of the kappas of choices (V, S, R) that stay as they are while the golds move."""
    vectors, splits, _ = shares.shape
    rows = np.ascontiguousarray(shares.reshape(vectors * splits, -1).T)  # by row: each relabelling picks n of them
    chance = float((1 / pool.size).mean())

    def kappas(gold: Ints) -> Floats:
        accuracy = rows[gold].mean(axis=0, dtype=np.float64)
        return np.asarray((accuracy - chance) / (1 - chance)).reshape(vectors, splits)

    moved = np.stack([kappas(gold) for gold in rotated(pool, groups, times, random)])
    return Null.of(kappas(pool.gold), moved)
