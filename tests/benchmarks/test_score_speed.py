"""The speed of scoring beside pandas and statsmodels: both ways get the same files and the same numbers."""

import importlib

import numpy as np
import pytest

from hansproof.generators.jsonl import dump
from hansproof.generators.registry import dataset


@pytest.fixture
def speed(scripts, monkeypatch):
    monkeypatch.syspath_prepend(str(scripts / "paired"))
    return importlib.import_module("score_speed")


def test_both_ways_give_the_same_accuracies_differences_and_nearly_the_same_errors(speed, tmp_path):
    speed.write(tmp_path, 4, 240)
    plain, ours = (way(tmp_path, 4) for way in speed.WAYS.values())
    assert ours["accuracy"] == pytest.approx(plain["accuracy"])
    assert ours["differences"] == pytest.approx(plain["differences"])
    # statsmodels multiplies by G / (G - 1) (n - 1) / n and divides squares by n; Miller's divides them by n - 1.
    assert ours["se"] == pytest.approx(plain["se"], rel=0.02)
    assert np.std(ours["accuracy"]) > 0.05


def test_both_ways_read_the_replies_to_a_release(speed, tmp_path):
    items = [dataset("word-problems").item("consistency", 7, index) for index in range(60)]
    (tmp_path / "items.jsonl").write_bytes(dump(items))
    assert speed.write_release(tmp_path, tmp_path / "items.jsonl", 2) == 60
    (tmp_path / "release").symlink_to(tmp_path / "items.jsonl")
    plain, ours = (way(tmp_path, 2) for way in speed.WAYS.values())
    assert ours["accuracy"] == pytest.approx(plain["accuracy"])
    assert ours["differences"] == pytest.approx(plain["differences"])
    assert 0.4 < min(ours["accuracy"]) < 1


@pytest.mark.slow
def test_a_run_prints_a_row_with_processor_seconds_of_both(speed, capsys):
    assert speed.main(["--models", "3", "--items", "120", "--repeat", "1"]) == 0
    header, _, row = capsys.readouterr().out.splitlines()
    assert header.count("|") == row.count("|")
    assert row.startswith("| 3 | 120 | 360 | 3 | ")
    assert all(float(cell) > 0 for cell in row.strip("| ").split(" | ")[-2:])
