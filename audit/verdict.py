"""From numbers to one word, with the reason in one sentence.

The rule is the order of the questions. Does a surface cue survive grouped folds (LEAKS)? Does one work only while
templates straddle the folds (TEMPLATE-BOUND)? Does the most common answer beat uniform chance, and was no probe shown
to beat that (IMBALANCED)? Could a leak as large as the threshold have been missed (INCONCLUSIVE)? Only then is the
verdict CLEAN, and CLEAN speaks only of probes like these, trained on this many items.
"""

from __future__ import annotations

from dataclasses import dataclass

from audit.notation import interval, kappa, p_is, per_cent, things
from audit.result import Confirmation, SchemeGap, SchemeResult, VectorResult, Verdict

__all__ = ["LEARNABLE", "Judgement", "decide", "decide_paper", "leaking"]


LEARNABLE = 40
"""Fewest items per answer for CLEAN: in a handful of texts a probe has too little to learn a cue from."""


@dataclass(frozen=True)
class Judgement:
    """The verdict, its reason, and the vector and scheme that the reason is about."""

    verdict: Verdict
    reason: str
    vector: str
    scheme: str


def leaking(scheme: SchemeResult, threshold: float, alpha: float) -> list[VectorResult]:
    """Counted vectors with Cohen's kappa >= `threshold` and Holm-corrected p < `alpha`, largest kappa first."""
    leaks = [vector for vector in _reaching(scheme, threshold) if vector.p_holm is not None and vector.p_holm < alpha]
    return sorted(leaks, key=lambda vector: -(vector.cohen or 0.0))


def decide(
    grouped: SchemeResult,
    random: SchemeResult,
    gap: SchemeGap | None,
    labels: int,
    *,
    threshold: float,
    alpha: float,
    groups: int,
    confirmation: Confirmation | None = None,
) -> Judgement:
    """The verdict of the default protocol.

    TEMPLATE-BOUND also requires that the paired interval of random minus grouped lies above 0; otherwise two kappas
    either side of the threshold would pass for a template effect. A leak on few groups is only called one if
    refitting (`confirmation`) confirms it.
    """
    leaks = leaking(grouped, threshold, alpha)
    if leaks and (confirmation is None or confirmation.p < alpha):
        held_out = "items" if groups == grouped.scored else "groups of items"
        reason = f"{_effect(leaks, grouped)} in {held_out} that it was not trained on."
        return Judgement("LEAKS", reason, leaks[0].vector, grouped.scheme)
    loose = leaking(random, threshold, alpha) if gap is not None and gap.low > 0 else []
    if loose:
        tight = next(vector for vector in grouped.vectors if vector.vector == loose[0].vector)
        reason = (
            f"{_effect(loose, random)}, but only while items from the same template are in both the training and the "
            f"test folds. With each group kept together, kappa is {kappa(tight.cohen)}: the probe recognises "
            f"templates, not a cue that carries over to new ones."
        )
        return Judgement("TEMPLATE-BOUND", reason, loose[0].vector, random.scheme)
    open_question = _unsettled(grouped, threshold, groups, labels)
    if open_question is not None:
        return open_question
    highest = max(_counted(grouped), key=lambda vector: vector.cohen_high or 0.0)
    reason = (
        f"none of {len(_counted(grouped))} probes trained on these items predicts the {labels} answers: the highest "
        f"95 % upper bound of Cohen's kappa is {kappa(highest.cohen_high)} ({highest.label}), below the threshold of "
        f"{kappa(threshold)}."
    )
    return Judgement("CLEAN", reason, grouped.headline, grouped.scheme)


def decide_paper(scheme: SchemeResult, labels: int, *, threshold: float, alpha: float) -> Judgement:
    """The verdict of the paper's protocol: one random split, which cannot tell a template from a cue."""
    leaks = leaking(scheme, threshold, alpha)
    if leaks:
        reason = (
            f"{_effect(leaks, scheme)}, on one random split. Such a split cannot tell a surface cue from a template; "
            f"the grouped protocol can."
        )
        return Judgement("LEAKS", reason, leaks[0].vector, scheme.scheme)
    open_question = _unsettled(scheme, threshold, scheme.scored, labels)
    if open_question is not None:
        return open_question
    reason = (
        f"every 95 % interval of Cohen's kappa ends below {kappa(threshold)} on the test part of one random split "
        f"({things(scheme.scored, 'item')})."
    )
    return Judgement("CLEAN", reason, scheme.headline, scheme.scheme)


