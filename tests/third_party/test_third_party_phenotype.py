"""Recorded choices of a real model, which are not part of the project: every published number comes out again."""

import csv
from pathlib import Path

import pytest

from hansproof.audit.phenotype.measuring import phenotype
from hansproof.audit.phenotype.record_files import read_records

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "cognitive"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not DATA.is_dir(), reason="recorded choices of others are not part of the project"),
]

NAMES = {
    ("ProbabilisticReasoning", "performance: 1-mean|posterior error|"): "posterior-accuracy",
    ("ProbabilisticReasoning", "prior weighting"): "prior-weighting",
    ("ProbabilisticReasoning", "likelihood weighting"): "likelihood-weighting",
    ("HorizonTask", "performance: mean reward"): "horizon-reward",
    ("HorizonTask", "directed exploration"): "directed-exploration",
    ("HorizonTask", "random exploration"): "random-exploration",
    ("RestlessBandit", "performance: mean reward"): "restless-bandit-reward",
    ("RestlessBandit", "accuracy"): "restless-bandit-accuracy",
    ("RestlessBandit", "QSR (unscaled)"): "metacognition-unscaled",
    ("RestlessBandit", "meta-cognition: adjusted QSR"): "metacognition",
    ("InstrumentalLearning", "performance: mean reward"): "instrumental-reward",
    ("InstrumentalLearning", "learning rate"): "learning-rate",
    ("InstrumentalLearning", "optimism bias"): "optimism",
    ("TwoStepTask", "performance: mean reward"): "two-step-reward",
    ("TwoStepTask", "model-basedness"): "model-basedness",
    ("TemporalDiscounting", "temporal discounting score (0-19)"): "temporal-discounting",
    ("BART", "performance: mean points"): "balloon-points",
    ("BART", "risk: mean pumps"): "risk-taking",
}
UNSEEDED = ("learning-rate", "optimism")
MENDED = ("restless-bandit-accuracy", "metacognition-unscaled", "metacognition")
"""What differs once the last trial of each block is held against its own better arm."""


def published():
    with (DATA / "reference_claude-1.csv").open(encoding="utf-8") as file:
        return {NAMES[row["experiment"], row["metric"]]: float(row["claude-1"]) for row in csv.DictReader(file)}


@pytest.fixture(scope="module")
def as_published():
    return phenotype(read_records(DATA, as_published=True), resamples=20, as_published=True)


@pytest.fixture(scope="module")
def mended():
    return phenotype(read_records(DATA), resamples=20)


@pytest.mark.parametrize("name", [name for name in NAMES.values() if name not in UNSEEDED])
def test_every_metric_reproduces_the_published_number(as_published, name):
    assert as_published.metric(name).value == pytest.approx(published()[name], abs=1e-9)


@pytest.mark.parametrize("name", [name for name in NAMES.values() if name not in (*UNSEEDED, *MENDED)])
def test_no_other_metric_depends_on_the_faults(mended, name):
    assert mended.metric(name).value == pytest.approx(published()[name], abs=1e-9)


def test_the_mended_numbers_of_the_restless_bandit(as_published, mended):
    pairs = [(round(as_published.metric(name).value, 4), round(mended.metric(name).value, 4)) for name in MENDED]
    assert pairs == [(0.6984, 0.7266), (0.8002, 0.8158), (0.7618, 0.7938)]


def test_how_far_the_unseeded_fits_are_from_their_maximum(as_published, mended):
    # The published optimiser searches inverse temperatures up to 100,000, where the likelihood is flat, and stops:
    # from four seeds it gives learning rates of .35 to .45 and optimism of .59 to .65 on these records, with a mean
    # log-likelihood of -129 to -154 (one rate) where the maximum is -47. With two rates, runs of nearly constant
    # choices have no maximum without a prior.
    numbers = published()
    assert numbers["learning-rate"] == pytest.approx(0.4368, abs=5e-5)
    assert as_published.metric("learning-rate").value - numbers["learning-rate"] == pytest.approx(0.119, abs=2e-3)
    assert as_published.metric("optimism").value - numbers["optimism"] == pytest.approx(-0.115, abs=2e-3)
    assert mended.metric("learning-rate").value - numbers["learning-rate"] == pytest.approx(0.159, abs=2e-3)
    assert mended.metric("optimism").value - numbers["optimism"] == pytest.approx(0.158, abs=2e-3)


def test_what_was_left_out_is_said(mended):
    notes = {task.task: task.notes for task in mended.tasks}
    assert notes["horizon"] == notes["balloons"] == notes["probabilistic-reasoning"] == []
    assert notes["temporal-discounting"][0] == "1 run with nothing but a number left out"
    assert notes["restless-bandit"][0].startswith("32 last trials of 32 blocks")
    assert notes["two-step"] == ["124 aliens of the other planet chosen, which no metric uses"]
