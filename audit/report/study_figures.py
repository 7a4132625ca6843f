"""Figures 2 and 3 of Pacchiardi et al. (2024): models on benchmarks that a probe parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from hansproof.audit import notation
from hansproof.audit.models.reliance.reliance_records import PairResult, Reliance
from hansproof.audit.notation import one_line
from hansproof.audit.report.document import Scale
from hansproof.audit.report.drawing import HEIGHT, LEFT, LEGEND, LINE, TOP, document, plot, shade, shown, text, upright

__all__ = ["boxes", "scatter"]

# After Figure 3 of Pacchiardi et al. (2024); whiskers reach the farthest benchmark within one and a half times the box
# (Tukey 1977), and every benchmark has a dot: there are few, and a box hides how few.

_STEP: Final = 62
"""Pixels from model to model."""
_BOX: Final = 20
_LETTER: Final = 6.2
_NAME: Final = 36


def boxes(study: Reliance, *, within_page: bool = False) -> str:
    """The figure as an SVG file that needs nothing else, or as an element of a page.

    Accuracies are corrected by chance under the paper's protocol. A sentence where no benchmark has a shortcut.
    """
    of: dict[tuple[str, str, str], list[tuple[float, float]]] = {}
    for pair in study.pairs:
        if pair.shortcut and (shares := _shares(pair)) is not None:
            of.setdefault((pair.model, pair.style, pair.run), []).append(shares[1:])
    accuracy = _accuracy(study)
    title = f"{accuracy[:1].upper()}{accuracy[1:]} on items that the probe predicts, and on the others"
    if not of:
        return document(title, "No benchmark has a shortcut.", 480, 70, [], within_page=within_page)
    values = [value for pairs in of.values() for pair in pairs for value in pair]
    up = Scale.over(values, 0.9)
    width = max(_STEP * len(of), 420)
    body: list[str] = []
    names = [", ".join(part for part in key if part) for key in of]
    for place, pairs in enumerate(of.values()):
        middle = _STEP * (place + 0.5)
        for side, css, shares in zip((-1, 1), ("right", "wrong"), zip(*pairs, strict=True), strict=True):
            body += _box(middle + side * (_BOX / 2 + 2), shares, up, css)
    lines = plot(body, width, None, up, ("", f"{accuracy} in %"))
    bottom = TOP + HEIGHT
    for place, name in enumerate(names):
        x = LEFT + _STEP * (place + 0.5)
        label = text(0, 0, name, most=_NAME)
        lines.append(f'<g transform="translate({x:g} {bottom + 14}) rotate(40)">{label}</g>')
    for x, css, words in ((LEFT + 190, "right", "probe right"), (LEFT + 290, "wrong", "probe wrong")):
        lines.append(f'<rect x="{x}" y="{TOP - 22}" width="11" height="11" class="{css}"/>')
        lines.append(text(x + 16, TOP - 12, words, css="quiet"))
    longest = min(max(map(len, names)), _NAME) * _LETTER
    benchmarks = len({pair.benchmark for pair in study.pairs if pair.shortcut})
    beneath = f"Benchmarks with a shortcut: {benchmarks}. One dot per benchmark."
    across, down = round(LEFT + width + 10 + 0.77 * longest), round(bottom + 0.65 * longest + 2 * LINE)
    return document(title, beneath, across, down, lines, within_page=within_page)


def _box(x: float, values: Sequence[float], up: Scale, css: str) -> list[str]:
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


def _shares(pair: PairResult) -> tuple[float, float, float] | None:
    """Accuracy on all items and on both parts, as the study has it; None where a part has no items."""
    shares = (pair.accuracy, pair.on_right.share, pair.on_wrong.share)
    if (own := pair.corrected) is not None:
        shares = (own.accuracy, own.on_right, own.on_wrong)
    every, right, wrong = shares
    return None if every is None or right is None or wrong is None else (every, right, wrong)


def _accuracy(study: Reliance) -> str:
    return "corrected accuracy" if study.protocol == "paper" else "accuracy"


# Figure 2 of Pacchiardi et al. (2024): each model on each benchmark, its accuracy against the difference between the
# parts, coloured by how strong the probe is.

_WIDE: Final = 560
_MOST: Final = 20
"""Benchmarks in the key."""


def scatter(study: Reliance, *, within_page: bool = False) -> str:
    """The figure as an SVG file that needs nothing else, or as an element of a page; a hover names the dot.

    Without pairs, a sentence.
    """
    kappas = {part.benchmark: part.kappa for part in study.benchmarks}
    drawn = [(pair, shares) for pair in study.pairs if (shares := _shares(pair)) is not None]
    accuracy = _accuracy(study)
    title = f"{accuracy[:1].upper()}{accuracy[1:]}, and the difference where the probe is right"
    if not drawn:
        return document(title, "No model answered items of both parts.", 480, 70, [], within_page=within_page)
    across = Scale.over([every for _, (every, _, _) in drawn], 0.9)
    up = Scale.over([right - wrong for _, (_, right, wrong) in drawn], 0.2)
    body = []
    for pair, (every, right, wrong) in drawn:
        x, y = across.at(every), upright(up, right - wrong)
        kappa = kappas[pair.benchmark]
        label = notation.listed(notation.series_title(pair.model, pair.style, pair.run), pair.benchmark)
        apart = notation.points(right - wrong, "+")
        words = shown(f"{label}: {apart} points, kappa {notation.kappa(kappa)}", 200)
        body.append(f'<circle cx="{x}" cy="{y}" r="5.5" class="dot {shade(kappa)}"><title>{words}</title></circle>')
    key = _key(kappas)
    names = f"{accuracy} in per cent", "difference of it in points: probe right less probe wrong"
    lines = plot(body, _WIDE, across, up, names)
    height = max(TOP + HEIGHT + 4 * LINE, TOP + LINE * (len(kappas) + len(LEGEND) + 5))
    beneath = "One dot per model and benchmark. Above 0, a model does better where the probe does, as with easy items."
    return document(title, beneath, LEFT + _WIDE + 250, height, [*lines, *key], within_page=within_page)


def _key(kappas: dict[str, float | None]) -> list[str]:
    x, y = LEFT + _WIDE + 24, TOP
    lines = [text(x, y, "kappa of the probe")]
    for classes, words in LEGEND:
        y += LINE
        lines.append(f'<circle cx="{x + 6}" cy="{y - 4}" r="5.5" class="dot {classes[-1]}"/>')
        lines.append(text(x + 20, y, words, css="quiet"))
    y += LINE
    for name, kappa in list(kappas.items())[:_MOST]:
        y += LINE
        lines.append(f'<circle cx="{x + 6}" cy="{y - 4}" r="5.5" class="dot {shade(kappa)}"/>')
        lines.append(text(x + 20, y, f"{one_line(name, 24)} {notation.kappa(kappa)}", css="quiet"))
    if len(kappas) > _MOST:
        lines.append(text(x + 20, y + LINE, f"and {len(kappas) - _MOST} more", css="quiet"))
    return lines
