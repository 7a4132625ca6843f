"""What was saved on a large benchmark, so that its audit ends while somebody waits for it."""

from __future__ import annotations

from audit.records.record import Record

__all__ = ["FULL_LABELS", "Effort"]

FULL_LABELS = 20
"""Answers up to which only the number of items decides what is saved; beyond, items times answers do."""


class Effort(Record, frozen=True, kw_only=True):
    """How a benchmark of more than 20,000 items was measured, or of fewer with many answers.

    Many are more than 400,000 items times answers, where fewer than 20 answers count as 20. `--thorough` saves nothing.
    """

    splits: int
    """How often the items were split anew; fewer than the settings ask, as more items make one split less of a
    lottery."""
    part: int
    """About how many items, in whole groups, random halvings, refitted relabellings, injected cues and clean texts
    were measured on."""
    tolerance: float
    """At which L1 fits stopped; 0.0001 on small benchmarks."""
