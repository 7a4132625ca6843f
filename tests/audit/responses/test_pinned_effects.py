"""Effects of pairs of word problems, pinned: the analysis of several perturbations left them as they were."""

import pytest

from audit.responses.scoring import score_models
from generators.registry import dataset
from generators.stream import Stream

PINNED = [
    # subset, by, value: pairs, effect, low, high, t, p, McNemar's p, detectable, both after Holm
    ("consistency", "", "", 80, 0.3125, 0.17723319619342232, 0.4477668038065777, 4.598435633818592,
     1.5944233478519865e-05, 4.12575900554657e-05, 0.19274337461930804, 1.5944233478519865e-05, 4.12575900554657e-05),
    ("carry", "", "", 80, 0.3875, 0.252697433697699, 0.5223025663023011, 5.72169712803909,
     1.8137525471724107e-07, 7.84157236921601e-07, 0.192081876744877, 3.6275050943448214e-07, 1.568314473843202e-06),
    ("consistency", "n_steps", "3", 21, 0.3333333333333333, 0.0009062413069391706, 0.6657604253597275,
     2.091650066335189, 0.04943572606426913, 0.09228515625, 0.46940081174204645, 0.24717863032134565, 0.5537109375),
    ("consistency", "operation", "multiply", 16, 0.25, -0.05764824222326054, 0.5576482422232605, 1.7320508075688774,
     0.10377091535383591, 0.21875, 0.4327041916082765, 0.41508366141534364, 0.875),
    ("carry", "operation", "subtract", 36, 0.4444444444444444, 0.2391195564421428, 0.6497693324467461,
     4.394353744020411, 9.836854176129378e-05, 0.0004024505615234375, 0.2914291963302676, 0.00019673708352258755,
     0.000804901123046875),
]  # fmt: skip
"""What the version of this analysis before there were several perturbations gave for the same replies."""


def test_effects_of_pairs_are_what_they_were():
    family, coin = dataset("word-problems"), Stream(8, "pinned replies")
    rows = [family.item(subset, 5, index) for subset in ("consistency", "carry") for index in range(160)]
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
    assert (published.replies, published.read_by_both, published.same, published.both_right) == (319, 314, 90, 4)
    assert (published.main_only, published.other_only, published.neither) == (224, 0, 91)
    assert published.kappa == pytest.approx(0.01008533747090768, abs=1e-12)