def _unsettled(scheme: SchemeResult, threshold: float, groups: int, labels: int) -> Judgement | None:
    """IMBALANCED or INCONCLUSIVE if nothing was shown to leak and CLEAN would say too much; otherwise None.

    The share of the most common answer is a fact of the file, so it is reported however few the items. It is not if
    a probe's kappa reaches the threshold without being significant: then the share may well not be the whole story.
    """
    doubt = _doubt(scheme, threshold, groups, labels)
    majority = scheme.majority_uniform
    if majority is not None and majority >= threshold and not _reaching(scheme, threshold):
        return Judgement("IMBALANCED", _imbalance(scheme, doubt), scheme.headline, scheme.scheme)
    return Judgement("INCONCLUSIVE", doubt, scheme.headline, scheme.scheme) if doubt else None


def _doubt(scheme: SchemeResult, threshold: float, groups: int, labels: int) -> str:
    """Why CLEAN would say too much; empty if it would not."""
    counted = _counted(scheme)
    items = things(scheme.scored, "item")
    if scheme.detectable is None:
        return "kappa has no null distribution here, because permuting the answers between groups changes nothing."
    if scheme.detectable > threshold:
        return (
            f"too few items: with {items} in {things(groups, 'group')}, the smallest kappa that the test detects "
            f"with 80 % power is {kappa(scheme.detectable)}, above the threshold of {kappa(threshold)}."
        )
    if scheme.scored < LEARNABLE * labels:
        return (
            f"too few items to learn from: {items} for {labels} answers. A probe needs at least {LEARNABLE} items per "
            f"answer to find a cue."
        )
    undefined = [vector.label for vector in counted if vector.cohen_high is None]
    if undefined:
        return f"kappa is undefined for {undefined[0]}."
    widest = max(counted, key=lambda vector: vector.cohen_high or 0.0)
    if widest.cohen_high is not None and widest.cohen_high >= threshold:
        return (
            f"a leak cannot be ruled out: {widest.label} has kappa {kappa(widest.cohen)}, with a 95 % interval up to "
            f"{kappa(widest.cohen_high)}, which includes the threshold of {kappa(threshold)}."
        )
    return ""


def _effect(leaks: list[VectorResult], scheme: SchemeResult) -> str:
    """The strongest of `leaks` in numbers, and how many there are."""
    best = leaks[0]
    more = f"; {len(leaks)} of {len(_counted(scheme))} feature vectors leak" if len(leaks) > 1 else ""
    return (
        f"the probe of {_in_prose(best.label)} predicts the answer with Cohen's kappa {kappa(best.cohen)} "
        f"{interval(best.cohen_low, best.cohen_high)} (corrected {p_is(best.p_holm)}{more})"
    )


def _in_prose(label: str) -> str:
    """`word 1-grams (TF)` for `word 1-grams, TF`: a comma inside a sentence would end the clause."""
    name, comma, weighting = label.partition(", ")
    return f"{name} ({weighting})" if comma else name


def _imbalance(scheme: SchemeResult, doubt: str) -> str:
    headline = next(vector for vector in scheme.vectors if vector.vector == scheme.headline)
    more = (
        f"but these items cannot rule one out: {doubt}"
        if doubt
        else f"and Cohen's kappa of {headline.label} is {kappa(headline.cohen)}."
    )
    return (
        f"always giving the most common answer beats uniform chance: it is right for "
        f"{per_cent(scheme.majority_accuracy)} of the items (uniform-chance kappa {kappa(scheme.majority_uniform)}). "
        f"No probe was shown to beat that, {more}"
    )


def _reaching(scheme: SchemeResult, threshold: float) -> list[VectorResult]:
    """Counted vectors with Cohen's kappa >= `threshold`, significant or not."""
    return [vector for vector in _counted(scheme) if vector.cohen is not None and vector.cohen >= threshold]


def _counted(scheme: SchemeResult) -> list[VectorResult]:
    return [vector for vector in scheme.vectors if vector.counted]
