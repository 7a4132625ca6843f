"""From records to rates: shares of verdicts with exact intervals, coverage of intervals, stability over seeds."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from error_rates.records import Record
from error_rates.scenario import Expected, Scenario

__all__ = [
    "FIXED_VECTOR",
    "Case",
    "Coverage",
    "Rate",
    "Stability",
    "cases",
    "coverages",
    "pooled",
    "stabilities",
    "together",
]

FIXED_VECTOR = "word-1-presence"
"""Coverage is reported for this vector, which was chosen before looking, for the strongest and for all counted."""

_FEWEST = 15
"""Repeats below which neither a mean over redraws nor a share of intervals says anything."""

Measured = tuple[float | None, float | None, float | None]
"""A kappa and the ends of its interval."""

_NORMAL = 1.959964
"""Half the width of a 95 % interval in standard deviations, for a normal distribution."""


@dataclass(frozen=True)
class Rate:
    """`count` of `total`."""

    count: int
    total: int

    @property
    def share(self) -> float:
        """0 to 1; NaN of nothing."""
        return self.count / self.total if self.total else math.nan

    @property
    def interval(self) -> tuple[float, float]:
        """The exact 95 % interval of the share (Clopper & Pearson 1934); (0, 1) of nothing."""
        if not self.total:
            return 0.0, 1.0
        from scipy.stats import binomtest

        exact = binomtest(self.count, self.total).proportion_ci(0.95, method="exact")
        return float(exact.low), float(exact.high)


@dataclass(frozen=True)
class Case:
    """One row of the table: a case of a family, pooled over the real texts."""

    family: str
    case: str
    kappa: float | None
    n: int
    """Number of items as planned."""
    items: int
    """Mean number of items that were audited."""
    texts: tuple[str, ...]
    expected: Expected
    verdicts: Mapping[str, int]

    @property
    def total(self) -> int:
        """Number of audits."""
        return sum(self.verdicts.values())

    def rate(self, verdicts: Iterable[str]) -> Rate:
        """How many audits ended in one of these verdicts."""
        return Rate(sum(self.verdicts.get(name, 0) for name in verdicts), self.total)

    @property
    def wrong(self) -> Rate:
        """How many ended in a wrong verdict."""
        return self.rate(self.expected.wrong)

    @property
    def aimed(self) -> Rate | None:
        """The rate that the target limits; None without a target."""
        target = self.expected.target
        return None if target is None else self.rate(target.verdicts)


@dataclass(frozen=True)
class Coverage:
    """How often 95 % intervals contain the mean kappa of the same vector over all redraws of a scenario."""

    scenario: Scenario
    repeats: int
    fixed: Rate
    """For FIXED_VECTOR, or the strategy that the scenario watches."""
    strongest: Rate
    """For the counted vector with the largest kappa of each redraw: the one that a report is about."""
    every: Rate
    """For all counted vectors; they share their items, so that no interval is given for this share."""
    spread: float
    """True standard deviation over redraws / mean standard deviation that the widths of the intervals imply, median
    over vectors."""


@dataclass(frozen=True)
class Stability:
    """How often the same items get their most frequent verdict."""

    scenario: Scenario
    verdict: str
    rate: Rate
    others: Mapping[str, int]


def cases(scenarios: Sequence[Scenario], records: Sequence[Record]) -> list[Case]:
    """Every case that has records, in the order of the scenarios; stability is counted elsewhere."""
    verdicts = _verdicts(records)
    items: dict[str, list[int]] = {}
    for record in records:
        items.setdefault(record.scenario, []).append(record.items)
    pools: dict[tuple[object, ...], list[Scenario]] = {}
    for scenario in scenarios:
        if not scenario.same_data and scenario.name in verdicts:
            made = scenario.texts if scenario.texts.startswith("made") else ""
            key = (scenario.family, scenario.case, scenario.kappa, scenario.n, made)
            pools.setdefault(key, []).append(scenario)
    return [
        Case(
            family=members[0].family,
            case=members[0].case,
            kappa=members[0].kappa,
            n=members[0].n,
            items=round(statistics.fmean(number for member in members for number in items[member.name])),
            texts=tuple(member.texts for member in members),
            expected=members[0].expected,
            verdicts=sum((verdicts[member.name] for member in members), Counter()),
        )
        for members in pools.values()
    ]


def pooled(rows: Iterable[Case], verdicts: Iterable[str] | None = None) -> Rate:
    """The rate of these verdicts (by default the wrong ones) over several cases together."""
    names = None if verdicts is None else tuple(verdicts)
    return together(row.wrong if names is None else row.rate(names) for row in rows)


def together(rates: Iterable[Rate]) -> Rate:
    """The rate of several together."""
    parts = list(rates)
    return Rate(sum(part.count for part in parts), sum(part.total for part in parts))


def coverages(scenarios: Sequence[Scenario], records: Sequence[Record]) -> list[Coverage]:
    """One entry per scenario that redraws its data and has enough repeats."""
    by_scenario: dict[str, list[Record]] = {}
    for record in records:
        if record.vectors:
            by_scenario.setdefault(record.scenario, []).append(record)
    measured = []
    for scenario in scenarios:
        redraws = by_scenario.get(scenario.name, [])
        if not scenario.coverage or len(redraws) < _FEWEST:
            continue
        always = [name for name in redraws[0].vectors if all(name in record.vectors for record in redraws)]
        counted = {name: _contained([record.vectors[name] for record in redraws]) for name in always}
        every = together(rate for rate, _ in counted.values())
        strongest = _strongest_contained([[record.vectors[name] for name in always] for record in redraws])
        ratios = [ratio for _, ratio in counted.values() if math.isfinite(ratio)]
        watched = scenario.watched or FIXED_VECTOR
        fixed = counted[watched][0] if watched in counted else Rate(0, 0)
        spread = statistics.median(ratios) if ratios else math.nan
        measured.append(Coverage(scenario, len(redraws), fixed, strongest, every, spread))
    return measured


def _strongest_contained(redraws: Sequence[Sequence[Measured]]) -> Rate:
    """How often the interval of a redraw's largest kappa contains the mean kappa of its vector over all redraws."""
    truths = [
        statistics.fmean(known) if (known := [kappa for kappa, _, _ in column if kappa is not None]) else math.nan
        for column in zip(*redraws, strict=True)
    ]
    held = total = 0
    for row in redraws:
        known = [(kappa, low, high, truth) for (kappa, low, high), truth in zip(row, truths, strict=True)
                 if kappa is not None and low is not None and high is not None]  # fmt: skip
        if known:
            _, low, high, truth = max(known)
            held, total = held + (low <= truth <= high), total + 1
    return Rate(held, total)


