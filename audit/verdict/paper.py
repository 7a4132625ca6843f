"""The verdict of the paper's protocol: one random split, which cannot tell a template from a cue."""

from __future__ import annotations

from audit.explanation.predicting import effect, how_many
from audit.notation import kappa, things
from audit.result import SchemeResult, Settings
from audit.verdict.doubts import short_of_a_leak
from audit.verdict.judgement import Judgement
from audit.verdict.suspects import reaching

__all__ = ["decide_paper"]


def decide_paper(scheme: SchemeResult, settings: Settings) -> Judgement:
    """LEAKS as published, if a kappa reaches the threshold, and is significant too."""
    leaks = [vector for vector in reaching(scheme, settings.threshold) if vector.significant(settings.alpha)]
    if leaks:
        leaks.sort(key=lambda vector: -(vector.matched or 0.0))
        share = how_many(leaks, scheme.counted)
        reason = (
            f"{effect(leaks[0], scheme)}, on one random split.{share} Such a split cannot tell a surface cue from a "
            f"template; the grouped protocol can."
        )
        return Judgement("LEAKS", reason, leaks[0].vector, scheme.scheme)
    short = short_of_a_leak(scheme, settings, ())
    if short is not None:
        return short
    reason = (
        f"every 95 % interval of Cohen's kappa ends below {kappa(settings.threshold)} on the test part of one random "
        f"split ({things(scheme.scored, 'item')})."
    )
    return Judgement("CLEAN", reason, scheme.headline, scheme.scheme)
