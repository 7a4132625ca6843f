"""What the report says about groups: how many, how large, and which items are in the largest.

The record becomes part of the audit's result.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from audit.result.audit_result import GroupSummary
from audit.texts.grouping import Groups

__all__ = ["summarise"]

EXAMPLES = 5
MEMBERS = 4


def summarise(groups: Groups, ids: Sequence[str]) -> GroupSummary:
    """Count the groups and name members of the largest ones.

    `ids` and `groups.index` have shape (n,). Examples are the five largest groups of two or more items, equal ones
    in order of appearance, each with its first four ids. No items give 0 groups with a largest size of 0.

    Raises ValueError if the lengths differ.
    """
    if len(ids) != len(groups.index):
        raise ValueError(f"{len(ids)} ids for {len(groups.index)} items")
    sizes = np.bincount(groups.index)
    size, times = np.unique(sizes, return_counts=True)
    # A stable sort of the negated sizes keeps the order of appearance among groups of one size.
    largest = [int(group) for group in np.argsort(-sizes, kind="stable")[:EXAMPLES] if sizes[group] > 1]
    examples = [[ids[item] for item in np.flatnonzero(groups.index == group)[:MEMBERS].tolist()] for group in largest]
    return GroupSummary(
        source=groups.source,
        column=groups.column,
        count=len(sizes),
        largest=int(sizes.max()) if len(sizes) else 0,
        singletons=int(np.count_nonzero(sizes == 1)),
        sizes=[[items, count] for items, count in zip(size.tolist(), times.tolist())],
        examples=examples,
        how=groups.how,
    )
