"""The short forms that fit into a figure: units, reasons and the lines below the axis."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Final

from audit.phenotype.intervals import FEWEST_RUNS
from audit.phenotype.result import NOT_PLAYED, WIDE, MetricValue, Phenotype

__all__ = ["UNITS", "footnotes", "gap"]

UNITS: Final[Mapping[str, str]] = {
    "posterior-accuracy": "1 minus the mean error",
    "prior-weighting": "log-odds weight",
    "likelihood-weighting": "log-odds weight",
    "horizon-reward": "points per trial",
    "directed-exploration": "log-odds effect",
    "random-exploration": "log-odds effect per point",
    "restless-bandit-reward": "points per trial",
    "metacognition": "quadratic scoring rule, 0 to 1",
    "instrumental-reward": "share of rewards",
    "learning-rate": "0 to 1",
    "optimism": "difference of learning rates",
    "two-step-reward": "share of rewards",
    "model-basedness": "difference in probability",
    "temporal-discounting": "score, 0 to 19",
    "balloon-points": "points per balloon",
    "risk-taking": "pumps per balloon",
}
"""The unit of each metric of the profile."""

_SHORT: Final[Mapping[str, str]] = {
    NOT_PLAYED: "not played",
    "separation": "undefined: separation",
    "the choices follow the rewards no better": "undefined: no learning shown",
    "too few": "undefined: too few games",
    "the same arm was chosen": "undefined: always the same arm",
}
"""How a reason begins -> its short form."""

_LINE: Final = 136
"""Characters of a line below the axis."""


def gap(metric: MetricValue) -> str:
    """What stands in place of an undefined value: `not played`, `undefined: separation`."""
    reason = metric.reason or ""
    return next((short for start, short in _SHORT.items() if reason.startswith(start)), "undefined")


def footnotes(phenotypes: Sequence[Phenotype]) -> list[str]:
    """The lines below the axis: what points, bars, arrows and hollow marks are, and a note for each dagger."""
    runs = [task.runs for phenotype in phenotypes for task in phenotype.tasks] or [0]
    count = f"{min(runs):,}" if min(runs) == max(runs) else f"{min(runs):,}–{max(runs):,}"
    legend = (
        f"Points: estimates; bars: 95 % bootstrap intervals over runs (n = {count} per task); arrow: continues beyond "
        f"the axis; hollow: no interval, mostly for fewer than {FEWEST_RUNS} runs."
    )
    notes: dict[str, list[str]] = {}
    for phenotype in phenotypes:
        owner = f" ({phenotype.name or 'unnamed'})" if len(phenotypes) > 1 else ""
        for metric in phenotype.profile:
            if metric.caution and metric.value is not None:
                caution = metric.caution.replace(WIDE, "the interval holds both 0 and 1")
                notes.setdefault(caution, []).append(metric.title + owner)
    said = [f"† {', '.join(titles)}: {caution}." for caution, titles in notes.items()]
    return [line for text in (legend, *said) for line in textwrap.wrap(text, _LINE)]
