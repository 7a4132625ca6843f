"""How fast phenotypes are: `python benchmarks/cognitive_tasks.py [--phenotypes 10] [--plain 1] [--json FILE]`.

Each participant plays all seven tasks as often as the paper has it (`RUNS`), at random and on items of its own; then
all metrics are measured, with 95 % intervals from 2,000 resamples. The clock runs from nothing made to phenotypes, in
one process; loading and the first compilation come before it. Beside it, the plain way: four of the metrics with
statsmodels, and with scipy's minimize on a likelihood in Python, from records that exist and without any interval.
Processor seconds depend less on what else the machine does. Also timed: episodes generated a second.

The exit code is 0 if ten phenotypes take at most 20 seconds and 2,000 episodes a second of every subset are generated,
else 1.
"""

from __future__ import annotations

import argparse
import json
import math
import platform
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from audit.phenotype.measuring import phenotype
from audit.phenotype.records.table import make_records
from generators.production import Stretch, items
from generators.progress import unwatched
from generators.registry import dataset
from hansproof.participants.gathering import gather
from hansproof.runs.games import Games, games
from hansproof.runs.simulation import simulate

__all__ = ["RUNS", "generated", "main", "ours", "plain"]

FAMILY = "cognitive-tasks"
RUNS = {
    "probabilistic-reasoning": 100,
    "horizon": 100,
    "restless-bandit": 10,
    "instrumental-learning": 10,
    "two-step": 100,
    "temporal-discounting": 1,
    "balloons": 10,
}
"""Episodes of each task in one phenotype (Coda-Forno et al. 2024)."""
STARTS = 10
SECONDS, RATE = 20.0, 2000.0

Rows = Mapping[str, Sequence[Mapping[str, Any]]]


def _games(seed: int) -> Games:
    family = dataset(FAMILY)
    return games([item for task, count in RUNS.items() for item in items(family, Stretch(task, 0, count), seed)])


def records(seed: int) -> Rows:
    """The records of one participant that plays at random."""
    runs, _ = simulate(_games(seed), "random", {}, seed, unwatched)
    return gather(runs, str(seed)).rows


def ours(count: int) -> dict[str, float]:
    """Seconds for `count` phenotypes: in all, and in simulating and measuring alone."""
    phenotype(make_records(records(10**6), ""))  # compiles and loads
    played, begun, processor = 0.0, time.perf_counter(), time.process_time()
    for seed in range(count):
        before = time.perf_counter()
        rows = records(seed)
        played += time.perf_counter() - before
        phenotype(make_records(rows, str(seed)))
    seconds = time.perf_counter() - begun
    return {
        "seconds": seconds,
        "processor_seconds": time.process_time() - processor,
        "simulating": played,
        "measuring": seconds - played,
    }


def plain(count: int) -> dict[str, float]:
    """Seconds for the fits of `count` phenotypes as most people write them, without intervals; their values."""
    import warnings

    every = [records(seed) for seed in range(count)]
    values: dict[str, float] = {}
    _fits(records(10**6), learn=False)
    begun, processor = time.perf_counter(), time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # fits that do not converge say so
        for rows in every:
            values = _fits(rows)
    spent = {"seconds": time.perf_counter() - begun, "processor_seconds": time.process_time() - processor}
    return {**spent, **values}


def _fits(rows: Rows, *, learn: bool = True) -> dict[str, float]:
    return {
        "directed-exploration": _directed(rows["horizon"]),
        "model-basedness": _model_basedness(rows["two-step"]),
        "prior-weighting": _prior_weighting(rows["probabilistic-reasoning"]),
        "learning-rate": _learning_rate(rows["instrumental-learning"]) if learn else math.nan,
    }


def _by_run(rows: Sequence[Mapping[str, Any]]) -> list[list[Mapping[str, Any]]]:
    runs: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        runs.setdefault(row["run"], []).append(row)
    return list(runs.values())


def _directed(rows: Sequence[Mapping[str, Any]]) -> float:
    import statsmodels.api as sm

    designs: list[list[float]] = []
    chosen: list[float] = []
    for run in _by_run(rows):
        forced, first = [row["choice"] for row in run[:4]], run[4]
        if forced.count(1) == 2:
            continue
        informative = int(forced.count(1) == 1)
        horizon = 1.0 if len(run) > 5 else -1.0
        gap = (first["mean_1"] - first["mean_0"]) * (1 if informative else -1)
        designs.append([1.0, gap, horizon, gap * horizon])
        chosen.append(float(first["choice"] == informative))
    return float(sm.Logit(np.array(chosen), np.array(designs)).fit(disp=0).params[2])


def _model_basedness(rows: Sequence[Mapping[str, Any]]) -> float:
    import statsmodels.api as sm

    designs, stays = [], []
    for run in _by_run(rows):
        for before, after in pairwise(run):
            reward, common = 2 * before["reward"] - 1, 1 if before["action"] == before["state"] else -1
            designs.append([1, reward, common, reward * common])
            stays.append(before["action"] == after["action"])
    return float(sm.OLS(np.array(stays, dtype=float), np.array(designs, dtype=float)).fit().params[3])


