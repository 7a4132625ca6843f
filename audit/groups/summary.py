"""What the report says of groups: how many, how large, and who is in the largest.

Reads the groups of `audit.groups.found` and the items' ids; the record goes into the audit's result.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from audit.groups.found import Groups
from audit.result import GroupSummary

__all__ = ["summarise"]

EXAMPLES = 5
MEMBERS = 4


def summarise(groups: Groups, ids: Sequence[str]) -> GroupSummary:
    """Count the groups and name members of the largest ones.

    `ids` has shape (n,), as has `groups.index`. Examples are the five largest groups of two or more, the
    earlier first among equals, each with its first four ids. No items give 0 groups, the largest of 0.

    Raises ValueError where the lengths differ.
    """
    if len(ids) != len(groups.index):
        raise ValueError(f"{len(ids)} ids for {len(groups.index)} items")
    sizes = np.bincount(groups.index)
    size, times = np.unique(sizes, return_counts=True)
    # A stable sort of the negated sizes keeps the order of appearance among groups of one size.
    largest = [int(group) for group in np.argsort(-sizes, kind="stable")[:EXAMPLES] if sizes[group] > 1]
    examples = [[ids[at] for at in np.flatnonzero(groups.index == group)[:MEMBERS].tolist()] for group in largest]
    return GroupSummary(
        source=groups.source,
        column=groups.column,
        count=len(sizes),
        largest=int(sizes.max()) if len(sizes) else 0,
        singletons=int(np.count_nonzero(sizes == 1)),
        sizes=[[one, many] for one, many in zip(size.tolist(), times.tolist())],
        examples=examples,
        how=groups.how,
    )
