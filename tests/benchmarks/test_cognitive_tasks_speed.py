"""The benchmark of phenotypes: the plain way gets the same numbers, and a whole run prints both."""

import importlib
import json
import sys
from pathlib import Path

import pytest

from audit.phenotype.measuring import phenotype
from audit.phenotype.records.table import make_records

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def speed(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    module = importlib.import_module("cognitive_tasks")
    few = {task: min(count, 40) for task, count in module.RUNS.items()}
    monkeypatch.setattr(module, "RUNS", few | {"instrumental-learning": 1, "balloons": 1})
    monkeypatch.setattr(module, "STARTS", 2)
    return module


def test_the_plain_way_measures_the_same(speed):
    theirs = speed.plain(1)
    ours = phenotype(make_records(speed.records(0), "0"), resamples=100)
    for name in ("directed-exploration", "model-basedness", "prior-weighting"):
        assert ours.metric(name).value == pytest.approx(theirs[name], rel=1e-6), name
    assert 0 <= theirs["learning-rate"] <= 1  # of one run played at random there are several maxima


def test_a_whole_run_prints_the_times_and_fails_when_a_target_is_missed(speed, monkeypatch, capsys, tmp_path):
    arguments = ["--phenotypes", "1", "--plain", "0", "--seconds", "0.005", "--json", str(tmp_path / "b.json")]
    monkeypatch.setattr(sys, "argv", ["cognitive_tasks.py", *arguments])
    monkeypatch.setattr(speed, "SECONDS", 1e6)
    monkeypatch.setattr(speed, "RATE", 1.0)
    assert speed.main() == 0
    shown = capsys.readouterr().out
    assert "| ours: simulated, measured, with intervals | 1 |" in shown
    assert "plain fits" not in shown
    document = json.loads((tmp_path / "b.json").read_text())
    assert document["ours"]["simulating"] < document["ours"]["seconds"]
    monkeypatch.setattr(speed, "RATE", 1e12)
    assert speed.main() == 1
    assert "fewer than 1,000,000,000,000 episodes a second" in capsys.readouterr().err
