"""Where everything in the figure goes: one linear axis, one row per metric, one mark per participant."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from audit.phenotype.report import words
from audit.phenotype.result import MetricValue, Phenotype

__all__ = ["LEFT", "MOST", "RIGHT", "WIDTH", "Axis", "FigureRow", "Mark", "axis", "rows"]

WIDTH: Final = 900
LEFT: Final = 262
RIGHT: Final = 690
"""Pixels: of the whole figure, and where the axis begins and ends."""
MOST: Final = 6
"""Participants in one figure: more marks in a row cannot be told apart."""

_TOP: Final = 92
_ROW, _MARK, _HEADING = 27, 11, 34
"""Pixels: height of a row with one mark, of each further mark, and of the heading of a group."""
_LEAST, _FARTHEST = -3.0, 4.0
"""The axis never ends beyond these; what lies farther out becomes an arrow."""


class Axis(NamedTuple):
    """A linear axis of standardised values."""

    low: float
    high: float
    right: float = RIGHT
    """Where it ends, in pixels."""

    def at(self, value: float) -> float:
        """The position in pixels; values beyond an end are put at that end."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return round(LEFT + share * (self.right - LEFT), 1)

    def ticks(self) -> list[float]:
        """Halves, or whole numbers on a long axis."""
        step = 0.5 if self.high - self.low <= 4 else 1.0
        return [step * index for index in range(math.ceil(self.low / step), math.floor(self.high / step) + 1)]


class Mark(NamedTuple):
    """One metric of one participant."""

    participant: int
    metric: MetricValue
    y: float


class FigureRow(NamedTuple):
    """A metric, or the heading of a group if it has no marks."""

    title: str
    y: float
    """The middle of the row."""
    height: float
    marks: list[Mark]


def axis(phenotypes: Sequence[Phenotype]) -> Axis:
    """An axis with 0 and 1, all values, and as much of their intervals as its limits allow."""
    metrics = [metric for phenotype in phenotypes for metric in phenotype.profile]
    ends = [
        value
        for metric in metrics
        for value in (metric.standard, metric.standard_low, metric.standard_high)
        if value is not None
    ]
    low = max(min([-0.25, *(value - 0.1 for value in ends)]), _LEAST)
    high = min(max([1.25, *(value + 0.1 for value in ends)]), _FARTHEST)
    # Beside several participants there are no numbers, so the axis is longer.
    return Axis(math.floor(low * 4) / 4, math.ceil(high * 4) / 4, RIGHT if len(phenotypes) == 1 else WIDTH - 40)


def rows(phenotypes: Sequence[Phenotype]) -> tuple[list[FigureRow], float]:
    """All rows from the top, and the y below the last one."""
    height = _ROW + _MARK * (len(phenotypes) - 1)
    placed = []
    y: float = _TOP
    profiles = [phenotype.profile for phenotype in phenotypes]
    kind = ""
    for together in zip(*profiles, strict=True):
        if together[0].kind != kind:
            kind = together[0].kind
            placed.append(FigureRow(kind.capitalize(), y + _HEADING / 2 + 3, _HEADING, []))
            y += _HEADING
        middle = y + height / 2
        first = middle - _MARK * (len(together) - 1) / 2
        marks = [Mark(number, metric, first + _MARK * number) for number, metric in enumerate(together)]
        noted = len(together) == 1 and words.title(together[0]) != together[0].title
        placed.append(FigureRow(f"{together[0].title} †" if noted else together[0].title, middle, height, marks))
        y += height
    return placed, y
