"""What a verdict is, and what it must know of the groups."""

from __future__ import annotations

from dataclasses import dataclass

from audit.result import Verdict

__all__ = ["FEWEST_CLUSTERS", "FEWEST_GROUPS", "GROUPED_SHARE", "MOSTLY", "Grouping", "Judgement"]

FEWEST_GROUPS, FEWEST_CLUSTERS = 30.0, 10.0
"""Fewest groups, and clusters of similar texts, (effective numbers) that can stand for others."""

GROUPED_SHARE = 0.2
"""Least share of the items that must belong with others before the verdict can be about templates."""

MOSTLY = 1 / 3
"""Share of a kappa that may be left without similar texts, and the rest still be called templates."""


@dataclass(frozen=True)
class Judgement:
    """The verdict, its reason, and the vector and scheme that the reason is about."""

    verdict: Verdict
    reason: str
    vector: str
    scheme: str
    undecided: bool = False
    """INCONCLUSIVE, although a cue is shown: the reason is about its vector."""

    @property
    def cued(self) -> bool:
        """Whether a cue was shown that carries over, so that there is something to repair."""
        return self.undecided or self.verdict in ("LEAKS", "TRACES")


@dataclass(frozen=True)
class Grouping:
    """What the verdict must know of the groups."""

    count: int
    effective: float
    """The number of groups, if all were of one size."""
    share: float
    """Share of the items that belong with at least one other, 0 to 1."""
    declared: bool = False
    """The author named the groups; otherwise they were detected in the texts, or there are none."""
