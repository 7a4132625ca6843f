"""From numbers to one word, with the reason in one sentence.

The rule is the order of the questions, each asked of the kappa of matched predictions (median over splits):

1. LEAKS: does it reach the threshold, significantly exceed the margin (half the threshold), and hold when clusters of
   similar texts are left out?
2. TEMPLATE-BOUND: does it do so only while items that belong together straddle the folds?
3. IMBALANCED: does the most common answer beat uniform chance, and was no probe shown to leak?
4. TRACES: is there a cue, weaker than a leak?
5. INCONCLUSIVE: could a leak as large as the threshold have been missed?
6. Only then is the verdict CLEAN, and CLEAN speaks only of probes like these, trained on this many items.

The error rates of the rule are measured in `benchmarks/`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from audit.explanation.predicting import at_least, effect, how_many, in_prose
from audit.explanation.reach import hardest, what_is_missed
from audit.notation import kappa, per_cent, things
from audit.result import ClusterCheck, Findable, SchemeGap, SchemeResult, Settings, VectorResult, Verdict

__all__ = ["FEWEST_GROUPS", "GROUPED_SHARE", "Grouping", "Judgement", "decide", "decide_paper", "suspects"]


FEWEST_GROUPS, FEWEST_CLUSTERS = 30.0, 10.0
"""Fewest groups, and clusters of similar texts, (effective numbers) that can stand for others."""

GROUPED_SHARE = 0.2
"""Least share of the items that must belong with others before the verdict can be about templates."""

MOSTLY = 1 / 3
"""Share of a kappa that may be left without similar texts, and the rest still be called templates."""

REACH = 1.5
"""CLEAN requires that every kind of injected cue would have been found at a kappa of this many thresholds."""


@dataclass(frozen=True)
class Judgement:
    """The verdict, its reason, and the vector and scheme that the reason is about."""

    verdict: Verdict
    reason: str
    vector: str
    scheme: str


@dataclass(frozen=True)
class Grouping:
    """What the verdict must know of the groups."""

    count: int
    effective: float
    """The number of groups, if all were of one size."""
    share: float
    """Share of the items that belong with at least one other, 0 to 1."""
    declared: bool = False
    """The author named the groups; otherwise they were detected in the texts, or there are none."""


def suspects(scheme: SchemeResult, settings: Settings) -> list[VectorResult]:
    """Counted vectors that leak as far as this scheme can tell, largest kappa first.

    Their matched kappa reaches the threshold, its simultaneous lower bound lies above the margin, and its corrected p
    is below alpha.
    """
    leaks = [
        vector
        for vector in _reaching(scheme, settings.threshold)
        if (vector.bound or 0.0) > settings.margin and _significant(vector, settings.alpha)
    ]
    return sorted(leaks, key=lambda vector: -(vector.matched or 0.0))


def decide(
    grouped: SchemeResult,
    random: SchemeResult | None,
    gap: SchemeGap | None,
    labels: int | None,
    settings: Settings,
    grouping: Grouping,
    clusters: Sequence[ClusterCheck] = (),
    findable: Sequence[Findable] = (),
    constant: str = "the most common answer",
) -> Judgement:
    """The verdict of the default protocol.

    `labels` is the number of answers, None where each item has its own options; `constant` is what the simplest rule
    always gives.

    `random` is None if too few items belong together for random folds to differ. `clusters` are the checks of the first
    suspect, `findable` the smallest injected cues that would have been found. TEMPLATE-BOUND also requires that the
    paired interval of random minus grouped lies above 0; otherwise two kappas either side of the threshold would pass
    for a template effect.
    """
    threshold = settings.threshold
    leaks = suspects(grouped, settings)
    loose = suspects(random, settings) if random is not None and gap is not None and gap.low > 0 else []
    if leaks and grouping.effective >= FEWEST_GROUPS:
        return _suspected(leaks, grouped, grouping, clusters, settings)
    templated = loose and grouping.share >= GROUPED_SHARE and not _still_there(loose[0], grouped, settings)
    if templated and random is not None and gap and gap.vector == loose[0].vector:
        return _template_bound(loose, grouped, random, grouping)
    if grouping.effective < FEWEST_GROUPS:
        unequal = ", so unequal that they count as fewer" if grouping.count >= FEWEST_GROUPS else ""
        reason = (
            f"the items come in {things(grouping.count, 'group')}{unequal}: too few to say whether a cue carries over "
            f"to other groups, or to rule one out. At least {FEWEST_GROUPS:.0f} groups of similar size are needed."
        )
        return Judgement("INCONCLUSIVE", reason, _strongest(grouped).vector, grouped.scheme)
    reaching = [vector for vector in _reaching(grouped, threshold) if _significant(vector, settings.alpha)]
    if reaching:
        best = max(reaching, key=lambda vector: vector.matched or 0.0)
        reason = (
            f"there is a cue, but these items cannot show whether it is a leak: {effect(best, grouped)}, but allowing "
            f"for the choice of the strongest feature vector, kappa may be as small as {kappa(best.bound)}. More items "
            f"would settle it."
        )
        return Judgement("INCONCLUSIVE", reason, best.vector, grouped.scheme)
    short_of_a_leak = _unsettled(grouped, settings, findable, constant)
    if short_of_a_leak is not None:
        return short_of_a_leak
    highest = max(_counted(grouped), key=lambda vector: vector.upper or 0.0)
    reason = (
        f"none of {len(_counted(grouped))} probes trained on these items predicts the {_count(labels)}answers: none is "
        f"significant, and the highest 95 % upper bound of kappa is {kappa(highest.upper)} "
        f"({highest.label}), below the threshold of {kappa(threshold)}. {hardest(findable)}"
    )
    return Judgement("CLEAN", reason.strip(), grouped.headline, grouped.scheme)


def decide_paper(scheme: SchemeResult, labels: int, settings: Settings) -> Judgement:
    """The verdict of the paper's protocol: one random split, which cannot tell a template from a cue.

    LEAKS as published, if a kappa reaches the threshold, and is significant too.
    """
    threshold = settings.threshold
    leaks = [vector for vector in _reaching(scheme, threshold) if _significant(vector, settings.alpha)]
    if leaks:
        leaks.sort(key=lambda vector: -(vector.matched or 0.0))
        share = how_many(leaks, _counted(scheme))
        reason = (
            f"{effect(leaks[0], scheme)}, on one random split.{share} Such a split cannot tell a surface cue from a "
            f"template; the grouped protocol can."
        )
        return Judgement("LEAKS", reason, leaks[0].vector, scheme.scheme)
    short_of_a_leak = _unsettled(scheme, settings, ())
    if short_of_a_leak is not None:
        return short_of_a_leak
    reason = (
        f"every 95 % interval of Cohen's kappa ends below {kappa(threshold)} on the test part of one random split "
        f"({things(scheme.scored, 'item')})."
    )
    return Judgement("CLEAN", reason, scheme.headline, scheme.scheme)


def _unsettled(
    scheme: SchemeResult, settings: Settings, findable: Sequence[Findable], constant: str = "the most common answer"
) -> Judgement | None:
    """IMBALANCED, TRACES or INCONCLUSIVE where nothing was shown to leak and CLEAN would say too much; else None."""
    traces = [vector for vector in _counted(scheme) if _significant(vector, settings.alpha)]
    doubt = _doubt(scheme, settings.threshold, findable)
    majority = scheme.majority_uniform
    if majority is not None and majority >= settings.threshold and not _reaching(scheme, settings.threshold):
        return Judgement("IMBALANCED", _imbalance(scheme, doubt, traces, constant), scheme.headline, scheme.scheme)
    if traces:
        return _traces(traces, scheme, settings.threshold)
    return _undecided(doubt, scheme) if doubt else None


def _suspected(
    leaks: list[VectorResult],
    grouped: SchemeResult,
    grouping: Grouping,
    clusters: Sequence[ClusterCheck],
    settings: Settings,
) -> Judgement:
    lost = {leak.vector: [c for c in clusters if c.vector == leak.vector and not c.held] for leak in leaks}
    tried = [leak for leak in leaks if any(check.vector == leak.vector for check in clusters)] or leaks[:1]
    best = next((leak for leak in tried if not lost[leak.vector]), tried[0])
    if not lost[best.vector]:
        unseen = " of items" if grouping.count == grouped.scored else " of groups of items"
        share = how_many(leaks, _counted(grouped))
        reason = f"{effect(best, grouped, f'{unseen} that it was not trained on')}.{at_least(best)}{share}"
        return Judgement("LEAKS", reason, best.vector, grouped.scheme)
    many = [check for check in lost[best.vector] if check.effective >= FEWEST_CLUSTERS]
    worst = min(many or lost[best.vector], key=lambda check: check.kappa)
    left = (
        f"{effect(best, grouped)}, but only {kappa(worst.kappa)} is left if texts at least "
        f"{per_cent(worst.similarity, 0)} alike stay together ({things(worst.clusters, 'cluster')})"
    )
    if many and worst.kappa <= max(settings.margin, (best.matched or 0.0) * MOSTLY):
        whose = "that no declared group covers" if grouping.declared else "that were not detected as groups"
        reason = f"{left}: the probe recognises templates {whose}, not a cue that carries over to other texts."
        return Judgement("TEMPLATE-BOUND", reason, best.vector, grouped.scheme)
    reason = f"{left}: what is a cue and what are templates, only more varied texts can show."
    return Judgement("INCONCLUSIVE", reason, best.vector, grouped.scheme)


def _still_there(loose: VectorResult, grouped: SchemeResult, settings: Settings) -> bool:
    """Whether a cue is shown with each group kept together, and it is more than a small part of the kappa without."""
    tight = grouped.find(loose.vector)
    if tight is None or not _significant(tight, settings.alpha):
        return False
    return (tight.matched or 0.0) > max(settings.margin, (loose.matched or 0.0) * MOSTLY)


def _template_bound(
    loose: list[VectorResult], grouped: SchemeResult, random: SchemeResult, grouping: Grouping
) -> Judgement:
    tight = grouped.find(loose[0].vector)
    few = f" There are only {things(grouping.count, 'group')}." if grouping.effective < FEWEST_GROUPS else ""
    reason = (
        f"{effect(loose[0], random)}, but only while items from the same template are in both the training and the "
        f"test folds. With each group kept together, kappa is {kappa(tight.matched if tight else None)}: the probe "
        f"recognises templates, not a cue that carries over to new ones.{few}"
    )
    return Judgement("TEMPLATE-BOUND", reason, loose[0].vector, random.scheme)


def _traces(traces: list[VectorResult], scheme: SchemeResult, threshold: float) -> Judgement:
    best = max(traces, key=lambda vector: vector.matched or 0.0)
    sure = max(vector.upper or 0.0 for vector in _counted(scheme)) < threshold
    size = "weaker than" if sure else "not shown to reach"
    verb = "is" if len(traces) == 1 else "are"
    reason = (
        f"there is a cue, {size} the threshold of {kappa(threshold)}: {effect(best, scheme)}. "
        f"{len(traces)} of {len(_counted(scheme))} feature vectors {verb} significant."
    )
    return Judgement("TRACES", reason, best.vector, scheme.scheme)


def _doubt(scheme: SchemeResult, threshold: float, findable: Sequence[Findable]) -> str:
    """Why CLEAN would say too much, as a clause; empty if it would not."""
    counted = _counted(scheme)
    undefined = [vector.label for vector in counted if vector.upper is None]
    if undefined:
        return f"kappa is undefined for {in_prose(undefined[0])}"
    widest = max(counted, key=lambda vector: vector.upper or 0.0)
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


def _undecided(doubt: str, scheme: SchemeResult) -> Judgement:
    reason = f"no probe is significant, but a leak cannot be ruled out: {doubt}. More items would settle it."
    return Judgement("INCONCLUSIVE", reason, scheme.headline, scheme.scheme)


def _count(labels: int | None) -> str:
    return "" if labels is None else f"{labels} "


def _imbalance(scheme: SchemeResult, doubt: str, traces: Sequence[VectorResult], constant: str) -> str:
    if traces:
        best = max(traces, key=lambda vector: vector.matched or 0.0)
        more = f"but there is a weaker cue: {effect(best, scheme)}."
    elif doubt:
        more = f"but these items cannot rule out a leak: {doubt}."
    else:
        strongest = _strongest(scheme)
        more = f"and the largest kappa is {kappa(strongest.matched)} ({strongest.label})."
    return (
        f"always giving {constant} is right for {per_cent(scheme.majority_accuracy)} of the items "
        f"(uniform-chance kappa {kappa(scheme.majority_uniform)}). No probe was shown to leak, {more}"
    )


def _strongest(scheme: SchemeResult) -> VectorResult:
    return max(_counted(scheme), key=lambda vector: -1.0 if vector.matched is None else vector.matched)


def _significant(vector: VectorResult, alpha: float) -> bool:
    return vector.p_corrected is not None and vector.p_corrected < alpha


def _reaching(scheme: SchemeResult, threshold: float) -> list[VectorResult]:
    """Counted vectors with a matched kappa >= `threshold`, significant or not."""
    return [vector for vector in _counted(scheme) if vector.matched is not None and vector.matched >= threshold]


def _counted(scheme: SchemeResult) -> list[VectorResult]:
    return [vector for vector in scheme.vectors if vector.counted]
