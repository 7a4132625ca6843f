"""What was saved on a large benchmark, so that its audit ends while somebody waits for it."""

from __future__ import annotations

from audit.records.record import Record

__all__ = ["Effort"]


class Effort(Record, frozen=True, kw_only=True):
    """How a benchmark of more than 20,000 items was measured; `--thorough` measures it in full."""

    splits: int
    """How often the items were split anew; fewer than the settings ask, as more items make one split less of a
    lottery."""
    part: int
    """About how many items, in whole groups, random halvings, refitted relabellings, injected cues and clean texts
    were measured on."""
    tolerance: float
    """At which L1 fits stopped; 0.0001 on small benchmarks."""
