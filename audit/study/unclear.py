"""Replies that are wrong because they are unclear or missing, beside what is said of right answers by benchmark."""

from __future__ import annotations

from collections.abc import Sequence

from audit.reliance.records import PairResult
from audit.study.records import Answered

__all__ = ["NotClear"]


class NotClear:
    """How many replies of a model to a benchmark are unclear, and how many are missing; both count as wrong."""

    def __init__(self, answered: Sequence[Answered]) -> None:
        self._of: dict[tuple[str, str, str, str], tuple[int, int]] = {}
        for part in answered:
            # A benchmark is called by its source, or by the one subset that it is.
            whole = [part.name, *(part.subsets if len(part.subsets) == 1 else ())]
            for each in part.series:
                for accuracy in each.accuracies:
                    for name in [accuracy.subset] if accuracy.subset else whole:
                        counts = accuracy.unclear, accuracy.missing
                        self._of.setdefault((name, each.model, each.style, each.run), counts)

    def __bool__(self) -> bool:
        """Whether there is any such reply."""
        return any(map(sum, self._of.values()))

    def cell(self, pair: PairResult) -> str:
        """`393 + 0`: unclear and missing; empty where there are none, or nothing is known."""
        unclear, missing = self._of.get((pair.benchmark, pair.model, pair.style, pair.run), (0, 0))
        return f"{unclear:,} + {missing:,}" if unclear or missing else ""
