"""A benchmark of many answers is measured with less repetition, says so, and comes to the same end."""

import random

import pytest

import hansproof
from hansproof.audit.probes import folds
from hansproof.audit.probes.folds import LOOSE
from hansproof.audit.result.numbers import Effort
from hansproof.audit.verdict.reasons import saved_effort

QUICK = {"permutations": 199, "groups": "none", "workers": 1}


def requests(n=360, answers=30, seed=4):
    draw = random.Random(seed)
    plain = [f"word{number}" for number in range(80)]
    rows = []
    for number in range(n):
        own = number % answers if draw.random() < 0.9 else draw.randrange(answers)
        said = [f"intent{own}", *draw.sample(plain, 4)]
        rows.append({"prompt": " ".join(draw.sample(said, 5)), "answer": f"answer {number % answers}"})
    return rows


@pytest.mark.slow
def test_many_answers_are_measured_with_less_repetition(monkeypatch):
    monkeypatch.setattr(folds, "FULL", 120)
    monkeypatch.setattr(folds, "PER_LABEL", 2)
    result = hansproof.audit(requests(120), **QUICK, splits=5)
    assert result.effort == Effort(splits=3, part=80, tolerance=LOOSE)  # two thirds, as 30 answers are 20
    assert result.schemes[0].splits == 3
    assert any(note.startswith("with 120 items and 30 answers, 3 splits and L1 fits") for note in result.notes)


@pytest.mark.slow
def test_less_repetition_comes_to_the_same_verdict(monkeypatch):
    monkeypatch.setattr(folds, "FULL", 360)
    monkeypatch.setattr(folds, "PER_LABEL", 4)
    result = hansproof.audit(requests(), **QUICK, splits=5)
    assert result.effort == Effort(splits=3, part=240, tolerance=LOOSE)  # two thirds, as 30 answers are 20
    assert result.schemes[0].splits == 3
    assert any(note.startswith("with 360 items and 30 answers, 3 splits and L1 fits") for note in result.notes)
    full = hansproof.audit(requests(), **QUICK, splits=3, thorough=True)
    assert (full.effort, full.verdict) == (None, result.verdict)
    for saved, whole in zip(result.schemes[0].vectors, full.schemes[0].vectors, strict=True):
        assert saved.matched == pytest.approx(whole.matched, abs=0.02)


def test_the_note_says_what_was_measured_on_a_part_only_where_it_was():
    def note(part, labels):
        (line,) = saved_effort(Effort(splits=3, part=part, tolerance=LOOSE), 5000, "refits", labels=labels)
        return line

    assert note(5000, 300) == (
        "with 5,000 items and 300 answers, 3 splits and L1 fits to a tolerance of 0.01 suffice; "
        "--thorough measures everything in full"
    )
    assert note(800, 2) == (
        "with 5,000 items, 3 splits and L1 fits to a tolerance of 0.01 suffice, and refits were measured on 800 of the "
        "items; --thorough measures everything on all of them"
    )
    assert saved_effort(None, 5000, "refits") == []
