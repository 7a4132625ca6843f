"""Drawing in SVG: text, plots, a file for light and dark; and the shades and words for a kappa."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple
from xml.sax.saxutils import escape

from hansproof.audit import notation
from hansproof.audit.notation import one_line
from hansproof.audit.report.document import Scale
from hansproof.audit.result.record import encodable

__all__ = [
    "HEIGHT",
    "LEFT",
    "LEGEND",
    "LINE",
    "TOP",
    "document",
    "framed",
    "palette",
    "plot",
    "shade",
    "shown",
    "strength",
    "style",
    "style_of",
    "text",
    "upright",
]


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
    sheet = style_of("style.css")
    rules: dict[str, list[Colours]] = {}
    for key, back, ink in _RULE.findall(sheet):
        rules.setdefault(key, []).append(Colours(back, ink))
    return {key: (light, dark) for key, (light, dark) in rules.items()}


def style_of(name: str) -> str:
    """A style sheet among the templates."""
    return (files("hansproof.audit.report") / "templates" / name).read_text(encoding="utf-8")


LEFT: Final = 64
TOP: Final = 74
HEIGHT: Final = 300
"""Pixels of the plot."""
LINE: Final = 16
_TITLE: Final = 8.8
"""Pixels of a letter of the title, and of a small one: wider than most."""
_QUIET: Final = 6.2


def shown(words: str, most: int = 200) -> str:
    """A stranger's text as one visible line, escaped and cut to `most` characters."""
    return escape(encodable(one_line(words, most)))


def text(x: float | str, y: float | str, words: str, anchor: str = "start", css: str = "", most: int = 200) -> str:
    """A line of text; as `shown`."""
    marked = f' class="{css}"' if css else ""
    place = f'x="{x if isinstance(x, str) else format(x, "g")}" y="{y if isinstance(y, str) else format(y, "g")}"'
    return f'<text {place} text-anchor="{anchor}"{marked}>{shown(words, most)}</text>'


def upright(scale: Scale, value: float) -> str:
    """The height of `value`: the scale runs up, SVG runs down."""
    return f"{100 - float(scale.at(value).rstrip('%')):.2f}%"


def plot(body: Sequence[str], width: int, across: Scale | None, up: Scale, names: tuple[str, str]) -> list[str]:
    """The plot with its grid and axes: `body` in a box of its own, in per cent of it.

    Both axes are shares or differences of shares, and their numbers per cent or points, as in tables.
    """
    lines = []
    for tick in up.ticks():
        css = "zero" if tick == 0 else "grid"
        lines.append(f'<path d="M{LEFT} {_level(up, tick):.1f}h{width}" class="{css}"/>')
        lines.append(text(LEFT - 8, round(_level(up, tick) + 4, 1), f"{100 * tick:.0f}", "end", "quiet"))
    bottom = TOP + HEIGHT
    if across is not None:
        for tick in across.ticks():
            x = LEFT + width * float(across.at(tick).rstrip("%")) / 100
            lines.append(f'<path d="M{x:.1f} {TOP}v{HEIGHT}" class="{"zero" if tick == 0 else "grid"}"/>')
            lines.append(text(round(x, 1), bottom + LINE, f"{100 * tick:.0f}", "middle", "quiet"))
        lines.append(text(LEFT + width / 2, bottom + 2 * LINE + 4, names[0], "middle"))
    lines.append(text(LEFT - 52, TOP - 12, names[1]))
    inner = f'<svg x="{LEFT}" y="{TOP}" width="{width}" height="{HEIGHT}" overflow="visible">'
    return [*lines, inner, *body, "</svg>"]


def _level(scale: Scale, value: float) -> float:
    return TOP + HEIGHT * float(upright(scale, value).rstrip("%")) / 100


def document(
    title: str, beneath: str, width: int, height: int, body: Sequence[str], *, within_page: bool = False
) -> str:
    """The file: `title` above, and `beneath` it what the figure shows. Within a page, whose style sheet has `style`, it
    is an element that brings no style of its own. It is at least as wide as these words."""
    longest = max(_TITLE * len(title), _QUIET * min(len(beneath), 400))
    top = [text(12, 24, title, css="title"), text(12, 42, beneath, css="quiet", most=400)]
    width = max(width, round(2 * 12 + longest))
    return framed(title, width, height, [*top, *body], style="" if within_page else style())


def framed(title: str, width: float, height: float, body: Sequence[str], *, css: str = "drawn", style: str = "") -> str:
    """An SVG file of that size on paper, of the class `css`; without a `style` where the page that it is in has one."""
    named = escape(encodable(one_line(title, 200)), {'"': "&quot;"})
    size = f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="{css}" {size} role="img" aria-label="{named}">'
    paper = '<rect width="100%" height="100%" class="paper"/>'
    own = [f"<style>{style}</style>"] if style else []
    return "\n".join([head, f"<title>{named}</title>", *own, paper, *body, "</svg>", ""])


def style() -> str:
    """The rules of all figures, and of the shades of a kappa, on paper and on dark screens."""
    light, dark = (
        "".join(f".drawn .{key} {{ fill: {colours[place].back}; }}\n" for key, colours in sorted(palette().items()))
        for place in (0, 1)
    )
    return f"{style_of('figures.css')}{light}@media screen and (prefers-color-scheme: dark) {{\n{dark}}}\n"
