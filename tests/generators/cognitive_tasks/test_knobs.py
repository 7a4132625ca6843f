"""What a knob says was measured is what is measured: bounded players, and optimal ones, at several levels."""

import json

import numpy as np
import pytest

from hansproof.generators.cognitive_tasks.agents import make_agent, simulate
from hansproof.generators.cognitive_tasks.dataset import DATASET

SEED = 11


def records(agent, subset, count):
    player, items = make_agent(agent), [DATASET.item(subset, SEED, index) for index in range(count)]
    return [row for item in items for row in DATASET.records(item, simulate(player, item, 1).actions)]


def accuracy(agent, level):
    return np.mean([row["accurate"] for row in records(agent, f"restless-bandit@{level}", 40)])


def better(agent, level):
    rows = [row for row in records(agent, f"instrumental-learning@{level}", 60) if row["mean_0"] != row["mean_1"]]
    return np.mean([row["choice"] == (row["mean_1"] > row["mean_0"]) for row in rows])


def last_ball(level, count=500):
    """The accuracy of a player that weighs the prior against the last ball alone."""
    scores = []
    for index in range(count):
        item = DATASET.item(f"probabilistic-reasoning@{level}", SEED, index)
        game = DATASET.episode(item)
        while not game.done:
            seen = game.view.likelihood if game.view.seen[-1] else 1 - game.view.likelihood
            joint = game.view.prior * seen
            game.step(f"{joint / (joint + (1 - game.view.prior) * (1 - seen)):.6f}")
        run = DATASET.scorer.read(item, json.dumps(game.transcript.actions))
        scores.append(DATASET.scorer.score(item, run).measures["probabilistic-reasoning-accuracy"].value)
    return np.mean(scores)


def said(share):
    return f"{share:.2f}".removeprefix("0")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("subset", "levels", "measures"),
    [
        ("probabilistic-reasoning", (1, 4, 12), [last_ball]),
        (
            "restless-bandit",
            (2, 4, 16),
            [lambda level: accuracy("bayes-optimal", level), lambda level: accuracy("rescorla-wagner", level)],
        ),
        (
            "instrumental-learning",
            (1, 6, 9),
            [lambda level: better("rescorla-wagner", level), lambda level: better("win-stay-lose-shift", level)],
        ),
    ],
)
def test_a_knob_moves_what_it_says_and_by_as_much(subset, levels, measures):
    shown = DATASET.subsets[subset].knob.shown
    for measure in measures:
        values = [float(measure(level)) for level in levels]
        assert values == sorted(values, reverse=True)
        assert values[0] - values[-1] > 0.04
        assert all(said(value) in shown for value in values), values


def test_a_level_is_an_item_of_its_own_that_is_played_like_any_other():
    item = DATASET.item("restless-bandit@8", 3, 1)
    assert (item.id, item.group) == ("cognitive-tasks/1.1.0/restless-bandit@8/000001", "restless-bandit@8-000001")
    assert len(item.metadata["blocks"]) in (7, 8, 9, 10)
    assert "Every 9 to 11 plays, " in item.prompt
    run = simulate(make_agent("random"), item, 1).actions
    assert DATASET.scorer.read(item, json.dumps(run)).said
    hard = DATASET.item("instrumental-learning@9", 3, 1)
    assert sorted(hard.metadata["paying_0"]) == [9, 9, 15, 15]
    assert not [name for name, subset in DATASET.subsets.items() if subset.variant and subset.knob]
