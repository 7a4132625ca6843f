"""Figure 3 of Pacchiardi et al. (2024): the accuracy of each model over the benchmarks with a shortcut, on both parts.

A box runs from the lower to the upper quartile with a line at the median, whiskers to the farthest benchmark within one
and a half times its height, and a dot for every benchmark (Tukey 1977): there are few, and a box hides how few.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from audit.reliance.figures.canvas import HEIGHT, LEFT, LINE, TOP, document, text, upright, wide
from audit.reliance.records import PairResult, Reliance
from audit.report.page.drawing import Scale

__all__ = ["boxes"]

_STEP: Final = 62
"""Pixels from model to model."""
_BOX: Final = 20
_LETTER: Final = 6.2
_NAME: Final = 36


def boxes(study: Reliance, *, within_page: bool = False) -> str:
    """The figure as an SVG file that needs nothing else, or as an element of a page.

    A sentence where no benchmark has a shortcut.
    """
    of: dict[tuple[str, str, str], list[PairResult]] = {}
    for pair in study.pairs:
        if pair.shortcut and pair.on_right is not None and pair.on_wrong is not None:
            of.setdefault((pair.model, pair.style, pair.run), []).append(pair)
    title = "Corrected accuracy on items that the probe predicts, and on the others"
    if not of:
        return document(title, "No benchmark has a shortcut.", 480, 70, [], within_page=within_page)
    values = [value for pairs in of.values() for pair in pairs for value in (pair.on_right, pair.on_wrong)]
    up = Scale.over(values, 0.9)
    width = max(_STEP * len(of), 420)
    body: list[str] = []
    names = [", ".join(part for part in key if part) for key in of]
    for place, pairs in enumerate(of.values()):
        middle = _STEP * (place + 0.5)
        for side, css, part in ((-1, "right", "on_right"), (1, "wrong", "on_wrong")):
            shares = [pair.on_right if part == "on_right" else pair.on_wrong for pair in pairs]
            body += _box(middle + side * (_BOX / 2 + 2), [share for share in shares if share is not None], up, css)
    lines = wide(body, width, None, up, ("", "corrected accuracy in %"))
    bottom = TOP + HEIGHT
    for place, name in enumerate(names):
        x = LEFT + _STEP * (place + 0.5)
        label = text(0, 0, name, most=_NAME)
        lines.append(f'<g transform="translate({x:g} {bottom + 14}) rotate(40)">{label}</g>')
    for x, css, words in ((LEFT + 190, "right", "probe right"), (LEFT + 290, "wrong", "probe wrong")):
        lines.append(f'<rect x="{x}" y="{TOP - 22}" width="11" height="11" class="{css}"/>')
        lines.append(text(x + 16, TOP - 12, words, css="quiet"))
    longest = min(max(map(len, names)), _NAME) * _LETTER
    benchmarks = len({pair.benchmark for pairs in of.values() for pair in pairs})
    beneath = f"Benchmarks with a shortcut: {benchmarks}. One dot per benchmark."
    across, down = round(LEFT + width + 10 + 0.77 * longest), round(bottom + 0.65 * longest + 2 * LINE)
    return document(title, beneath, across, down, lines, within_page=within_page)


def _box(x: float, values: list[float], up: Scale, css: str) -> list[str]:
    low, middle, high = np.percentile(values, (25, 50, 75))
    reach = 1.5 * (high - low)
    ends = [value for value in values if low - reach <= value <= high + reach]
    bottom, top, line = upright(up, low), upright(up, high), upright(up, middle)
    height = f"{float(bottom.rstrip('%')) - float(top.rstrip('%')):.2f}%"
    left = x - _BOX / 2
    return [
        f'<line x1="{x:g}" x2="{x:g}" y1="{upright(up, min(ends))}" y2="{upright(up, max(ends))}" class="whisker"/>',
        f'<rect x="{left:g}" y="{top}" width="{_BOX}" height="{height}" class="{css}"/>',
        f'<line x1="{left:g}" x2="{left + _BOX:g}" y1="{line}" y2="{line}" class="median"/>',
        *(f'<circle cx="{x:g}" cy="{upright(up, value)}" r="2.5" class="dot {css}"/>' for value in sorted(values)),
    ]
