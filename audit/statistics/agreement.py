"""How far two yes-or-no judgements of the same replies agree: two annotators, or two ways of reading a reply."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan

import numpy as np

from audit.statistics.kappa import cohen, confusion

__all__ = ["Agreement", "agree", "agree_counts"]


@dataclass(frozen=True)
class Agreement:
    """Counts of two judgements, and their agreement corrected for chance."""

    replies: int
    """Replies with both judgements."""
    both: int
    """Replies to which both judgements are yes."""
    first_only: int
    second_only: int
    neither: int
    kappa: float
    """(p_o - p_e) / (1 - p_e): 1 is full agreement, 0 what chance gives. NaN where p_e = 1. Cohen (1960)."""
    reason: str
    """Why kappa is undefined; empty where it is defined."""


def agree(first: Sequence[bool], second: Sequence[bool], words: tuple[str, str] = ("no", "yes")) -> Agreement:
    """The agreement of two judgements, reply by reply; `words` are what False and True are called.

    Kappa is NaN, with the reason, without replies and where both judgements are the same single word throughout:
    chance agrees fully then, and kappa says nothing.
    """
    counts = confusion(np.array(first, dtype=np.int64), np.array(second, dtype=np.int64), 2)
    (neither, second_only), (first_only, both) = counts.tolist()
    return agree_counts(both, first_only, second_only, neither, words)


def agree_counts(
    both: int, first_only: int, second_only: int, neither: int, words: tuple[str, str] = ("no", "yes")
) -> Agreement:
    """The same of counts."""
    replies = both + first_only + second_only + neither
    kappa, reason = nan, ""
    if not replies:
        reason = "there are no replies to compare"
    elif replies in (neither, both):
        reason = f"both judgements of every reply are {words[both > 0]!r}"
    else:
        kappa = float(cohen(np.array([[neither, second_only], [first_only, both]], dtype=np.int64)))
    return Agreement(replies, both, first_only, second_only, neither, kappa, reason)
