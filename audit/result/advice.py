"""Advice for an author that does not depend on the shape of the answers."""

from __future__ import annotations

from collections.abc import Sequence

from hansproof.audit.result.audit_result import Duplicates
from hansproof.audit.result.explanation import CLEAR_Z, Cue

__all__ = ["MORE_ITEMS", "NOT_DONE", "advise_on_duplicates", "clear_cues"]

NOT_DONE = (
    "fast: one split of the items, and intervals wider by what is usual, not by refits; no ladder of simpler "
    "shortcuts, parts of prompts or share of format"
)
"""What a fast audit left out."""

MORE_ITEMS = (
    "Add items and audit again; items in new groups (templates, stories, passages) help more than larger groups. "
    "Until then, report the result as unknown, not as free of shortcuts."
)
"""After INCONCLUSIVE."""

_MOST_CUES = 4
_FEWEST_ITEMS = 5
"""An n-gram in fewer items says more about those items than about the benchmark."""


def clear_cues(cues: Sequence[Cue]) -> list[Cue]:
    """The cues whose items have the answer far more often than all items do, strongest first."""
    clear = [cue for cue in cues if cue.z >= CLEAR_Z and cue.count >= _FEWEST_ITEMS]
    return sorted(clear, key=lambda cue: -cue.z)[:_MOST_CUES]


def advise_on_duplicates(duplicates: Duplicates) -> list[str]:
    """Advice for texts with several golds, and for texts in several published splits."""
    texts = (
        (duplicates.conflicting_sets, "with more than one gold answer: correct or remove the items."),
        (duplicates.across_splits, "in more than one published split: keep each in a single split."),
    )
    return [f"{'1 text occurs' if count == 1 else f'{count:,} texts occur'} {what}" for count, what in texts if count]
