"""What random choices reach on every metric: the random agent of the cognitive tasks, measured as participants are.

    python benchmarks/phenotype/random_reference.py
    python benchmarks/phenotype/random_reference.py --runs 200      # a quick look

The references of the published analysis come from one simulation each. These come from many runs on fresh draws, with
their standard errors, and stand in `random` of the metrics; where theory gives the number, that stands there.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from hansproof.audit.phenotype.measuring import MEASURES, METRICS
from hansproof.audit.phenotype.task_records import make_records
from hansproof.generators.errors import unwatched
from hansproof.generators.production import Stretch, items
from hansproof.generators.registry import dataset
from hansproof.runs.games import games
from hansproof.runs.participants import gather
from hansproof.runs.playing import simulate

__all__ = ["Reference", "main", "references"]

FAMILY: Final = "cognitive-tasks"
BATCHES: Final = 20
"""Sets of runs that are measured apart: their spread gives the standard errors."""


class Reference(NamedTuple):
    """The value of one metric for random choices."""

    value: float
    error: float
    """Standard error of the simulation."""


def references(task: str, runs: int, seed: int = 0) -> dict[str, Reference]:
    """All metrics of a task over `runs` runs in `BATCHES` sets; learning rates count in every run, as they do where
    choices follow the rewards."""
    batches: list[dict[str, float]] = []
    for batch in range(BATCHES):
        records = make_records({task: _rows(task, runs // BATCHES, seed + batch)})
        statistics = MEASURES[task](records.tables[task], False).statistics
        batches.append({name: statistic.value()[0] for name, statistic in statistics.items()})
    out = {}
    for name in batches[0]:
        values = np.array([values[name] for values in batches])
        out[name] = Reference(float(values.mean()), float(values.std(ddof=1) / math.sqrt(BATCHES)))
    return out


def _rows(task: str, runs: int, seed: int) -> Sequence[dict[str, Any]]:
    family = dataset(FAMILY)
    played, _ = simulate(games(list(items(family, Stretch(task, 0, runs), seed))), "random", {}, seed, unwatched)
    return gather(played, "random").rows[task]


def main() -> int:
    """Print every metric beside its reference; 1 if one is more than four standard errors away."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=20_000, help="runs of each task (default: 20,000)")
    parser.add_argument("--task", choices=[*MEASURES], action="append", help="only this task")
    asked = parser.parse_args()
    catalogue = {metric.name: metric for metric in METRICS}
    far = 0
    print(f"{'metric':34s} {'simulated':>10s} {'error':>8s} {'reference':>10s} {'published':>10s}")
    for task in asked.task or MEASURES:
        for name, each in references(task, asked.runs).items():
            metric = catalogue[name]
            far += metric.random is not None and abs(each.value - metric.random) > 4 * each.error + 5e-5
            own, published = (
                "" if number is None else f"{number:.5g}" for number in (metric.random, metric.random_published)
            )
            print(f"{name:34s} {each.value:10.5f} {each.error:8.5f} {own:>10s} {published:>10s}", flush=True)
    return int(far > 0)


if __name__ == "__main__":
    sys.exit(main())
