"""A dataset's tasks are played in their standard story, unless you ask for more."""

import pytest

from hansproof.runs.games import games

STANDARD = {
    *("probabilistic-reasoning", "horizon", "restless-bandit", "instrumental-learning", "two-step"),
    *("temporal-discounting", "balloons"),
}


@pytest.mark.parametrize(
    ("options", "subsets"),
    [
        ({}, STANDARD),
        ({"subsets": ["horizon-points"]}, {"horizon-points"}),
    ],
)
def test_each_task_is_played_in_its_standard_story_unless_another_is_named(options, subsets):
    assert {item.metadata["subset"] for item in games("cognitive-tasks", count=1, **options).items} == subsets


def test_every_story_is_played_where_it_is_asked_for():
    played = games("cognitive-tasks", count=1, variants=True).items
    assert len(played) == 14
    assert {item.metadata["task"] for item in played} == STANDARD
