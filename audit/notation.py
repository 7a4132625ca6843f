"""How numbers are written, and series named, wherever a person reads them: in reasons, tables, pages and cards.

Kappas and p-values have no leading zero (`.47`), as in the tables of the papers. A number that does not exist is
the word `undefined`, never a zero.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

__all__ = [
    "NAMELESS",
    "NO_REPLY",
    "UNDEFINED",
    "count",
    "first_of",
    "interval",
    "kappa",
    "listed",
    "p_is",
    "p_value",
    "per_cent",
    "points",
    "points_within",
    "rounded",
    "series_title",
    "signed",
    "things",
]

UNDEFINED: Final = "undefined"

NO_REPLY: Final = "no reply"
"""What stands in place of the numbers of items that are all left out, on request, because they have no reply."""


def kappa(value: float | None, digits: int = 2) -> str:
    """`.47`, `-.03`, `1.00`; `undefined` for None and NaN; a rounded zero has no sign."""
    if value is None or math.isnan(value):
        return UNDEFINED
    text = f"{value:.{digits}f}"
    if float(text) == 0:
        text = text.removeprefix("-")
    return text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text


def signed(value: float | None, digits: int = 2) -> str:
    """A difference or a coefficient with its sign: `+1.52`, `-.03`, `.00`."""
    text = kappa(value, digits)
    return f"+{text}" if value is not None and value > 0 and float(text) != 0 else text


def interval(low: float | None, high: float | None) -> str:
    """`[.41, .53]`; empty if there is no interval."""
    return "" if low is None or high is None else f"[{kappa(low)}, {kappa(high)}]"


def p_value(value: float | None) -> str:
    """`.012`, or `<.001` below one in a thousand; empty if no test was made."""
    if value is None or math.isnan(value):
        return ""
    return "<.001" if value < 0.001 else kappa(value, 3)


def p_is(value: float | None, *, floor: float | None = None, permutations: int | None = None) -> str:
    """`p = .012`, or `p < .001` below one in a thousand; `p undefined` if no test was made.

    `floor` is the smallest p that the test could show. At it, the p is `p <= .002`, and with `permutations`, `p <=
    .002, the least that 499 permutations can show`.
    """
    if value is not None and floor is not None and value <= floor * (1 + 1e-9):
        # Rounded up, because p is at most the floor, and .0013 is not at most .001.
        least = f"p <= {kappa(math.ceil(floor * 1000 - 1e-6) / 1000, 3)}"
        return least if permutations is None else f"{least}, the least that {count(permutations)} permutations can show"
    text = p_value(value)
    return f"p < {text[1:]}" if text.startswith("<") else f"p = {text}" if text else f"p {UNDEFINED}"


def per_cent(value: float | None, digits: int = 1) -> str:
    """A share as `62.5 %`; `undefined` for None and NaN."""
    return UNDEFINED if value is None or math.isnan(value) else f"{100 * value:.{digits}f} %"


def points(share: float, sign: str = "") -> str:
    """A share or a difference of shares in percentage points: `62.5`, with `sign` "+" `+3.1`. Empty for NaN; a rounded
    zero has no sign."""
    if math.isnan(share):
        return ""
    text = f"{100 * share:{sign}.1f}"
    return "0.0" if float(text) == 0 else text


def points_within(share: float, low: float, high: float, sign: str = "") -> str:
    """`+3.1 [-1.0, 7.2]`: points with their interval, where there is one; empty for NaN."""
    text = points(share, sign)
    return text if not text or math.isnan(low) else f"{text} [{points(low)}, {points(high)}]"


def rounded(number: float) -> float:
    """A number without the noise in its last digits: `0.42045` and not `0.42045000000000005`. Whole ones stay."""
    return number if isinstance(number, int) else float(f"{number:.12g}")


def count(number: int) -> str:
    """`1,600`."""
    return f"{number:,}"


def things(number: int, singular: str, plural: str | None = None) -> str:
    """`1 group`, `293 groups`."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


NAMELESS: Final = "replies"
"""What a series is called that names neither model nor style nor run."""


def series_title(model: str, style: str = "", run: str = "") -> str:
    """`gpt-4, zero-shot, 2`: what tables, pages and notes call a series; parts that are empty are left out."""
    return listed(model, style, run)


def first_of(names: Sequence[str], most: int = 4) -> str:
    """`a`, `a and b`, `a, b, c, d and 3 more`: the first names, and how many there are besides."""
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most:,} more"
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def listed(*parts: str) -> str:
    """The parts that are not empty, with commas between them."""
    return ", ".join(filter(None, parts))
