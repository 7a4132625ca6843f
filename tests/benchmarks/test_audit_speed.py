"""The comparison of speeds compares like with like: all three ways come to the same kappas."""

import importlib
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from audit.features.readability.measures import readability as counted_readability
from audit.features.tokens.pieces import cut
from audit.features.vectors import THIRTEEN
from generators.jsonl import dump
from generators.planted_cues.dataset import generate

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "benchmarks"


@pytest.fixture
def module(monkeypatch):
    """Imports a module of the benchmarks folder, which is no package: its scripts are run by path."""
    monkeypatch.syspath_prepend(str(FOLDER))
    return importlib.import_module


def run(*arguments):
    command = [sys.executable, str(FOLDER / "audit_speed.py"), *map(str, arguments), "--skip-compile"]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)


@pytest.fixture(scope="module")
def figures(tmp_path_factory):
    """One comparison on a tiny benchmark, as a user would run it."""
    folder = tmp_path_factory.mktemp("speed")
    # 120 test items: one of them near the boundary, which the solvers' tolerances may push over it, is .017 of kappa.
    (folder / "tiny.jsonl").write_bytes(dump(generate("unigram", 3, 600)))
    (folder / "notes.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    done = run(folder, "--json", folder / "figures.out")
    assert done.returncode in (0, 1), done.stderr  # 1: a speed target was missed, which is not tested
    return json.loads((folder / "figures.out").read_text(encoding="utf-8")), done


@pytest.mark.parametrize("way", ["plain", "sparse"])
def test_each_way_agrees_with_ours_within_three_test_items_on_every_vector(figures, way):
    document, _ = figures
    (tiny,) = document["benchmarks"]
    items = 6.06 / tiny["test_items"]  # what three items are worth in kappa, with two answers
    assert list(tiny["vectors"]) == [vector.name for vector in THIRTEEN]
    for name, vector in tiny["vectors"].items():
        assert abs(vector[way]["cohen"] - vector["ours"]["cohen"]) <= items, name
        assert abs(vector[way]["uniform"] - vector["ours"]["uniform"]) <= items, name
        assert vector["kappa_difference"][way] <= items, name


def test_the_figures_have_the_promised_keys(figures):
    document, _ = figures
    wanted = {"machine", "benchmarks", "ratio", "seconds", "peak_mb", "kappa_difference_max", "targets", "repeats",
              "compile_seconds", "help_seconds", "skipped"}  # fmt: skip
    assert wanted <= set(document)
    assert {"cores", "python", "versions"} <= set(document["machine"])
    assert set(document["targets"]) == {"ratio", "kappa", "peak_mb", "help_seconds", "default_seconds"}
    assert document["targets"]["default_seconds"]["met"] is None  # it was not measured
    for target in document["targets"].values():
        assert set(target) == {"target", "measured", "met"}
    seconds = document["seconds"]
    assert document["ratio"] == pytest.approx({way: seconds[way] / seconds["ours"] for way in ("sparse", "plain")})
    assert document["targets"]["ratio"]["measured"] == document["ratio"]["plain"]
    used = document["processor_seconds"]
    assert document["processor_ratio"] == pytest.approx({way: used[way] / used["ours"] for way in ("sparse", "plain")})
    (tiny,) = document["benchmarks"]
    assert tiny["processor_seconds"] == pytest.approx(used)
    assert min(used.values()) > 0


def test_the_stages_of_the_readme_are_those_that_the_script_measures(module):
    items = list(generate("unigram", 3, 60))
    y = np.array([item.answer == "yes" for item in items]).astype(np.int64)
    seconds = module("stage_speed").stages([item.prompt for item in items], y, 2)
    assert min(seconds.values()) >= 0
    assert seconds["fits, L1 C=1"] > 0
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    table = readme.split("| stage | processor seconds |")[1].split("\n\n")[0]
    rows = [line.split("|")[1].strip() for line in table.splitlines()[2:]]
    assert rows == [*seconds, "**all**"]


def test_a_file_that_is_no_benchmark_is_skipped_with_its_reason(figures):
    document, done = figures
    assert [Path(skipped["path"]).name for skipped in document["skipped"]] == ["notes.csv"]
    assert "skipped" in done.stderr
    assert "notes.csv" in done.stderr


def test_without_any_benchmark_the_exit_code_is_2(tmp_path):
    (tmp_path / "notes.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    done = run(tmp_path)
    assert done.returncode == 2
    assert "no benchmark to compare on" in done.stderr


def test_readability_text_by_text_is_the_readability_of_the_audit(module):
    plain = module("ways.plain_way")
    texts = [item.prompt for item in generate("readability", 3, 40)]
    texts += ["", "123 !!!", "naïve café.", "Answer 'yes' or 'no'.\nJoe's eyes aren't open. (Are they?) Dr. No is."]
    numbers = np.array([plain.readability(text) for text in texts])
    np.testing.assert_allclose(numbers, counted_readability(texts, cut(texts)), rtol=1e-12)


def test_run_logs_of_several_models_on_the_same_items_count_once(module, tmp_path):
    for model in ("first", "second"):
        events = [{"spec": {"completion_fns": [model]}}]
        for item in range(40):
            gold = "yes" if item % 2 else "no"
            sample = {"run_id": model, "sample_id": f"s.{item}"}
            prompt = {"prompt": f"Question {item} of {model}?", "sampled": [gold]}
            match = {"correct": True, "expected": gold, "picked": gold}
            events += [
                {**sample, "event_id": 2 * item, "type": "sampling", "data": prompt},
                {**sample, "event_id": 2 * item + 1, "type": "match", "data": match},
            ]
        text = "".join(json.dumps(event) + "\n" for event in events)
        (tmp_path / f"{model}.jsonl").write_text(text, encoding="utf-8")
    suite = module("suite").collect([str(tmp_path)])
    assert [(entry.name, entry.items, entry.labels, entry.test_items) for entry in suite.entries] == [
        (tmp_path.name, 40, 2, 8)
    ]
    assert "same items" in suite.skipped[0][1]
