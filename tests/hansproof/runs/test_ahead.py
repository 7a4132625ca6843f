"""What a run says before it begins, and how its progress is counted: by calls of the agent."""

from contextlib import suppress
from dataclasses import replace

import pytest

import hansproof
from hansproof.generators.registry import dataset


def announced(agent, **options):
    said, steps = [], []
    options = {"subset": "short", "announce": said.append, "progress": lambda *step: steps.append(step)} | options
    with suppress(KeyboardInterrupt):
        hansproof.run("toy-bandit", agent, **options)
    return said, steps


@pytest.mark.usefixtures("toy_bandit")
def test_a_run_says_what_is_to_come_before_the_first_question(agent):
    told = []

    def asked(prompt):
        assert told == ["3 episodes to play, about 12 model calls"]
        return agent(prompt)

    hansproof.run("toy-bandit", asked, subset="short", count=3, announce=told.append)


@pytest.mark.usefixtures("toy_bandit")
@pytest.mark.parametrize("workers", [1, 3])
def test_every_call_is_a_step(agent, workers):
    _, steps = announced(agent, count=3, workers=workers)
    assert [stage for stage, _, _ in steps] == ["model calls"] * len(steps)
    assert [done for _, done, _ in steps] == sorted(done for _, done, _ in steps)
    assert {done for _, done, _ in steps} == set(range(13))
    assert steps[0] == ("model calls", 0, 12)
    assert steps[-1] == ("model calls", 12, 12)


def test_a_run_that_goes_on_says_what_is_left(there, agent):
    calls = []

    def stops(prompt):
        calls.append(prompt)
        if len(calls) > 6:
            raise KeyboardInterrupt
        return agent(prompt)

    stops.__module__, stops.__qualname__ = agent.__module__, agent.__qualname__
    announced(stops, count=3, out="r.jsonl")
    said, steps = announced(agent, count=3, out="r.jsonl", resume=True)
    assert said == ["2 of 3 episodes left to play, about 6 model calls (6 made)"]
    assert (steps[0], steps[-1]) == (("model calls", 6, 12), ("model calls", 12, 12))
    said, _ = announced(agent, count=3, out="r.jsonl", resume=True)
    assert said == ["all 3 episodes are played"]


@pytest.mark.usefixtures("toy_bandit")
def test_an_episode_that_ends_early_takes_its_calls_out_of_the_count():
    _, steps = announced(lambda prompt: "?" if "game 1:" in prompt else "A", count=2, retries=0)
    assert steps[-1] == ("model calls", 4, 4)


def test_an_estimate_gives_way_to_what_is_played(agent, toy_bandit, monkeypatch):
    for expected, ahead in ((2, [(0, 2), (1, 2), (2, 3), (3, 4), (4, 5), (4, 4)]), (9, [(0, 9), (1, 9), (2, 9)])):
        guessed = replace(toy_bandit, turns=lambda item, expected=expected: expected)
        monkeypatch.setattr("hansproof.runs.games.find", lambda name, guessed=guessed: guessed)
        said, steps = announced(agent, count=1)
        assert said == [f"1 episode to play, about {expected} model calls"]
        assert [step[1:] for step in steps][: len(ahead)] == ahead
        assert steps[-1] == ("model calls", 4, 4)


def test_a_family_that_cannot_say_counts_episodes(agent, toy_bandit, monkeypatch):
    silent = replace(toy_bandit, turns=None)
    monkeypatch.setattr("hansproof.runs.games.find", lambda name: silent)
    said, steps = announced(agent, count=2)
    assert said == ["2 episodes to play"]
    assert steps == [("episodes", 0, 2), ("episodes", 1, 2), ("episodes", 2, 2)]


@pytest.mark.parametrize("subset", [name for name, subset in dataset("cognitive-tasks").subsets.items()])
def test_the_cognitive_tasks_know_how_many_calls_an_episode_takes(subset):
    family = dataset("cognitive-tasks")
    for index in range(3):
        item = family.item(subset, 3, index)
        taken = len(family.players["random"].make({})(item, index).actions)
        if family.turns is None or item.metadata["task"] not in ("balloons", "temporal-discounting"):
            assert taken == family.turns(item)
        else:
            assert taken / 2.5 < family.turns(item) < taken * 2.5
