"""Positions and shades for the drawings of the page: heat map, forest plot, bars; numbers in, per cents out.

Drawings are given in per cent of their own box, so that the same SVG fits a phone and a sheet of paper.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final, NamedTuple

from audit.report import words

__all__ = ["LEGEND", "Bar", "Scale", "bars", "heat", "size_classes"]


_WORDS: Final = ("slight", "fair", "moderate", "substantial", "almost perfect")
LEGEND: Final[tuple[tuple[tuple[str, ...], str], ...]] = (
    (("hn",), "below 0"),
    *(
        (
            (f"h{2 * step}", f"h{2 * step + 1}"),
            f"{words.kappa(step / 5, 1) if step else '0'}–{words.kappa((step + 1) / 5, 1)} {word}",
        )
        for step, word in enumerate(_WORDS)
    ),
)
"""Shades of the heat map by the words of Landis & Koch (1977): classes of the style sheet and words.

The lightness falls (in the dark: rises) throughout, so that shades are told apart without hue.
"""


def heat(value: float | None) -> str:
    """The class of the shade of a kappa, by the two digits that are shown; `hx` where it is undefined."""
    if value is None or math.isnan(value):
        return "hx"
    shown = round(value, 2)
    return "hn" if shown < 0 else f"h{min(math.floor(round(shown * 100) / 10), 9)}"


class Scale(NamedTuple):
    """A straight axis from `low` to `high`, drawn over the whole width of a box."""

    low: float
    high: float

    @classmethod
    def over(cls, values: Iterable[float | None], threshold: float) -> Scale:
        """An axis with room for all values, nought and the threshold; ends on tenths."""
        known = [value for value in values if value is not None and math.isfinite(value)]
        low, high = min(known, default=0.0), max(known, default=0.0)
        return cls(
            math.floor(min(low, -0.05) * 10) / 10,
            math.ceil(round(max(high, threshold + 0.1, 0.3) * 10, 6)) / 10,
        )

    def at(self, value: float) -> str:
        """The place of `value`, such as `37.5%`; beyond the ends it stays at the end."""
        share = (value - self.low) / (self.high - self.low)
        return f"{100 * min(max(share, 0.0), 1.0):.2f}%"

    def ticks(self) -> list[float]:
        """Round values from one end to the other: four to seven of them."""
        step = next((step for step in (0.1, 0.2, 0.25) if (self.high - self.low) / step <= 6), 0.5)
        first = math.ceil(round(self.low / step, 6))
        last = math.floor(round(self.high / step, 6))
        return [round(index * step, 2) for index in range(first, last + 1)]


class Bar(NamedTuple):
    """One bar of a bar chart."""

    name: str
    number: int
    extra: int
    """A second number of the row, shown but not drawn."""
    width: str
    """In per cent of the longest."""


def bars(rows: Iterable[tuple[str, int, int]]) -> list[Bar]:
    """Bars for (name, count, second number); the longest is as wide as its box."""
    rows = list(rows)
    longest = max((count for _, count, _ in rows), default=0)
    return [Bar(name, count, extra, f"{100 * count / max(longest, 1):.2f}%") for name, count, extra in rows]


def size_classes(sizes: list[list[int]]) -> list[Bar]:
    """Groups by size in classes 1, 2, 3–4, 5–8, ... : bars are items, the second number is groups."""
    found: dict[int, list[int]] = {}
    for size, groups in sorted(sizes):
        cell = found.setdefault((size - 1).bit_length(), [0, 0])
        cell[0] += size * groups
        cell[1] += groups
    names = {power: _class_name(power) for power in found}
    return bars((names[power], items, groups) for power, (items, groups) in found.items())


def _class_name(power: int) -> str:
    low, high = (1 << power >> 1) + 1, 1 << power
    return str(high) if low >= high else f"{low:,}–{high:,}"
