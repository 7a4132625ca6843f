"""The strategies as the page draws them: an axis that holds every advantage with its interval."""

from __future__ import annotations

from audit.report.page.drawing import Scale
from audit.result.tasks import OpenEnded

__all__ = ["open_scale"]

_LEAST = -0.2
"""Intervals of strategies that are hardly ever right are cut here."""


def open_scale(record: OpenEnded, threshold: float) -> Scale:
    """The axis of the figure; it includes zero and the threshold."""
    ends = (value for way in record.strategies for value in (way.advantage, way.low, way.high))
    return Scale.over((value if value is None else max(value, _LEAST) for value in ends), threshold)
