"""What the result keeps of shortcuts: the ladder, the parts of prompts, and the single n-grams."""

from __future__ import annotations

from typing import Literal

from hansproof.audit.result.record import Record

__all__ = [
    "Ladder",
    "NgramLabel",
    "NgramTest",
    "PartialInput",
    "PartialInputs",
    "Rung",
    "SingleNgram",
    "SingleNgrams",
    "Untried",
]


class SingleNgram(Record, frozen=True, kw_only=True):
    """The n-gram that training chose most often as the best single cue."""

    ngram: str
    level: str
    """`word` or `gpt2`."""
    words: int
    """1 for a word or token, 2 for two in a row."""
    label: str
    """The answer that is most over-represented among the items with the n-gram."""
    count: int
    """Items that contain it."""
    count_label: int
    """Items with it that have the answer."""
    chosen: float
    """Share of the training sets that chose it, 0 to 1."""


class Rung(Record, frozen=True, kw_only=True):
    """One rung, and everything that it sees."""

    name: str
    """Stable name: `constant`, `position`, `length`, `ngram`, `format`, `partial`, `readability`, `unigrams`,
    `bigrams` or `trees`."""
    label: str
    """Name in reports: `one n-gram`."""
    sees: str
    """What it sees, in words: `the hypothesis alone`, or what the training sets chose most often."""
    kappa: float | None
    """Cohen's kappa, each answer predicted as often as it occurs, median over the splits."""
    low: float | None = None
    """Ends of its 95 % interval over groups; None for a constant, whose kappa is exactly 0."""
    high: float | None = None
    uniform: float | None = None
    """Kappa of the most probable answer, with chance 1/k."""
    p: float | None = None
    """One-sided permutation p, corrected for all rungs; None for a constant."""
    splits: int
    """How often the items were split anew."""


class Ladder(Record, frozen=True, kw_only=True):
    """The rungs from the simplest up, and what they say in one sentence."""

    sentence: str
    """`One word is enough: “not” → “False”, kappa .31 of .33.`"""
    enough: str | None
    """Name of the simplest rung within noise of the best; None if no rung is significant."""
    best: str
    """Name of the rung with the largest kappa."""
    rungs: list[Rung]
    ngram: SingleNgram | None
    """None if no n-gram occurs in two texts."""


class PartialInput(Record, frozen=True, kw_only=True):
    """The probe of one part of the prompts, under grouped folds."""

    name: str
    """`hypothesis only`, `all but the last sentence`."""
    sees: str
    """As in a sentence: `the hypothesis alone`."""
    named: bool
    """Whether the part is named by a column or in the text, or is a question; False for a mere sentence."""
    filled: int
    """Items in which the part is not empty."""
    vector: str
    """Display name of the feature vector that the training sets chose most often."""
    kappa: float | None
    """Cohen's kappa, each answer predicted as often as it occurs, median over the splits."""
    low: float | None = None
    """Ends of its 95 % interval over groups."""
    high: float | None = None
    uniform: float | None = None
    """Kappa of the most probable answer, with chance 1/k."""
    p: float | None = None
    """One-sided permutation p, corrected for all partial inputs looked at (max-T)."""


class Untried(Record, frozen=True, kw_only=True):
    """A partial input that has nothing to see, and why."""

    name: str
    reason: str


class PartialInputs(Record, frozen=True, kw_only=True):
    """All partial inputs of a benchmark. They change no verdict: the verdict is about whole prompts."""

    how: str
    """One sentence on how the prompts were split."""
    whole: float | None
    """Kappa of whole prompts with the same feature vectors on the same splits."""
    splits: int
    """How often the items were split anew: the first splits of the audit."""
    vectors: list[str]
    """The feature vectors, of which the training sets choose."""
    inputs: list[PartialInput]
    left_out: list[Untried]


class NgramTest(Record, frozen=True, kw_only=True):
    """One n-gram and the answer that it points to. Every group counts once, whatever its size."""

    ngram: str
    level: str
    """`word` or `gpt2`."""
    label: str
    also: list[str]
    """Other n-grams in (nearly) the same items, at most five."""
    count: int
    """Groups in which it occurs."""
    hits: float
    """Sum over these groups of the share of the items with it that have the answer."""
    z: float
    """hits / count minus the answer's base rate, in standard errors (after Gardner et al. 2021)."""
    p: float
    """Exact one-sided binomial p; 0 if it is below 1e-300."""
    p_corrected: float
    """p after Holm's correction for all tests."""
    pmi: float
    """Pointwise mutual information with the answer in bits, smoothed by ten groups at the base rate."""
    applicability: int
    """Groups in which it can tell answers apart: not those with several answers in which every item has it."""
    productivity: float | None
    """Share of the answer in these groups; None if there are none. Niven & Kao (2019), whose groups are the two
    warrants of a data point."""
    coverage: float
    """applicability / groups. Niven & Kao (2019)."""


class NgramLabel(Record, frozen=True, kw_only=True):
    """One answer that was tested."""

    label: str
    base_rate: float
    """Share of the answer, averaged over the groups."""
    significant: int
    """N-grams that go with it significantly."""


class SingleNgrams(Record, frozen=True, kw_only=True):
    """All single n-grams of the texts, tested one by one and corrected together."""

    unit: Literal["group", "item"]
    """What counts once: `item` if no two items belong together."""
    units: int
    """Number of groups."""
    fewest: int
    """Only n-grams in at least so many groups are looked at."""
    ngrams: int
    """How many these are; n-grams that occur in the very same items are one."""
    tests: int
    """n-grams times answers: the family of Holm's correction (1979)."""
    alpha: float
    significant: int
    """N-grams that go with at least one answer significantly."""
    labels: list[NgramLabel]
    """The answers tested, at most twenty, in the order of the result's labels."""
    worst: list[NgramTest]
    """The significant n-grams with the smallest p, at most twenty."""
