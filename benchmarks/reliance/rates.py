"""How often agreement in error says of simulated models that they follow the probe.

    python benchmarks/reliance/rates.py    # a minute

Each study has four answers, six models of -2 to 3 logits and 1,000 items, unless its name says otherwise. A study errs
that says so of any model that does not follow the probe (after Holm's correction over its models).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "toy"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # the checkout, installed or not

from simulated.reliance import World, simulated

from hansproof.audit.models.reliance.pairs import model_results, pairs_of
from hansproof.audit.statistics.permutation import seeded

__all__ = ["WORLDS", "accused", "main"]

_ALPHA: Final = 0.05
_BASE: Final = World(items=1000, models=6, families=6, labels=4, abilities=(-2, 3))
_TOPICS: Final = replace(_BASE, topics=2, topical=0.25, profiles=0.5)
WORLDS: Final[dict[str, World]] = {
    "10 % wrong golds": replace(_BASE, wrong_golds=0.1),
    "10 % wrong golds, 3 answers": replace(_BASE, wrong_golds=0.1, labels=3),
    "10 % wrong golds, 3 models": replace(_BASE, wrong_golds=0.1, models=3, families=3),
    "two topics, uneven profiles": _TOPICS,
    "two topics and 10 % wrong golds": replace(_TOPICS, wrong_golds=0.1),
    "answers tempt the probe and models": replace(_BASE, tempting=1),
    "answers tempt some models twice as much": replace(_BASE, tempting=1.5, tempted=(0, 2)),
    "10 % wrong golds, one strong model beside weak ones": replace(
        _BASE, wrong_golds=0.1, abilities=(-1, -1), stronger=4
    ),
    "300 items, groups of 4, habits": replace(_BASE, items=300, group=4, habit=1, wrong_golds=0.1),
    "one follows, r = .3": replace(_BASE, reliance=0.3, following=(2,)),
    "one follows, r = .3, two topics and 10 % wrong golds": replace(
        _TOPICS, wrong_golds=0.1, reliance=0.3, following=(2,)
    ),
    "one follows, r = .3, answers tempt": replace(_BASE, tempting=1, reliance=0.3, following=(2,)),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--studies", type=int, default=300, help="simulated studies of each world")
    parser.add_argument("--world", action="append", help="only this one; repeatable")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    print("| world | studies that err | models found |\n|---|---|---|")
    for name in chosen.world or WORLDS:
        world = WORLDS[name]
        following = {f"model-{place}" for place in world.following}
        said = [accused(world, seeded(chosen.seed, "reliance", name, number)) for number in range(chosen.studies)]
        err = f"{100 * np.mean([bool(of - following) for of in said]):.1f} %"
        power = f"{100 * np.mean([len(of & following) / len(following) for of in said]):.0f} %" if following else ""
        print(f"| {name} | {err} | {power} |", flush=True)
    return 0


def accused(world: World, random: np.random.Generator) -> set[str]:
    """The models of one simulated study that are said to follow the probe."""
    pairs = [pair for each in simulated(world, random) for pair in pairs_of(each)]
    return {result.model for result in model_results(pairs, _ALPHA) if result.follows}


if __name__ == "__main__":
    sys.exit(main())
