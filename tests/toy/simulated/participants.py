"""Participants with known parameters, simulated without the tasks' own code: records in the columns of a phenotype."""

from __future__ import annotations

import numpy as np

__all__ = ["balloons", "confident_runs", "estimates", "horizon_games", "learner_runs", "two_step_runs"]

Rows = list[dict[str, object]]

CHANCES = np.array([[0.25, 0.25], [0.25, 0.75], [0.75, 0.25], [0.75, 0.75]])
"""Of a reward: four casinos, two arms."""


def _logistic(x: float) -> float:
    return float(1 / (1 + np.exp(-x)))


def estimates(prior_weight: float, likelihood_weight: float, runs: int, rng: np.random.Generator, noise: float) -> Rows:
    """Two estimates per run whose log odds weigh those of prior and likelihood, with normal noise."""
    rows: Rows = []
    for run in range(runs):
        for informative in ("likelihood", "prior"):
            strong, weak = rng.choice([0.1, 0.2, 0.3, 0.7, 0.8, 0.9]), rng.choice([0.4, 0.5, 0.5, 0.6])
            prior, likelihood = (weak, strong) if informative == "likelihood" else (strong, weak)
            red = bool(rng.random() < prior * likelihood + (1 - prior) * (1 - likelihood))
            seen = likelihood if red else 1 - likelihood
            odds = prior_weight * np.log(prior / (1 - prior)) + likelihood_weight * np.log(seen / (1 - seen))
            row = {"run": run, "informative": informative, "prior": prior, "likelihood": likelihood, "red": red}
            rows.append({**row, "estimate": _logistic(odds + noise * rng.normal())})
    return rows


def horizon_games(bonus: float, slopes: tuple[float, float], runs: int, rng: np.random.Generator) -> Rows:
    """Games of one or six free choices. The chooser adds `bonus` points to the lesser-known arm in long games, and
    weighs the difference of the means with the first slope in short and the second in long games."""
    rows: Rows = []
    for run in range(runs):
        base, shift = rng.choice([40, 60]), rng.choice([4, 8, 12, 20, 30]) * rng.choice([-1, 1])
        means = [base, base + shift] if rng.random() < 0.5 else [base + shift, base]
        long = bool(rng.random() < 0.5)
        shown = 2 if rng.random() < 0.5 else int(rng.choice([1, 3]))
        novelty = (2 - shown) * bonus * long
        advantage = means[1] - means[0] + novelty
        choices = [*rng.permutation([1] * shown + [0] * (4 - shown)).tolist()]
        choices += [int(rng.random() < _logistic(slopes[long] * advantage)) for _ in range(6 if long else 1)]
        rows += [
            {
                "run": run,
                "trial": trial,
                "mean_0": means[0],
                "mean_1": means[1],
                "choice": choice,
                "reward": round(rng.normal(means[choice], 8)),
            }
            for trial, choice in enumerate(choices)
        ]
    return rows


def confident_runs(insight: float, runs: int, rng: np.random.Generator) -> Rows:
    """Four blocks of 20 trials; confidence is higher after right choices by `insight`, and skill varies by run."""
    rows: Rows = []
    for run in range(runs):
        skill = rng.uniform(0.55, 0.9)
        for block in range(4):
            for trial in range(20):
                right = int(rng.random() < skill)
                sure = float(np.clip(0.5 + insight * (right - 0.5) + 0.15 * rng.normal(), 0, 1))
                choice = right if block % 2 else 1 - right
                row = {"run": run, "block": block, "trial": trial, "choice": choice}
                rows.append(
                    {**row, "reward": rng.normal(60 if right else 40, 8), "confidence": sure, "accurate": right}
                )
    return rows


def learner_runs(up: float, down: float, beta: float, runs: int, rng: np.random.Generator) -> Rows:
    """A Rescorla-Wagner learner in four casinos of 24 visits each."""
    rows: Rows = []
    for run in range(runs):
        values = np.full((4, 2), 0.5)
        for trial, casino in enumerate(rng.permutation(np.repeat(np.arange(4), 24)).tolist()):
            choice = int(rng.random() < _logistic(beta * (values[casino, 1] - values[casino, 0])))
            reward = int(rng.random() < CHANCES[casino, choice])
            error = reward - values[casino, choice]
            values[casino, choice] += (up if error > 0 else down) * error
            rows.append({"run": run, "trial": trial, "casino": casino, "choice": choice, "reward": reward})
    return rows


def two_step_runs(planner: float, runs: int, rng: np.random.Generator, beta: float = 5.0, rate: float = 0.5) -> Rows:
    """The hybrid learner of Daw et al. (2011): `planner` is the share of model-based values in the first choice."""
    rows: Rows = []
    for run in range(runs):
        chances = rng.uniform(0.25, 0.75, (2, 2))
        free, second = np.full(2, 0.5), np.full((2, 2), 0.5)
        for trial in range(20):
            best = second.max(axis=1)
            values = planner * np.array([0.7 * best[0] + 0.3 * best[1], 0.3 * best[0] + 0.7 * best[1]])
            values = values + (1 - planner) * free
            action = int(rng.random() < _logistic(beta * (values[1] - values[0])))
            state = action if rng.random() < 0.7 else 1 - action
            choice = int(rng.random() < _logistic(beta * (second[state, 1] - second[state, 0])))
            reward = int(rng.random() < chances[state, choice])
            free[action] += rate * (reward - free[action])
            second[state, choice] += rate * (reward - second[state, choice])
            row = {"run": run, "trial": trial, "action": action, "state": state, "choice": choice}
            rows.append({**row, "reward": reward})
            chances = np.clip(chances + rng.normal(0, 0.025, (2, 2)), 0.25, 0.75)
    return rows


def balloons(boldness: float, runs: int, rng: np.random.Generator) -> Rows:
    """Thirty balloons of three kinds, each pumped as often as a geometric number of mean `boldness` says, or bursting.

    Boldness varies from run to run, as moods do.
    """
    rows: Rows = []
    for run in range(runs):
        mean = boldness * rng.lognormal(0, 0.4)
        for number, capacity in enumerate(rng.permutation(np.repeat([128, 32, 8], 10)).tolist()):
            wanted, limit = int(rng.geometric(1 / (1 + mean))) - 1, int(rng.integers(1, capacity + 1))
            burst = wanted >= limit
            pumps = min(wanted, limit)
            row = {"run": run, "balloon": number, "capacity": capacity, "pumps": pumps}
            rows.append({**row, "burst": burst, "reward": 0 if burst else pumps})
    return rows
