"""What a study of shortcuts comes to, as records: benchmarks, pairs of model and benchmark, models, families.

Differences are accuracy where the probe is right less accuracy where it is wrong, as shares: .1 is ten points. All
accuracies are plain, but for the paper's own, which are corrected by chance: (accuracy - 1/k) / (1 - 1/k).
"""

from __future__ import annotations

from typing import Final, Literal

from hansproof.audit.result.record import Record

__all__ = [
    "FOLLOWS",
    "NO_VERDICT",
    "SCHEMA",
    "BenchmarkPart",
    "ClusteredEstimate",
    "Corrected",
    "ErrorAgreement",
    "FamilyTest",
    "ModelResult",
    "PairResult",
    "PartAccuracy",
    "Reliance",
    "shortcut_word",
]

SCHEMA: Final = "hansproof.reliance/4"

NO_VERDICT: Final = (
    "a difference between the parts does not say why it is there: wrong gold answers, and topics that a model knows "
    "better, make one without any shortcut"
)
"""Why differences have no word beside them, wherever they are shown."""

FOLLOWS: Final = "follows the probe"
"""The word beside agreement in error that is more than chance."""


class ClusteredEstimate(Record, frozen=True, kw_only=True):
    """A number with its error, robust to dependence within groups of items."""

    estimate: float | None
    se: float | None = None
    low: float | None = None
    """Ends of the 95 % interval, of Student's t."""
    high: float | None = None
    degrees: float | None = None
    """Of freedom."""
    reason: str = ""
    """Why it is undefined; else empty."""


class BenchmarkPart(Record, frozen=True, kw_only=True):
    """A benchmark, and what the probe makes of it."""

    benchmark: str
    audit: str
    """The verdict of the audit."""
    vector: str
    """The feature vector, or the strategy, whose predictions part the items."""
    probe: str
    """What reports call it."""
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
    """Whether the audit shows one (LEAKS, TEMPLATE-BOUND); under the paper's protocol, whether `uniform` is above the
    threshold."""
    ruled_out: bool
    """Whether the audit rules one out that is as large as the threshold. Neither: it can tell neither."""
    items: int
    """With a prediction and answers."""
    unanswered: int
    """With a prediction, but no answer of any model."""
    unpredicted: int
    """With answers, but without a prediction: the audit left them out, or learned on them."""
    probe_right: int
    probe_wrong: int
    labels: int | None
    """Number of shared answers; None for options of each item's own and for open answers."""
    groups: int
    notes: list[str]


class PartAccuracy(Record, frozen=True, kw_only=True):
    """How often a model is right on some items."""

    items: int
    share: float | None
    """None without any item."""
    low: float | None
    """Ends of the 95 % interval, cluster-robust where items share groups."""
    high: float | None


class ErrorAgreement(Record, frozen=True, kw_only=True):
    """Do a model's wrong answers agree with the probe's wrong predictions?"""

    items: int
    """Both wrong, and another model, too, with known answers."""
    agree: float | None
    """Share of them with the same wrong answer."""
    expected: float | None
    """The share to expect of a model that prefers an answer as this one does, and that is tempted by what tempts the
    others: as much as they are, or up to twice as much, or not at all, whichever says more."""
    excess: ClusteredEstimate
    """What `agree` is more than `expected`, as a share of the model's wrong answers: 0 where it is as expected."""


class Corrected(Record, frozen=True, kw_only=True):
    """The paper's accuracies, corrected by uniform chance."""

    accuracy: float | None
    on_right: float | None
    on_wrong: float | None
    difference: float | None
    """`on_right` less `on_wrong`."""


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
    """That the model answered."""
    unclear: int
    """Of them, with a reply that gives no clear answer; wrong."""
    missing: int
    """Of them, without a reply; wrong."""
    accuracy: float | None
    on_right: PartAccuracy
    """On the items that the probe predicts."""
    on_wrong: PartAccuracy
    raw: ClusteredEstimate
    """`on_right` less `on_wrong`, whatever its cause: some items are easier for everybody."""
    equal_gold: ClusteredEstimate
    """The same among items with the same gold answer: a model and a probe that both favour one answer agree by this
    alone."""
    errors: ErrorAgreement
    corrected: Corrected | None
    """None but under the paper's protocol."""


def shortcut_word(about: BenchmarkPart | PairResult) -> str:
    """Whether there is a shortcut, as tables say it."""
    return "yes" if about.shortcut else "no" if about.ruled_out else "not shown"


class ModelResult(Record, frozen=True, kw_only=True):
    """The errors that one model, prompt style and run shares with the probes of all benchmarks with a shortcut."""

    model: str
    style: str
    run: str
    family: str
    benchmarks: int
    """With a shortcut, and answers of this model."""
    measured: int
    """Those of them on which agreement in error is defined."""
    errors: ClusteredEstimate
    """Agreement in error (`ErrorAgreement.excess`) over these, weighted by precision."""
    p: float | None
    """Of an excess above 0: twice the one-sided p, so that it is below .05 just where the 95 % interval is above 0."""
    p_holm: float | None
    """Corrected over all models of the study after Holm (1979)."""
    follows: bool | None
    """Whether `p_holm` is at most `alpha`: the model follows the probe. None where it is undefined."""


class FamilyTest(Record, frozen=True, kw_only=True):
    """A family of models over all benchmarks with a shortcut; table 3 of the paper."""

    family: str
    pairs: int
    """Of a model and a benchmark; the mean over its styles and runs is one."""
    models: int
    benchmarks: int
    mean: float | None
    """Mean chance-corrected difference over the pairs."""
    t: float | None
    """Paired t-test over the pairs."""
    p: float | None
    """One-sided. Pairs of one benchmark share its items and its parts, so it is too small where they are several."""
    p_bh: float | None
    """Corrected over the families after Benjamini and Hochberg (1995)."""
    warning: str
    """Why the test says little; else empty."""


class Reliance(Record, frozen=True, kw_only=True):
    """The whole study."""

    schema: str
    protocol: Literal["grouped", "paper"]
    """Of the audits: cross-fitting over groups, or the single split of Pacchiardi et al. (2024)."""
    threshold: float
    """The smallest kappa that counts as a shortcut, as in the audit."""
    alpha: float
    """The corrected p up to which a model follows the probe."""
    benchmarks: list[BenchmarkPart]
    models: list[ModelResult]
    pairs: list[PairResult]
    families: list[FamilyTest]
    """Empty but under the paper's protocol."""
    notes: list[str]
