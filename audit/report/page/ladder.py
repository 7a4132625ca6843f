"""The ladder and the partial inputs as the page draws them: an axis that holds every kappa with its interval."""

from __future__ import annotations

from audit.report.page.drawing import Scale
from audit.result.shortcuts import Ladder, PartialInputs

__all__ = ["ladder_scale", "partial_scale"]


def ladder_scale(ladder: Ladder, threshold: float) -> Scale:
    """The axis of the figure; it includes zero and the threshold."""
    return Scale.over((value for rung in ladder.rungs for value in (rung.kappa, rung.low, rung.high)), threshold)


def partial_scale(partial: PartialInputs, threshold: float) -> Scale:
    """The axis of the figure of partial inputs, which also holds the kappa of whole prompts."""
    ends = (value for entry in partial.inputs for value in (entry.kappa, entry.low, entry.high))
    return Scale.over((*ends, partial.whole), threshold)
