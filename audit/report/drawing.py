"""The shades and words for a kappa."""

from __future__ import annotations

import math
import re
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from hansproof.audit import notation

__all__ = ["LEGEND", "palette", "shade", "strength"]


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
