"""A scenario: a recipe for benchmarks, with the verdicts that are right, tolerable or wrong for them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hansproof.generators.stream import Stream

__all__ = ["OPTIONS", "VERDICTS", "Expected", "Row", "Scenario", "Target"]

VERDICTS = ("LEAKS", "TRACES", "TEMPLATE-BOUND", "IMBALANCED", "CLEAN", "INCONCLUSIVE", "NOT ASSESSED")

OPTIONS = "options: "
"""How the families begin whose items have options of their own; they have tables of their own."""

Row = dict[str, Any]
"""`prompt`, `answer`, the list `choices` where items have options and, where groups are given, `group`."""


@dataclass(frozen=True)
class Target:
    """The published aim of a scenario: the share of some verdicts has a limit."""

    verdicts: frozenset[str]
    share: float
    at_least: bool

    def met(self, share: float) -> bool:
        """Whether a measured share (0 to 1) meets the aim."""
        return share >= self.share if self.at_least else share <= self.share

    def __str__(self) -> str:
        names = " or ".join(name for name in VERDICTS if name in self.verdicts)
        return f"{names} {'>=' if self.at_least else '<='} {100 * self.share:g} %"


@dataclass(frozen=True)
class Expected:
    """What a verdict is worth. Every verdict that is neither right nor tolerable is wrong."""

    right: frozenset[str]
    tolerable: frozenset[str] = frozenset()
    """Verdicts that claim nothing false but say less than they could."""
    target: Target | None = None

    @property
    def wrong(self) -> frozenset[str]:
        """All other verdicts."""
        return frozenset(VERDICTS) - self.right - self.tolerable

    def at_most(self, share: float, *verdicts: str) -> Expected:
        """The same with the aim that these verdicts (by default the wrong ones) occur at most in this share."""
        return Expected(self.right, self.tolerable, Target(frozenset(verdicts) or self.wrong, share, at_least=False))

    def at_least(self, share: float, *verdicts: str) -> Expected:
        """The same with the aim that these verdicts (by default the right ones) occur at least in this share."""
        return Expected(self.right, self.tolerable, Target(frozenset(verdicts) or self.right, share, at_least=True))


@dataclass(frozen=True)
class Scenario:
    """A recipe, and how often the run list repeats it."""

    family: str
    """What was planted, in a few words: a block of rows in the table."""
    case: str
    """The variant within the family: `k = 3`, `groups found`."""
    texts: str
    """The name of the texts; `made` for generated ones."""
    n: int
    """Number of items, about."""
    expected: Expected
    make: Callable[[Stream], list[Row]]
    """The benchmark of one repeat. Another stream gives other texts, answers and cues."""
    repeats: int
    kappa: float | None = None
    """Cohen's kappa of a perfect reader of the cue; None where there is no cue."""
    same_data: bool = False
    """Every repeat audits the same items in another order and under another seed."""
    coverage: bool = False
    """Whether each repeat redraws both texts and answers; then the spread of kappas over repeats is the true one."""

    task: str = "auto"
    """`open` where the answers would be taken for labels."""
    watched: str = ""
    """The strategy whose coverage is reported, for open-ended answers."""

    @property
    def name(self) -> str:
        """A unique name for records and for `--only`."""
        strength = "" if self.kappa is None else f"kappa {self.kappa:g}/"
        return f"{self.family}/{self.case}/{strength}n {self.n}/{self.texts}"
