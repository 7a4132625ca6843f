"""Partial input in a sentence, for the terminal and the page."""

from __future__ import annotations

from audit.notation import interval, kappa, p_is
from audit.records.partial import PartialInputs

__all__ = ["parts_sentence"]


def parts_sentence(partial: PartialInputs) -> str:
    """Every partial input with its kappa, interval and p, then whole prompts; empty if there was nothing to look at."""
    if not partial.inputs:
        return ""
    each = [
        f"{entry.name}: {'kappa ' if index == 0 else ''}{kappa(entry.kappa)} {interval(entry.low, entry.high)}, "
        f"{p_is(entry.p)}"
        for index, entry in enumerate(partial.inputs)
    ]
    return f"{'; '.join(each)}; whole prompts, same feature vectors: {kappa(partial.whole)}"
