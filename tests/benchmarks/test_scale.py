"""The curve of time and memory: prompts that grow at the end, stages that add up, a table that can be read."""

import importlib
import json
import time

import pytest


@pytest.fixture
def module(scripts, monkeypatch):
    monkeypatch.syspath_prepend(str(scripts / "scale"))
    return importlib.import_module


def test_prompts_have_thirty_words_and_a_weak_cue(module, tmp_path):
    path = tmp_path / "prompts.jsonl"
    module("prompts").write_prompts(path, 4_000)
    items = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert len({item["prompt"] for item in items}) == 4_000
    assert {len(item["prompt"].split()) for item in items} == {30}
    told = sum(("often" in item["prompt"].lower()) == (item["answer"] == "yes") for item in items) / 4_000
    assert 0.5 < told < 0.6  # kappa .1 is 55 % right


def test_stages_last_until_the_next_one_is_named(module):
    watch = module("curve").Stages()
    watch("reading", 0, 1)
    time.sleep(0.02)
    watch("reading", 1, 1)
    watch("counting", 0, 1)
    watch.end()
    assert list(watch.totals) == ["importing", "reading", "counting"]
    assert watch.totals["reading"]["seconds"] >= 0.02
    assert watch.totals["reading"]["peak_mb"] > 1


def test_the_table_has_a_column_for_each_size(module):
    stages = {"reading": {"seconds": 1.0, "cpu": 2.0, "peak_mb": 300.0}}
    more = stages | {"fitting probes": {"seconds": 10.0, "cpu": 19.5, "peak_mb": 1_500.0}}
    lines = module("curve").table([{"items": 1_000, "stages": stages}, {"items": 30_000, "stages": more}]).splitlines()
    assert lines[0] == "| stage | 1,000 | 30,000 |"
    assert lines[3] == "| fitting probes | 0.0 | 19.5 |"
    assert lines[-3:] == [
        "| **all, processor seconds** | 2 | 22 |", "| all, seconds | 1 | 11 |", "| peak memory, MB | 300 | 1,500 |",
    ]  # fmt: skip


def test_loose_fits_are_compared_with_converged_ones(module, tmp_path, capsys):
    path = tmp_path / "prompts.jsonl"
    module("prompts").write_prompts(path, 400)
    assert module("tolerance").main([str(path), "--vectors", "word-1-presence", "length"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 5
    assert lines[-1].startswith("4 pairs of fits: kappa differs by 0.")


def test_a_folder_is_cut_from_the_files_in_turn_and_every_way_is_compared(module, tmp_path, monkeypatch, capsys):
    prompts, folder = tmp_path / "prompts.jsonl", module("folder")
    module("prompts").write_prompts(prompts, 400)
    folder.cut([str(prompts)], tmp_path / "cut", 3, 50)
    files = sorted((tmp_path / "cut").iterdir())
    assert [len(path.read_text(encoding="utf-8").splitlines()) for path in files] == [50, 50, 50]
    assert files[0].read_bytes() != files[1].read_bytes()

    def audited(source, way, report):
        report.write_text("other numbers" if way == "all cores" else "numbers", encoding="utf-8")
        return 2.0 if way == "all cores" else 3.0

    monkeypatch.setattr(folder, "_audit", audited)
    assert folder.main([str(prompts), "--count", "2", "--items", "40"]) == 1
    assert "| 2 of 40 items | all cores | 2 | 1.50 | **no** |" in capsys.readouterr().out
