"""Where a rising curve, measured at few points, reaches a wanted height."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

__all__ = ["crossing"]

STEP = 1.4
"""Factor from one strength to the next; between two, the kappa reached is interpolated."""


def crossing(reached: Callable[[float], tuple[float, float]], wanted: float, start: float) -> float | None:
    """The reader's kappa at which the kappa that a probe reaches is `wanted`; None if even strength 1 is too weak.

    `reached` gives both for a strength from 0 to 1. Strengths move from `start` by a factor until one suffices and the
    next lower one does not, or is below `wanted` itself, which nothing can exceed but by luck. A monotone fit through
    all of them and (0, 0) is interpolated linearly.
    """
    from scipy.optimize import isotonic_regression

    if not wanted < 1 or start > 1:
        return None
    strengths = [min(max(start, 0.01) * STEP**step, 1.0) for step in range(-20, 40)]
    points = {0.0: (0.0, 0.0)}
    at = 20
    while strengths[at] not in points:
        points[strengths[at]] = reached(strengths[at])
        if points[strengths[at]][1] < wanted:
            at += 1
        elif strengths[at] > wanted and at:
            at -= 1
    reader, values = np.array([points[strength] for strength in sorted(points)]).T
    rising = isotonic_regression(values).x
    if rising[-1] < wanted:
        return None
    at = int(np.argmax(rising >= wanted))
    share = (wanted - rising[at - 1]) / (rising[at] - rising[at - 1])
    return float(reader[at - 1] + share * (reader[at] - reader[at - 1]))