def _prior_weighting(rows: Sequence[Mapping[str, Any]]) -> float:
    import statsmodels.api as sm

    def logit(p: float) -> float:
        p = min(max(p, 1e-5), 1 - 1e-5)
        return math.log(p / (1 - p))

    designs = [[logit(row["prior"]), logit(row["likelihood"] if row["red"] else 1 - row["likelihood"])] for row in rows]
    return float(sm.OLS(np.array([logit(row["estimate"]) for row in rows]), np.array(designs)).fit().params[0])


def _learning_rate(rows: Sequence[Mapping[str, Any]]) -> float:
    """Mean over runs of alpha; the two-rate model is fitted, too, as optimism needs it."""
    from scipy.optimize import minimize

    random = np.random.Generator(np.random.PCG64(0))
    rates = []
    for run in _by_run(rows):
        best: dict[int, Any] = {}
        for many in (1, 2):
            bounds = [(0, 1)] * many + [(0, 100)]
            for _ in range(STARTS):
                start = [*random.uniform(size=many), random.uniform(0, 10)]
                fit = minimize(_surprise, start, (run,), "L-BFGS-B", bounds=bounds)
                if many not in best or fit.fun < best[many].fun:
                    best[many] = fit
        rates.append(best[1].x[0])
    return statistics.fmean(rates)


def _surprise(parameters: Sequence[float], run: Sequence[Mapping[str, Any]]) -> float:
    *rates, beta = parameters
    values: dict[int, list[float]] = {}
    total = 0.0
    for row in run:
        arms, choice = values.setdefault(row["casino"], [0.5, 0.5]), row["choice"]
        total += math.log1p(math.exp(min(-beta * (arms[choice] - arms[1 - choice]), 700)))
        error = row["reward"] - arms[choice]
        arms[choice] += (rates[0] if error > 0 else rates[-1]) * error
    return total


def generated(seconds: float, clock: Callable[[], float] = time.process_time) -> dict[str, float]:
    """Episodes a second of process time, by subset, complete with their lines of JSON."""
    family = dataset(FAMILY)
    rates = {}
    for subset in family.subsets:
        family.item(subset, 7, 0).line()
        index, begun = 0, clock()
        while (spent := clock() - begun) < seconds:
            for _ in range(20):
                family.item(subset, 7, index).line()
                index += 1
        rates[subset] = index / spent
    return rates


def _seconds(measured: Mapping[str, float]) -> str:
    return f"{measured['seconds']:.2f} | {measured['processor_seconds']:.2f}"


def main() -> int:
    """Measure, print Markdown tables, write all figures with --json; 1 if a target is missed."""
    parser = argparse.ArgumentParser(description="Seconds for phenotypes, and episodes generated a second.")
    parser.add_argument("--phenotypes", type=int, default=10)
    parser.add_argument("--plain", type=int, default=1, help="phenotypes measured the plain way; 0 leaves it out")
    parser.add_argument("--seconds", type=float, default=1.0, help="process time per subset for generation")
    parser.add_argument("--json", metavar="FILE", help="write all figures to FILE")
    options = parser.parse_args()
    own = ours(options.phenotypes)
    peer = plain(options.plain) if options.plain else None
    rates = generated(options.seconds)
    about = dataset(FAMILY).subsets
    whole = sum(about[name].rows for name in rates) / sum(about[name].rows / rate for name, rate in rates.items())
    print("| way | phenotypes | seconds | processor seconds |\n|---|--:|--:|--:|")
    print(f"| ours: simulated, measured, with intervals | {options.phenotypes} | {_seconds(own)} |")
    print(f"| of which simulating | {options.phenotypes} | {own['simulating']:.2f} | |")
    if peer:
        print(f"| plain fits of four metrics, without intervals | {options.plain} | {_seconds(peer)} |")
    print("\n| subset | episodes/s |\n|---|--:|")
    for subset, rate in rates.items():
        print(f"| {subset} | {rate:,.0f} |")
    print(f"| a release | {whole:,.0f} |")
    if options.json:
        machine = {"python": platform.python_version(), "machine": platform.machine(), "system": platform.system()}
        document = {"machine": machine, "runs": RUNS, "ours": own, "plain": peer, "episodes_per_second": rates}
        Path(options.json).write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    missed = []
    if own["seconds"] / options.phenotypes > SECONDS / 10:
        missed.append(f"ten phenotypes take more than {SECONDS:.0f} s")
    slow = [subset for subset, rate in rates.items() if rate < RATE]
    if slow:
        missed.append(f"fewer than {RATE:,.0f} episodes a second are generated of {', '.join(slow)}")
    for sentence in missed:
        print(sentence, file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
