"""Figure 2 of Pacchiardi et al. (2024): each model on each benchmark, its accuracy against the difference between the
parts, coloured by how strong the probe is."""

from __future__ import annotations

from typing import Final

from audit import notation
from audit.notation import one_line
from audit.reliance.figures.canvas import HEIGHT, LEFT, LINE, TOP, document, shown, text, upright, wide
from audit.reliance.records import Reliance
from audit.report.page.drawing import Scale
from audit.report.shades import LEGEND, shade

__all__ = ["scatter"]

_WIDE: Final = 560
_MOST: Final = 20
"""Benchmarks in the key."""


def scatter(study: Reliance, *, within_page: bool = False) -> str:
    """The figure as an SVG file that needs nothing else, or as an element of a page; a hover names the dot.

    Without pairs, a sentence.
    """
    kappas = {part.benchmark: part.kappa for part in study.benchmarks}
    drawn = [pair for pair in study.pairs if pair.accuracy is not None and pair.paper.estimate is not None]
    title = "Corrected accuracy and what the probe makes of it"
    if not drawn:
        return document(title, "No model answered items of both parts.", 480, 70, [], within_page=within_page)
    across = Scale.over([pair.accuracy for pair in drawn], 0.9)
    up = Scale.over([pair.paper.estimate for pair in drawn], 0.2)
    body = []
    for pair in drawn:
        x, y = across.at(pair.accuracy or 0.0), upright(up, pair.paper.estimate or 0.0)
        kappa = kappas[pair.benchmark]
        label = notation.listed(notation.series_title(pair.model, pair.style, pair.run), pair.benchmark)
        apart = notation.points(pair.paper.estimate or 0.0, "+")
        words = shown(f"{label}: {apart} points, kappa {notation.kappa(kappa)}", 200)
        body.append(f'<circle cx="{x}" cy="{y}" r="5.5" class="dot {shade(kappa)}"><title>{words}</title></circle>')
    key = _key(kappas)
    names = "corrected accuracy in per cent", "difference of it in points: probe right less probe wrong"
    lines = wide(body, _WIDE, across, up, names)
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
