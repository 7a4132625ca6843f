"""Items that folds must never part: those whose texts belong together, and those that share options."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from audit.groups.components import Components, number_by_first
from audit.groups.grouping import LARGEST_SHARE, Groups
from audit.options.items.pool import Pool

__all__ = ["joined_by_options", "shown_items"]

Ints = NDArray[np.int64]

_SHARED, _SHARE = 2, 0.5
"""Items with at least so many options in common, and this share of the longer list, belong together."""

_FEW, _COMMON, _COMMON_SHARE = 5, 50, 0.05
"""An option in more than this share of the items, but at least 5 and at most 50 of them, is part of a pool ("none of
the above", a list of labels), not of a set."""


def joined_by_options(pool: Pool, own: Groups) -> Groups:
    """The groups of n items, joined where items share an unusual part of their options; golds are never read."""
    parts = Components(np.bincount(own.index).tolist())
    limit = max(2, int(LARGEST_SHARE * pool.n))
    joins = sum(parts.join(own.index[pair].tolist(), limit) for pair in _sharing(pool))
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


def _sharing(pool: Pool) -> list[Ints]:
    """Pairs of items that share options to an unusual degree; linear in the number of rows."""
    ids = np.unique(np.array(pool.folded), return_inverse=True)[1]
    spread = np.bincount(ids)
    common = spread > min(_COMMON, max(_FEW, int(_COMMON_SHARE * pool.n)))
    rare = ~common[ids] & (spread[ids] > 1)
    if not rare.any():
        return []
    has = sp.csr_matrix((np.ones(int(rare.sum())), (pool.item[rare], ids[rare])), shape=(pool.n, len(spread)))
    both = sp.triu(has @ has.T, 1).tocoo()
    longer = np.maximum(pool.size[both.row], pool.size[both.col])
    unusual = (both.data >= _SHARED) & (both.data >= _SHARE * longer)
    pairs = np.stack([both.row[unusual], both.col[unusual]], axis=1)
    return list(pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))].astype(np.int64))
