"""What a study of reliance comes to, as records: benchmarks, pairs of model and benchmark, families, models.

Differences are accuracy where the probe is right less accuracy where it is wrong, as shares: .1 is ten points. The
paper's numbers are corrected by chance, (accuracy - 1/k) / (1 - 1/k); all others are plain accuracies.
"""

from __future__ import annotations

from typing import Final

from hansproof.audit.result.record import Record

__all__ = [
    "NO_VERDICT",
    "SCHEMA",
    "BenchmarkPart",
    "ErrorAgreement",
    "FamilyTest",
    "MixedFit",
    "ModelResult",
    "PairResult",
    "Regression",
    "Reliance",
    "RobustDifference",
    "Trend",
    "shortcut_word",
]

SCHEMA = "hansproof.reliance/3"

NO_VERDICT: Final = (
    "no verdict on models is given: an earlier one accused somebody in 16 of 25 simulated studies of 1,000 items in "
    "which no model used the shortcut and 10 % of the gold answers were wrong, and in up to 20 of 25 with two "
    "undeclared topics"
)
"""Why numbers of models have no word beside them, wherever they are shown."""


class RobustDifference(Record, frozen=True, kw_only=True):
    """A difference with its error, robust to dependence within groups of items."""

    estimate: float | None
    se: float | None = None
    low: float | None = None
    """Ends of the 90 % interval. Each is a one-sided 95 % bound: `low` is above 0 just where `p` is below .05."""
    high: float | None = None
    p: float | None = None
    """One-sided, of Student's t: is it larger than 0? Not corrected."""
    degrees: float | None = None
    """Of freedom."""
    reason: str = ""
    """Why something is undefined; else empty."""


class BenchmarkPart(Record, frozen=True, kw_only=True):
    """A benchmark, and what the probe makes of it."""

    benchmark: str
    audit: str
    """The verdict of the audit."""
    vector: str
    """The feature vector, or the strategy, whose predictions part the items."""
    scheme: str
    kappa: float | None
    """Of the probe that parts the items, as the audit has it (`matched`); for open answers, the advantage over the best
    constant."""
    low: float | None
    """Ends of its 95 % interval."""
    high: float | None
    p: float | None
    """Corrected over the probes of the audit; None for those that it does not count."""
    uniform: float | None
    """Kappa corrected by 1/k, as in the paper; None for open answers."""
    shortcut: bool
    """Whether the audit shows one (LEAKS, TEMPLATE-BOUND)."""
    ruled_out: bool
    """Whether the audit rules one out that is as large as the threshold. Neither: it can tell neither."""
    items: int
    """With a prediction and answers."""
    unanswered: int
    """With a prediction, but no answer of any model."""
    unpredicted: int
    """With answers, but without a prediction: the audit left them out."""
    probe_right: int
    probe_wrong: int
    labels: int | None
    """Number of shared answers; None for options of each item's own and for open answers."""
    groups: int
    topics: int | None = None
    """That the items declare; None if they do not."""
    notes: list[str]


class ErrorAgreement(Record, frozen=True, kw_only=True):
    """Do a model's wrong answers agree with the probe's wrong predictions?"""

    items: int
    """Both wrong, and another model, too, with known answers."""
    agree: float | None
    """Share of them with the same wrong answer."""
    expected: float | None
    """The share to expect of a model that is tempted as the others are, and prefers an answer as this one does."""
    excess: RobustDifference
    """What `agree` is more than `expected`, as a share of the model's wrong answers: 0 where it is as expected."""


class PairResult(Record, frozen=True, kw_only=True):
    """One model on one benchmark."""

    benchmark: str
    model: str
    style: str
    run: str
    family: str
    shortcut: bool
    """Whether the audit shows a shortcut; without it the pair is in no test."""
    ruled_out: bool
    """Whether the audit rules one out."""
    items: int
    """That the model answered: `accuracy`, `on_right`, `on_wrong`, `paper`, `raw` and `equal_gold` are of these."""
    shared_items: int
    """Those that the other models answered too: `equal_others`, `equal_gold_others` and `beyond` are of these."""
    accuracy: float | None
    """Corrected by chance, as are the next three."""
    on_right: float | None
    """On the items that the probe predicts."""
    on_wrong: float | None
    paper: RobustDifference
    """`on_right` less `on_wrong`: what the paper reports."""
    raw: RobustDifference
    """The same in plain accuracy, whatever its cause: some items are easier for everybody."""
    equal_gold: RobustDifference
    """Among items with the same gold answer: a model and a probe that both favour one answer agree by this alone."""
    equal_others: RobustDifference
    """Among items that as many other models get right. Other models' answers are noisy, so this takes away only part of
    what difficulty does; it is shown because it is common practice."""
    equal_gold_others: RobustDifference
    beyond: RobustDifference
    """Beyond difficulty: what difficulty does not explain, noise and the model's own sensitivity to it allowed for, at
    equal gold answers. It compares with other models: what all share counts as difficulty."""
    within_topics: bool
    """Whether `beyond` compares items of the same topic, because the items declare their topics."""
    others: int
    """Other models that difficulty is measured with; without those that the study has left out."""
    measurable: float | None
    """How many standard errors the common difficulty stands out from noise; below 2 it is not measured."""
    errors: ErrorAgreement | None
    """None unless there are three answers or more and what the model said is known."""


