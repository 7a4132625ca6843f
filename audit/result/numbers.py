"""What was measured, number by number: kappas, intervals, p-values, doubts, and what effort was saved."""

from __future__ import annotations

from typing import Literal

from hansproof.audit.result.record import Record

__all__ = [
    "FULL_LABELS",
    "ClusterCheck",
    "Effort",
    "Findable",
    "Likeness",
    "PredictionsUsed",
    "SchemeGap",
    "SchemeName",
    "SchemeResult",
    "VectorResult",
]

FULL_LABELS = 20
"""Answers up to which only the number of items decides what is saved; beyond, items times answers do."""


class Effort(Record, frozen=True, kw_only=True):
    """How a benchmark of more than 20,000 items was measured, or of fewer with many answers.

    Many are more than 400,000 items times answers, where fewer than 20 answers count as 20. `--thorough` saves nothing.
    """

    splits: int
    """How often the items were split anew; fewer than the settings ask, as more items make one split less of a
    lottery."""
    part: int
    """About how many items, in whole groups, random halvings, refitted relabellings, injected cues and clean texts
    were measured on."""
    tolerance: float
    """At which L1 fits stopped; 0.0001 on small benchmarks."""


Likeness = Literal["wording", "frame"]
"""In what texts are alike: in their wording as a whole, or in their common words and the order of these."""

SchemeName = Literal["grouped", "random", "paper", "published"]
"""One way of splitting the items."""


class VectorResult(Record, frozen=True, kw_only=True):
    """One feature vector under one scheme. Kappas, shares and p-values are medians over the splits."""

    vector: str
    """Stable name: `word-2-tfidf`."""
    label: str
    """Display name: `word 1-2-grams, TF-IDF`."""
    matched: float | None
    """Cohen's kappa if every answer is predicted as often as it occurs: what the verdict is about. The cue of a rare
    answer shows here. Under `paper` it is `cohen`."""
    matched_low: float | None
    """Ends of its 95 % interval over groups, which includes the splits and refitting."""
    matched_high: float | None
    upper: float | None
    """Larger kappas are ruled out: `matched_high`, or more if a kappa as large as the threshold would have a larger
    error, as with rare answers."""
    bound: float | None
    """Lower bound of `matched` at level 1 - alpha / 2 that holds for all counted vectors at once; None for others."""
    split_sd: float | None
    """Standard deviation of `matched` over the splits; None with one split."""
    cohen: float | None
    """Cohen's kappa of the most probable answer."""
    cohen_low: float | None
    """Ends of its 95 % interval."""
    cohen_high: float | None
    uniform: float | None
    """Kappa of the most probable answer, corrected for 1/k: what Pacchiardi et al. (2024) plot."""
    accuracy: float
    """Share of the items whose most probable answer is right."""
    balanced_accuracy: float | None
    p: float | None
    """One-sided permutation p of `matched` over groups: twice the median over splits."""
    p_corrected: float | None
    """p after max-T correction for the counted vectors of this scheme; None for the others."""
    validation: float | None
    """Cohen's kappa of the chosen regularisation on the validation parts (`paper`: its accuracy), averaged."""
    regularisation: dict[str, int]
    """In how many folds each was chosen: `L2 C=1`, `L1 C=1`, `L1 C=0.1` or `trees`."""
    features: int
    """Number of features, median over folds."""
    counted: bool
    """True for the vectors that decide the verdict."""

    def significant(self, alpha: float) -> bool:
        """Whether the corrected p is below `alpha`; False for a vector that is not counted."""
        return self.p_corrected is not None and self.p_corrected < alpha


class SchemeResult(Record, frozen=True, kw_only=True):
    """All vectors under one scheme."""

    scheme: SchemeName
    splits: int
    """How often the items were split anew."""
    scored: int
    """Number of items scored: all of them under cross-fitting, the test part under `paper`."""
    vectors: list[VectorResult]
    headline: str
    """The vector with the best validation."""
    tied: list[str]
    """Other vectors with the same validation."""
    majority_accuracy: float
    """Share of the most common answer among all items."""
    majority_uniform: float | None
    """Uniform-chance kappa of always giving the most common answer. Its k counts only answers of at least 1 % of the
    items, so that one stray answer does not make a fair coin look loaded. Of options, that of the most common
    position; None if it may be chance."""
    p_floor: float
    """The smallest p that so many permutations can show."""
    sampling_stretch: float
    """By how much refitting widens the intervals; 1 means not at all."""
    null_stretch: float
    """By how much refitting widens the null distribution."""

    @property
    def counted(self) -> list[VectorResult]:
        """The vectors that decide the verdict."""
        return [entry for entry in self.vectors if entry.counted]

    def find(self, vector: str | None) -> VectorResult | None:
        """The vector with this stable name, or None if it was not run."""
        return next((entry for entry in self.vectors if entry.vector == vector), None)


class PredictionsUsed(Record, frozen=True, kw_only=True):
    """Predictions that were made elsewhere: the vector `name` of the scheme `grouped` has their numbers."""

    name: str
    source: str
    runs: int
    folds: int | None
    """How many folds the first run has; None where the file has no two folds, so that the vector decides nothing."""
    divided: int
    """Groups of the audit with items in several folds: if there are any, the vector decides nothing."""
    told: str
    """What follows from that, as a sentence."""


class SchemeGap(Record, frozen=True, kw_only=True):
    """Kappa under random folds minus kappa under grouped folds, for one vector: what only the templates contribute."""

    vector: str
    gap: float
    low: float
    """Ends of the 95 % interval of the difference, item by item."""
    high: float


class ClusterCheck(Record, frozen=True, kw_only=True):
    """A suspected leak with whole clusters of similar texts left out of training: does it carry over?"""

    vector: str
    alike: Likeness
    """In what the texts of a cluster are alike."""
    clusters: int
    largest: int
    """Items in the largest cluster."""
    effective: float
    """The number of clusters, if all were of one size."""
    kappa: float
    """Matched kappa of the vector with clusters kept together."""
    held: bool
    """Whether at least half of the kappa is left."""


class Findable(Record, frozen=True, kw_only=True):
    """The smallest cue of one kind that this audit would have found in these texts 80 % of the time."""

    kind: str
    """`1 word per answer` or `50 words per answer`; of options, `1 word of right options`
    or `50 words of right options`."""
    kappa: float | None
    """Cohen's kappa of a perfect reader of the cue; None if even an unfailing cue would have been missed."""
