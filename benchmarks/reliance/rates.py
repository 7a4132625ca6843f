"""How often numbers of simulated models without reliance differ from 0: `python benchmarks/reliance/rates.py`.

For each world: how often each difference of a model that does not give the probe's answer has a one-sided p of at most
5 %, not corrected, with all models in; and the median difference beyond difficulty of those that do give it. It takes
an hour on one core; `pooled.py` has the tests of families.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # the checkout, installed or not

from simulated.reliance import World, simulated

from audit.reliance.pairs import EstimatedPair
from audit.reliance.records import RobustDifference
from audit.reliance.rounds import rounds
from audit.statistics.resampling import seeded

_BASE: Final = World()
WORLDS: Final[dict[str, World]] = {
    "as difficult": replace(_BASE, easier=0),
    "easier by 1 logit": _BASE,
    "easier by 2 logits": replace(_BASE, easier=2),
    "easier by 2 logits, 1,000 items": replace(_BASE, easier=2, items=1000),
    "easier by 2 logits, 3,000 items": replace(_BASE, easier=2, items=3000),
    "easier by 3 logits, 3,000 items": replace(_BASE, easier=3, items=3000),
    "easier by 2 logits, guessing, 3,000 items": replace(_BASE, easier=2, items=3000, guess=0.5),
    "easier by 2 logits, sensitivities from .3 to 2, 3,000 items": replace(
        _BASE, easier=2, items=3000, sensitivities=(0.3, 2)
    ),
    "easier by 2 logits, models favour an answer, 3,000 items": replace(_BASE, easier=2, items=3000, bias=1),
    "easier by 2 logits, 3 models, 3,000 items": replace(_BASE, easier=2, items=3000, models=3, families=3),
    "1,000 items": replace(_BASE, items=1000),
    "100 items": replace(_BASE, items=100),
    "3 models": replace(_BASE, models=3, families=3),
    "4 models": replace(_BASE, models=4, families=4),
    "20 models": replace(_BASE, models=20, families=5),
    "abilities from 5 to 95 %": replace(_BASE, abilities=(-3, 3)),
    "sensitivities from 0 to 2": replace(_BASE, sensitivities=(0, 2)),
    "guessing, 2 answers": replace(_BASE, guess=0.5),
    "models favour an answer": replace(_BASE, bias=1),
    "families with quirks": replace(_BASE, quirks=1),
    "two families with quirks": replace(_BASE, families=2, quirks=1),
    "two families with quirks, 1,000 items": replace(_BASE, families=2, quirks=1, items=1000),
    "two families with quirks, easier by 2 logits, 3,000 items": replace(
        _BASE, families=2, quirks=1, easier=2, items=3000
    ),
    "groups of 4": replace(_BASE, group=4),
    "4 answers": replace(_BASE, labels=4),
    "3 benchmarks": replace(_BASE, benchmarks=3, items=200),
    "all of it": replace(
        _BASE, sensitivities=(0.3, 2), guess=0.25, bias=0.5, quirks=0.5, group=2, labels=4, benchmarks=2
    ),
    "wrong answers tempt": replace(_BASE, labels=4, tempting=1.5),
    "some are tempted more": replace(_BASE, labels=4, tempting=1.5, tempted=(0, 2)),
    "some are tempted more, 1,000 items": replace(_BASE, labels=4, tempting=1.5, tempted=(0, 2), items=1000),
    "wrong answers by habit": replace(_BASE, labels=4, habit=1.5),
    "wrong answers tempt, and by habit": replace(_BASE, labels=4, tempting=1, habit=1),
    "all of it, easier by 2 logits, 3,000 items": replace(
        _BASE, easier=2, items=3000, sensitivities=(0.3, 2), guess=0.25, bias=0.5, quirks=0.5, group=2, labels=4
    ),
    "better at a topic": replace(_BASE, topics=2, topical=0.25, specialist=1),
    "better at a topic, 1,000 items": replace(_BASE, topics=2, topical=0.25, specialist=1, items=1000),
    "better at a topic, 4 answers, 1,000 items": replace(
        _BASE, topics=2, topical=0.25, specialist=1, items=1000, labels=4
    ),
    "better at a declared topic, 1,000 items": replace(
        _BASE, topics=2, topical=0.25, specialist=1, items=1000, declared=True
    ),
    "all have profiles, 1,000 items": replace(_BASE, topics=2, topical=0.25, profiles=0.5, items=1000),
    "all have profiles, topics declared, 1,000 items": replace(
        _BASE, topics=2, topical=0.25, profiles=0.5, items=1000, declared=True
    ),
    "items 1.5 times sharper where the probe is right": replace(_BASE, sharper=1.5),
    "items 1.5 times sharper where the probe is right, 1,000 items": replace(_BASE, sharper=1.5, items=1000),
    "items twice as sharp where the probe is right": replace(_BASE, sharper=2),
    "items twice as sharp where the probe is right, 1,000 items": replace(_BASE, sharper=2, items=1000),
    "items half as sharp where the probe is right, 1,000 items": replace(_BASE, sharper=0.5, items=1000),
    "5 % wrong golds, 1,000 items": replace(_BASE, wrong_golds=0.05, items=1000),
    "10 % wrong golds": replace(_BASE, wrong_golds=0.1),
    "10 % wrong golds, 1,000 items": replace(_BASE, wrong_golds=0.1, items=1000),
    "10 % wrong golds, 6 models, 1,000 items": replace(_BASE, wrong_golds=0.1, items=1000, models=6, families=3),
    "10 % wrong golds, 4 answers, 1,000 items": replace(_BASE, wrong_golds=0.1, items=1000, labels=4),
    "2 of 8 lean, r = .1": replace(_BASE, leaning=(0, 4), reliance=0.1),
    "2 of 8 lean, r = .2": replace(_BASE, leaning=(0, 4), reliance=0.2),
    "2 of 8 lean, r = .3": replace(_BASE, leaning=(0, 4), reliance=0.3),
    "2 of 8 lean, r = .3, 3 benchmarks": replace(_BASE, leaning=(0, 4), reliance=0.3, benchmarks=3),
    "2 of 8 lean, r = .3, 4 answers": replace(_BASE, leaning=(0, 4), reliance=0.3, labels=4),
    "1 of 4 leans, r = .3": replace(_BASE, models=4, leaning=(0,), reliance=0.3),
    "4 of 8 lean, r = .3": replace(_BASE, leaning=(0, 2, 4, 6), reliance=0.3),
    "all lean, r = .3": replace(_BASE, leaning=tuple(range(8)), reliance=0.3),
    "all lean, r = .3, 4 answers": replace(_BASE, leaning=tuple(range(8)), reliance=0.3, labels=4),
}
_WAYS: Final = ("raw", "equal_gold", "equal_others", "equal_gold_others", "beyond", "errors")


def main() -> None:
    """Print a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=200, help="simulated studies of each world")
    parser.add_argument("--world", action="append", choices=[*WORLDS], help="only this one; repeatable")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    print("| world | raw | = gold | = others | = both | beyond | errors | estimate |")
    print("|---|---|---|---|---|---|---|---|")
    for name in chosen.world or WORLDS:
        print(f"| {name} | {' | '.join(_row(WORLDS[name], chosen.studies, chosen.seed, name))} |", flush=True)


def _row(world: World, studies: int, seed: int, name: str) -> list[str]:
    false: dict[str, list[bool]] = {way: [] for way in _WAYS}
    estimates = []
    leaning = {f"model-{place}" for place in world.leaning}
    for number in range(studies):
        every = list(rounds(simulated(world, seeded(seed, "reliance", name, number)), 0.05))
        last = every[-1]
        for pair in every[0].pairs:
            if pair.record.model not in leaning:
                for way, difference in _differences(pair).items():
                    false[way].append(difference.p is not None and difference.p <= 0.05)
        estimates += [each.beyond.estimate for each in last.models if each.model in leaning]
    known = [value for value in estimates if value is not None]
    return [
        *(_share(false[way]) for way in _WAYS),
        f"{np.median(known):.2f}" if known else "",
    ]


def _differences(pair: EstimatedPair) -> dict[str, RobustDifference]:
    record = pair.record
    every = [record.raw, record.equal_gold, record.equal_others, record.equal_gold_others, record.beyond]
    every += [] if record.errors is None else [record.errors.excess]
    return dict(zip(_WAYS, every, strict=False))


def _share(values: Sequence[bool]) -> str:
    return f"{100 * np.mean(values):.1f} %" if values else ""


if __name__ == "__main__":
    main()
