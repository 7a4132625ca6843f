"""Made records for tests of phenotypes: small tables with known answers, and simulated learners."""

import numpy as np


def horizon_games(cells, rng=None):
    """Rows of games (mean difference, long, shown: how often arm 1, choice) as records of the horizon task."""
    rows = []
    for run, (difference, long, shown, choice) in enumerate(cells):
        forced = [1] * shown + [0] * (4 - shown)
        choices = [*forced, choice, *([0] * 5 if long else [])]
        rows += [
            {"run": run, "trial": t, "mean_0": 50, "mean_1": 50 + difference, "choice": c, "reward": 50 + c}
            for t, c in enumerate(choices)
        ]
    return rows


def learner_runs(up, down, beta, runs, rng):
    """Records of a Rescorla-Wagner learner in four casinos of 24 visits each."""
    chances = np.array([[0.25, 0.25], [0.25, 0.75], [0.75, 0.25], [0.75, 0.75]])
    rows = []
    for run in range(runs):
        values = np.full((4, 2), 0.5)
        for trial, casino in enumerate(rng.permutation(np.repeat(np.arange(4), 24)).tolist()):
            advantage = values[casino, 1] - values[casino, 0]
            choice = int(rng.random() < 1 / (1 + np.exp(-beta * advantage)))
            reward = int(rng.random() < chances[casino, choice])
            error = reward - values[casino, choice]
            values[casino, choice] += (up if error > 0 else down) * error
            rows.append({"run": run, "trial": trial, "casino": casino, "choice": choice, "reward": reward})
    return rows


def estimates(prior_weight, likelihood_weight, runs, rng, noise=0.0):
    """Records of estimates whose log odds weigh those of prior and likelihood."""
    rows = []
    for run in range(runs):
        for informative in ("likelihood", "prior"):
            strong, weak = rng.choice([0.1, 0.2, 0.3, 0.7, 0.8, 0.9]), rng.choice([0.4, 0.5, 0.5, 0.6])
            prior, likelihood = (weak, strong) if informative == "likelihood" else (strong, weak)
            red = bool(rng.random() < prior * likelihood + (1 - prior) * (1 - likelihood))
            seen = likelihood if red else 1 - likelihood
            odds = prior_weight * np.log(prior / (1 - prior)) + likelihood_weight * np.log(seen / (1 - seen))
            odds += noise * rng.normal()
            rows.append(
                {
                    "run": run,
                    "informative": informative,
                    "prior": prior,
                    "likelihood": likelihood,
                    "red": red,
                    "estimate": 1 / (1 + np.exp(-odds)),
                }
            )
    return rows


def bandit_run(run, choices, accurate, confidence, reward=50.0, block=0):
    """Records of one block of the restless bandit."""
    return [
        {"run": run, "block": block, "trial": t, "choice": c, "reward": reward, "confidence": s, "accurate": a}
        for t, (c, a, s) in enumerate(zip(choices, accurate, confidence))
    ]


def days(run, steps):
    """Records of the two-step task from (action, state, reward)."""
    return [
        {"run": run, "trial": t, "action": action, "state": state, "choice": 0, "reward": reward}
        for t, (action, state, reward) in enumerate(steps)
    ]
