"""What the result keeps of the single n-grams: how many go with an answer, the worst of them, and the figure."""

from __future__ import annotations

from typing import Literal

from audit.records.record import Record

__all__ = ["NgramCell", "NgramCurve", "NgramLabel", "NgramTest", "SingleNgrams"]


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


class NgramCell(Record, frozen=True, kw_only=True):
    """A dot of the figure: n-grams with about the same count and z."""

    count: float
    """Their mean count."""
    z: float
    """Their mean z, for the answer that each points to most clearly."""
    ngrams: int
    label: str | None
    """The answer, if they are significant; otherwise None."""


class NgramCurve(Record, frozen=True, kw_only=True):
    """The curve of significance for the answers with one base rate."""

    labels: list[str]
    points: list[list[float]]
    """Pairs [count, z], ascending: n-grams above the curve are significant. It begins where the first can be."""


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
    """n-grams times answers: the family of the correction."""
    correction: str
    """`holm` (1979)."""
    alpha: float
    p_limit: float
    """Tests with a smaller p are significant."""
    significant: int
    """N-grams that go with at least one answer significantly."""
    labels: list[NgramLabel]
    """The answers tested, at most twenty, in the order of the result's labels."""
    worst: list[NgramTest]
    """The significant n-grams with the smallest p, at most twenty."""
    cells: list[NgramCell]
    curves: list[NgramCurve]
