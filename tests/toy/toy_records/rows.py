"""Made records for tests of phenotypes: small tables with known answers, and simulated ones."""

from simulated import participants

SIMULATED = vars(participants)
"""Simulated participants, by the name of the function."""


def played_games(cells):
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
