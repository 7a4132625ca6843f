"""The figures of an audit: z against count of each n-gram, and the heat maps of a folder."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable
from typing import Final, Literal, NamedTuple

from hansproof.audit import notation
from hansproof.audit.notation import drawn
from hansproof.audit.result.audit_result import AuditResult, ScanResult, VectorResult
from hansproof.audit.result.record import or_least
from hansproof.audit.result.shortcuts import NgramCell, NgramTest, SingleNgrams

__all__ = ["maps", "scatter"]

# Across, positions are percentages, so that one drawing fits every width. Labels keep their size, so they are placed
# for a phone and for a wide window, each at its smallest width: positions only move apart, so none overlap.

HEIGHT: Final = 320
"""Pixels from the top of the plot to its axis."""

_WIDTHS: Final = (("narrow", 230), ("wide", 560))
"""Smallest width of the plot in pixels in each layout of the style sheet."""

_LABELLED, _LETTERS = 12, 18
_LINE, _GAP, _LETTER = 14, 9, 7.3
"""Pixels: height of a label, its distance from the dot, width of a letter."""
_LEFT, _RIGHT = 3.0, 97.0
"""Per cent: where the axis begins and ends."""


class Dot(NamedTuple):
    """A disc of the figure, or a ring around an n-gram with a label."""

    x: str
    y: float
    radius: float
    label: str | None
    """The answer that it points to; None if it is not significant."""


class Label(NamedTuple):
    """The name of an n-gram beside its ring."""

    x: str
    y: float
    shift: float
    """Pixels to the right of `x`."""
    anchor: str
    text: str
    layout: str
    """`narrow` or `wide`."""


class Tick(NamedTuple):
    """A number on an axis: a percentage for the counts, pixels for z."""

    at: str
    text: str


class Scatter(NamedTuple):
    """All that the template draws."""

    dots: list[Dot]
    rings: list[Dot]
    labels: list[Label]
    curves: list[str]
    """Points of polylines in a box of 1,000 by `HEIGHT`."""
    across: list[Tick]
    up: list[Tick]


class _Box(NamedTuple):
    """What a label must not cover, in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: _Box) -> bool:
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


def scatter(survey: SingleNgrams) -> Scatter | None:
    """The figure of a survey; None without n-grams."""
    if not survey.cells:
        return None
    least = math.log2(survey.fewest)
    entries: list[NgramCell | NgramTest] = [*survey.cells, *survey.worst]
    most = max(math.log2(max(entry.count for entry in entries)), least + 1)
    tops = [entry.z for entry in entries]
    top = max(*tops, 1.05 * min((z for curve in survey.curves for _, z in curve.points), default=1.0), 1.0) * 1.06

    def x(count: float) -> float:
        return _LEFT + (_RIGHT - _LEFT) * (math.log2(count) - least) / (most - least)

    def y(z: float) -> float:
        return round(HEIGHT * (1 - max(z, 0.0) / top), 1)

    named = survey.worst[:_LABELLED]
    return Scatter(
        dots=[
            Dot(f"{x(cell.count):.2f}%", y(cell.z), round(2.0 + 1.1 * math.log10(cell.ngrams), 1), cell.label)
            for cell in sorted(survey.cells, key=lambda cell: cell.label is not None)  # significant ones on top
        ],
        rings=[Dot(f"{x(test.count):.2f}%", y(test.z), 5.5, test.label) for test in named],
        labels=[label for layout in _WIDTHS for label in _labels(named, x, y, *layout)],
        curves=[
            " ".join(f"{10 * x(n):.1f},{y(z)}" for n, z in curve.points if z <= top)
            for curve in survey.curves
            if any(z <= top for _, z in curve.points)
        ],
        across=_counts(least, most, x),
        up=_zs(top, y),
    )


def _labels(
    named: list[NgramTest], x: Callable[[float], float], y: Callable[[float], float], layout: str, width: int
) -> list[Label]:
    """Labels right or left of their dots, level with them or a little higher or lower; those without room are left out.

    The worst n-gram is placed first. A label covers neither another one nor the ring of another n-gram.
    """
    centres = [(width * x(test.count) / 100, y(test.z)) for test in named]
    rings = [_Box(across - 5, down - 5, across + 5, down + 5) for across, down in centres]
    taken: list[_Box] = []
    labels = []
    for own, test in enumerate(named):
        text = notation.one_line(drawn(test.ngram), _LETTERS)
        size = sum(2.0 if unicodedata.east_asian_width(letter) in "WF" else 1.0 for letter in text) * _LETTER
        centre, level = centres[own]
        for anchor, rise in _PLACES:
            left = centre + _GAP if anchor == "start" else centre - _GAP - size
            box = _Box(left, level + rise - _LINE / 2, left + size, level + rise + _LINE / 2)
            inside = box.left >= 0 and box.right <= width and box.top >= -_LINE / 2 and box.bottom <= HEIGHT
            blocked = [*taken, *(ring for other, ring in enumerate(rings) if other != own)]
            if inside and not any(box.meets(other) for other in blocked):
                taken.append(box)
                shift = _GAP if anchor == "start" else -_GAP
                labels.append(Label(f"{x(test.count):.2f}%", level + rise + 4, shift, anchor, text, layout))
                break
    return labels


