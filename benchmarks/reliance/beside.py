"""What a model that gives the probe's answer does to the others: `python benchmarks/reliance/beside.py`.

In each world some models give it on a share of the items, or are better or worse at a topic. By one round, and by
rounds in which some are left out of the difficulty of the others (`audit/reliance/rounds.py`): what the others show,
and how often their 90 % intervals hold 0. It takes half an hour on one core.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # the checkout, installed or not

from audit.reliance.records import ModelResult
from audit.reliance.rounds import rounds
from audit.statistics.resampling import seeded
from benchmarks.reliance.simulated import World, simulated

_SIX: Final = World(models=6, families=3, items=1000, reliance=0.35, leaning=(0,))
_EIGHT: Final = World(items=1000, reliance=0.35)
_TOPIC: Final = World(items=1000, topics=2, topical=0.25)
WORLDS: Final[dict[str, World]] = {
    "1 of 6 leans, 300 items": replace(_SIX, items=300),
    "1 of 6 leans": _SIX,
    "1 of 6 leans, 3,000 items": replace(_SIX, items=3000),
    "1 of 6 leans, r = .15": replace(_SIX, reliance=0.15),
    "1 of 6 leans, 4 answers": replace(_SIX, labels=4),
    "1 of 6 leans, items easier by 2 logits": replace(_SIX, easier=2),
    "1 of 4 leans": replace(_SIX, models=4, families=4),
    "1 of 3 leans": replace(_SIX, models=3, families=3),
    "2 of 8 lean": replace(_EIGHT, leaning=(0, 4)),
    "2 of 8 lean, 300 items": replace(_EIGHT, leaning=(0, 4), items=300),
    "4 of 8 lean": replace(_EIGHT, leaning=(0, 2, 4, 6)),
    "4 of 8 lean, 300 items": replace(_EIGHT, leaning=(0, 2, 4, 6), items=300),
    "6 of 8 lean": replace(_EIGHT, leaning=(0, 1, 2, 3, 4, 5)),
    "1 of 8 is better at a topic": replace(_TOPIC, specialist=1, leaning=(0,)),
    "1 of 8 is better at a topic, 4 answers": replace(_TOPIC, specialist=1, leaning=(0,), labels=4),
    "1 of 8 is worse at a topic": replace(_TOPIC, specialist=-1, leaning=(0,)),
    "1 of 8 is worse at a topic by 2 logits": replace(_TOPIC, specialist=-2, leaning=(0,)),
    "all have profiles": replace(_TOPIC, profiles=0.5),
}
"""`leaning` are the models that are not asked to be at 0."""


@dataclass
class _Tally:
    """Over studies: of the others, and of those in `leaning`."""

    estimates: list[float] = field(default_factory=list)
    holds: list[bool] = field(default_factory=list)
    unmeasured: list[bool] = field(default_factory=list)
    reliances: list[float] = field(default_factory=list)

    def add(self, results: Sequence[ModelResult], leaning: set[str]) -> None:
        others = [each for each in results if each.model not in leaning]
        for each in others:
            low, high, estimate = each.beyond.low, each.beyond.high, each.beyond.estimate
            self.unmeasured.append(low is None)
            if low is not None and high is not None and estimate is not None:
                self.holds.append(low <= 0 <= high)
                self.estimates.append(estimate)
        known = [each.beyond.estimate for each in results if each.model in leaning]
        self.reliances += [value for value in known if value is not None]

    def cells(self) -> list[str]:
        return [
            _mean(self.estimates),
            _mean(self.holds, "%"),
            _mean(self.unmeasured, "%"),
            f"{np.median(self.reliances):.2f}" if self.reliances else "",
        ]


def main() -> None:
    """Print a table in Markdown: each cell by one round, and by rounds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=100, help="simulated studies of each world")
    parser.add_argument("--world", action="append", choices=[*WORLDS], help="only this one; repeatable")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    columns = ("others, points", "hold 0", "not measured", "estimate")
    print(f"| world | {' | '.join(columns)} |")
    print("|---" * (len(columns) + 1) + "|")
    for name in (name for name in WORLDS if name in (chosen.world or WORLDS)):
        print(f"| {name} | {' | '.join(_row(WORLDS[name], chosen.studies, chosen.seed, name))} |", flush=True)


def _row(world: World, studies: int, seed: int, name: str) -> list[str]:
    leaning = {f"model-{place}" for place in world.leaning}
    first, last = _Tally(), _Tally()
    for number in range(studies):
        every = list(rounds(simulated(world, seeded(seed, "reliance, beside", name, number)), 0.05))
        first.add(every[0].models, leaning)
        last.add(every[-1].models, leaning)
    return [f"{before} → {after}" if after else "" for before, after in zip(first.cells(), last.cells(), strict=True)]


def _mean(values: Sequence[float], unit: str = "") -> str:
    return f"{100 * np.mean(values):.1f}{unit and ' ' + unit}" if values else ""


if __name__ == "__main__":
    main()
