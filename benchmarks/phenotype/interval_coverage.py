"""How often do 95 % intervals hold the truth? Many sets of runs of the same participant, measured as real ones are.

    python benchmarks/phenotype/interval_coverage.py
    python benchmarks/phenotype/interval_coverage.py --sets 50 --resamples 500      # a quick look

The truth of a metric is its value in a very large set of runs of the same participant.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "toy"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # the checkout, installed or not

from simulated.participants import balloons, confident_runs, estimates, horizon_games, learner_runs, two_step_runs

from hansproof.audit.phenotype.measuring import MEASURES
from hansproof.audit.phenotype.metric import intervals, mean_over_runs
from hansproof.audit.phenotype.task_records import make_records
from hansproof.audit.statistics.permutation import seeded

__all__ = ["SCENARIOS", "Coverage", "Scenario", "cover", "main", "means"]

Rows = list[dict[str, object]]


class Scenario(NamedTuple):
    """One participant, and how much of a task it plays."""

    task: str
    runs: int
    """As many as one phenotype has."""
    many: int
    """Enough to take their value for the truth."""
    make: Callable[[int, np.random.Generator], Rows]
    metrics: tuple[str, ...]


SCENARIOS: Final[Mapping[str, Scenario]] = {
    "estimates": Scenario(
        "probabilistic-reasoning", 100, 20_000, lambda runs, random: estimates(0.8, 0.9, runs, random, 0.6),
        ("posterior-accuracy", "prior-weighting", "likelihood-weighting"),
    ),
    "games": Scenario(
        "horizon", 100, 20_000, lambda runs, random: horizon_games(6.0, (0.12, 0.08), runs, random),
        ("horizon-reward", "directed-exploration", "random-exploration", "directed-exploration-penalised",
         "random-exploration-penalised"),
    ),
    "confidence": Scenario(
        "restless-bandit", 10, 2000, lambda runs, random: confident_runs(0.3, runs, random),
        ("restless-bandit-reward", "metacognition"),
    ),
    "casinos": Scenario(
        "instrumental-learning", 10, 1000, lambda runs, random: learner_runs(0.35, 0.2, 7.0, runs, random),
        ("instrumental-reward", "learning-rate", "optimism"),
    ),
    "journeys": Scenario(
        "two-step", 100, 5000, lambda runs, random: two_step_runs(0.5, runs, random),
        ("two-step-reward", "model-basedness"),
    ),
    "balloons": Scenario(
        "balloons", 10, 5000, lambda runs, random: balloons(12.0, runs, random),
        ("balloon-points", "risk-taking", "risk-taking-adjusted"),
    ),
}  # fmt: skip


class Coverage(NamedTuple):
    """Of the intervals of one metric."""

    held: float
    """Share of the intervals that hold the truth."""
    undefined: float
    """Share of the sets of runs without a value, or without an interval."""


def cover(scenario: Scenario, sets: int, resamples: int, seed: int = 0) -> dict[str, Coverage]:
    """Coverage of all metrics of one scenario."""
    random = seeded(seed, "coverage", scenario.task)
    large = make_records({scenario.task: scenario.make(scenario.many, random)}).tables[scenario.task]
    truth = {name: statistic.value()[0] for name, statistic in MEASURES[scenario.task](large, False).statistics.items()}
    ends: dict[str, list[tuple[float, float, float]]] = {name: [] for name in scenario.metrics}
    for number in range(sets):
        table = make_records({scenario.task: scenario.make(scenario.runs, random)}).tables[scenario.task]
        measured = MEASURES[scenario.task](table, False)
        statistics = {name: measured.statistics[name] for name in scenario.metrics}
        each = intervals(statistics, seed=number, task=scenario.task, resamples=resamples)
        for name, statistic in statistics.items():
            ends[name].append((each[name].low, each[name].high, statistic.value()[0]))
    return {name: _coverage(np.array(ends[name]), truth[name]) for name in scenario.metrics}


def _coverage(ends: np.ndarray, truth: float) -> Coverage:
    known = ~np.isnan(ends).any(axis=1)
    low, high, _ = ends[known].T
    held = float(np.mean((low <= truth) & (truth <= high))) if known.any() else math.nan
    return Coverage(held, float(1 - known.mean()))


def means(runs: int, sets: int, resamples: int, seed: int = 0) -> dict[str, float]:
    """Share of the intervals of a mean over `runs` runs that hold it, by the distribution of the runs."""
    random = seeded(seed, "coverage", "means", str(runs))
    laws: dict[str, tuple[Callable[[int], np.ndarray], float]] = {
        "normal": (lambda n: random.normal(size=n), 0.0),
        "exponential": (lambda n: random.exponential(size=n), 1.0),
        "lognormal": (lambda n: random.lognormal(size=n), math.exp(0.5)),
    }
    out = {}
    for name, (law, truth) in laws.items():
        held = 0
        for number in range(sets):
            statistics = {name: mean_over_runs(law(runs), "no runs")}
            ends = intervals(statistics, seed=number, task=name, resamples=resamples)[name]
            held += ends.low <= truth <= ends.high
        out[name] = held / sets
    return out


def main() -> int:
    """Print the coverage of every metric; 1 if one is below 90 %."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=int, default=400, help="sets of runs per participant (default: 400)")
    parser.add_argument("--resamples", type=int, default=2000, help="bootstrap samples per interval (default: 2000)")
    asked = parser.parse_args()
    low = 0
    for runs in (5, 8, 10, 30):
        said = ", ".join(f"{name} {held:.3f}" for name, held in means(runs, asked.sets, asked.resamples).items())
        print(f"means of {runs} runs: {said}")
    print(f"{'metric':34s} {'runs':>5s} {'held':>6s} {'undefined':>9s}")
    for scenario in SCENARIOS.values():
        for name, outcome in cover(scenario, asked.sets, asked.resamples).items():
            low += outcome.held < 0.9
            print(f"{name:34s} {scenario.runs:5d} {outcome.held:6.3f} {outcome.undefined:9.3f}")
    return int(low > 0)


if __name__ == "__main__":
    sys.exit(main())
