"""How the numbers of a phenotype are written, and the sentences that every report shares."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from hansproof.audit import notation
from hansproof.audit.phenotype.measuring import METRICS
from hansproof.audit.phenotype.result import NOT_PLAYED, OTHER_STORIES, UNFINISHED, MetricValue, Phenotype

__all__ = [
    "AXIS",
    "STYLE",
    "UNITS",
    "cautions",
    "decimals",
    "decimals_of",
    "ends",
    "gaps",
    "heading",
    "notes",
    "number",
    "references",
    "standard",
    "standard_ends",
    "title",
    "value",
]

AXIS: Final = "0 = random choices, 1 = average human participant"
"""What the standardised values mean."""
STYLE: Final = "Behaviour is a matter of style: 1 is human-like, more is not better."
"""How the metrics of behaviour are read."""

_REFERENCES: Final = (
    "random: by theory or from simulations of our random agent; human: averages published with CogBench (Coda-Forno et "
    "al. 2024), whose standard errors are not known; no interval includes the error of the references"
)
_PUBLISHED: Final = (
    "random and human: as published, one simulation and averages, whose standard errors are not known; no interval "
    "includes the error of the references"
)

UNITS: Final = {metric.name: metric.unit for metric in METRICS}
"""The unit of each metric."""

_ANCHORS: Final = {
    metric.name: (metric.human, metric.random)
    for metric in METRICS
    if not metric.variant_of and metric.human is not None and metric.random is not None
}
"""What people and random choices reach in each metric of the profile."""


def decimals(metric: MetricValue) -> int:
    """Digits after the point: enough to tell apart hundredths of the way from random choices to people.

    A variant has those of its metric.
    """
    return decimals_of(metric.variant_of or metric.name)


def decimals_of(name: str) -> int:
    """The same for the name of a metric of the profile."""
    human, random = _ANCHORS[name]
    return max(2, 2 - math.floor(math.log10(abs(human - random))))


def number(metric: MetricValue, value: float | None) -> str:
    """A value in the metric's own unit; `undefined` for None."""
    return notation.kappa(value, decimals(metric))


def value(metric: MetricValue) -> str:
    """The measured value; `not played` or `undefined` where there is none."""
    return "not played" if metric.reason == NOT_PLAYED else number(metric, metric.value)


def title(metric: MetricValue) -> str:
    """The name in tables and figures, with a dagger if there is something to know before comparing it."""
    return f"{metric.title} †" if metric.caution and metric.value is not None else metric.title


def ends(metric: MetricValue) -> str:
    """`[.73, .75]`, the interval in the metric's own unit; empty if there is none."""
    return notation.interval(metric.low, metric.high, decimals(metric))


def standard(metric: MetricValue) -> str:
    """The standardised value; empty without references, or where the value is undefined."""
    return "" if metric.standard is None else notation.kappa(metric.standard)


def standard_ends(metric: MetricValue) -> str:
    """The interval of the standardised value; empty if there is none."""
    return notation.interval(metric.standard_low, metric.standard_high)


def heading(phenotypes: Sequence[Phenotype]) -> str:
    """`Phenotype of claude-1`, `Phenotypes of a, b and c`."""
    names = [phenotype.name or "unnamed" for phenotype in phenotypes]
    if len(names) == 1:
        return f"Phenotype of {names[0]}"
    return f"Phenotypes of {', '.join(names[:-1])} and {names[-1]}"


def references(phenotype: Phenotype) -> str:
    """Where the values of people and of random choices come from, and what intervals leave out."""
    return _PUBLISHED if phenotype.as_published else _REFERENCES


def gaps(phenotype: Phenotype) -> list[str]:
    """Why values or intervals of the profile are undefined: one sentence per reason."""
    absent = list(dict.fromkeys(metric.task for metric in phenotype.metrics if metric.reason == NOT_PLAYED))
    reasons = notation.gathered(
        (metric.reason, metric.title + ("" if metric.value is None else " (interval)"))
        for metric in phenotype.profile
        if metric.reason and metric.reason != NOT_PLAYED
    )
    said = [f"not played: {', '.join(absent)}"] if absent else []
    return said + [f"{', '.join(titles)}: {reason}" for reason, titles in reasons.items()]


def notes(phenotype: Phenotype) -> list[str]:
    """What was left out or mended: in one line what was left out of several tasks alike, then the rest by task."""
    merged: dict[str, list[str]] = {OTHER_STORIES: [], UNFINISHED: []}
    rest = []
    for task in phenotype.tasks:
        for note in task.notes:
            lead, _, what = note.partition(": ")
            if lead in merged:
                merged[lead].append(what)
            else:
                rest.append(f"{task.task}: {note}")
    return [f"{lead}: {'; '.join(each)}" for lead, each in merged.items() if each] + rest


def cautions(phenotype: Phenotype) -> list[str]:
    """What to know before comparing measured metrics of the profile with people: one sentence per caution."""
    said = notation.gathered(
        (metric.caution, metric.title) for metric in phenotype.profile if metric.caution and metric.value is not None
    )
    return [f"† {', '.join(titles)}: {caution}" for caution, titles in said.items()]
