"""What the records of each task hold: one row per trial (per run for temporal discounting), in plain numbers.

Arms are numbers, 0 and 1, in the order of the item's metadata; letters, cover stories and prompts are gone.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

__all__ = ["COLUMNS", "Column", "number_in"]

_LARGEST: Final = 1e9
"""No reward, mean or count of these tasks is larger."""


@dataclass(frozen=True)
class Column:
    """One column of the records of a task."""

    name: str
    low: float = -_LARGEST
    """Smallest value that it may hold."""
    high: float = _LARGEST
    whole: bool = False
    """Whether only whole numbers are values; `true` and `false` count as 1 and 0."""
    words: tuple[str, ...] = ()
    """Words that stand for 0, 1, ... in this order."""
    open: bool = False
    """Whether the ends themselves are not allowed."""
    needed: bool = True
    """Whether a metric uses it: a row without it is left out. Other columns may be absent."""

    @property
    def means(self) -> str:
        """`0 or 1`, `a number from 0 to 1`: what a fault says should stand there."""
        if self.words:
            return " or ".join(repr(word) for word in self.words)
        if self.whole and (self.low, self.high) == (0, 1):
            return "0 or 1"
        kind = "a whole number" if self.whole else "a number"
        if self.low == -_LARGEST:
            return kind
        if self.high == _LARGEST:
            return f"{kind} of at least {self.low:g}"
        return f"{kind} {'between' if self.open else 'from'} {self.low:g} {'and' if self.open else 'to'} {self.high:g}"


def _bit(name: str, *, needed: bool = True) -> Column:
    return Column(name, 0, 1, whole=True, needed=needed)


def _count(name: str, *, needed: bool = True) -> Column:
    return Column(name, 0, whole=True, needed=needed)


def _aside(name: str) -> Column:
    return Column(name, needed=False)


COLUMNS: Final[Mapping[str, tuple[Column, ...]]] = {
    "probabilistic-reasoning": (
        Column("informative", words=("prior", "likelihood"), needed=False),
        Column("prior", 0, 1, open=True),
        Column("likelihood", 0, 1, open=True),
        _bit("red"),
        Column("estimate", 0, 1),
    ),
    "horizon": (
        _count("trial"),
        Column("mean_0"),
        Column("mean_1"),
        _aside("reward_0"),
        _aside("reward_1"),
        _bit("choice"),
        Column("reward"),
    ),
    "restless-bandit": (
        _count("block"),
        _count("trial"),
        _bit("choice"),
        Column("reward"),
        Column("confidence", 0, 1, needed=False),
        _bit("accurate"),
    ),
    "instrumental-learning": (
        _count("trial"),
        _count("casino"),
        _aside("mean_0"),
        _aside("mean_1"),
        _aside("reward_0"),
        _aside("reward_1"),
        _bit("choice"),
        Column("reward", 0, 1),
    ),
    "two-step": (
        _count("trial"),
        _bit("action"),
        _bit("state"),
        _bit("choice", needed=False),
        _bit("reward"),
        *(Column(f"chance_{arm}", 0, 1, needed=False) for arm in range(4)),
    ),
    "temporal-discounting": (
        Column("score", 0, 19, whole=True),
        *(Column(series, 0, 5, whole=True, needed=False) for series in ("gain", "large_gain", "loss")),
        _bit("present_bias", needed=False),
        _bit("subadditivity", needed=False),
        _bit("delay_speedup", needed=False),
        _bit("delay_length", needed=False),
    ),
    "balloons": (
        _count("balloon", needed=False),
        _count("capacity", needed=False),
        _count("pumps"),
        _bit("burst"),
        Column("reward", 0),
    ),
}
"""Tasks in the order of the profile, and the columns of each. Every row also has `run`: any number or word."""


def number_in(column: Column, value: object) -> float:
    """The number that a cell holds; NaN for a blank one (None, NaN, no text).

    Raises ValueError, saying what should stand there, for anything else.
    """
    if value is None or (isinstance(value, str) and not value.strip()):
        return math.nan
    if isinstance(value, str) and value.strip() in column.words:
        return float(column.words.index(value.strip()))
    if isinstance(value, str) and value.strip().casefold() in ("true", "false"):
        value = value.strip().casefold() == "true"
    # `float` would also read `1_000`, digits of other scripts and `nan` with a sign.
    if isinstance(value, str) and (len(value) > 40 or not value.isascii() or "_" in value):
        raise ValueError(column.means)
    if column.words and not isinstance(value, bool | int | float):
        raise ValueError(column.means)
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(column.means) from error
    if math.isnan(number):
        return math.nan
    low, high = (0, len(column.words) - 1) if column.words else (column.low, column.high)
    outside = not low <= number <= high or (column.open and number in (low, high))
    if outside or ((column.whole or column.words) and number != int(number)):
        raise ValueError(column.means)
    return number
