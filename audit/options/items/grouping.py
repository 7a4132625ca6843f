"""Items that folds must never part: those whose texts belong together, and those that share options."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from audit.options.items.pool import Pool
from audit.texts.grouping import LARGEST_SHARE, Groups
from audit.texts.similarity import Components, number_by_first

__all__ = ["joined_by_options", "shown_items"]

Ints = NDArray[np.int64]

_SHARED, _SHARE = 2, 0.5
"""Items with at least so many options in common, and this share of the longer list, belong together."""

_BLOCK = 4096
"""Items compared with all others at a time."""

_FEW, _COMMON, _COMMON_SHARE = 5, 50, 0.05
"""An option in more than this share of the items, but at least 5 and at most 50 of them, is part of a pool ("none of
the above", a list of labels), not of a set."""


def joined_by_options(pool: Pool, own: Groups, places: Ints | None = None) -> Groups:
    """The groups of N items, joined where items share an unusual part of their options; golds are never read.

    `places` (n,) says which of the N items each of the pool is; by default they are the same in the same order.
    """
    parts = Components(np.bincount(own.index).tolist())
    limit = max(2, int(LARGEST_SHARE * pool.n))
    held = own.index if places is None else own.index[places]
    joins = sum(parts.join(held[list(pair)].tolist(), limit) for pair in _sharing(pool))
    if not joins or own.source == "none":
        return own
    index = number_by_first(parts.find(group) for group in own.index.tolist())
    how = f"{own.how.rstrip('.')}; items that share options reduced them to {int(index.max()) + 1:,}."
    return replace(own, index=index, how=how)


def shown_items(pool: Pool) -> list[str]:
    """(n,) each item as one text: its question and its options, in an order of their own, as list items."""
    lines = [f"- {' '.join(pool.texts[row].split())}" for row in pool.turns.tolist()]
    return [
        "\n".join([question, *lines[first:last]])
        for question, first, last in zip(pool.questions, pool.start[:-1].tolist(), pool.start[1:].tolist(), strict=True)
    ]


def _sharing(pool: Pool) -> Iterator[tuple[int, int]]:
    """Pairs of items that share options to an unusual degree, ascending; linear in the number of rows.

    An option may be in 50 items, and so join a million of them in 25 million pairs: they are made block by block.
    """
    ids = pool.same
    spread = np.bincount(ids)
    common = spread > min(_COMMON, max(_FEW, int(_COMMON_SHARE * pool.n)))
    rare = ~common[ids] & (spread[ids] > 1)
    has = sp.csr_matrix((np.ones(int(rare.sum())), (pool.item[rare], ids[rare])), shape=(pool.n, len(spread)))
    turned = has.T.tocsr()
    for begin in range(0, pool.n, _BLOCK):
        both = (has[begin : begin + _BLOCK] @ turned).tocoo()
        row = both.row + begin
        longer = np.maximum(pool.size[row], pool.size[both.col])
        unusual = (both.col > row) & (both.data >= _SHARED) & (both.data >= _SHARE * longer)
        first, second = row[unusual], both.col[unusual]
        order = np.lexsort((second, first))
        yield from zip(first[order].tolist(), second[order].tolist(), strict=True)
