"""Where nothing was shown to leak: a weak cue, an imbalance, or too little to say that there is none."""

from __future__ import annotations

from collections.abc import Sequence

from audit.explanation.predicting import effect, in_prose
from audit.explanation.reach import what_is_missed
from audit.notation import kappa, per_cent
from audit.result import Findable, SchemeResult, Settings, VectorResult
from audit.verdict.judgement import Judgement
from audit.verdict.suspects import reaching, strongest

__all__ = ["MOST_COMMON", "doubt_of", "short_of_a_leak"]

MOST_COMMON = "the most common answer"
"""What the simplest rule always gives, where all items share their answers."""

REACH = 1.5
"""CLEAN requires that every kind of injected cue would have been found at a kappa of this many thresholds."""


def short_of_a_leak(
    scheme: SchemeResult,
    settings: Settings,
    findable: Sequence[Findable],
    constant: str = MOST_COMMON,
    unpredictable: str = "",
) -> Judgement | None:
    """IMBALANCED, TRACES or INCONCLUSIVE where nothing was shown to leak and CLEAN would say too much; else None.

    A cue changes no doubt: what may hide a leak is INCONCLUSIVE with one and without, so that a weak cue passes where
    CLEAN would and nowhere else. Nothing hides where there is none and no text can give its answer away, as
    `unpredictable` says.
    """
    traces = [vector for vector in scheme.counted if vector.significant(settings.alpha)]
    doubt = "" if unpredictable and not traces else doubt_of(scheme, settings.threshold, findable)
    majority = scheme.majority_uniform
    if majority is not None and majority >= settings.threshold and not reaching(scheme, settings.threshold):
        return Judgement("IMBALANCED", _imbalance(scheme, doubt, traces, constant), scheme.headline, scheme.scheme)
    if doubt:
        return _undecided(doubt, traces, scheme, settings.threshold)
    return _traces(traces, scheme, settings.threshold) if traces else None


def _traces(traces: list[VectorResult], scheme: SchemeResult, threshold: float) -> Judgement:
    best = max(traces, key=lambda vector: vector.matched or 0.0)
    verb = "is" if len(traces) == 1 else "are"
    reason = (
        f"there is a cue, weaker than the threshold of {kappa(threshold)}: {effect(best, scheme)}. "
        f"{len(traces)} of {len(scheme.counted)} feature vectors {verb} significant."
    )
    return Judgement("TRACES", reason, best.vector, scheme.scheme)


def doubt_of(scheme: SchemeResult, threshold: float, findable: Sequence[Findable]) -> str:
    """Why CLEAN would say too much, as a clause; empty if it would not."""
    undefined = [vector.label for vector in scheme.counted if vector.upper is None]
    if undefined:
        return f"kappa is undefined for {in_prose(undefined[0])}"
    widest = max(scheme.counted, key=lambda vector: vector.upper or 0.0)
    if widest.upper is not None and widest.upper >= threshold:
        return (
            f"{in_prose(widest.label)} has kappa {kappa(widest.matched)} with a 95 % interval up to "
            f"{kappa(widest.upper)}, which includes the threshold of {kappa(threshold)}"
        )
    # A cue of two forms cannot tell many answers apart: what even an unfailing one cannot reach is not missed.
    limit = REACH * threshold
    missed = [cue for cue in findable if (cue.ceiling if cue.kappa is None else cue.kappa) > limit]
    if missed:
        return f"{what_is_missed(missed)}; kappa {kappa(limit)} is required"
    return ""


def _undecided(doubt: str, traces: list[VectorResult], scheme: SchemeResult, threshold: float) -> Judgement:
    if not traces:
        reason = f"no probe is significant, but a leak cannot be ruled out: {doubt}. More items would settle it."
        return Judgement("INCONCLUSIVE", reason, scheme.headline, scheme.scheme)
    best = max(traces, key=lambda vector: vector.matched or 0.0)
    start = "there is a cue, but these items cannot show whether it is a leak:"
    if (best.matched or 0.0) >= threshold:
        size = ", but allowing for the choice of the strongest feature vector, "
        size += f"kappa may be as small as {kappa(best.bound)}"
    elif (best.upper or 0.0) >= threshold:
        size = f", so kappa may be as large as the threshold of {kappa(threshold)}"
    else:
        start, size = "there is a cue, and a leak cannot be ruled out:", f"; {doubt}"
    reason = f"{start} {effect(best, scheme)}{size}. More items would settle it."
    return Judgement("INCONCLUSIVE", reason, best.vector, scheme.scheme, undecided=True)


def _imbalance(scheme: SchemeResult, doubt: str, traces: Sequence[VectorResult], constant: str) -> str:
    if traces:
        best = max(traces, key=lambda vector: vector.matched or 0.0)
        more = f"but there is a weaker cue: {effect(best, scheme)}."
    elif doubt:
        more = f"but these items cannot rule out a leak: {doubt}."
    else:
        largest = strongest(scheme)
        more = f"and the largest kappa is {kappa(largest.matched)} ({largest.label})."
    return (
        f"always giving {constant} is right for {per_cent(scheme.majority_accuracy)} of the items "
        f"(uniform-chance kappa {kappa(scheme.majority_uniform)}). No probe was shown to leak, {more}"
    )
