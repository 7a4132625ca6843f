"""The ladder of shortcuts: what each rung sees, how far it gets, and the simplest that is enough."""

from __future__ import annotations

from audit.records.record import Record

__all__ = ["Ladder", "Rung", "SingleNgram"]


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
    """One rung: everything that it sees, and what it adds to the rung before."""

    name: str
    """Stable name: `constant`, `position`, `length`, `ngram`, `format`, `partial`, `readability`, `unigrams`,
    `bigrams` or `trees`."""
    label: str
    """Name in reports: `one n-gram`."""
    sees: str
    """What it sees, in words: `the hypothesis alone`, or what the training sets chose most often."""
    kappa: float | None
    """Cohen's kappa, each answer predicted as often as it occurs, median over the splits."""
    low: float | None
    """Ends of its 95 % interval over groups; None for a constant, whose kappa is exactly 0."""
    high: float | None
    uniform: float | None
    """Kappa of the most probable answer, with chance 1/k."""
    gain: float | None
    """Kappa minus that of the rung before; None for the first."""
    gain_low: float | None
    """Ends of the 95 % interval of that difference, paired item by item and group by group."""
    gain_high: float | None
    p: float | None
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
