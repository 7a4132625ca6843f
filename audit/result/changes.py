"""What changed between two results, as records, and the interval of the difference of two kappas."""

from __future__ import annotations

import math
from typing import Final

from hansproof.audit.result.audit_result import Verdict
from hansproof.audit.result.record import Record

__all__ = [
    "BEST_FIRST",
    "SCHEMA",
    "Change",
    "Comparison",
    "CueChange",
    "Diff",
    "KappaChange",
    "LabelChange",
    "interval_of_difference",
]

Ends = tuple[float | None, float | None, float | None]
"""(low, estimate, high)."""


def interval_of_difference(old: Ends, new: Ends) -> tuple[float, float] | None:
    """The 95 % interval of new - old for independent samples; each with its own interval.

    low = d - sqrt((new - new_low)^2 + (old_high - old)^2), and high likewise: the method of variance estimates recovery
    (Zou & Donner 2008), which needs no symmetric intervals. For samples that share items, and so have a positive
    covariance, it is too wide. None if a number is undefined.
    """
    numbers = [number for number in (*old, *new) if number is not None]
    if len(numbers) < 6:
        return None
    old_low, was, old_high, new_low, now, new_high = numbers
    change = now - was
    return change - math.hypot(now - new_low, old_high - was), change + math.hypot(new_high - now, was - old_low)


SCHEMA: Final = "hansproof.diff/1"

BEST_FIRST: Final[tuple[Verdict, ...]] = (
    "CLEAN",
    "TRACES",
    "INCONCLUSIVE",
    "NOT ASSESSED",
    "IMBALANCED",
    "TEMPLATE-BOUND",
    "LEAKS",
)
"""The verdicts from best to worst. One that leaves a leak possible is worse than a weak cue of known size, and one that
shows a fault is worse than one that shows nothing."""


class Change(Record, frozen=True, kw_only=True):
    """A setting, a column or a version that is not the same in both audits."""

    name: str
    """`threshold`, `column prompt`, `version of numpy`."""
    old: str
    """As JSON; `absent` if that document does not have it."""
    new: str


class KappaChange(Record, frozen=True, kw_only=True):
    """One feature vector under one scheme, in both audits. Kappas are those of matched predictions.

    For open-ended answers, a strategy and its advantage over the best constant; the scheme is then `open`.
    """

    vector: str
    label: str
    scheme: str
    old: float | None
    new: float | None
    change: float | None
    """new - old; None if either is undefined."""
    low: float | None
    """Ends of the 95 % interval of the change; None if both audits read the same file, or if an end is undefined."""
    high: float | None


class LabelChange(Record, frozen=True, kw_only=True):
    """A gold answer whose count changed; 0 where it does not occur."""

    label: str
    old: int
    new: int


class CueChange(Record, frozen=True, kw_only=True):
    """A clear n-gram that only one of the two audits lists."""

    ngram: str
    level: str
    """`word` or `gpt2`."""
    label: str
    """The answer it points to."""
    count: int
    """Items that contain it, in the audit that lists it."""
    count_label: int
    """Those of them that have the answer."""


class Comparison(Record, frozen=True, kw_only=True):
    """One benchmark in two audits."""

    name: str
    old_verdict: Verdict
    new_verdict: Verdict
    worse: bool
    """Whether the new verdict stands after the old one in `BEST_FIRST`."""
    reason: str
    """The reason of the new verdict."""
    same_file: bool
    """Whether both audits read the same bytes."""
    comparable: bool
    """False if settings, columns or the kind of answers differ: a difference of two numbers may come from them."""
    settings: list[Change]
    versions: list[Change]
    old_items: int
    new_items: int
    kappas: list[KappaChange]
    """Every vector that both audits have, the largest changes first."""
    labels: list[LabelChange]
    """Only answers whose count changed, the largest changes first; at most 50 of them."""
    cues: list[CueChange]
    """Clear n-grams that only the new audit lists, strongest first."""
    gone: list[CueChange]
    """Clear n-grams that only the old audit lists."""
    notes: list[str]


class Diff(Record, frozen=True, kw_only=True):
    """Everything that changed between two documents of `hansproof audit --json`."""

    schema: str
    old: str
    new: str
    """What the documents are called: their files."""
    worse: bool
    """Whether a verdict became worse that can be compared, or a file of a folder can no longer be audited."""
    benchmarks: list[Comparison]
    added: list[str]
    """Benchmarks that only the new document has."""
    removed: list[str]
    """Benchmarks that only the old document has."""
    failures: list[str]
    """Files of a folder that could be audited before, or were not there, and cannot be audited now."""
    comparable: bool = True
    """Whether all benchmarks are comparable; a verdict that is not is neither worse nor not worse."""
