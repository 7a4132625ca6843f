"""The comparison of speeds compares like with like: all three ways come to the same kappas."""

import importlib

import numpy as np
import pytest

from hansproof.audit.texts.readability import readability as counted_readability
from hansproof.audit.texts.tokens import cut
from hansproof.audit.texts.vectors import THIRTEEN
from hansproof.generators.jsonl import dump
from hansproof.generators.planted_cues.dataset import generate


@pytest.fixture
def speed(scripts):
    return importlib.import_module("audit_speed")


@pytest.fixture
def tiny(speed, tmp_path, capsys):
    """A folder with a benchmark and a table that is none."""
    # 120 test items: one of them near the boundary, which the solvers' tolerances may push over it, is .017 of kappa.
    (tmp_path / "tiny.jsonl").write_bytes(dump(generate("unigram", 3, 600)))
    (tmp_path / "notes.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    [entry] = speed.collect([str(tmp_path)])
    assert "skipped" in (err := capsys.readouterr().err)
    assert "notes.csv" in err
    return entry


@pytest.mark.slow
def test_each_way_agrees_with_ours_within_three_test_items_on_every_vector(speed, tiny):
    assert (tiny.name, tiny.items, tiny.labels) == ("tiny", 600, 2)
    runs = {way: speed.measure(script, [tiny.path]) for way, script in speed.WAYS.items()}
    for way in ("plain", "sparse", "ours"):
        measured = runs[way]["benchmarks"][tiny.path]
        assert list(measured["vectors"]) == [vector.name for vector in THIRTEEN]
        assert min(measured["seconds"], measured["processor_seconds"], runs[way]["peak_mb"]) > 0
    assert speed.farthest(tiny, runs) <= 6.06 / 120  # what three items are worth in kappa, with two answers


def made(seconds, kappa):
    vector = {"cohen": kappa, "uniform": float("nan")}
    figures = {"seconds": seconds, "processor_seconds": seconds / 2, "vectors": {"word-1-tf": vector}}
    return {"peak_mb": 100 * seconds, "benchmarks": {"tiny.jsonl": figures}}


def test_the_table_has_seconds_ratios_and_the_largest_difference(speed):
    entry = speed.Entry("tiny.jsonl", "tiny", 1600, 3)
    runs = {"plain": made(6.0, 0.31), "sparse": made(3.0, 0.3), "ours": made(1.5, 0.3)}
    lines = speed.table([entry], runs).splitlines()
    assert lines[2:] == [
        "| tiny | 1,600 | 3 | 6.00 | 3.00 | 1.50 | 4.0 | 2.0 | 0.010 |",
        "| total |  |  | 6.00 | 3.00 | 1.50 | 4.0 | 2.0 | 0.010 |",
        "| processor seconds |  |  | 3.00 | 1.50 | 0.75 | 4.0 | 2.0 |  |",
        "| peak memory, MB |  |  | 600 | 300 | 150 |  |  |  |",
    ]


def test_without_any_benchmark_the_exit_code_is_2(speed, tmp_path, capsys):
    (tmp_path / "notes.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    assert speed.main([str(tmp_path)]) == 2
    assert "no benchmark to compare on" in capsys.readouterr().err


def test_readability_text_by_text_is_the_readability_of_the_audit(scripts):
    plain = importlib.import_module("ways.plain_way")
    texts = [item.prompt for item in generate("readability", 3, 40)]
    texts += ["", "123 !!!", "naïve café.", "Answer 'yes' or 'no'.\nJoe's eyes aren't open. (Are they?) Dr. No is."]
    numbers = np.array([plain.readability(text) for text in texts])
    np.testing.assert_allclose(numbers, counted_readability(texts, cut(texts)), rtol=1e-12)
