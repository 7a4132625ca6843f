"""The benchmark of seeds and orders: whole files, and a table of what each audit said."""

import importlib
import json
from pathlib import Path

import pytest


@pytest.fixture
def same_verdict(scripts):
    return importlib.import_module("error_rates.same_verdict")


def test_a_file_is_audited_once_per_seed_and_its_verdicts_are_counted(same_verdict, tmp_path, capsys):
    sample = Path(__file__).resolve().parents[3] / "datasets/planted-cues/1.0.0/unigram.jsonl"
    file = tmp_path / "first.jsonl"
    file.write_bytes(b"".join(sample.read_bytes().splitlines(keepends=True)[:80]))
    assert same_verdict.main([str(file), "--seeds", "2", "--jobs", "1", "--json", str(tmp_path / "runs.json")]) == 0
    assert "| first | 80 | INCONCLUSIVE 2 | 0.40 to 0.45 |" in capsys.readouterr().out
    assert [run["seed"] for run in json.loads((tmp_path / "runs.json").read_bytes())] == [1, 2]


def test_eighteen_of_twenty_are_too_few(same_verdict, tmp_path, capsys, monkeypatch):
    words = iter(["CLEAN"] * 18 + ["TRACES"] * 2)
    monkeypatch.setattr(
        same_verdict,
        "runs_of",
        lambda tasks, jobs: [same_verdict.Run("a", 9, s, next(words), "", None) for _, s in tasks],
    )
    assert same_verdict.main(["a.jsonl"]) == 1
    assert "| a | 9 | CLEAN 18, TRACES 2 |  |" in capsys.readouterr().out