def _contained(entries: Sequence[Measured]) -> tuple[Rate, float]:
    """How many intervals contain the mean, and the true spread / the reported one."""
    known = [
        (kappa, low, high) for kappa, low, high in entries if kappa is not None and low is not None and high is not None
    ]
    if len(known) < 2:
        return Rate(0, 0), math.nan
    kappas = [kappa for kappa, _, _ in known]
    truth = statistics.fmean(kappas)
    held = sum(low <= truth <= high for _, low, high in known)
    reported = statistics.fmean((high - low) / (2 * _NORMAL) for _, low, high in known)
    return Rate(held, len(known)), statistics.stdev(kappas) / reported if reported else math.nan


def stabilities(scenarios: Sequence[Scenario], records: Sequence[Record]) -> list[Stability]:
    """One entry per scenario that audits the same items again and again."""
    verdicts = _verdicts(records)
    measured = []
    for scenario in scenarios:
        if scenario.same_data and scenario.name in verdicts:
            [(verdict, count), *others] = verdicts[scenario.name].most_common()
            rate = Rate(count, verdicts[scenario.name].total())
            measured.append(Stability(scenario, verdict, rate, dict(others)))
    return measured


def _verdicts(records: Iterable[Record]) -> dict[str, Counter[str]]:
    counts: dict[str, Counter[str]] = {}
    for record in records:
        counts.setdefault(record.scenario, Counter())[record.verdict] += 1
    return counts
