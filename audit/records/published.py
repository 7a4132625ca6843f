"""What the result keeps of a published split: its parts, what they share, and kappa with and without that."""

from __future__ import annotations

from typing import Literal

from audit.records.record import Record

__all__ = ["PartLabel", "PublishedSplit", "SharedItem", "SplitKappa"]


class PartLabel(Record, frozen=True, kw_only=True):
    """How often an answer occurs in the two parts."""

    label: str
    train: int
    test: int


class SharedItem(Record, frozen=True, kw_only=True):
    """A test item and a training item that it shares its text or its template with."""

    kind: Literal["conflict", "duplicate", "near-duplicate", "template"]
    """`conflict`: the same text, another gold answer."""
    test: str
    """Id of the test item."""
    train: str
    similarity: float | None
    """Of near-duplicates, 0 to 1 (`audit.published.near`); None for the others."""
    test_text: str
    """An extract around the first difference."""
    train_text: str
    test_answer: str
    train_answer: str


class SplitKappa(Record, frozen=True, kw_only=True):
    """Cohen's matched kappa of the vector that the verdict is about, on some of the test items."""

    items_kept: Literal["all", "no near-duplicate", "new template", "grouped folds"]
    """`no near-duplicate`: whose text, or nearly, is not in the training part; `new template`: nor is their template;
    `grouped folds`: not the published split, but both parts together, cross-fitted with each template kept together."""
    items: int
    groups: float
    """The number of groups of these items, if all were of one size."""
    kappa: float | None
    """None if only one answer is left."""
    low: float | None
    """Ends of the 95 % interval over groups; None without groups to compare, and for `grouped folds`."""
    high: float | None
    fall: float | None = None
    """Kappa of all test items minus this one; None for all of them, for `grouped folds`, and where undefined."""
    fall_low: float | None = None
    """Lower end of its 95 % interval over groups: above 0, the fall is clear."""


class PublishedSplit(Record, frozen=True, kw_only=True):
    """The published split: learnt on its training part, tested on its test part."""

    source: str
    """`column 'split'`, or the training file."""
    train_sha256: str | None
    """Digest of the training file; None where both parts come from one."""
    train: int
    """Items to learn from, without those cut off for validation."""
    validation: int
    validation_cut: bool
    """The validation part was cut from the training part, by groups, because the source has none."""
    test: int
    duplicates: int
    """Test items whose text is in the training part, apart from case and white space."""
    near_duplicates: int
    """Further test items that are nearly the same as a training text."""
    near: float
    """The least similarity that counts as nearly the same."""
    same_template: int | None
    """Test items whose group also has training items; None if groups were not used."""
    conflicts: int
    """Test items whose text has another gold answer in the training part."""
    unseen_labels: list[str]
    """Answers of the test part that the training part never gives."""
    labels: list[PartLabel]
    shift: float
    """Total variation distance between the answers of the two parts: 0 for equal shares, 1 for no common answer."""
    shift_p: float
    """Its permutation p over groups."""
    kappas: list[SplitKappa]
    """From all test items to those that share the least with the training part."""
    examples: list[SharedItem]
    """Conflicts, duplicates, near-duplicates and shared templates, at most ten of each."""
