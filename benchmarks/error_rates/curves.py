"""The power curves as SVG: share of LEAKS, and of LEAKS or TRACES, against the strength of the cue, by n."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from xml.sax.saxutils import escape

from error_rates.rates import Case, Rate, pooled

__all__ = ["power_curves"]

_PANEL: Final = (250, 190)
"""Width and height of a plot."""
_LEFT, _TOP, _GAP = 52, 58, 40
_STRONGEST: Final = 0.45
_DASHES: Final = ("", "7 4", "2 3", "9 3 2 3")
_LIGHT: Final = {"paper": "#ffffff", "ink": "#1c1f26", "soft": "#555d6b", "line": "#16324f", "limit": "#b3261e"}
_DARK: Final = {"paper": "#1b1e24", "ink": "#e8e6e1", "soft": "#a9b0bc", "line": "#b9d4f2", "limit": "#ff8f85"}


def power_curves(rows: Sequence[Case], threshold: float = 0.2) -> str:
    """One plot per kind of cue. Bars are exact 95 % intervals; the dashed red line is the threshold."""
    cued = [row for row in rows if row.family.startswith("cue: ") and row.kappa is not None]
    kinds = [kind for kind in dict.fromkeys(row.family for row in cued) if _measured(cued, kind) > 1]
    across = min(3, max(1, len(kinds)))
    down = -(-len(kinds) // across)
    width = _LEFT + across * (_PANEL[0] + _GAP)
    height = _TOP + down * (_PANEL[1] + 76) + 8
    body = [_text(20, 28, "Share of LEAKS by strength of the cue", "title")]
    sizes = sorted({row.n for row in cued})
    for index, kind in enumerate(kinds):
        x, y = _LEFT + (index % across) * (_PANEL[0] + _GAP), _TOP + (index // across) * (_PANEL[1] + 76)
        body += _panel(kind, [row for row in cued if row.family == kind], sizes, x, y, threshold)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'role="img"><title>Share of audits called LEAKS against the kappa of a perfect reader of the cue</title>'
    )
    paper = '<rect class="paper" width="100%" height="100%" rx="8"/>'
    return "\n".join([head, f"<style>{_style()}</style>", paper, *body, "</svg>", ""])


def _measured(rows: Sequence[Case], kind: str) -> int:
    return len({row.kappa for row in rows if row.family == kind})


def _panel(kind: str, rows: Sequence[Case], sizes: Sequence[int], x: int, y: int, threshold: float) -> list[str]:
    wide, high = _PANEL
    body = [_text(x, y - 8, kind.removeprefix("cue: "), "name")]
    body.append(f'<path class="axis" d="M{x} {y}V{y + high}H{x + wide}"/>')
    for share in (0, 50, 100):
        level = y + high * (1 - share / 100)
        body.append(_text(x - 6, level + 4, f"{share} %", "soft", "end"))
    body += [
        _text(_across(x, tick), y + high + 16, f"{tick:g}".removeprefix("0"), "soft", "middle")
        for tick in (0.1, 0.2, 0.3, 0.4)
    ]
    limit = _across(x, threshold)
    body.append(f'<path class="limit" d="M{limit:.1f} {y}V{y + high}"/>')
    shown = [n for n in sizes if any(row.n == n for row in rows)]
    for place, n in enumerate(shown):
        rates = _by_strength([row for row in rows if row.n == n])
        dash = _DASHES[sizes.index(n) % len(_DASHES)]
        body += _curve(rates, x, y, dash)
        key = x + place * 96
        body.append(f'<path class="line" stroke-dasharray="{dash}" d="M{key} {y + high + 32}h24"/>')
        body.append(_text(key + 29, y + high + 36, f"n = {n:,}", "soft"))
    return body


def _by_strength(rows: Sequence[Case]) -> list[tuple[float, Rate]]:
    strengths = sorted({row.kappa for row in rows if row.kappa is not None})
    return [(kappa, pooled([row for row in rows if row.kappa == kappa], ["LEAKS"])) for kappa in strengths]


def _curve(rates: Sequence[tuple[float, Rate]], x: int, y: int, dash: str) -> list[str]:
    points = [(_across(x, kappa), _up(y, rate.share), rate.interval) for kappa, rate in rates]
    path = "L".join(f"{px:.1f} {py:.1f}" for px, py, _ in points)
    body = [f'<path class="line" stroke-dasharray="{dash}" d="M{path}"/>']
    for px, py, (low, high) in points:
        body.append(f'<path class="bar" d="M{px:.1f} {_up(y, low):.1f}V{_up(y, high):.1f}"/>')
        body.append(f'<circle class="point" cx="{px:.1f}" cy="{py:.1f}" r="3"/>')
    return body


def _across(x: int, kappa: float) -> float:
    return x + _PANEL[0] * kappa / _STRONGEST


def _up(y: int, share: float) -> float:
    return y + _PANEL[1] * (1 - share)


def _text(x: float, y: float, text: str, style: str = "", anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{style}" text-anchor="{anchor}">{escape(text)}</text>'


def _style() -> str:
    shapes = (
        'text{font:13px system-ui,-apple-system,"Segoe UI",sans-serif}.title{font-weight:750;font-size:16px}'
        ".name{font-weight:700}.axis{fill:none;stroke-width:1}.line{fill:none;stroke-width:2}"
        ".bar{stroke-width:1.5;opacity:.5}.limit{stroke-width:1.5;stroke-dasharray:4 3}"
    )
    return f"{shapes}{_colours(_LIGHT)}@media(prefers-color-scheme:dark){{{_colours(_DARK)}}}"


def _colours(names: dict[str, str]) -> str:
    return (
        f"text{{fill:{names['ink']}}}.soft{{fill:{names['soft']}}}.paper{{fill:{names['paper']}}}"
        f".point{{fill:{names['line']}}}.line,.bar{{stroke:{names['line']}}}.axis{{stroke:{names['soft']}}}"
        f".limit{{stroke:{names['limit']}}}"
    )
