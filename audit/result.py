"""The result of an audit: typed records, from which its JSON and the JSON schema follow.

Every number that the terminal or the HTML page shows is a field here. A number that is undefined is None (JSON null),
and a sentence in `notes` says why. The two kappas are always named: `cohen` corrects for the marginals (Cohen 1960),
`uniform` for 1/k, which is what Pacchiardi et al. (2024) plot.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from audit.explanation.records import Cue, FormatShare, Giveaway, Mentions, Occurrence

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

Verdict = Literal["LEAKS", "TEMPLATE-BOUND", "IMBALANCED", "TRACES", "CLEAN", "INCONCLUSIVE", "NOT ASSESSED"]


class _Record(msgspec.Struct, frozen=True, kw_only=True):
    """Base of all records: immutable, with named fields."""


class LabelCount(_Record, frozen=True, kw_only=True):
    """How often a gold answer occurs."""

    label: str
    count: int


class MappingUsed(_Record, frozen=True, kw_only=True):
    """Which column plays which role; `guessed` lists the roles whose column you did not name."""

    format: str
    prompt: str
    answer: str
    group: str | None
    split: str | None
    id: str | None
    guessed: list[str]


class Exclusion(_Record, frozen=True, kw_only=True):
    """A row left out of the audit; `place` is `line 812` or `row 812`."""

    place: str
    reason: str


class Duplicates(_Record, frozen=True, kw_only=True):
    """Texts that occur more than once (after folding case and white space)."""

    repeated_items: int
    """Items whose text already occurs in an earlier item."""
    conflicting: list[list[str]]
    """Ids of items with the same text and different gold answers; at most 50 sets."""
    conflicting_sets: int
    """Total number of such sets."""
    across_splits: int | None
    """Texts that occur in more than one published split; None if no split is known."""


class GroupSummary(_Record, frozen=True, kw_only=True):
    """Which items belong together; a group always stays within one fold."""

    source: Literal["column", "found", "none"]
    column: str | None
    count: int
    largest: int
    singletons: int
    """Groups of one item."""
    sizes: list[list[int]]
    """Pairs [size, number of groups of that size], ascending."""
    examples: list[list[str]]
    """Ids of the members of the largest groups: up to five groups, up to four ids each."""
    how: str
    """One sentence on where the groups come from."""


class VectorResult(_Record, frozen=True, kw_only=True):
    """One feature vector under one scheme; items are scored out of fold, or on the test part of a single split."""

    vector: str
    """Stable name: `word-2-tfidf`."""
    label: str
    """Label in reports: `word 1-2-grams, TF-IDF`."""
    cohen: float | None
    cohen_low: float | None
    """Ends of the 95 % percentile interval of a bootstrap over groups."""
    cohen_high: float | None
    uniform: float | None
    accuracy: float
    balanced_accuracy: float | None
    p: float | None
    """One-sided permutation p over groups, (b + 1) / (B + 1)."""
    p_holm: float | None
    """p after Holm's correction over the counted vectors of this scheme; None for the others."""
    validation_accuracy: float | None
    """Accuracy of the chosen regularisation on the validation part, averaged over folds."""
    regularisation: list[str]
    """The choice of each fold: `L2 C=1`, `L1 C=1`, `L1 C=0.1` or `trees`."""
    features: int
    """Number of features, median over folds."""
    counted: bool
    """True for the thirteen vectors that decide the verdict."""


class SchemeResult(_Record, frozen=True, kw_only=True):
    """All vectors under one scheme, that is, one way of splitting the items."""

    scheme: Literal["grouped", "random", "paper"]
    folds: int
    """Number of outer folds; 1 means a single 60/20/20 split."""
    scored: int
    """Number of items scored: all of them under cross-fitting, the test part under `paper`."""
    vectors: list[VectorResult]
    headline: str
    """The vector with the best validation accuracy."""
    tied: list[str]
    """Other vectors with the same validation accuracy."""
    majority_accuracy: float
    """Share of the most common answer among all items."""
    majority_uniform: float | None
    """Uniform-chance kappa of always giving the most common answer. Its k counts only answers of at least 1 % of the
    items, so that one stray answer does not make a fair coin look loaded."""
    detectable: float | None
    """Smallest Cohen's kappa that the test on these out-of-fold predictions detects with 80 % power."""

    def find(self, vector: str | None) -> VectorResult | None:
        """The vector with this stable name, or None if it was not run."""
        return next((entry for entry in self.vectors if entry.vector == vector), None)


class SchemeGap(_Record, frozen=True, kw_only=True):
    """Kappa under random folds minus kappa under grouped folds, for one vector: what only the templates contribute."""

    vector: str
    gap: float
    low: float
    """Ends of the 95 % bootstrap interval of the difference, both schemes on the same resampled groups."""
    high: float


class Confirmation(_Record, frozen=True, kw_only=True):
    """A leak on few groups, tested again with probes refitted to relabeled answers."""

    vector: str
    refits: int
    null_mean: float
    """Mean Cohen's kappa over the relabellings."""
    null_sd: float
    p: float
    """One-sided p of Student's t times the number of vectors; at or above alpha there is no leak."""


class Settings(_Record, frozen=True, kw_only=True):
    """The settings of a run, complete enough to repeat it."""

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
    """`compiled`, or `scikit-learn` to fit as the published code does."""
    task: str
    split: str | None
    """The split column, or `COLUMN=VALUE` if only that part was read."""
    max_left_out: float
    grades: bool = False
    """Whether textstat's reading grades were shown beside the other vectors."""


class AuditResult(_Record, frozen=True, kw_only=True):
    """Everything that one audit found, the verdict and its reason first."""

    verdict: Verdict
    reason: str
    vector: str | None
    """The vector that the verdict is about; None if nothing was assessed."""
    schema: str
    name: str
    source: str
    sha256: str
    items: int
    left_out: list[Exclusion]
    """Rows that were not audited; at most 1,000 of them."""
    left_out_count: int
    mapping: MappingUsed
    labels: list[LabelCount]
    duplicates: Duplicates | None
    groups: GroupSummary | None
    schemes: list[SchemeResult]
    """`grouped` and `random`, or `paper` alone; empty if nothing was assessed."""
    gap: SchemeGap | None
    confirmation: Confirmation | None
    """None if there was no leak, or no doubt about it."""
    evidence_vector: str | None
    """The n-gram vector behind `cues` and `giveaways`; None if nothing was assessed."""
    evidence_scheme: str | None
    """The scheme that the verdict is about, which also scored the `giveaways`; None if nothing was assessed."""
    cues: list[Cue]
    giveaways: list[Giveaway]
    advice: list[str]
    """What to change, in sentences."""
    notes: list[str]
    settings: Settings
    versions: dict[str, str]
    format_share: FormatShare | None = None
    mentions: Mentions | None = None

    def scheme(self, name: str) -> SchemeResult | None:
        """The scheme called `name`, or None if it was not run."""
        return next((scheme for scheme in self.schemes if scheme.scheme == name), None)

    @property
    def deciding_scheme(self) -> SchemeResult | None:
        """The scheme that the verdict is about, as `audit.verdict` says; None if nothing was assessed."""
        return None if self.evidence_scheme is None else self.scheme(self.evidence_scheme)


class ScanResult(_Record, frozen=True, kw_only=True):
    """A folder of benchmarks, audited one by one in the order of their paths."""

    schema: str
    source: str
    results: list[AuditResult]
    failures: list[Exclusion]
    """Files that could not be audited: `place` is the file, with the line where one is known."""
