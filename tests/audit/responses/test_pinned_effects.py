"""Effects of pairs of word problems, pinned: the analysis of several perturbations left them as they were."""

from pathlib import Path

import pytest

from audit.responses.scoring import score_models
from generators.jsonl import read
from generators.stream import Stream

FROZEN = Path(__file__).resolve().parents[3] / "datasets" / "word-problems" / "1.0.0"
PINNED = [
    # subset, by, value: pairs, effect, low, high, t, p, McNemar's p, detectable, both after Holm
    ("consistency", "", "", 80, 0.3125, 0.17723319619342232, 0.4477668038065777, 4.598435633818592,
     1.5944233478519865e-05, 4.12575900554657e-05, 0.19274337461930804, 1.5944233478519865e-05, 4.12575900554657e-05),
    ("carry", "", "", 80, 0.3875, 0.252697433697699, 0.5223025663023011, 5.72169712803909,
     1.8137525471724107e-07, 7.84157236921601e-07, 0.192081876744877, 3.6275050943448214e-07, 1.568314473843202e-06),
    ("consistency", "n_steps", "3", 28, 0.35714285714285715, 0.1404934161595321, 0.5737922981261823, 3.38240712601273,
     0.0022071530608025287, 0.00634765625, 0.3068716252312747, 0.016659749279905902, 0.05712890625),
    ("consistency", "operation", "multiply", 15, 0.4, 0.04975780049916234, 0.7502421995008377, 2.449489742783178,
     0.02807137155929507, 0.0703125, 0.492064678307999, 0.16842822935577043, 0.421875),
    ("carry", "operation", "subtract", 39, 0.358974358974359, 0.16955955027735287, 0.548389167671365,
     3.8365828010004956, 0.00045712086982832914, 0.001312255859375, 0.2689951068793288, 0.00045712086982832914,
     0.001312255859375),
]  # fmt: skip
"""What the version of this analysis before there were several perturbations gave for the same replies; slices anew, as
the items are those of the release by now."""


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
    effects = {(effect.subset, effect.by, effect.value): effect for effect in report.effects}
    assert len(effects) == 13
    for subset, by, value, *numbers in PINNED:
        effect = effects[subset, by, value]
        paired = effect.paired
        now = [paired.pairs, paired.effect, paired.low, paired.high, paired.t, paired.p, paired.mcnemar_p,
               paired.detectable, effect.p_holm, effect.mcnemar_p_holm]  # fmt: skip
        assert now == pytest.approx(numbers, rel=1e-12, abs=1e-12)
    (published,) = report.readings
    assert (published.replies, published.read_by_both, published.same, published.both_right) == (319, 314, 93, 7)
    assert (published.main_only, published.other_only, published.neither) == (221, 0, 91)
    assert published.kappa == pytest.approx(0.017750407534866845, abs=1e-12)
