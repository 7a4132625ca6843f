"""The balloon analogue risk task: when a balloon bursts, what it pays, and how many pumps a player tries."""

from dataclasses import replace
from fractions import Fraction

import pytest
from scipy.stats import chisquare

from hansproof.generators.cognitive_tasks.dataset import DATASET
from hansproof.generators.errors import InputError


@pytest.fixture
def three():
    """Three balloons: one a kind, in the order 2, 0, 1, that burst at their first, fourth and second pump."""
    item = DATASET.item("balloons", 7, 0)
    draws = {
        "kinds": ["X", "Z", "W"],
        "capacities": [128, 32, 8],
        "order": [2, 0, 1],
        "bursts": [1, 4, 2],
        "pump": "P",
        "cash": "C",
        "pump_first": True,
    }
    return replace(item, prompt="Three balloons.", metadata={**item.metadata, **draws})


def test_a_balloon_bursts_at_its_pump_and_pays_nothing_or_is_cashed_in_and_pays_a_point_a_pump(three):
    game = DATASET.episode(three)
    assert game.prompt.endswith(
        "Balloon 1 of 3 is of kind W. You have not pumped it yet. Which do you choose, P (pump) or C (stop)?"
    )
    with pytest.raises(InputError, match="'pump' is not a legal action; choose P or C"):
        game.step("pump")
    for action in "PPPPC":
        game.step(action)
    assert game.prompt.endswith(
        "Your balloons so far, 3 points in all:\n- 1, kind W: burst at pump 1, 0 points\n"
        "- 2, kind X: stopped after 3 pumps, 3 points\n\n"
        "Balloon 3 of 3 is of kind Z. You have not pumped it yet. Which do you choose, P (pump) or C (stop)?"
    )
    game.step("P")
    assert "After 1 pump it is worth 1 point." in game.prompt
    assert (game.view.kind, game.view.pumps) == (1, 1)
    game.step("P")
    assert game.done
    assert game.records() == [
        {"balloon": 0, "kind": 2, "capacity": 8, "pumps": 1, "burst": True, "reward": 0},
        {"balloon": 1, "kind": 0, "capacity": 128, "pumps": 3, "burst": False, "reward": 3},
        {"balloon": 2, "kind": 1, "capacity": 32, "pumps": 2, "burst": True, "reward": 0},
    ]


def test_measures_are_points_pumps_and_pumps_of_balloons_that_did_not_burst(three):
    scorer = DATASET.scorer
    score = scorer.score(three, scorer.read(three, '["P", "P", "P", "P", "C", "P", "P"]'))
    assert {name: measure.value for name, measure in score.measures.items()} == {
        "balloons-reward": 1.0,  # (0 + 3 + 0) / 3
        "balloons-pumps": 2.0,  # (1 + 3 + 2) / 3
        "balloons-adjusted-pumps": 3.0,  # 3 / 1
    }
    every = scorer.score(three, scorer.read(three, '["P", "P", "P", "P", "P", "P", "P"]'))
    assert "balloons-adjusted-pumps" not in every.measures  # all burst: undefined
    unfinished = scorer.read(three, '["P", "C"]')
    assert unfinished.reason == "stops after 2 actions, before the episode is over"


def coin(burst, k=0):
    """Expected points and pumps of a coin that has pumped k times, by following both sides of it."""
    if k == burst:
        return Fraction(0), Fraction(0)
    points, pumps = coin(burst, k + 1)
    return (k + points) / 2, (1 + pumps) / 2


def test_the_expectation_of_a_coin_is_that_of_its_tree(three):
    points, pumps = zip(*(coin(burst) for burst in (1, 4, 2)), strict=True)
    assert DATASET.scorer.chance(three) == pytest.approx(
        {"balloons-reward": float(sum(points) / 3), "balloons-pumps": float(sum(pumps) / 3)}, abs=1e-12
    )


def test_there_are_ten_balloons_of_each_kind_in_any_order_and_each_capacity_comes_under_each_letter():
    draws = [DATASET.item("balloons", 7, index).metadata for index in range(300)]
    assert all(sorted(row["order"]) == [0] * 10 + [1] * 10 + [2] * 10 for row in draws)
    assert all(sorted(row["capacities"]) == [8, 32, 128] for row in draws)
    assert chisquare([sum(row["order"][0] == kind for row in draws) for kind in range(3)]).pvalue > 0.01
    assert chisquare([sum(row["order"][29] == kind for row in draws) for kind in range(3)]).pvalue > 0.01
    assert chisquare([sum(row["capacities"][0] == size for row in draws) for size in (8, 32, 128)]).pvalue > 0.01
    assert 110 <= sum(row["pump_first"] for row in draws) <= 190


@pytest.mark.parametrize("capacity", [8, 32, 128])
def test_the_hazard_of_pump_k_is_one_of_the_pumps_that_are_left(capacity):
    bursts = [
        burst
        for row in (DATASET.item("balloons", 7, index).metadata for index in range(300))
        for kind, burst in zip(row["order"], row["bursts"], strict=True)
        if row["capacities"][kind] == capacity
    ]
    assert len(bursts) == 3000
    for k in (1, 2, capacity // 2, capacity - 1, capacity):
        reached = sum(burst >= k for burst in bursts)
        hazard = 1 / (capacity - k + 1)
        spread = (hazard * (1 - hazard) / reached) ** 0.5
        assert sum(burst == k for burst in bursts) / reached == pytest.approx(hazard, abs=3.5 * spread)
    assert (min(bursts), max(bursts)) == (1, capacity)
    assert chisquare([bursts.count(k) for k in range(1, capacity + 1)]).pvalue > 0.005


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"kinds": ["X", "Z", "W"]}, "the prompt names other kinds, or in another order"),
        ({"pump": "P"}, "the names are not five letters other than P"),
        ({"capacities": [128, 32, 16]}, "the capacities are not 8, 32 and 128"),
        ({"bursts": [129] * 30}, "a balloon bursts at a pump that its kind does not have"),
        ({"bursts": [0] * 30}, "a balloon bursts at a pump that its kind does not have"),
        ({"bursts": [1] * 29}, "there are not as many balloons as the prompt says"),
        ({"order": [0] * 30}, "there are not as many balloons as the prompt says"),
    ],
)
def test_a_wrong_draw_is_a_fault(change, fault):
    item = DATASET.item("balloons", 7, 0)
    assert DATASET.check(item) == []
    assert fault in DATASET.check(replace(item, metadata={**item.metadata, **change}))