_PLACES: Final = (("start", 0.0), ("end", 0.0), ("start", -10.0), ("end", -10.0), ("start", 10.0), ("end", 10.0))


def _counts(least: float, most: float, x: Callable[[float], float]) -> list[Tick]:
    """Four to six round counts: 10, 100, 1,000, with 2 and 5 between them where there is room."""
    digits = (1, 2, 5) if most - least < 7 else (1,) if most - least > 12 else (1, 3)
    numbers = [digit * 10**power for power in range(9) for digit in digits]
    return [Tick(f"{x(n):.2f}%", f"{n:,}") for n in numbers if least <= math.log2(n) <= most]


def _zs(top: float, y: Callable[[float], float]) -> list[Tick]:
    step = next((step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500) if top / step <= 7), 1000)
    return [Tick(f"{y(z):.1f}", str(z)) for z in range(0, int(top) + 1, step)]


# Heat maps of a folder: benchmarks by feature vectors, as in Figure 1 of Pacchiardi et al. (2024).


class Strongest(NamedTuple):
    """The highest kappa of the thirteen feature vectors under random folds."""

    value: float | None
    label: str
    framed: bool
    """The verdict is about random folds."""


class HeatRow(NamedTuple):
    """One benchmark of a heat map."""

    number: int
    """The number of its section."""
    result: AuditResult
    values: list[float | None]
    """One kappa for each feature vector."""
    framed: str | None
    """The feature vector that the verdict is about, if it is about this scheme."""
    strongest: Strongest | None
    """For the column beside the map; None without random folds."""


class HeatMap(NamedTuple):
    """Benchmarks by feature vectors for one fold scheme and one kappa."""

    title: str
    vectors: list[VectorResult]
    """One of each, the thirteen first, for its names."""
    rows: list[HeatRow]
    beside: bool
    """Whether the column of random folds stands beside the map."""


_MEASURES: Final[tuple[tuple[str, Literal["matched", "uniform"], str], ...]] = (
    ("grouped", "matched", "Cohen's kappa, grouped folds"),
    ("random", "matched", "Cohen's kappa, random folds"),
    ("grouped", "uniform", "Uniform-chance kappa, grouped folds"),
    ("random", "uniform", "Uniform-chance kappa, random folds"),
    ("published", "matched", "Cohen's kappa, published split"),
    ("paper", "uniform", "Uniform-chance kappa, the paper's single split"),
    ("paper", "matched", "Cohen's kappa, the paper's single split"),
)


def maps(scan: ScanResult) -> list[HeatMap]:
    """A map for each fold scheme and kappa that was measured; the one that decides most verdicts comes first."""
    return [
        _map(name, measure, title, measured)
        for name, measure, title in _MEASURES
        if (measured := [(n, result) for n, result in enumerate(scan.results, start=1) if result.scheme(name)])
    ]


def _map(
    name: str, measure: Literal["matched", "uniform"], title: str, measured: list[tuple[int, AuditResult]]
) -> HeatMap:
    vectors: dict[str, VectorResult] = {}
    for _, result in measured:
        for vector in _vectors(result, name):
            vectors.setdefault(vector.vector, vector)
    columns = sorted(vectors.values(), key=lambda vector: not vector.counted)
    rows = []
    for number, result in measured:
        values = {v.vector: v.matched if measure == "matched" else v.uniform for v in _vectors(result, name)}
        framed = result.vector if _is_about(result, name) else None
        rows.append(
            HeatRow(number, result, [values.get(column.vector) for column in columns], framed, _strongest(result))
        )
    beside = (name, measure) == ("grouped", "matched") and any(row.strongest for row in rows)
    if any(result.options is not None for _, result in measured):
        title += " (where items have their own options: kappa beyond guessing among them)"
    return HeatMap(title, columns, rows, beside)


def _vectors(result: AuditResult, name: str) -> list[VectorResult]:
    scheme = result.scheme(name)
    return scheme.vectors if scheme is not None else []


def _is_about(result: AuditResult, name: str) -> bool:
    return result.deciding_scheme is not None and result.deciding_scheme.scheme == name


def _strongest(result: AuditResult) -> Strongest | None:
    counted = [vector for vector in _vectors(result, "random") if vector.counted]
    if not counted:
        return None
    best = max(counted, key=lambda vector: or_least(vector.matched))
    return Strongest(best.matched, best.label, _is_about(result, "random"))
