"""Effects of pairs of word problems, pinned: the analysis of several perturbations left them as they were."""

from math import nan
from pathlib import Path

import pytest
from scored import score_models

from hansproof.generators.jsonl import read
from hansproof.generators.stream import Stream

FROZEN = Path(__file__).resolve().parents[3] / "datasets" / "word-problems" / "1.0.0"
PINNED = [
    # subset, by, value: pairs, effect, low, high, t, p of the t-test, exact p, detectable, exact p after Holm
    ("consistency", "", "", 80, 0.3125, 0.17435690511297092, 0.4410287324876545, 4.598435633818592,
     1.5944233478519865e-05, 4.12575900554657e-05, 0.2177950764751371, 4.12575900554657e-05),
    ("carry", "", "", 80, 0.3875, 0.24795205360201578, 0.513197119766486, 5.72169712803909,
     1.8137525471724107e-07, 7.84157236921601e-07, 0.21216012828563474, 1.568314473843202e-06),
    ("consistency", "n_steps", "3", 28, 0.35714285714285715, *[nan] * 7),
    ("carry", "operation", "add", 41, 0.4146341463414634, 0.20344431479774108, 0.5880606872132954, 4.204264618050733,
     0.00014300780164877667, 0.00048828125, 0.33428381436816523, 0.0009765625),
    ("carry", "operation", "subtract", 39, 0.358974358974359, 0.16398119584977114, 0.5319476875622137,
     3.8365828010004956, 0.00045712086982832914, 0.001312255859375, 0.3168551415335222, 0.001312255859375),
]  # fmt: skip
"""Pairs, effects, t and both p are what the version of this analysis before there were several perturbations gave for
the same replies; intervals, what can be detected, and that 28 pairs are too few, are those of `models.difference`,
the latter for two effects, or two slices, that are corrected together."""


def test_effects_of_pairs_are_what_they_were():
    coin = Stream(8, "pinned replies")
    rows = [row for subset in ("consistency", "carry") for row in read(FROZEN / f"{subset}.jsonl")[:160]]
    replies = {}
    for row in rows:
        drawn, perturbed = coin.uniform(), row.condition in ("inconsistent", "carry")
        wrong = "No idea." if drawn > 0.97 else "It is 77777."
        replies[row.id] = f"First 3, then the answer is {row.answer}." if drawn < (0.85, 0.55)[perturbed] else wrong
    del replies[rows[-1].id]
    (report,) = score_models(rows, {"": replies})
    effects = {(effect.subset, effect.by, effect.name): effect for effect in report.effects}
    assert len(effects) == 13
    for subset, by, value, *numbers in PINNED:
        effect = effects[subset, by, value]
        paired = effect.difference
        now = [paired.items, paired.difference, paired.low, paired.high, paired.t, paired.t_p, paired.p,
               paired.detectable, effect.p_holm]  # fmt: skip
        assert now == pytest.approx(numbers, rel=1e-9, abs=1e-12, nan_ok=True)
    (published,) = report.readings
    assert (published.replies, published.read_by_both, published.same, published.both_right) == (319, 314, 93, 7)
    assert (published.main_only, published.other_only, published.neither) == (221, 0, 91)
    assert published.kappa == pytest.approx(0.017750407534866845, abs=1e-12)
