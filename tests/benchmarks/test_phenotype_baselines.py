"""The table of agents in the card of cognitive-tasks: its numbers are those of the release's episodes."""

import importlib
import re

import pytest

from hansproof.generators.cognitive_tasks.agents import AGENTS
from hansproof.generators.registry import prose


@pytest.fixture
def baselines(scripts, monkeypatch):
    monkeypatch.syspath_prepend(str(scripts / "phenotype"))
    return importlib.import_module("baselines")


def cells(text):
    """Metric -> agent -> cell of the table in a text."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in re.findall(r"^\|.*\|$", text, re.M)]
    head, _, *body = rows
    return {row[0]: dict(zip(head[1:], row[1:], strict=True)) for row in body}


def test_the_card_has_the_sixteen_metrics_of_every_agent():
    card = cells(prose("cognitive-tasks").details)
    assert len(card) == 16
    assert all(list(row) == ["people", *AGENTS] for row in card.values())
    played = {agent: sum(row[agent] != "-" for row in card.values()) for agent in AGENTS}
    assert played == {
        "random": 16,
        "bayes-optimal": 11,
        **dict.fromkeys(("greedy", "win-stay-lose-shift", "upper-confidence-bound", "rescorla-wagner"), 10),
        "model-based": 2,
        "model-free": 2,
        "expected-value-pumper": 2,
    }


@pytest.mark.parametrize(
    ("agent", "task", "metrics"),
    [
        ("expected-value-pumper", "balloons", ("Balloons: points", "Risk taking")),
        ("bayes-optimal", "instrumental-learning", ("Instrumental learning: reward",)),
        ("random", "temporal-discounting", ("Temporal discounting",)),
        ("greedy", "restless-bandit", ("Restless bandit: reward", "Metacognition")),
        ("model-based", "two-step", ("Model-basedness",)),
    ],
)
def test_a_cell_of_the_card_is_what_the_benchmark_measures(baselines, agent, task, metrics):
    made = cells(baselines.table([baselines.column(agent, [task])]))
    card = cells(prose("cognitive-tasks").details)
    for metric in metrics:
        assert made[metric][agent] == card[metric][agent]
    assert {row[agent] for metric, row in made.items() if metric == "Posterior accuracy"} == {"-"}
