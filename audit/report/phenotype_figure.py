"""The figure: where a participant lies between random choices and people, metric by metric."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from typing import Final, NamedTuple

from hansproof.audit import notation
from hansproof.audit.notation import kappa
from hansproof.audit.phenotype.metric import FEWEST_RUNS
from hansproof.audit.phenotype.result import WIDE, MetricValue, Phenotype
from hansproof.audit.report import phenotype_words
from hansproof.audit.report.drawing import framed, style_of, text
from hansproof.generators.errors import UsageError

__all__ = ["MOST", "RIGHT", "figure", "style"]

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
        noted = len(together) == 1 and phenotype_words.title(together[0]) != together[0].title
        placed.append(FigureRow(f"{together[0].title} †" if noted else together[0].title, middle, height, marks))
        y += height
    return placed, y


_LINE: Final = 136
"""Characters of a line below the axis."""


def footnotes(phenotypes: Sequence[Phenotype]) -> list[str]:
    """The lines below the axis: what points, bars, arrows and hollow marks are, and a note for each dagger."""
    runs = [task.runs for phenotype in phenotypes for task in phenotype.tasks] or [0]
    count = f"{min(runs):,}" if min(runs) == max(runs) else f"{min(runs):,}–{max(runs):,}"
    legend = (
        f"Points: estimates; bars: 95 % bootstrap intervals over runs (n = {count} per task); arrow: continues beyond "
        f"the axis; hollow: no interval, mostly for fewer than {FEWEST_RUNS} runs."
    )
    notes = notation.gathered(
        (
            metric.caution.replace(WIDE, "the interval holds both 0 and 1"),
            metric.title + (f" ({phenotype.name or 'unnamed'})" if len(phenotypes) > 1 else ""),
        )
        for phenotype in phenotypes
        for metric in phenotype.profile
        if metric.caution and metric.value is not None
    )
    said = [f"† {', '.join(titles)}: {caution}." for caution, titles in notes.items()]
    return [line for text in (legend, *said) for line in textwrap.wrap(text, _LINE)]


# A dot plot with an axis of its own for nothing: every metric is standardised, (x - random) / (human - random), so all
# share one axis, on which the sign shows. What is undefined says so in its row; what lies beyond the axis is an arrow.


def style() -> str:
    """Style rules of the figure; a page that shows it inline needs them in its own style sheet. Colours are literal:
    programs that draw SVG files do not resolve variables."""
    return style_of("profile.css") + style_of("profile-dark.css")


_SHAPES: Final = (
    '<circle class="mark" cx="{x}" cy="{y}" r="5"/>',
    '<rect class="mark" x="{left}" y="{top}" width="9" height="9"/>',
    '<path class="mark" d="M{x} {up}l6 6l-6 6l-6 -6z"/>',
    '<path class="mark" d="M{x} {up}l6 10.5h-12z"/>',
    '<path class="mark" d="M{x} {down}l-6 -10.5h12z"/>',
    '<path class="mark" d="M{left} {top}h3v-3h3v3h3v3h-3v3h-3v-3h-3z"/>',
)
"""One shape per participant, so that colour is not needed to tell them apart."""


def figure(phenotypes: Sequence[Phenotype], *, within_page: bool = False) -> str:
    """The figure as an SVG file that needs nothing else, or to stand inside a page that has its `style`.

    The same phenotypes give the same text. Raises UsageError without phenotypes, and for more than `MOST` (6).
    """
    if not 1 <= len(phenotypes) <= MOST:
        raise UsageError(f"a figure shows one to {MOST} phenotypes, not {len(phenotypes)}")
    placed, bottom = rows(phenotypes)
    scale = axis(phenotypes)
    alone = len(phenotypes) == 1
    parts = [text(20, 32, phenotype_words.heading(phenotypes) if alone else "Phenotypes", css="title", most=90)]
    parts += [] if alone else [_legend(phenotypes)]
    parts += _bands(placed)
    foot = footnotes(phenotypes)
    parts += _axis(scale, bottom, foot)
    for row in placed:
        if not row.marks:
            parts.append(text(20, row.y + 4, row.title, css="group"))
            if row.title == "Behaviour":
                parts.append(text(108, row.y + 4, phenotype_words.STYLE, css="gap"))
            continue
        parts.append(text(LEFT - 16, row.y, row.title, "end", most=40))
        parts.append(text(LEFT - 16, row.y + 11, phenotype_words.UNITS[row.marks[0].metric.name], "end", "unit"))
        gap = _gap(row)
        parts += (
            [text(LEFT + 6, row.y + 4, gap, css="gap", most=68)]
            if gap
            else [_mark(mark, scale, alone) for mark in row.marks]
        )
        if alone:
            parts += _number(row.marks[0])
    if alone:
        parts.append(text(WIDTH - 20, 78, "value and 95 % CI", "end", "quiet"))
    title = f"{phenotype_words.heading(phenotypes)}: {phenotype_words.AXIS}"
    own = "" if within_page else style_of("profile-paper.css") + style_of("profile.css")
    return framed(title, WIDTH, bottom + 62 + 16 * len(foot), parts, css="profile", style=own)


def _bands(placed: list[FigureRow]) -> list[str]:
    """Every second row of a group has a ground, so that the eye stays in its row."""
    parts, second = [], False
    for row in placed:
        second = bool(row.marks) and not second
        if second:
            top = row.y - row.height / 2
            parts.append(f'<rect class="band" x="20" y="{top:g}" width="{WIDTH - 40}" height="{row.height:g}"/>')
    return parts


def _axis(scale: Axis, bottom: float, foot: Sequence[str]) -> list[str]:
    parts = []
    for tick in scale.ticks():
        x = scale.at(tick)
        if tick not in (0, 1):
            parts.append(f'<line class="grid" x1="{x}" x2="{x}" y1="88" y2="{bottom + 6:g}"/>')
        parts.append(text(x, bottom + 22, _minus(kappa(tick, 1) if tick % 1 else f"{tick:.0f}"), "middle", "quiet"))
    for value, name, anchor, aside in ((0.0, "random", "end", 6), (1.0, "human", "start", -6)):
        x = scale.at(value)
        parts.append(f'<line class="{name}" x1="{x}" x2="{x}" y1="84" y2="{bottom + 6:g}"/>')
        parts.append(text(x + aside, 78, name, anchor, "reference"))
    middle = (LEFT + scale.right) / 2
    parts.append(text(middle, bottom + 44, f"Standardised score: {phenotype_words.AXIS}", "middle", "quiet"))
    parts += [text(20, bottom + 66 + 16 * number, line, css="quiet") for number, line in enumerate(foot)]
    return parts


def _mark(mark: Mark, scale: Axis, alone: bool) -> str:
    metric, y = mark.metric, mark.y
    if metric.standard is None:
        return f'<g class="p{mark.participant}">{text(LEFT + 6, y + 4, phenotype_words.value(metric), css="small")}</g>'
    parts = []
    if metric.standard_low is not None and metric.standard_high is not None:
        ends = (scale.at(metric.standard_low), scale.at(metric.standard_high))
        parts.append(f'<line class="reach" x1="{ends[0]}" x2="{ends[1]}" y1="{y:g}" y2="{y:g}"/>')
        for end, x, outside, side in (
            ("low", ends[0], metric.standard_low < scale.low, -1),
            ("high", ends[1], metric.standard_high > scale.high, 1),
        ):
            if outside and scale.low <= metric.standard <= scale.high:
                parts.append(f'<path class="arrow {end}" d="M{x} {y - 5:g}l{7 * side} 5l{-7 * side} 5z"/>')
            elif not outside:
                parts.append(f'<line class="reach" x1="{x}" x2="{x}" y1="{y - 4:g}" y2="{y + 4:g}"/>')
    x = scale.at(metric.standard)
    if scale.low <= metric.standard <= scale.high:
        parts.append(_shape(mark.participant, x, y))
    else:
        side, anchor = (1, "end") if metric.standard > scale.high else (-1, "start")
        parts.append(f'<path class="mark" d="M{x} {y - 5.5:g}l{10 * side} 5.5l{-10 * side} 5.5z"/>')
        parts.append(text(x - 6 * side, y + 4, _minus(phenotype_words.standard(metric)), anchor, "quiet beyond"))
    if metric.caution and not alone:  # alone, it stands beside the title
        parts.append(text(x + 8, y, "†", css="small"))
    lone = " hollow" if metric.standard_low is None else ""
    return f'<g class="p{mark.participant}{lone}">{"".join(parts)}</g>'


def _gap(row: FigureRow) -> str:
    """What stands in a row in which nobody has a value; empty where somebody has one."""
    if any(mark.metric.standard is not None for mark in row.marks):
        return ""
    return " / ".join(dict.fromkeys(phenotype_words.value(mark.metric) for mark in row.marks))


def _shape(participant: int, x: float, y: float) -> str:
    places = {"x": x, "y": y, "left": x - 4.5, "top": y - 4.5, "up": y - 6, "down": y + 6}
    return _SHAPES[participant].format(**{name: f"{value:g}" for name, value in places.items()})


def _number(mark: Mark) -> list[str]:
    metric = mark.metric
    if metric.value is None:
        return []
    said = f"{phenotype_words.number(metric, metric.value)} {phenotype_words.ends(metric)}".strip()
    return [text(WIDTH - 20, mark.y + 4, _minus(said), "end")]


def _legend(phenotypes: Sequence[Phenotype]) -> str:
    """Names beside their marks, one after the other, in as many rows as they need."""
    parts: list[str] = []
    x, y = 150.0, 27.0
    for number, phenotype in enumerate(phenotypes):
        name = phenotype.name or "unnamed"
        width = 44 + 7.2 * min(len(name), 30)
        if x + width > WIDTH - 10 and parts:
            x, y = 150.0, y + 20
        drawn = text(x + 12, y + 4, name, most=30)
        parts.append(f'<g class="p{number}">{_shape(number, x, y)}{drawn}</g>')
        x += width
    return "".join(parts)


def _minus(text: str) -> str:
    """With the sign for minus in place of the hyphen."""
    return text.replace("-", "−")
