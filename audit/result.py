"""What an audit found: the typed result, and the JSON schema that it is written by.

Every number that the terminal, the HTML page or the items file shows is a field here. A number that is
undefined is None (JSON null), and a sentence in `notes` says why. Kappas are named: `cohen` corrects by the
marginals (Cohen 1960), `uniform` by 1/k, which is what Pacchiardi et al. (2024) plot.
"""

from __future__ import annotations

from typing import Literal

import msgspec

__all__ = [
    "SCHEMA",
    "AuditResult",
    "Confirmation",
    "Cue",
    "Duplicates",
    "Exclusion",
    "Giveaway",
    "GroupSummary",
    "LabelCount",
    "MappingUsed",
    "Occurrence",
    "ScanResult",
    "SchemeGap",
    "SchemeResult",
    "Settings",
    "VectorResult",
    "Verdict",
]

SCHEMA = "hansproof.audit/1"

Verdict = Literal["LEAKS", "TEMPLATE-BOUND", "IMBALANCED", "CLEAN", "INCONCLUSIVE", "NOT ASSESSED"]


class _Record(msgspec.Struct, frozen=True, kw_only=True):
    """Base of all parts: immutable, named fields only."""


class LabelCount(_Record, frozen=True, kw_only=True):
    """How often a gold answer occurs."""

    label: str
    count: int


class MappingUsed(_Record, frozen=True, kw_only=True):
    """Which columns were read as what; `guessed` lists the roles nobody named."""

    format: str
    prompt: str
    answer: str
    group: str | None
    split: str | None
    id: str | None
    guessed: list[str]


class Exclusion(_Record, frozen=True, kw_only=True):
    """A row left out of the audit: `place` is `line 812` or `row 812`."""

    place: str
    reason: str


class Duplicates(_Record, frozen=True, kw_only=True):
    """Texts that occur more than once (after folding case and white space)."""

    repeated_items: int
    """Items whose text occurs somewhere before."""
    conflicting: list[list[str]]
    """Ids of items with one text and different golds; at most 50 sets."""
    conflicting_sets: int
    """How many such sets there are in all."""
    across_splits: int | None
    """Texts found in more than one published split; None where no split is known."""


class GroupSummary(_Record, frozen=True, kw_only=True):
    """How the items hang together; folds never part a group."""

    source: Literal["column", "found", "none"]
    column: str | None
    count: int
    largest: int
    singletons: int
    """Groups of one item."""
    sizes: list[list[int]]
    """[size, how many groups of that size], ascending."""
    examples: list[list[str]]
    """Ids of the members of the largest groups: up to five groups, up to four ids each."""
    how: str
    """One sentence: how they were found."""


class VectorResult(_Record, frozen=True, kw_only=True):
    """One feature vector under one fold scheme, every item scored out of fold (or on the test part)."""

    vector: str
    """Stable name: `word-2-tfidf`."""
    label: str
    """For people: `word 1-2-grams, TF-IDF`."""
    cohen: float | None
    cohen_low: float | None
    """95 % cluster-bootstrap interval (percentile), groups resampled."""
    cohen_high: float | None
    uniform: float | None
    accuracy: float
    balanced_accuracy: float | None
    p: float | None
    """Permutation p over groups, one-sided, (b + 1) / (B + 1)."""
    p_holm: float | None
    """Holm over the vectors of this scheme; None for vectors outside the thirteen."""
    validation_accuracy: float | None
    """Mean over folds of the accuracy that chose the regularisation."""
    regularisation: list[str]
    """The one chosen in each fold: `L2 C=1`, `L1 C=1`, `L1 C=0.1`."""
    features: int
    """Features kept, median over folds."""
    counted: bool
    """True for the thirteen that decide the verdict, False for further ones."""


class SchemeResult(_Record, frozen=True, kw_only=True):
    """All vectors under one way of splitting."""

    scheme: Literal["grouped", "random", "paper"]
    folds: int
    """Outer folds; 1 means a single 60/20/20 split."""
    scored: int
    """Items that have a score: all under cross-fitting, the test part under `paper`."""
    vectors: list[VectorResult]
    headline: str
    """The vector chosen by validation accuracy alone."""
    tied: list[str]
    """Further vectors with the same validation accuracy as the headline."""
    majority_accuracy: float
    """Share of the benchmark's commonest label, over all items."""
    majority_uniform: float | None
    """Uniform-chance kappa of always giving the most common label. Its k counts labels of at least 1 % of the items,
    so that one stray label does not make a fair coin look loaded."""
    detectable: float | None
    """Smallest Cohen's kappa that the test on these out-of-fold predictions detects with 80 % power."""

    def find(self, vector: str | None) -> VectorResult | None:
        """The vector with this stable name, or None if it was not run."""
        return next((entry for entry in self.vectors if entry.vector == vector), None)


