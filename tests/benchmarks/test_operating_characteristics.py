"""The table of error rates: the benchmarks that it makes and how it counts their verdicts."""

import importlib
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def characteristics(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        monkeypatch.setenv(name, "1")
    return importlib.import_module("operating_characteristics")


def test_cues_have_every_strength_and_the_others_their_own(characteristics):
    planned = characteristics.cells(["none", "imbalance", "unigram"], [0.1, 0.4], [200])
    assert [(cell.subset, cell.strength) for cell in planned] == [
        ("none", 0.0),
        ("imbalance", 0.5),
        ("unigram", 0.1),
        ("unigram", 0.4),
    ]


def test_each_repeat_is_another_benchmark_and_stays_the_same(characteristics):
    cell = characteristics.Cell("unigram", 0.4, 40)
    first, again, second = (characteristics.rows(cell, 1, repeat) for repeat in (0, 0, 1))
    assert first == again
    assert first != second
    assert len(first) == 40


def test_shuffled_answers_are_the_same_answers_in_another_order(characteristics):
    made = characteristics.rows(characteristics.Cell("shuffled", 0.0, 60), 1, 0)
    assert sorted(row["answer"] for row in made) == ["no"] * 30 + ["yes"] * 30
    # A cue of strength .6 shows the label in 8 of 10 items; shuffled, in about half: 30 +- 4.
    agree = sum(("usually" in row["prompt"]) == (row["answer"] == "yes") for row in made)
    assert 16 <= agree <= 44


def test_a_strong_cue_counts_as_power_and_its_absence_as_no_false_alarm(characteristics):
    done = []
    settings = {"permutations": 299, "splits": 2, "workers": 1}
    cue = characteristics.rates(characteristics.Cell("unigram", 1.0, 120), 1, lambda: done.append(1), **settings)
    null = characteristics.rates(characteristics.Cell("imbalance", 0.5, 120), 1, lambda: done.append(1), **settings)
    assert len(done) == 2
    assert (cue.verdicts["LEAKS"], cue.power, cue.missed, cue.false_alarm, cue.coverage) == (1, 1, 0, None, None)
    assert cue.kappa > 0.5
    assert (null.verdicts["IMBALANCED"], null.false_alarm, null.power, null.missed) == (1, 0, None, None)
    assert null.coverage is not None
    assert 0 <= null.coverage <= 1
