"""Partial input: what probes reach that see only a part of every prompt."""

from __future__ import annotations

from audit.records.record import Record

__all__ = ["PartialInput", "PartialInputs", "Untried"]


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
    low: float | None
    """Ends of its 95 % interval over groups."""
    high: float | None
    uniform: float | None
    """Kappa of the most probable answer, with chance 1/k."""
    p: float | None
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
