"""The two-step task: the way there, what is paid, and the draws behind both."""

import re
from dataclasses import replace
from itertools import pairwise

import pytest
from scipy.stats import kstest, uniform

from hansproof.generators.cognitive_tasks.dataset import DATASET
from hansproof.generators.cognitive_tasks.tasks.two_step import Day, TwoStep
from hansproof.generators.errors import InputError
from hansproof.generators.stream import Stream


@pytest.fixture
def journey():
    """Two days: a rare transition and a common one; only the second alien of the first planet pays."""
    item = DATASET.item("two-step", 7, 0)
    draws = {
        "places": ["P", "Q"],
        "partners": [["B", "C"], ["D", "G"]],
        "common": [False, True],
        "paid": [[False, True, False, False]] * 2,
        "chances": [[0.3, 0.7, 0.4, 0.5]] * 2,
    }
    return replace(item, prompt="Two days.", metadata={**item.metadata, **draws})


def test_a_rare_transition_leads_to_the_other_place_and_a_common_one_to_its_own(journey):
    game = DATASET.episode(journey)
    assert game.prompt.endswith("It is day 1 of 2. Do you set out for planet P or Q?")
    assert list(game.actions) == ["P", "Q"]
    game.step("Q")
    assert game.prompt.endswith(
        "It is day 1 of 2. You set out for planet Q and arrived on planet P. Do you trade with alien B or C?"
    )
    with pytest.raises(InputError, match="'D' is not a legal action; choose B or C"):
        game.step("D")
    assert (game.view.state, game.view.names, game.view.left) == (0, ("B", "C"), 2)
    game.step("C")
    assert "- Day 1: You set out for planet Q and arrived on planet P. Alien C gave you treasure." in game.prompt
    assert game.view.days == (Day(action=1, state=0, choice=1, reward=True),)
    game.step("Q")
    assert "You set out for planet Q and arrived on planet Q. Do you trade with alien D or G?" in game.prompt
    game.step("D")
    assert game.done
    assert game.prompt == ""


def test_records_have_a_row_a_day_and_the_measure_is_the_share_of_days_that_paid(journey):
    actions = ["Q", "C", "Q", "D"]
    shared = {"chance_0": 0.3, "chance_1": 0.7, "chance_2": 0.4, "chance_3": 0.5}
    assert DATASET.records(journey, actions) == [
        {"trial": 0, "action": 1, "state": 0, "choice": 1, "reward": 1, **shared},
        {"trial": 1, "action": 1, "state": 1, "choice": 0, "reward": 0, **shared},
    ]
    scorer = DATASET.scorer
    score = scorer.score(journey, scorer.read(journey, '["Q", "C", "Q", "D"]'))
    assert score.measures["two-step-reward"].value == 0.5
    assert scorer.chance(journey) == {"two-step-reward": 0.25}  # one of four second choices pays


def test_seven_transitions_in_ten_are_common():
    draws = [day for index in range(200) for day in DATASET.item("two-step", 7, index).metadata["common"]]
    assert len(draws) == 4000
    assert sum(draws) / 4000 == pytest.approx(0.7, abs=3 * (0.21 / 4000) ** 0.5)


def test_chances_start_uniform_and_drift_by_a_fortieth_between_a_quarter_and_three_quarters():
    rows = [DATASET.item("two-step", 7, index).metadata["chances"] for index in range(200)]
    assert {(len(row), len(row[0])) for row in rows} == {(20, 4)}
    assert kstest([chance for row in rows for chance in row[0]], uniform(0.25, 0.5).cdf).pvalue > 0.01
    assert min(min(day) for row in rows for day in row) == 0.25
    assert max(max(day) for row in rows for day in row) == 0.75
    # Far from both ends nothing is clipped, so steps there are as they were drawn.
    steps = [
        b - a for row in rows for old, new in pairwise(row) for a, b in zip(old, new, strict=True) if 0.4 < a < 0.6
    ]
    assert len(steps) > 4000
    assert sum(steps) / len(steps) == pytest.approx(0, abs=0.0015)
    assert (sum(step**2 for step in steps) / len(steps)) ** 0.5 == pytest.approx(0.025, rel=0.04)


def test_a_second_choice_is_paid_as_often_as_its_chance_says():
    draws = [DATASET.item("two-step", 7, index).metadata for index in range(200)]
    pairs = [
        (chance, paid)
        for row in draws
        for day, outcomes in zip(row["chances"], row["paid"], strict=True)
        for chance, paid in zip(day, outcomes, strict=True)
    ]
    for low, high in ((0.25, 0.4), (0.4, 0.6), (0.6, 0.76)):
        within = [(chance, paid) for chance, paid in pairs if low <= chance < high]
        expected = sum(chance for chance, _ in within) / len(within)
        assert sum(paid for _, paid in within) / len(within) == pytest.approx(expected, abs=0.02)


def test_what_random_play_earns_is_what_it_is_expected_to_earn():
    items = [DATASET.item("two-step", 7, index) for index in range(150)]
    earned, expected = 0.0, 0.0
    for item in items:
        stream, game = Stream(1, item.id), DATASET.episode(item)
        while not game.done:
            game.step(stream.choice(game.actions))
        earned += sum(row["reward"] for row in game.records()) / 20
        expected += DATASET.scorer.chance(item)["two-step-reward"]
    assert earned / 150 == pytest.approx(expected / 150, abs=3 * (0.25 / 3000) ** 0.5)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"places": ["Q", "P"]}, "the prompt names other letters, or in another order"),
        ({"common": [True] * 19}, "there is not one draw for each day of the prompt"),
        ({"chances": [[0.25, 0.5, 0.75, 0.8]] * 20}, r"a chance is not within \.25 and \.75"),
        ({"chances": [[0.5] * 4, [0.74] * 4] * 10}, "a chance drifts further than any draw"),
        ({"paid": [[True] * 3] * 20}, "a day has not four chances and four outcomes"),
    ],
)
def test_a_wrong_draw_is_a_fault(change, fault):
    item = DATASET.item("two-step", 7, 0)
    assert DATASET.check(item) == []
    faults = DATASET.check(replace(item, metadata={**item.metadata, **change}))
    assert [text for text in faults if text == fault.replace("\\", "")]


def test_only_the_story_that_is_called_so_explains_rare_transitions():
    prompts = {subset: DATASET.item(subset, 7, 0).prompt for subset in DATASET.subsets if subset.startswith("two-step")}
    assert [subset for subset, prompt in prompts.items() if "drift off course" in prompt] == ["two-step-explained"]
    assert all("20 days" in prompt and "usually" in prompt for prompt in prompts.values())
    standard, explained = prompts["two-step"].split("\n\n"), prompts["two-step-explained"].split("\n\n")
    assert (len(standard), len(explained)) == (2, 3)
    assert [len(part.split()) for part in standard] == [len(part.split()) for part in explained[::2]]


def test_a_question_that_names_other_partners_is_a_fault(monkeypatch):
    item = DATASET.item("two-step", 7, 0)
    asked = TwoStep.question
    monkeypatch.setattr(TwoStep, "question", lambda game: re.sub(r"alien (\w) or (\w)", r"alien \2 or \1", asked(game)))
    assert "a question names other partners than the place has" in DATASET.check(item)
