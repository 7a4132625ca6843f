"""A small phenotype with every kind of value: whole, without an interval, undefined, not played."""

import numpy as np
import pytest
from toy_records.rows import SIMULATED, bandit_run, played_games

from hansproof.audit.phenotype.measuring import phenotype
from hansproof.audit.phenotype.task_records import make_records


@pytest.fixture(scope="session")
def mixed():
    rng = np.random.default_rng(5)
    games = [(d, long, shown, int(d > 0)) for d in (-8, 8) for long in (0, 1) for shown in (1, 2, 3)] * 2
    rows = {
        "probabilistic-reasoning": SIMULATED["estimates"](0.8, 1.1, 30, rng, noise=0.5),
        "horizon": played_games(games),  # always the better arm: separation
        "restless-bandit": [row for run in range(3) for row in bandit_run(run, [0, 1, 1], [0, 1, 1], [0.2, 0.9, 1.0])],
    }
    return phenotype(make_records(rows, "<b>mixed</b>\u202e"), resamples=200)
