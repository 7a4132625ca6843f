"""Do metrics recover what made the choices? Simulated participants with known parameters, fitted as real ones are.

python benchmarks/phenotype/recovery.py
python benchmarks/phenotype/recovery.py --agents 20      # a quick look
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "toy"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # the checkout, installed or not

from simulated.participants import estimates, horizon_games, learner_runs, two_step_runs

from hansproof.audit.phenotype.measuring import MEASURES
from hansproof.audit.phenotype.task_records import TaskTable, make_records
from hansproof.audit.statistics.permutation import seeded

__all__ = ["Recovery", "by_temperature", "exploration", "learning", "main", "planning", "weights"]

HUMAN, WIDE = (0.05, 0.6), (0.1, 0.9)
"""Ranges of learning rates: as people have them, and nearly all there are."""


class Recovery(NamedTuple):
    """How far estimates are from the truth."""

    bias: float
    """Mean error."""
    distance: float
    """Mean absolute error."""


def value(task: str, rows: list[dict[str, object]], name: str) -> float:
    """One metric of made rows, without its interval."""
    return MEASURES[task](make_records({task: rows}).tables[task], False).statistics[name].value()[0]


def summary(errors: list[float]) -> Recovery:
    """Of the errors of all participants."""
    return Recovery(float(np.mean(errors)), float(np.mean(np.abs(errors))))


def learning(agents: int, rates: tuple[float, float], seed: int = 0, runs: int = 10) -> dict[str, Recovery]:
    """Learning rates of one-rate learners, and optimism of two-rate learners; inverse temperatures from 3 to 15."""
    random = seeded(seed, "recovery", "learning", str(rates))
    errors: dict[str, list[float]] = {}
    task = "instrumental-learning"
    for _ in range(agents):
        (rate, up, down), beta = random.uniform(*rates, 3), random.uniform(3, 15)
        one_rate = MEASURES[task](_table(learner_runs(rate, rate, beta, runs, random)), False).statistics
        two_rates = MEASURES[task](_table(learner_runs(up, down, beta, runs, random)), False).statistics
        for kind in ("", "-pooled"):
            errors.setdefault(f"learning-rate{kind}", []).append(one_rate[f"learning-rate{kind}"].value()[0] - rate)
            errors.setdefault(f"optimism{kind}", []).append(two_rates[f"optimism{kind}"].value()[0] - (up - down))
    return {name: summary(wrong) for name, wrong in errors.items()}


def by_temperature(runs: int, seed: int = 0) -> dict[tuple[str, float], tuple[float, float]]:
    """(truth, mean estimate) of learners by name and inverse temperature, one learner in `runs` runs each.

    At an inverse temperature of 1, choices hardly follow values; at 20, they hardly leave them.
    """
    out = {}
    for up, down in ((0.1, 0.1), (0.3, 0.3), (0.6, 0.6), (0.5, 0.2), (0.6, 0.1)):
        name, truth = ("learning-rate", up) if up == down else ("optimism", up - down)
        said = f"learning rate {up:g}" if up == down else f"optimism {up:g} - {down:g}"
        for beta in (1.0, 5.0, 20.0):
            rows = learner_runs(up, down, beta, runs, seeded(seed, "recovery", said, str(beta)))
            out[said, beta] = (truth, value("instrumental-learning", rows, name))
    return out


def _table(rows: list[dict[str, object]]) -> TaskTable:
    return make_records({"instrumental-learning": rows}).tables["instrumental-learning"]


def weights(agents: int, seed: int = 0, runs: int = 100) -> dict[str, Recovery]:
    """Weights of prior and likelihood, from 0 to 1.5, with noise of half a log odds."""
    random = seeded(seed, "recovery", "weights")
    errors: dict[str, list[float]] = {"prior-weighting": [], "likelihood-weighting": []}
    for _ in range(agents):
        truth = dict(zip(errors, random.uniform(0, 1.5, 2)))
        rows = estimates(*truth.values(), runs, random, 0.5)
        for name, wrong in errors.items():
            wrong.append(value("probabilistic-reasoning", rows, name) - truth[name])
    return {name: summary(wrong) for name, wrong in errors.items()}


def planning(agents: int, seed: int = 0, runs: int = 100) -> float:
    """How often a model-based learner has a larger model-basedness than a model-free one (the area under the ROC)."""
    random = seeded(seed, "recovery", "planning")
    planners, others = (
        [value("two-step", two_step_runs(share, runs, random), "model-basedness") for _ in range(agents)]
        for share in (1.0, 0.0)
    )
    return float(np.mean([planner > other for planner in planners for other in others]))


def exploration(agents: int, seed: int = 0, runs: int = 200) -> dict[str, float]:
    """How often explorers have the larger coefficient (the area under the ROC): the metrics of the profile where they
    are defined, and their penalised variants, which always are."""
    random = seeded(seed, "recovery", "exploration")
    greedy, curious, careless = (0.0, (0.15, 0.15)), (12.0, (0.15, 0.15)), (0.0, (0.15, 0.05))

    def each(name: str, chooser: tuple[float, tuple[float, float]]) -> list[float]:
        return [value("horizon", horizon_games(*chooser, runs, random), name) for _ in range(agents)]

    kinds = {"directed-exploration": curious, "random-exploration": careless}
    pairs = {name + end: chooser for name, chooser in kinds.items() for end in ("", "-penalised")}
    values = {name: (each(name, chooser), each(name, greedy)) for name, chooser in pairs.items()}
    return {
        name: float(np.mean([more > less for more in _known(most) for less in _known(least)]))
        for name, (most, least) in values.items()
    }


def _known(values: list[float]) -> list[float]:
    return [value for value in values if not np.isnan(value)]


def main() -> int:
    """Print every recovery beside its target; 1 if one is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--agents", type=int, default=200, help="simulated participants of each kind (default: 200)")
    agents = parser.parse_args().agents
    lines: list[tuple[str, float, float | None, bool]] = []
    for rates, kind in ((HUMAN, "rates .05 to .6"), (WIDE, "rates .1 to .9")):
        for name, outcome in learning(agents, rates).items():
            most = 0.05 if rates == HUMAN or name.startswith("learning-rate") else None
            lines.append((f"{name}, {kind}: mean error", abs(outcome.bias), 0.05, abs(outcome.bias) <= 0.05))
            lines.append((f"{name}, {kind}: mean distance", outcome.distance, most, outcome.distance <= (most or 1)))
    for name, outcome in weights(agents).items():
        lines.append((f"{name}: mean distance", outcome.distance, 0.05, outcome.distance <= 0.05))
    area = planning(agents // 2)
    lines.append(("model-basedness: AUC of model-based over model-free", area, 0.95, area >= 0.95))
    lines += [(f"{name}: AUC of explorers", area, 0.8, area >= 0.8) for name, area in exploration(agents // 2).items()]
    for (said, beta), (truth, estimate) in by_temperature(agents).items():
        lines.append((f"{said}, inverse temperature {beta:g}: estimate less truth", estimate - truth, None, True))
    for said, number, target, reached in lines:
        print(
            f"{said:62s} {number:7.3f}  {'' if target is None else f'target {target}'}{'' if reached else '  MISSED'}"
        )
    return int(not all(reached for *_, reached in lines))


if __name__ == "__main__":
    sys.exit(main())
