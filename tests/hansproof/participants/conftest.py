"""Finished runs of the cognitive tasks, played without looking."""

import pytest

from hansproof.generators.cognitive_tasks.agents import make_agent, simulate
from hansproof.generators.production import Stretch, items
from hansproof.generators.registry import dataset
from hansproof.generators.stream import Stream
from hansproof.runs.turn import Run

COUNTS = {
    "probabilistic-reasoning": 20,
    "horizon": 20,
    "restless-bandit": 5,
    "instrumental-learning": 5,
    "two-step": 20,
    "temporal-discounting": 5,
    "balloons": 5,
}


def _at_random(item, name=""):
    """A run of one item, the same whenever it is played."""
    return Run(item, simulate(make_agent("random"), item, Stream(0, "tests", name).below(2**32)).actions)


def _episodes(subset, count, seed=7):
    return list(items(dataset("cognitive-tasks"), Stretch(subset, 0, count), seed))


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Writes runs as `hansproof run` does, into the current folder."""
    monkeypatch.chdir(tmp_path)

    def written(file, runs, model="mine"):
        (tmp_path / file).write_bytes(b"".join(run.line(model, "zero-shot", "0" * 16) for run in runs))
        return file

    return written


@pytest.fixture(scope="session")
def played():
    """A few runs of every task."""
    return [_at_random(item) for subset, count in COUNTS.items() for item in _episodes(subset, count)]


@pytest.fixture
def counts():
    """Task -> how many runs of it `played` has."""
    return COUNTS


@pytest.fixture
def at_random():
    """(item, name of a player) -> its run."""
    return _at_random


@pytest.fixture
def episodes():
    """(subset, count, seed) -> items."""
    return _episodes
