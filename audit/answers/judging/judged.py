"""Whose verdict on a reply counts."""

from __future__ import annotations

from typing import Literal, get_args

from generators.errors import UsageError
from generators.item import Item

__all__ = ["BY_HARNESS", "Judged", "by_harness", "refuse_unknown_judge"]

Judged = Literal["reply", "harness"]
"""Our reading of the reply, or the verdict of the harness that wrote the log."""

BY_HARNESS = "by_harness"
"""The key of the metadata of items on which the verdicts of the harness count, since no gold answer is known."""


def by_harness(item: Item) -> bool:
    """Whether the verdicts of the harness on an item count even where replies are read."""
    return item.metadata.get(BY_HARNESS) is True


def refuse_unknown_judge(judged: str) -> None:
    """Raise UsageError for a `judged` that is none; the command line lets none through."""
    known = get_args(Judged)
    if judged not in known:
        raise UsageError(f"judged must be {' or '.join(map(repr, known))}, not {judged!r}")
