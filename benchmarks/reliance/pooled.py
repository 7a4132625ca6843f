"""How often tests of families, and of all models at once, are wrong: `python benchmarks/reliance/pooled.py`.

In each world, where the probe has nothing to do with the answers, or items that it predicts are easier by a known log
odds: how often each test finds something at a one-sided 5 %, how often the 90 % interval of the plain mixed-effects
regression holds those log odds, and what is left of them beside difficulty. It takes half an hour on one core.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # the checkout, installed or not

from simulated.reliance import World, simulated

from audit.reliance.families import family_tests
from audit.reliance.pairs import pairs_of
from audit.reliance.parts import Parted
from audit.reliance.records import MixedFit
from audit.reliance.regression import regressions
from audit.statistics.resampling import seeded

_BASE: Final = World(easier=0)
WORLDS: Final[dict[str, World]] = {
    "as difficult": _BASE,
    "groups of 4": replace(_BASE, group=4),
    "100 items": replace(_BASE, items=100),
    "40 items": replace(_BASE, items=40),
    "families with quirks": replace(_BASE, quirks=1),
    "easier by 1 logit": replace(_BASE, easier=1),
    "easier by 1 logit, groups of 4": replace(_BASE, easier=1, group=4),
}
_OTHER_TESTS: Final = ("as difficult", "groups of 4")
"""Worlds in which the other tests are made, too, and for a quarter of the studies the variational fit: it takes
seconds."""


def main() -> None:
    """Print a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=100, help="simulated studies of each world")
    parser.add_argument("--world", action="append", choices=[*WORLDS], help="only this one; repeatable")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    columns = (
        "paired t",
        "joint",
        "mixed, all",
        "mixed, a family",
        "with difficulty, all",
        "with difficulty, a family",
    )
    columns += ("intervals hold", "log odds", "with difficulty", "variational Bayes")
    print(f"| world | {' | '.join(columns)} |")
    print("|---" * (len(columns) + 1) + "|")
    for name in (name for name in WORLDS if name in (chosen.world or WORLDS)):
        print(f"| {name} | {' | '.join(_row(WORLDS[name], chosen.studies, chosen.seed, name))} |", flush=True)


def _row(world: World, studies: int, seed: int, name: str) -> list[str]:
    ps: list[list[float | None]] = []
    plain: list[MixedFit] = []
    beside: list[MixedFit] = []
    others: list[list[float | None]] = []
    bayes = []
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
            if number < studies // 4:
                bayes.append(_bayesian(benchmarks) <= 0.05)
    holds = [fit.log_odds.low <= world.easier <= fit.log_odds.high for fit in plain
             if fit.log_odds.low is not None and fit.log_odds.high is not None]  # fmt: skip
    return [
        *(_found(others) or ["", ""]),
        *_found(ps),
        _share(holds), _mean(plain[::2]), _mean(beside), f"{_share(bayes)} of {len(bayes)}" if bayes else "",
    ]  # fmt: skip


def _bayesian(benchmarks: Sequence[Parted]) -> float:
    """One-sided p of the mixed logistic regression with random items and models, from its posterior."""
    from scipy import stats
    from scipy.sparse import csr_matrix, hstack
    from statsmodels.genmod.bayes_mixed_glm import BinomialBayesMixedGLM

    rows, probe, item, model = [], [], [], []
    start = 0
    for each in benchmarks:
        n, models = each.right.shape
        rows.append(each.right.ravel())
        probe.append(np.repeat(each.probe_right, models))
        item.append(np.repeat(np.arange(n) + start, models))
        model.append(np.tile(np.arange(models), n))
        start += n
    items, models = np.concatenate(item), np.concatenate(model)
    one_each = np.ones(len(items))
    place = np.arange(len(items))
    random = hstack([csr_matrix((one_each, (place, items))), csr_matrix((one_each, (place, models)))])
    kinds = np.concatenate([np.zeros(start, dtype=int), np.ones(models.max() + 1, dtype=int)])
    fixed = np.column_stack([np.ones(len(items)), np.concatenate(probe)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fit = BinomialBayesMixedGLM(np.concatenate(rows), fixed, random.tocsr(), kinds, vcp_p=1.0, fe_p=2.0).fit_vb()
    return float(stats.norm.sf(fit.fe_mean[1] / fit.fe_sd[1]))


def _found(ps: Sequence[Sequence[float | None]]) -> list[str]:
    """The share of studies in which each of the tests finds something."""
    return [_share([p is not None and p <= 0.05 for p in column]) for column in zip(*ps)]


def _mean(fits: Sequence[MixedFit]) -> str:
    return f"{np.mean([fit.log_odds.estimate for fit in fits if fit.log_odds.estimate is not None]):+.2f}"


def _share(values: Sequence[bool]) -> str:
    return f"{100 * np.mean(values):.1f} %" if values else ""


if __name__ == "__main__":
    main()
