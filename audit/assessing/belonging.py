"""Which items belong together, and what that means for folds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from audit.statistics.intervals import effective_groups
from audit.texts.grouping import Groups
from audit.texts.sentences import fold_text
from audit.texts.similarity import number_by_first
from audit.verdict.rule import GROUPED_SHARE, Grouping

__all__ = ["Belonging", "share_with_others"]

Ints = NDArray[np.int64]


def share_with_others(groups: Ints, same: Ints) -> float:
    """Share of the items whose group has another text; `groups` and `same` (n,) number groups and equal texts."""
    texts = np.bincount(np.unique(np.stack([groups, same]), axis=1)[0])
    return float(np.bincount(groups)[texts > 1].sum() / len(groups))


@dataclass(frozen=True)
class Belonging:
    """The groups of n items, and which of their texts are the same."""

    groups: Ints
    """(n,) numbers from 0; grouped folds never divide a group."""
    same: Ints
    """(n,) numbers from 0 of equal texts. Random folds never divide them either: to remember a text is not to read a
    template."""
    declared: bool
    """The author named the groups."""

    @classmethod
    def of(cls, groups: Groups, texts: Sequence[str]) -> Belonging:
        """The groups of `texts` (n,)."""
        return cls(groups.index, number_by_first(fold_text(text) for text in texts), groups.source == "column")

    @cached_property
    def grouping(self) -> Grouping:
        """What the verdict must know; its share is that of the items that belong with another text."""
        share = share_with_others(self.groups, self.same)
        return Grouping(int(self.groups.max()) + 1, effective_groups(self.groups), share, self.declared)

    @property
    def apart(self) -> bool:
        """Whether no group holds two different texts: grouped folds are then random folds."""
        return self.grouping.count == int(self.same.max()) + 1

    @property
    def straddles(self) -> bool:
        """Whether enough items belong together for random folds to differ from grouped ones."""
        return self.grouping.share >= GROUPED_SHARE
