"""The games of arms, played by hand: prompts, views, records and scores in worked numbers."""

from dataclasses import replace

import pytest

from hansproof.generators.cognitive_tasks.dataset import DATASET
from hansproof.generators.errors import InputError


def told(subset, **draws):
    """The first item of a subset with draws of our own."""
    item = DATASET.item(subset, 1, 0)
    return replace(item, prompt="Rules.", metadata={**item.metadata, **draws})


def play(item, *actions):
    episode = DATASET.episode(item)
    for action in actions:
        episode.step(action)
    return episode


HORIZON = {
    "arms": ["J", "P"], "mean_0": 40, "mean_1": 60, "horizon": 6, "forced": [0, 1, 0, 0],
    "rewards_0": [41, 42, 43, 44, 1, 2, 3, 4, 5, 6], "rewards_1": [61, 62, 63, 64, 70, 71, 72, 73, 74, 75],
}  # fmt: skip


def test_horizon_tells_what_was_chosen_and_how_many_plays_are_left():
    game = play(told("horizon", **HORIZON), "P", "J")
    assert game.prompt == (
        "Rules.\n\nYour own plays so far:\n- Machine P paid you 70 dollars.\n- Machine J paid you 2 dollars.\n\n"
        "You have 4 plays left. Which machine do you play, J or P?"
    )
    assert game.view.trials == ((0, 41), (1, 62), (0, 43), (0, 44), (1, 70), (0, 2))
    assert (game.view.left, game.view.names) == (4, ("J", "P"))


def test_horizon_counts_the_forced_plays_in_and_its_last_play_down():
    item = told("horizon", **HORIZON)
    game = play(item, *"PJPJP")
    assert game.prompt.endswith("You have 1 play left. Which machine do you play, J or P?")
    game.step("P")
    assert (game.done, game.prompt, game.options) == (True, "", "")
    records = DATASET.records(item, list("PJPJPP"))
    assert [row["reward"] for row in records] == [41, 62, 43, 44, 70, 2, 72, 4, 74, 75]
    assert [row["choice"] for row in records] == [0, 1, 0, 0, 1, 0, 1, 0, 1, 1]
    assert records[5] == {
        "trial": 5, "mean_0": 40, "mean_1": 60, "reward_0": 2, "reward_1": 71, "choice": 0, "reward": 2,
    }  # fmt: skip
    score = DATASET.scorer.score(item, DATASET.scorer.read(item, '["P","J","P","J","P","P"]'))
    assert (score.right, score.measures["horizon-reward"].value) == (None, 48.7)  # 487 / 10
    # 41 + 62 + 43 + 44, and of six pairs the half: (1 + ... + 6 + 70 + ... + 75) / 2 = 228
    assert DATASET.scorer.chance(item) == {"horizon-reward": 41.8}


def test_points_are_told_fifty_lower_and_recorded_as_they_were_drawn():
    item = told("horizon-points", **{**HORIZON, "rewards_1": [61, 62, 63, 64, 70, 51, 50, 49, 48, 75]})
    game = play(item, *"PPPPP")
    assert game.prompt.splitlines()[3:8] == [
        "- You won 20 points on machine P.",
        "- You won 1 point on machine P.",
        "- You neither won nor lost points on machine P.",
        "- You lost 1 point on machine P.",
        "- You lost 2 points on machine P.",
    ]
    game.step("J")
    assert [row["reward"] for row in game.records()] == [41, 62, 43, 44, 70, 51, 50, 49, 48, 6]


RESTLESS = {
    "arms": ["J", "P"], "blocks": [2, 1], "better": "second",
    "rewards_0": [41, 42, 60], "rewards_1": [61, 62, 40],
}  # fmt: skip


def test_a_restless_bandit_asks_for_confidence_before_it_tells_the_payout():
    game = play(told("restless-bandit", **RESTLESS), "P")
    assert game.prompt == (
        "Rules.\n\nThis is play 1 of 3. You have chosen machine P. How confident are you that P is the better "
        "machine at the moment? Give a number from 0 (this was a guess) to 1 (very certain), to two decimal places."
    )
    assert (game.actions, game.view.chosen, game.view.trials) == (None, 1, ())
    with pytest.raises(InputError, match="'P' is not a legal action; give a number from 0 to 1"):
        game.step("P")
    game.step("0.80")
    assert game.prompt == (
        "Rules.\n\nYour plays so far:\n1. Machine P paid you 61 dollars. Your confidence was 0.80.\n\n"
        "This is play 2 of 3. Which machine do you play, J or P?"
    )
    assert (game.view.chosen, game.view.trials, game.view.left) == (None, ((1, 61, 0.8),), 2)


def test_the_last_play_of_a_block_belongs_to_that_block():
    item = told("restless-bandit", **RESTLESS)
    records = DATASET.records(item, ["P", "1", "P", "0.5", "P", "0"])
    # P is better in the first block, which has two plays; J is from the third play on.
    assert [row["accurate"] for row in records] == [True, True, False]
    assert [(row["block"], row["trial"]) for row in records] == [(0, 0), (0, 1), (1, 0)]
    assert [(row["reward"], row["confidence"]) for row in records] == [(61, 1.0), (62, 0.5), (40, 0.0)]
    score = DATASET.scorer.score(item, DATASET.scorer.read(item, '["P",1,"P",0.5,"P",0]'))
    assert score.measures["restless-bandit-accuracy"].value == pytest.approx(2 / 3)
    assert score.measures["restless-bandit-reward"].value == pytest.approx(163 / 3)
    assert DATASET.scorer.chance(item) == {"restless-bandit-accuracy": 0.5, "restless-bandit-reward": 51.0}


LEARNING = {
    "arms": ["J", "P", "B", "C", "D", "G", "H", "K"], "paying_0": [6, 18, 6, 18], "paying_1": [18, 6, 6, 18],
    "order": [2, 1, 2], "rewards_0": [1, 0, 1], "rewards_1": [0, 1, 0],
}  # fmt: skip


def test_every_casino_has_machines_of_its_own():
    item = told("instrumental-learning", **LEARNING)
    game = play(item)
    assert game.actions == ("B", "C")
    with pytest.raises(InputError, match="'J' is not a legal action; choose B or C"):
        game.step("J")
    game.step("B")
    game.step("J")
    assert game.prompt == (
        "Rules.\n\nSo far:\n- Casino 2: machine B paid one dollar.\n- Casino 1: machine J paid nothing.\n\n"
        "Visit 3 of 3: you are at casino 2. Which machine do you choose, B or C?"
    )
    assert (game.view.place, game.view.names, game.view.trials) == (2, ("B", "C"), ((2, 0, 1), (1, 0, 0)))
    game.step("C")
    assert game.records()[0] == {
        "trial": 0, "casino": 2, "mean_0": 0.75, "mean_1": 0.25, "reward_0": 1, "reward_1": 0, "choice": 0, "reward": 1,
    }  # fmt: skip
    assert [row["reward"] for row in game.records()] == [1, 0, 0]
    score = DATASET.scorer.score(item, DATASET.scorer.read(item, '["B","J","C"]'))
    assert score.measures["instrumental-learning-reward"].value == pytest.approx(1 / 3)
