"""The groups of a benchmark: chosen, said of in the report, repeated texts, and what they mean for folds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.benchmark import Benchmark
from hansproof.audit.result.audit_result import Duplicates, GroupSummary
from hansproof.audit.statistics.intervals import effective_groups
from hansproof.audit.texts.grouping import Groups, column_groups, find_groups, no_groups
from hansproof.audit.texts.sentences import fold_text
from hansproof.audit.texts.similarity import number_by_first
from hansproof.audit.verdict.rule import GROUPED_SHARE, Grouping
from hansproof.generators.errors import NotAssessedError

__all__ = ["GroupLayout", "find_duplicates", "groups_of", "refuse_one_group", "summarise"]


def groups_of(benchmark: Benchmark, mode: str) -> Groups:
    """The groups of the items under one `audit.settings.GroupMode`.

    Columns whose values repeat only add to what the texts show; a column that the author named replaces it.
    """
    if mode == "none":
        return no_groups(len(benchmark.prompts))
    if mode == "auto" and benchmark.groups is not None:
        if benchmark.mapping.sources:
            return find_groups(benchmark.prompts, benchmark.groups, benchmark.mapping.group or "")
        return column_groups(benchmark.groups, benchmark.mapping.group or "", benchmark.prompts)
    return find_groups(benchmark.prompts)


def refuse_one_group(groups: Groups) -> None:
    """Raise NotAssessedError if all items belong to one group, because then nothing can be held out."""
    if groups.index.max() == 0:
        raise NotAssessedError(
            f"All {len(groups.index)} items belong to one group, so none can be held out. Set groups to 'none' to see "
            f"the result of random folds."
        )


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
    """
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


EXAMPLES = 5
MEMBERS = 4


def summarise(groups: Groups, ids: Sequence[str]) -> GroupSummary:
    """Count the groups and name members of the largest ones.

    `ids` and `groups.index` have shape (n,). Examples are the five largest groups of two or more items, equal ones
    in order of appearance, each with its first four ids. No items give 0 groups with a largest size of 0.
    """
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


Ints = NDArray[np.int64]


@dataclass(frozen=True)
class GroupLayout:
    """The groups of n items, and which of their texts are the same."""

    groups: Ints
    """(n,) numbers from 0; grouped folds never divide a group."""
    same: Ints
    """(n,) numbers from 0 of equal texts. Random folds never divide them either: to remember a text is not to read a
    template."""
    declared: bool
    """The author named the groups."""

    @classmethod
    def of(cls, groups: Groups, texts: Sequence[str]) -> GroupLayout:
        """The groups of `texts` (n,)."""
        return cls(groups.index, number_by_first(fold_text(text) for text in texts), groups.source == "column")

    @cached_property
    def grouping(self) -> Grouping:
        """What the verdict must know; its share is that of the items that belong with another text."""
        share = float((self.texts_in(self.groups) > 1).mean())
        return Grouping(int(self.groups.max()) + 1, effective_groups(self.groups), share, self.declared)

    def texts_in(self, groups: Ints) -> Ints:
        """(n,) how many different texts the group of each item has; `groups` (n,) are numbers from 0."""
        return np.bincount(np.unique(np.stack([groups, self.same]), axis=1)[0])[groups]

    @property
    def apart(self) -> bool:
        """Whether no group holds two different texts: grouped folds are then random folds."""
        return self.grouping.count == int(self.same.max()) + 1

    @property
    def straddles(self) -> bool:
        """Whether enough items belong together for random folds to differ from grouped ones."""
        return self.grouping.share >= GROUPED_SHARE
