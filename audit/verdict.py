"""From numbers to one word, with the reason in one sentence.

The order of the questions is the rule: does a surface cue survive grouped folds (LEAKS)? does one work only
while templates straddle the folds (TEMPLATE-BOUND)? is the commonest label enough, and no probe seen to know
more (IMBALANCED)? could a leak of the threshold's size have been missed (INCONCLUSIVE)? Only then is it CLEAN,
and CLEAN means: for probes such as these, trained on this many items.
"""

from __future__ import annotations

from dataclasses import dataclass

from audit.result import Confirmation, SchemeGap, SchemeResult, VectorResult, Verdict

__all__ = ["LEARNABLE", "Judgement", "decide", "decide_paper", "leaking"]


LEARNABLE = 40
"""Items an answer below which CLEAN is not said: a cue in a handful of texts has hardly been seen by the probe."""


@dataclass(frozen=True)
class Judgement:
    """The word, the sentence, and the vector that the sentence is about."""

    verdict: Verdict
    reason: str
    vector: str
    scheme: str
    """The scheme that the sentence is about."""


def leaking(scheme: SchemeResult, threshold: float, alpha: float) -> list[VectorResult]:
    """Vectors with Cohen's kappa >= threshold and Holm-corrected p < alpha, the largest kappa first."""
    hits = [
        one
        for one in scheme.vectors
        if one.counted
        and one.cohen is not None
        and one.cohen >= threshold
        and one.p_holm is not None
        and one.p_holm < alpha
    ]
    return sorted(hits, key=lambda one: -(one.cohen or 0.0))


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

    TEMPLATE-BOUND asks besides that the paired interval of random minus grouped lies above 0, so that two splits
    either side of the threshold are not mistaken for a template effect. A leak on few groups that refitting
    (`confirmation`) does not bear out is not called one.
    """
    hits = leaking(grouped, threshold, alpha)
    if hits and (confirmation is None or confirmation.p < alpha):
        return Judgement(
            "LEAKS", f"{_found(hits, grouped)}, with no group parted between folds.", hits[0].vector, grouped.scheme
        )
    loose = [one for one in leaking(random, threshold, alpha) if gap is not None and gap.low > 0]
    if loose:
        inside = next(one for one in grouped.vectors if one.vector == loose[0].vector)
        return Judgement(
            "TEMPLATE-BOUND",
            f"{_found(loose, random)} while templates straddle the folds, and only {_k(inside.cohen)} once "
            f"the items of one group stay together: the probe knows templates, not a cue that carries over.",
            loose[0].vector,
            random.scheme,
        )
    open_question = _unsettled(grouped, threshold, groups, labels)
    if open_question is not None:
        return open_question
    headline = next(one for one in grouped.vectors if one.vector == grouped.headline)
    strongest = max(_counted(grouped), key=lambda one: one.cohen_high or 0.0)
    return Judgement(
        "CLEAN",
        f"none of {len(_counted(grouped))} probes trained on these items predicts the {labels} answers: the highest "
        f"95 % upper bound of Cohen's kappa is {_k(strongest.cohen_high)} ({strongest.label}), under the threshold of "
        f"{_k(threshold)}.",
        headline.vector,
        grouped.scheme,
    )


def decide_paper(scheme: SchemeResult, labels: int, *, threshold: float, alpha: float) -> Judgement:
    """The verdict of the paper's protocol: one random split, in which a template cannot be told from a cue."""
    headline = next(one for one in scheme.vectors if one.vector == scheme.headline)
    hits = leaking(scheme, threshold, alpha)
    if hits:
        return Judgement(
            "LEAKS",
            f"{_found(hits, scheme)} on one random split, which cannot tell a surface cue from templates: "
            f"the grouped protocol can.",
            hits[0].vector,
            scheme.scheme,
        )
    open_question = _unsettled(scheme, threshold, scheme.scored, labels)
    if open_question is not None:
        return open_question
    return Judgement(
        "CLEAN",
        f"no vector exceeds {_k(threshold)} on the test part of one random split ({scheme.scored} items).",
        headline.vector,
        scheme.scheme,
    )


def _unsettled(scheme: SchemeResult, threshold: float, groups: int, labels: int) -> Judgement | None:
    """IMBALANCED or INCONCLUSIVE, where nothing was shown to leak and CLEAN would be too much to say.

    The share of the commonest label is a fact of the file, so that it is told however few the items; but not where a
    probe's kappa reaches the threshold without being significant, since then it may well not be all there is.
    """
    headline = next(one for one in scheme.vectors if one.vector == scheme.headline)
    doubt = _doubt(scheme, threshold, groups, labels)
    reached = [one for one in _counted(scheme) if one.cohen is not None and one.cohen >= threshold]
    if scheme.majority_uniform is not None and scheme.majority_uniform >= threshold and not reached:
        return Judgement("IMBALANCED", _imbalance(scheme, headline, doubt), headline.vector, scheme.scheme)
    return Judgement("INCONCLUSIVE", doubt, headline.vector, scheme.scheme) if doubt else None


def _doubt(scheme: SchemeResult, threshold: float, groups: int, labels: int) -> str:
    """Why CLEAN would be too much to say; empty where it would not."""
    counted = _counted(scheme)
    if scheme.detectable is None:
        return "kappa has no null distribution here: the groups leave nothing to permute."
    if scheme.detectable > threshold:
        return (
            f"too few items: with {scheme.scored} items in {groups} groups the smallest kappa that would be found "
            f"with 80 % power is {_k(scheme.detectable)}, above the threshold of {_k(threshold)}."
        )
    if scheme.scored < LEARNABLE * labels:
        return (
            f"too few items to learn from: {scheme.scored} for {labels} answers, and fewer than {LEARNABLE} an answer "
            f"leave a probe too little to find a cue in."
        )
    undefined = [one.label for one in counted if one.cohen_high is None]
    if undefined:
        return f"kappa is undefined for {undefined[0]}."
    widest = max(counted, key=lambda one: one.cohen_high or 0.0)
    if widest.cohen_high is not None and widest.cohen_high >= threshold:
        return (
            f"a leak cannot be excluded: {widest.label} reaches kappa {_k(widest.cohen)}, and the 95 % interval "
            f"up to {_k(widest.cohen_high)} includes the threshold of {_k(threshold)}."
        )
    return ""


def _found(hits: list[VectorResult], scheme: SchemeResult) -> str:
    best = hits[0]
    more = f" ({len(hits)} of {len(_counted(scheme))} vectors do)" if len(hits) > 1 else ""
    return (
        f"{best.label} predict the answer with Cohen's kappa {_k(best.cohen)} "
        f"[{_k(best.cohen_low)}, {_k(best.cohen_high)}], corrected p = {best.p_holm:.3g}{more}"
    )


def _imbalance(scheme: SchemeResult, headline: VectorResult, doubt: str) -> str:
    more = (
        f"no probe was seen to know more, but whether one could, these items cannot tell: {doubt}"
        if doubt
        else f"the probe knows no more than that: Cohen's kappa of {headline.label} is {_k(headline.cohen)}."
    )
    return (
        f"always giving the commonest answer is right for {100 * scheme.majority_accuracy:.1f} % of the items "
        f"(uniform-chance kappa {_k(scheme.majority_uniform)}); {more}"
    )


def _counted(scheme: SchemeResult) -> list[VectorResult]:
    return [one for one in scheme.vectors if one.counted]


def _k(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.2f}"
