"""Drawings of a page: bars, and the shades and words for a kappa."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from hansproof.audit import notation

__all__ = ["LEGEND", "bars", "palette", "shade", "size_classes", "strength"]


class Bar(NamedTuple):
    """One bar of a bar chart."""

    name: str
    number: int
    extra: int
    """A second number, shown but not drawn."""
    width: str
    """As a percentage of the longest bar."""


def bars(rows: Iterable[tuple[str, int, int]]) -> list[Bar]:
    """Bars for (name, count, second number); the longest fills its box."""
    rows = list(rows)
    longest = max((count for _, count, _ in rows), default=0)
    return [Bar(name, count, extra, f"{100 * count / max(longest, 1):.2f}%") for name, count, extra in rows]


def size_classes(sizes: list[list[int]]) -> list[Bar]:
    """Groups in size classes 1, 2, 3–4, 5–8, ...; bars show items, the second number counts groups."""
    classes: dict[int, list[int]] = {}
    for size, groups in sorted(sizes):
        totals = classes.setdefault((size - 1).bit_length(), [0, 0])
        totals[0] += size * groups
        totals[1] += groups
    return bars((_class_name(power), items, groups) for power, (items, groups) in classes.items())


def _class_name(power: int) -> str:
    low, high = (1 << power >> 1) + 1, 1 << power
    return str(high) if low >= high else f"{low:,}–{high:,}"


# Landis and Koch (1977) have the words. Lightness falls from one shade to the next (in dark mode it rises), so the
# shades can be told apart without hue.

_RULE: Final = re.compile(r"^\s*\.(h\w) \{ background: (#\w+); color: (#\w+); \}", re.M)

_WORDS: Final = ("slight", "fair", "moderate", "substantial", "almost perfect")
"""The words for each fifth between 0 and 1."""

LEGEND: Final[tuple[tuple[tuple[str, ...], str], ...]] = (
    (("hn",), "below 0"),
    *(
        (
            (f"h{2 * step}", f"h{2 * step + 1}"),
            f"{notation.kappa(step / 5, 1) if step else '0'}–{notation.kappa((step + 1) / 5, 1)} {word}",
        )
        for step, word in enumerate(_WORDS)
    ),
)
"""The classes that share a word, and that word with its range."""


def shade(value: float | None) -> str:
    """The class of a kappa, by the two digits that are shown; `hx` if it is undefined."""
    if value is None or math.isnan(value):
        return "hx"
    shown = round(value, 2)
    return "hn" if shown < 0 else f"h{min(math.floor(round(shown * 100) / 10), 9)}"


def strength(value: float | None) -> str:
    """The word for a kappa; `nothing beyond chance` up to 0, `undefined` for None and NaN."""
    if value is None or math.isnan(value):
        return notation.UNDEFINED
    if value <= 0:
        return "nothing beyond chance"
    return next((word for step, word in enumerate(_WORDS) if value <= (step + 1) / 5), _WORDS[-1])


class Colours(NamedTuple):
    """The colours of a cell."""

    back: str
    ink: str


@cache
def palette() -> dict[str, tuple[Colours, Colours]]:
    """The colours of every class on light and on dark paper, read from the style sheet of all pages."""
    sheet = (files("hansproof.audit.report") / "templates" / "style.css").read_text(encoding="utf-8")
    rules: dict[str, list[Colours]] = {}
    for key, back, ink in _RULE.findall(sheet):
        rules.setdefault(key, []).append(Colours(back, ink))
    return {key: (light, dark) for key, (light, dark) in rules.items()}
