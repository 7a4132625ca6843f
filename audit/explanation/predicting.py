"""The effect of one feature vector in words: its kappa, how sure it is, and how many others share it."""

from __future__ import annotations

from collections.abc import Sequence

from audit.notation import interval, kappa, p_is, per_cent
from audit.records.numbers import SchemeResult, VectorResult

__all__ = ["at_least", "beside_the_majority", "effect", "how_many", "in_prose"]


def effect(vector: VectorResult, scheme: SchemeResult, of_what: str = "") -> str:
    """The kappa of one probe, and how sure it is."""
    p = p_is(vector.p_corrected, floor=scheme.p_floor)
    return (
        f"the probe of {in_prose(vector.label)} predicts the answers{of_what} with kappa {kappa(vector.matched)} "
        f"(95 % interval {interval(vector.matched_low, vector.matched_high) or 'undefined'}, corrected {p})"
    )


def at_least(vector: VectorResult) -> str:
    """A further sentence with the bound that allows for the choice of the strongest vector; empty without a bound."""
    if vector.bound is None:
        return ""
    return f" Allowing for the choice of the strongest feature vector, kappa is at least {kappa(vector.bound)}."


def beside_the_majority(vector: VectorResult, scheme: SchemeResult) -> str:
    """A further sentence on accuracy; empty for options per item, whose kappa is accuracy beyond guessing."""
    right, most = per_cent(vector.accuracy), per_cent(scheme.majority_accuracy)
    told = f" The probe is right for {right} of the items, always giving the most common answer for {most}."
    return "" if vector.cohen is None else told


def how_many(leaks: Sequence[VectorResult], counted: Sequence[VectorResult]) -> str:
    """A further sentence if more than one feature vector leaks."""
    return f" {len(leaks)} of {len(counted)} feature vectors leak." if len(leaks) > 1 else ""


def in_prose(label: str) -> str:
    """`word 1-grams (TF)` for `word 1-grams, TF`: a comma inside a sentence would end the clause."""
    name, comma, weighting = label.partition(", ")
    return f"{name} ({weighting})" if comma else name
