"""An SVG file of its own: paper, title, axes on the page's scales, and colours for light and dark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final
from xml.sax.saxutils import escape

from audit.notation import one_line
from audit.report.page.drawing import Scale
from audit.report.shades import palette
from audit.result.record import encodable

__all__ = ["HEIGHT", "LEFT", "LINE", "TOP", "document", "shown", "style", "text", "upright", "wide"]

LEFT: Final = 64
TOP: Final = 74
HEIGHT: Final = 300
"""Pixels of the plot."""
LINE: Final = 16
_TITLE: Final = 8.8
"""Pixels of a letter of the title, and of a small one: wider than most."""
_QUIET: Final = 6.2
_FONT: Final = 'system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif'


def shown(words: str, most: int = 160) -> str:
    """A stranger's text as one visible line, escaped and cut to `most` characters."""
    return escape(encodable(one_line(words, most)))


def text(x: float | str, y: float | str, words: str, anchor: str = "start", css: str = "", most: int = 160) -> str:
    """A line of text; as `shown`."""
    marked = f' class="{css}"' if css else ""
    place = f'x="{x if isinstance(x, str) else format(x, "g")}" y="{y if isinstance(y, str) else format(y, "g")}"'
    return f'<text {place} text-anchor="{anchor}"{marked}>{shown(words, most)}</text>'


def upright(scale: Scale, value: float) -> str:
    """The height of `value`: the scale runs up, SVG runs down."""
    return f"{100 - float(scale.at(value).rstrip('%')):.2f}%"


def wide(body: Sequence[str], width: int, across: Scale | None, up: Scale, names: tuple[str, str]) -> list[str]:
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
    width = max(width, round(2 * 12 + longest))
    named = escape(encodable(one_line(title, 200)), {'"': "&quot;"})
    kind = 'class="drawn"' if within_page else 'xmlns="http://www.w3.org/2000/svg"'
    head = (
        f'<svg {kind} viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" aria-label="{named}">'
    )
    paper = '<rect width="100%" height="100%" class="paper"/>'
    top = [text(12, 24, title, css="title"), text(12, 42, beneath, css="quiet", most=400)]
    own = [] if within_page else [f"<style>{style()}</style>"]
    return "\n".join([head, f"<title>{named}</title>", *own, paper, *top, *body, "</svg>", ""])


def style(within: str = "") -> str:
    """The rules of the figures, for paper and for dark screens; `within` is the selector of what they hold in."""
    light = {key: f"fill:{colours[0].back}" for key, colours in sorted(palette().items())}
    dark = {key: f"fill:{colours[1].back}" for key, colours in sorted(palette().items())}
    screen = "screen and " if within else ""
    return (
        f"{_rules(_LIGHT, within, '')}{_rules(light, within, '.')}"
        f"@media {screen}(prefers-color-scheme:dark){{{_rules(_DARK, within, '')}{_rules(dark, within, '.')}}}"
    )


def _rules(rules: Mapping[str, str], within: str, sign: str) -> str:
    inside = f"{within} " if within else ""
    return "".join(
        ",".join(f"{inside}{sign}{selector}" for selector in selectors.split(",")) + f"{{{rule}}}"
        for selectors, rule in rules.items()
    )


_LIGHT: Final = {
    "text": f"font:12px {_FONT};fill:#1b1f27",
    ".title": "font-size:15px;font-weight:600",
    ".paper": "fill:#ffffff",
    ".quiet": "fill:#555d6b;font-size:11px",
    ".grid": "stroke:#e3e1db",
    ".zero": "stroke:#8a8f99",
    ".dot": "stroke:#1b1f27",
    ".right": "fill:#4c6a92",
    ".wrong": "fill:#d98b4a",
    ".whisker,.median": "stroke:#1b1f27;stroke-width:1.5;fill:none",
}
_DARK: Final = {
    "text": "fill:#eef0f3",
    ".paper": "fill:#1b1e24",
    ".quiet": "fill:#a9b0bc",
    ".grid": "stroke:#363b45",
    ".zero": "stroke:#7d8694",
    ".dot,.whisker,.median": "stroke:#eef0f3",
    ".right": "fill:#86a8d6",
    ".wrong": "fill:#e8a76c",
}
