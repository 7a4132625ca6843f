"""What a metric is, and what a task's module gives for its records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from audit.phenotype.fits.statistic import Statistic

__all__ = ["Measured", "Metric"]


@dataclass(frozen=True)
class Metric:
    """One metric: its name, what it says, and what people and random choices reach on it."""

    name: str
    """`directed-exploration`; unique among all metrics."""
    task: str
    kind: Literal["performance", "behaviour"]
    title: str
    """As the figure shows it: `Directed exploration`."""
    meaning: str
    """What the number is, in one sentence."""
    human: float | None = None
    """Published average of people (Coda-Forno et al. 2024), without a standard error; None where there is none."""
    random: float | None = None
    """What random choices reach: from theory, or simulated with a small error (benchmarks/phenotype)."""
    random_published: float | None = None
    """The published value of random choices: one simulation, whose noise is part of it."""
    variant_of: str = ""
    """The metric that this is another version of; empty for the sixteen of the profile."""
    caution: str = ""
    """What to know before comparing it with the references."""


@dataclass(frozen=True)
class Measured:
    """The statistics of one task, before they are numbers."""

    statistics: Mapping[str, Statistic]
    """By the name of the metric."""
    notes: tuple[str, ...] = ()
    """What was not used, a sentence each."""
    no_interval: Mapping[str, str] = field(default_factory=dict)
    """Metrics that cannot be bootstrapped, and why."""
    unidentified: Mapping[str, str] = field(default_factory=dict)
    """Metrics of which these records say nothing, though the formula gives a number, and why."""
    cautions: Mapping[str, str] = field(default_factory=dict)
    """What these records say of how far some metrics can be trusted, beside what holds for all records."""
