"""Two rounds of weighing a prior against a likelihood, in worked numbers."""

from dataclasses import replace

import pytest

from hansproof.generators.cognitive_tasks.dataset import DATASET

DRAWS = {
    "urns": ["J", "P"], "informative": ["prior", "likelihood"], "prior": [9, 5], "likelihood": [4, 1],
    "urn": [0, 1], "red": [[True], [False]], "colours": ["red", "blue"],
}  # fmt: skip


def told(subset, **draws):
    item = DATASET.item(subset, 1, 0)
    return replace(item, prompt="Rules.", metadata={**item.metadata, **DRAWS, **draws})


def test_a_round_tells_the_wheel_the_urns_and_the_ball_and_nothing_of_the_other_round():
    game = DATASET.episode(told("probabilistic-reasoning"))
    assert game.prompt == (
        "Rules.\n\nRound 1 of 2. The wheel has nine sections marked J and one marked P. Urn J holds four red balls and "
        "six blue balls; urn P holds six red balls and four blue balls. The wheel has been spun, and the ball drawn is "
        "red.\n\nHow probable is it that the ball came from urn J? Give a number from 0 to 1, to two decimal places."
    )
    assert (game.view.prior, game.view.likelihood, game.view.seen) == (0.9, 0.4, (True,))
    game.step("0.86")
    assert game.prompt == (
        "Rules.\n\nRound 2 of 2. The wheel has five sections marked J and five marked P. Urn J holds one red ball and "
        "nine blue balls; urn P holds nine red balls and one blue ball. The wheel has been spun, and the ball drawn is "
        "blue.\n\nHow probable is it that the ball came from urn J? Give a number from 0 to 1, to two decimal places."
    )


def test_dice_have_as_many_red_sides_as_urns_have_red_balls():
    game = DATASET.episode(told("probabilistic-reasoning-dice", prior=[1, 5]))
    assert game.question() == (
        "Round 1 of 2. The bag has one slip marked J and nine marked P. Die J has four red sides and six blue sides; "
        "die P has six red sides and four blue sides. A slip has been drawn, and the colour rolled is red.\n\nHow "
        "probable is it that die J was rolled? Give a number from 0 to 1, to two decimal places."
    )


def test_accuracy_is_the_closeness_to_bayes_rule():
    item = told("probabilistic-reasoning")
    # .9 * .4 / (.9 * .4 + .1 * .6) = 6/7, and after blue .5 * .9 / (.5 * .9 + .5 * .1) = .9
    score = DATASET.scorer.score(item, DATASET.scorer.read(item, "[0.5, 1]"))
    assert score.measures["probabilistic-reasoning-accuracy"].value == pytest.approx(1 - (6 / 7 - 0.5 + 0.1) / 2)
    perfect = DATASET.scorer.score(item, DATASET.scorer.read(item, f"[{6 / 7}, 0.9]"))
    assert perfect.measures["probabilistic-reasoning-accuracy"].value == pytest.approx(1, abs=1e-6)
    # A uniform estimate is 25/98 from 6/7 on average, and .41 from .9.
    expected = 1 - ((36 / 49 + 1 / 49) / 2 + (0.81 + 0.01) / 2) / 2
    assert DATASET.scorer.chance(item) == {"probabilistic-reasoning-accuracy": pytest.approx(expected)}
    assert DATASET.records(item, ["0.5", "1"])[1] == {
        "informative": "likelihood", "prior": 0.5, "likelihood": 0.1, "red": False, "estimate": 1.0,
    }  # fmt: skip


def test_several_balls_are_told_in_order_and_weigh_together():
    item = told("probabilistic-reasoning", red=[[True, False, True], [False, False, False]])
    game = DATASET.episode(item)
    assert "and the balls drawn are, in order, red, blue and red.\n\nHow probable is it that the balls" in game.prompt
    game.step("0.86")
    assert "the balls drawn are, in order, blue, blue and blue." in game.prompt
    # .9 * .4 / (.9 * .4 + .1 * .6) = 6/7 again, and .9 ** 3 / (.9 ** 3 + .1 ** 3) = 729/730
    score = DATASET.scorer.score(item, DATASET.scorer.read(item, "[0.5, 1]"))
    assert score.measures["probabilistic-reasoning-accuracy"].value == pytest.approx(1 - (6 / 7 - 0.5 + 1 / 730) / 2)
    assert [(row["red"], row["balls"]) for row in DATASET.records(item, ["0.5", "1"])] == [(2, 3), (0, 3)]


def test_at_a_level_the_opening_says_how_many_balls_are_drawn():
    item = DATASET.item("probabilistic-reasoning@7", 3, 2)
    assert "draws 7 balls from it, putting each back before the next, without looking. You are shown" in item.prompt
    assert {len(seen) for seen in item.metadata["red"]} == {7}
    assert item.metadata["difficulty"] == 7
    assert DATASET.check(item) == []
