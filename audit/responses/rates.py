"""A share of successes and how sure it is: what every scorer reports."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan, sqrt
from statistics import NormalDist

from generators.errors import InputError

__all__ = ["Rate", "wilson"]


@dataclass(frozen=True)
class Rate:
    """A share with its Wilson interval."""

    hits: int
    total: int
    share: float
    """hits / total; NaN where total is 0."""
    low: float
    high: float


def wilson(hits: int, total: int, level: float = 0.95) -> Rate:
    """The share and its Wilson score interval: centre (p + z^2/2t) / (1 + z^2/t). Wilson (1927).

    Share NaN and interval 0 to 1 where total is 0. Raises InputError for counts or levels out of range.
    """
    if not 0 <= hits <= total or not 0 < level < 1:
        raise InputError(f"no interval of level {level} for {hits} of {total}; 0 <= hits <= total, 0 < level < 1")
    if total == 0:
        return Rate(0, 0, nan, 0.0, 1.0)
    z = NormalDist().inv_cdf(0.5 + level / 2)
    share = hits / total
    scale = 1 + z * z / total
    centre = (share + z * z / (2 * total)) / scale
    half = z / scale * sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    # At the ends the algebra gives exactly 0 and 1; floating point only nearly.
    low = 0.0 if hits == 0 else max(0.0, centre - half)
    return Rate(hits, total, share, low, 1.0 if hits == total else min(1.0, centre + half))
