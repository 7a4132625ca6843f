"""How often numbers of simulated models without reliance differ from 0.

    python benchmarks/reliance/rates.py              # an hour on one core
    python benchmarks/reliance/rates.py --families   # half an hour

For each world: how often each difference of a model that does not give the probe's answer has a one-sided p of at most
5 %, not corrected, with all models in; and the median difference beyond difficulty of those that do give it.

With --families, the tests of families and of all models at once, in worlds where the probe has nothing to do with the
answers, or items that it predicts are easier by a known log odds: how often each test finds something at a one-sided
5 %, how often the 90 % interval of the plain mixed-effects regression holds those log odds, and what is left of them
beside difficulty.
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

from hansproof.audit.models.reliance.families import family_tests, regressions
from hansproof.audit.models.reliance.pairs import EstimatedPair, pairs_of
from hansproof.audit.models.reliance.reliance_records import MixedFit, RobustDifference
from hansproof.audit.models.reliance.rounds import rounds
from hansproof.audit.statistics.permutation import seeded

__all__ = ["FAMILY_WORLDS", "WORLDS", "main"]

_BASE: Final = World()
WORLDS: Final[dict[str, World]] = {
    "as difficult": replace(_BASE, easier=0),
    "easier by 1 logit": _BASE,
    "100 items": replace(_BASE, items=100),
    "all of it": replace(
        _BASE, sensitivities=(0.3, 2), guess=0.25, bias=0.5, quirks=0.5, group=2, labels=4, benchmarks=2
    ),
    "better at a topic, 1,000 items": replace(_BASE, topics=2, topical=0.25, specialist=1, items=1000),
    "better at a declared topic, 1,000 items": replace(
        _BASE, topics=2, topical=0.25, specialist=1, items=1000, declared=True
    ),
    "all have profiles, 1,000 items": replace(_BASE, topics=2, topical=0.25, profiles=0.5, items=1000),
    "2 of 8 lean, r = .3": replace(_BASE, leaning=(0, 4), reliance=0.3),
    "all lean, r = .3": replace(_BASE, leaning=tuple(range(8)), reliance=0.3),
}
_WAYS: Final = ("raw", "equal_gold", "equal_others", "equal_gold_others", "beyond", "errors")

_EVEN: Final = World(easier=0)
FAMILY_WORLDS: Final[dict[str, World]] = {
    "as difficult": _EVEN,
    "groups of 4": replace(_EVEN, group=4),
    "easier by 1 logit": replace(_EVEN, easier=1),
}
_OTHER_TESTS: Final = ("as difficult", "groups of 4")
"""Worlds in which the other tests are made, too."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--families", action="store_true", help="the tests of families instead")
    parser.add_argument("--studies", type=int, default=100, help="simulated studies of each world")
    parser.add_argument("--world", action="append", help="only this one; repeatable")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    head, worlds, row = (
        (("paired t", "joint", "mixed, all", "mixed, a family", "with difficulty, all", "with difficulty, a family",
          "intervals hold", "log odds", "with difficulty"), FAMILY_WORLDS, _of_families)
        if chosen.families
        else (("raw", "= gold", "= others", "= both", "beyond", "errors", "estimate"), WORLDS, _of_models)
    )  # fmt: skip
    print(f"| world | {' | '.join(head)} |\n{'|---' * (len(head) + 1)}|")
    for name in chosen.world or worlds:
        print(f"| {name} | {' | '.join(row(worlds[name], chosen.studies, chosen.seed, name))} |", flush=True)
    return 0


def _of_models(world: World, studies: int, seed: int, name: str) -> list[str]:
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
    return [*(_share(false[way]) for way in _WAYS), f"{np.median(known):.2f}" if known else ""]


def _differences(pair: EstimatedPair) -> dict[str, RobustDifference]:
    record = pair.record
    every = [record.raw, record.equal_gold, record.equal_others, record.equal_gold_others, record.beyond]
    every += [] if record.errors is None else [record.errors.excess]
    return dict(zip(_WAYS, every, strict=False))


def _of_families(world: World, studies: int, seed: int, name: str) -> list[str]:
    ps: list[list[float | None]] = []
    plain: list[MixedFit] = []
    beside: list[MixedFit] = []
    others: list[list[float | None]] = []
    for number in range(studies):
        benchmarks = simulated(world, seeded(seed, "reliance, together", name, number))
        first, *_, every = regressions(benchmarks)
        fits = (every.plain, first.plain, every.with_difficulty, first.with_difficulty)
        ps.append([fit.log_odds.p for fit in fits])
        plain += [every.plain, first.plain]
        beside.append(every.with_difficulty)
        if name in _OTHER_TESTS:
            test = family_tests([pair for each in benchmarks for pair in pairs_of(each)])[-1]
            others.append([test.p, test.joint.p])
    holds = [fit.log_odds.low <= world.easier <= fit.log_odds.high for fit in plain
             if fit.log_odds.low is not None and fit.log_odds.high is not None]  # fmt: skip
    return [
        *(_found(others) or ["", ""]),
        *_found(ps),
        _share(holds), _mean(plain[::2]), _mean(beside),
    ]  # fmt: skip


def _found(ps: Sequence[Sequence[float | None]]) -> list[str]:
    """The share of studies in which each of the tests finds something."""
    return [_share([p is not None and p <= 0.05 for p in column]) for column in zip(*ps)]


def _mean(fits: Sequence[MixedFit]) -> str:
    return f"{np.mean([fit.log_odds.estimate for fit in fits if fit.log_odds.estimate is not None]):+.2f}"


def _share(values: Sequence[bool]) -> str:
    return f"{100 * np.mean(values):.1f} %" if values else ""


if __name__ == "__main__":
    sys.exit(main())
