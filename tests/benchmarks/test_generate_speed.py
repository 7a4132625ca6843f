"""The benchmark of item generation: its rates, its shards, and a whole run."""

import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from generators.registry import dataset

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "benchmarks"


@pytest.fixture
def speed(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    return importlib.import_module("generate_speed")


def test_a_rate_is_items_per_process_second_and_the_median_of_the_trials(speed, monkeypatch):
    now = 0.0
    costs = iter([0.0, *[0.1] * 20, *[0.2] * 20, *[0.05] * 20])  # after a warm-up, three trials of 20 items

    def make(index):
        nonlocal now
        now += next(costs)

    monkeypatch.setattr(speed.time, "process_time", lambda: now)
    measured = speed.rate(make, 0.5)
    assert measured == pytest.approx({"items_per_second": 10, "lowest": 5, "highest": 20})


def test_the_benchmark_runs_and_its_shards_add_up(tmp_path):
    path = tmp_path / "speed.json"
    command = [sys.executable, str(FOLDER / "generate_speed.py"), "planted-cues", "--seconds", "0.01"]
    command += ["--memory", "90", "--shards", "2", "--json", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True, env={"PYTHONPATH": str(ROOT)})
    document = json.loads(path.read_text("utf-8"))
    ours = [row for row in document["rates"] if row["dataset"] == "planted-cues"]
    assert [row["subset"] for row in ours] == list(dataset("planted-cues").subsets)
    assert all(0 < row["lowest"] <= row["items_per_second"] <= row["highest"] for row in ours)
    (memory,) = document["memory"]
    assert (memory["items"], memory["shards"], memory["subset"]) == (90, 2, "none")
    assert 5 < memory["peak_mb"] < 500
    assert memory["bytes"] > 90 * 300
    assert "| planted-cues | none | " in done.stdout
    assert "planted-cues/none: 90 items in 2 shards" in done.stdout