class Cue(_Record, frozen=True, kw_only=True):
    """A single n-gram that goes with an answer."""

    ngram: str
    level: str
    """`word` or `gpt2`."""
    label: str
    """The answer it points to."""
    coefficient: float
    """Its weight in the probe refitted on all items (for showing, never for scoring)."""
    count: int
    """Items that contain it."""
    count_label: int
    """Of these, items with that answer."""
    z: float
    """Gardner et al. (2021): p(label | n-gram) against 1/k, in standard errors."""
    pmi: float
    """Pointwise mutual information of n-gram and answer, bits."""
    productivity: float
    """Niven & Kao (2019): count_label / count."""
    coverage: float
    """Niven & Kao (2019): count / n."""


class Occurrence(_Record, frozen=True, kw_only=True):
    """Where a guilty n-gram stands in a prompt: characters [start, end)."""

    start: int
    end: int
    label: str
    """The answer it points to."""
    weight: float
    """Share of the item's evidence, 0..1, for shading."""


class Giveaway(_Record, frozen=True, kw_only=True):
    """One of the items that the probe predicts best, out of fold."""

    id: str
    prompt: str
    answer: str
    predicted: str
    probability: float
    """Out-of-fold probability of the gold answer."""
    cues: list[Occurrence]


class SchemeGap(_Record, frozen=True, kw_only=True):
    """Random folds minus grouped folds for one vector: what only the templates give."""

    vector: str
    gap: float
    low: float
    """95 % cluster-bootstrap interval of the difference, both schemes on the same resampled groups."""
    high: float


class Confirmation(_Record, frozen=True, kw_only=True):
    """A leak on few groups, tested again with probes refitted on relabeled answers."""

    vector: str
    refits: int
    null_mean: float
    """Mean Cohen's kappa over the relabelings."""
    null_sd: float
    p: float
    """One-sided, Student's t, times the number of vectors; at or above alpha the leak is not called one."""


class Settings(_Record, frozen=True, kw_only=True):
    """What was asked for; enough to repeat the run."""

    protocol: Literal["grouped", "paper"]
    seed: int
    folds: int
    permutations: int
    bootstrap: int
    threshold: float
    alpha: float
    groups: str
    upstream_counts: bool
    trees: bool
    solver: str
    """`compiled`, or `scikit-learn` for the fits of the published code."""
    task: str
    split: str | None
    """The split that was asked for: a column, or `COLUMN=VALUE` where only that part was read."""
    max_left_out: float
    grades: bool = False
    """Whether textstat's reading grades were shown beside the other vectors."""


class AuditResult(_Record, frozen=True, kw_only=True):
    """Everything one audit found. `verdict` and `reason` come first because they are read first."""

    verdict: Verdict
    reason: str
    vector: str | None
    """The vector that the verdict is about; None where nothing was assessed."""
    schema: str
    name: str
    source: str
    sha256: str
    items: int
    left_out: list[Exclusion]
    """Rows not audited, at most 1,000 of them."""
    left_out_count: int
    mapping: MappingUsed
    labels: list[LabelCount]
    duplicates: Duplicates | None
    groups: GroupSummary | None
    schemes: list[SchemeResult]
    """`grouped` then `random`, or `paper` alone; empty where nothing could be assessed."""
    gap: SchemeGap | None
    confirmation: Confirmation | None
    """None where the leak was beyond doubt, or there was none."""
    evidence_vector: str | None
    """The n-gram vector that `cues` and `giveaways` come from; None where nothing was assessed."""
    evidence_scheme: str | None
    """The scheme that the verdict is about and that `giveaways` come from; None where nothing was assessed."""
    cues: list[Cue]
    giveaways: list[Giveaway]
    advice: list[str]
    """What to vary, in sentences."""
    notes: list[str]
    settings: Settings
    versions: dict[str, str]

    def scheme(self, name: str) -> SchemeResult | None:
        """The scheme called `name`, or None if it was not run."""
        return next((scheme for scheme in self.schemes if scheme.scheme == name), None)

    @property
    def deciding_scheme(self) -> SchemeResult | None:
        """The scheme that the verdict is about; None where nothing was assessed.

        `audit.verdict` decides which: `random` for TEMPLATE-BOUND, otherwise `grouped` or `paper`.
        """
        return None if self.evidence_scheme is None else self.scheme(self.evidence_scheme)


class ScanResult(_Record, frozen=True, kw_only=True):
    """A folder of benchmarks, audited one by one in the order of their paths."""

    schema: str
    source: str
    results: list[AuditResult]
    failures: list[Exclusion]
    """Files that could not be audited: `place` is the file, with the line where one is known."""
