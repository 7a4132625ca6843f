"""Texts that occur more than once: repeated, with conflicting golds, or on both sides of a published split.

The record becomes part of the audit's result and its warnings.
"""

from __future__ import annotations

from collections.abc import Sequence

from audit.result.audit_result import Duplicates
from audit.texts.sentences import fold_text

__all__ = ["CONFLICTS_SHOWN", "find_duplicates"]

CONFLICTS_SHOWN = 50
"""Conflicting sets that the record lists; all of them are counted."""


def find_duplicates(
    prompts: Sequence[str], answers: Sequence[str], ids: Sequence[str], splits: Sequence[str] | None
) -> Duplicates:
    """Find items whose prompts are equal after `fold_text`.

    All arguments have shape (n,). Answers are compared verbatim: `Yes` and `yes` conflict, because a scorer may
    distinguish them. A conflicting set contains all items of its text; sets are in order of first appearance.
    `across_splits` counts texts that occur in two or more splits, and is None if `splits` is. No items give no
    duplicates.

    Raises ValueError if the lengths differ.
    """
    lengths = {len(prompts), len(answers), len(ids), len(prompts) if splits is None else len(splits)}
    if len(lengths) > 1:
        raise ValueError(f"prompts, answers, ids and splits differ in length: {sorted(lengths)}")
    members: dict[str, list[int]] = {}
    for item, prompt in enumerate(prompts):
        members.setdefault(fold_text(prompt), []).append(item)
    repeated = [items for items in members.values() if len(items) > 1]
    conflicting = [[ids[item] for item in items] for items in repeated if len({answers[item] for item in items}) > 1]
    across = None if splits is None else sum(len({splits[item] for item in items}) > 1 for items in repeated)
    return Duplicates(
        repeated_items=sum(len(items) - 1 for items in repeated),
        conflicting=conflicting[:CONFLICTS_SHOWN],
        conflicting_sets=len(conflicting),
        across_splits=across,
    )
