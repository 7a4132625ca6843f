"""How many answers can be probed at once, and by how many threads: decided before anything is counted."""

from __future__ import annotations

import os

from generators.errors import NotAssessedError

__all__ = ["affordable", "check_answers"]

_MOST = 1_000
"""Answers. Each has a weight per feature, and beyond some hundreds hardly any has the items to learn from."""

_CELLS = 20_000_000
"""Items times answers: each vector keeps a probability for each, about 100 bytes for all vectors of both schemes."""

_FEATURES = 20_000
_ARRAYS = 18
"""Arrays of features by answers that one fit, and the models it chooses from, hold at the same time."""

_BUDGET = 1.2e9
"""Bytes for the fits of all threads together."""


def check_answers(labels: int, items: int) -> None:
    """Raise NotAssessedError for more answers than fit in memory."""
    if labels <= _MOST and labels * items <= _CELLS:
        return
    less = "audit part of each answer with --answer-part, or answers that are no labels with --task open"
    if labels <= _MOST:
        less = f"audit a sample with --max-rows {_CELLS // labels}"
    raise NotAssessedError(
        f"{labels:,} different answers for {items:,} items are too many to be probed as labels: at most {_MOST:,} "
        f"answers, and {_CELLS:,} items times answers; {less}"
    )


def affordable(workers: int, labels: int, items: int) -> int:
    """As many of the `workers` threads (0 for one per core) as have room for their fits; at least one.

    The number of threads changes no number. With 20 answers, 19 threads have room; with 150, two.
    """
    scores = 1 if labels == 2 else labels
    each = 8.0 * scores * (_ARRAYS * min(_FEATURES, 4 * items) + 6 * items)
    return max(1, min(workers if workers > 0 else os.cpu_count() or 1, int(_BUDGET // each)))
