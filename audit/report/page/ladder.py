"""The ladder as the page draws it: an axis that holds every kappa with its interval."""

from __future__ import annotations

from audit.records.ladder import Ladder
from audit.report.page.drawing import Scale

__all__ = ["ladder_scale"]


def ladder_scale(ladder: Ladder, threshold: float) -> Scale:
    """The axis of the figure; it includes zero and the threshold."""
    return Scale.over((value for rung in ladder.rungs for value in (rung.kappa, rung.low, rung.high)), threshold)