def shortcut_word(about: BenchmarkPart | PairResult) -> str:
    """Whether there is a shortcut, as tables say it."""
    return "yes" if about.shortcut else "no" if about.ruled_out else "not shown"


def tested_p(pair: PairResult, difference: RobustDifference) -> float | None:
    """The p of a difference, as tables show it: None where the pair is in no test."""
    return difference.p if pair.shortcut else None


class FamilyTest(Record, frozen=True, kw_only=True):
    """A family of models over all benchmarks with a shortcut; table 3 of the paper."""

    family: str
    """Empty for all models together."""
    pairs: int
    """Of a model and a benchmark; the mean over its styles and runs is one."""
    models: int
    benchmarks: int
    mean: float | None
    """Mean chance-corrected difference over the pairs."""
    t: float | None
    """Paired t-test over the pairs, as in the paper."""
    p: float | None
    """One-sided. It is about other benchmarks, of which these are a sample; but pairs of one benchmark share its items
    and its parts, so it is too small where they are several."""
    p_bh: float | None
    """Corrected over the families."""
    joint: RobustDifference
    """The same mean with the error of items that all pairs of a benchmark share: about other items of these very
    benchmarks. It can be found where `p` is not, if the benchmarks differ, and the other way round."""
    joint_bh: float | None
    equal_gold: RobustDifference
    """Mean difference in plain accuracy among items with the same gold answer, with such an error."""
    equal_gold_bh: float | None
    beyond: RobustDifference
    """Mean of the differences beyond difficulty, with such an error; over `beyond_pairs`."""
    beyond_bh: float | None
    beyond_pairs: int
    """Pairs that have a difference beyond difficulty; the others are not in the mean."""
    warning: str
    """Why the test says little; else empty."""


class MixedFit(Record, frozen=True, kw_only=True):
    """A mixed-effects logistic regression of right answers: a constant for each model and gold answer, an intercept for
    each item, and whether the probe is right."""

    log_odds: RobustDifference
    """Of a right answer, where the probe is right less where it is wrong, in logits; Wald's test."""
    p_bh: float | None
    """Corrected over the families, or the benchmarks; None for all answers together."""
    answers: int
    """One for each model and item; the mean over styles and runs."""
    groups: int
    """Of items."""
    item_sd: float | None
    """Standard deviation of the items' intercepts, in logits; over several parts, the root of the mean square. None
    where items have one answer each: there are no intercepts, and the regression is an ordinary logistic one."""


class Regression(Record, frozen=True, kw_only=True):
    """The regressions of a family, of a benchmark, or of all answers to benchmarks with a shortcut."""

    benchmark: str
    """Empty for all benchmarks with a shortcut."""
    family: str
    """Empty for all models."""
    models: int
    plain: MixedFit
    """Like the raw difference, it does not tell easy items from a shortcut."""
    with_difficulty: MixedFit
    """The success of other families' models on the item is a covariate, as a logit. What `log_odds` of `plain` are
    larger by, it explains; as their answers are noisy, that is only part of what difficulty does."""


class Trend(Record, frozen=True, kw_only=True):
    """What a model shows beyond difficulty, beside the line of other models that get as much right."""

    others: int
    """Other models through which the line goes, on the benchmark with fewest: without those left out, if four are left.
    Fewer have none, and nothing is told."""
    slope: RobustDifference
    """By how much more models show for each unit of chance-corrected accuracy, over the benchmarks; its `p` is
    one-sided."""
    slope_p: float | None
    """Two-sided: is there a trend?"""
    deviation: RobustDifference
    """What stands out from the line, over the benchmarks."""
    p: float | None
    """Of that: where there is a trend (`slope_p` at most .1) corrected for all tests of the study, else as it is. None
    without a line."""


class ModelResult(Record, frozen=True, kw_only=True):
    """One model, prompt style and run over all benchmarks with a shortcut."""

    model: str
    style: str
    run: str
    family: str
    benchmarks: int
    """With a shortcut, and answers of this model."""
    measured: int
    """Those of them with a difference beyond difficulty."""
    beyond: RobustDifference
    """Beyond difficulty, over the benchmarks: weighted by precision."""
    beyond_holm: float | None
    """Its p, corrected over `beyond` and `errors` of all models after Holm (1979)."""
    trend: Trend | None
    """Of models whose p is at most alpha."""
    errors: RobustDifference
    """Agreement in error (`ErrorAgreement.excess`) over the benchmarks where it is known."""
    errors_holm: float | None
    """Its p, corrected with the others."""


class Reliance(Record, frozen=True, kw_only=True):
    """The whole study."""

    schema: str
    threshold: float
    """The smallest kappa that counts as a shortcut, as in the audit."""
    alpha: float
    """The corrected p up to which a model is left out of the difficulty of the others."""
    benchmarks: list[BenchmarkPart]
    models: list[ModelResult]
    left_out: list[str]
    """Models without which difficulty is measured for all others (`audit.models.reliance.rounds`); not a finding."""
    families: list[FamilyTest]
    pairs: list[PairResult]
    regressions: list[Regression]
    notes: list[str]
