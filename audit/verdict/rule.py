"""The rule: suspects, doubts, what carries over; the order of the questions, and the paper's own protocol."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from hansproof.audit.notation import interval, kappa, per_cent, things
from hansproof.audit.result.audit_result import (
    ClusterCheck,
    Findable,
    SchemeGap,
    SchemeResult,
    Settings,
    VectorResult,
    Verdict,
)
from hansproof.audit.result.record import or_least
from hansproof.audit.verdict.reasons import (
    ALIKE,
    at_least,
    beside_the_majority,
    effect,
    hardest,
    how_many,
    in_prose,
    of_templates,
    what_is_missed,
)

__all__ = [
    "FEWEST_CLUSTERS",
    "FEWEST_GROUPS",
    "GROUPED_SHARE",
    "MOSTLY",
    "MOST_COMMON",
    "Grouping",
    "Judgement",
    "Numbers",
    "carried_over",
    "decide",
    "decide_paper",
    "doubt_of",
    "strongest_suspect",
    "suspects",
]

FEWEST_GROUPS, FEWEST_CLUSTERS = 30.0, 10.0
"""Fewest groups, and clusters of similar texts, (effective numbers) that can stand for others."""

GROUPED_SHARE = 0.2
"""Least share of the items that must belong with others before the verdict can be about templates."""

MOSTLY = 1 / 3
"""Share of a kappa that may be left without similar texts, and the rest still be called templates."""


@dataclass(frozen=True)
class Judgement:
    """The verdict, its reason, and the vector and scheme that the reason is about."""

    verdict: Verdict
    reason: str
    vector: str
    scheme: str
    undecided: bool = False
    """INCONCLUSIVE, although a cue is shown: the reason is about its vector."""

    @property
    def cued(self) -> bool:
        """Whether a cue was shown that carries over, so that there is something to repair."""
        return self.undecided or self.verdict in ("LEAKS", "TRACES")


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
        for vector in reaching(scheme, settings.threshold)
        if (vector.bound or 0.0) > settings.margin and vector.significant(settings.alpha)
    ]
    return sorted(leaks, key=lambda vector: -(vector.matched or 0.0))


def reached(value: float, threshold: float) -> bool:
    """Whether `value` is at least the threshold, in as many digits as the arithmetic has: .2 is .2."""
    return value >= threshold - 1e-9


def reaching(scheme: SchemeResult, threshold: float) -> list[VectorResult]:
    """Counted vectors with a matched kappa >= `threshold`, significant or not."""
    return [vector for vector in scheme.counted if vector.matched is not None and reached(vector.matched, threshold)]


def strongest(scheme: SchemeResult) -> VectorResult:
    """The counted vector with the largest matched kappa, the first in a tie; undefined ones come last."""
    return max(scheme.counted, key=lambda vector: or_least(vector.matched))


def strongest_suspect(scheme: SchemeResult, settings: Settings) -> str:
    """The first suspect, which the verdict would be about; without any, the counted vector with the largest kappa."""
    return (suspects(scheme, settings) or [strongest(scheme)])[0].vector


def carried_over(
    tried: Sequence[tuple[str, float]], clusters: Sequence[ClusterCheck], settings: Settings
) -> tuple[int, Verdict, ClusterCheck | None]:
    """The place of the first of the suspects (name, kappa) that all of its checks leave, and LEAKS.

    Without one, the place of the first, with the check that leaves least of it: TEMPLATE-BOUND if hardly anything is
    left among enough clusters, else INCONCLUSIVE.
    """
    lost = [[check for check in clusters if check.vector == name and not check.held] for name, _ in tried]
    if [] in lost:
        return lost.index([]), "LEAKS", None
    many = [check for check in lost[0] if check.effective >= FEWEST_CLUSTERS]
    worst = min(many or lost[0], key=lambda check: check.kappa)
    gone = worst.kappa <= max(settings.margin, tried[0][1] * MOSTLY)
    return 0, "TEMPLATE-BOUND" if many and gone else "INCONCLUSIVE", worst


def leak_or_template(
    leaks: list[VectorResult],
    grouped: SchemeResult,
    grouping: Grouping,
    clusters: Sequence[ClusterCheck],
    settings: Settings,
) -> Judgement:
    """LEAKS if one of the suspects holds when clusters of similar texts are left out; else what they show instead."""
    tried = [leak for leak in leaks if any(check.vector == leak.vector for check in clusters)] or leaks[:1]
    at, verdict, worst = carried_over([(leak.vector, leak.matched or 0.0) for leak in tried], clusters, settings)
    best = tried[at]
    if worst is None:
        unseen = " of items" if grouping.count == grouped.scored else " of groups of items"
        share = how_many(leaks, grouped.counted)
        reason = f"{effect(best, grouped, f'{unseen} that it was not trained on')}.{beside_the_majority(best, grouped)}"
        reason += at_least(best) + share + of_templates(settings.groups, grouping.declared)
        return Judgement("LEAKS", reason, best.vector, grouped.scheme)
    left = (
        f"{effect(best, grouped)}, but only {kappa(worst.kappa)} is left if texts {ALIKE[worst.alike]} stay together "
        f"({things(worst.clusters, 'cluster')})"
    )
    if verdict == "TEMPLATE-BOUND":
        whose = "that no declared group covers" if grouping.declared else "that were not detected as groups"
        reason = f"{left}: the probe recognises templates {whose}, not a cue that carries over to other texts."
        return Judgement("TEMPLATE-BOUND", reason, best.vector, grouped.scheme)
    reason = f"{left}: what is a cue and what are templates, only more varied texts can show."
    return Judgement("INCONCLUSIVE", reason, best.vector, grouped.scheme)


def still_there(loose: VectorResult, grouped: SchemeResult, settings: Settings) -> bool:
    """Whether a cue is shown with each group kept together, and it is more than a small part of the kappa without."""
    tight = grouped.find(loose.vector)
    if tight is None or not tight.significant(settings.alpha):
        return False
    return (tight.matched or 0.0) > max(settings.margin, (loose.matched or 0.0) * MOSTLY)


def template_bound(loose: VectorResult, grouped: SchemeResult, random: SchemeResult, grouping: Grouping) -> Judgement:
    """TEMPLATE-BOUND, because the leak of `loose` under random folds is gone with each group kept together."""
    tight = grouped.find(loose.vector)
    few = f" There are only {things(grouping.count, 'group')}." if grouping.effective < FEWEST_GROUPS else ""
    left = kappa(tight.matched if tight else None)
    if tight is not None and tight.matched_low is not None:
        left += f" {interval(tight.matched_low, tight.matched_high)}"
    reason = (
        f"{effect(loose, random)}, but only while items from the same template are in both the training and the "
        f"test folds. With each group kept together, kappa is {left}: the probe recognises templates, and no cue that "
        f"carries over to new ones was shown.{few}"
    )
    return Judgement("TEMPLATE-BOUND", reason, loose.vector, random.scheme)


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
    if majority is not None and reached(majority, settings.threshold) and not reaching(scheme, settings.threshold):
        return Judgement("IMBALANCED", _imbalance(scheme, doubt, traces, constant), scheme.headline, scheme.scheme)
    if doubt:
        more = "" if traces else _items_wanted(scheme, settings.threshold, findable)
        return _undecided(doubt, traces, scheme, settings.threshold, more)
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
            f"{in_prose(widest.label)} has kappa {kappa(widest.matched)} and may have as much as "
            f"{kappa(widest.upper)}, which includes the threshold of {kappa(threshold)}"
        )
    limit = REACH * threshold
    missed = [cue for cue in findable if cue.kappa is None or cue.kappa > limit]
    if missed:
        return f"{what_is_missed(missed)}; kappa {kappa(limit)} is required"
    return ""


def _items_wanted(scheme: SchemeResult, threshold: float, findable: Sequence[Findable]) -> str:
    """A further sentence: about how many items would rule a leak out where there is none; empty if unknown.

    Errors shrink with the root of the number of items, and the smallest cues that are found nearly so, so that a fifth
    is added. Of so many kappas of nothing the largest is about half an interval above 0, so that its interval ends at a
    whole one.
    """
    shrink = [math.inf if cue.kappa is None else 1.2 * cue.kappa / (REACH * threshold) for cue in findable]
    for vector in scheme.counted:
        half = math.inf if vector.upper is None or vector.matched is None else vector.upper - vector.matched
        shrink.append(2 * half / threshold)
    wanted = scheme.scored * max(shrink) ** 2
    if scheme.scheme == "published":  # more items to test are no help where too few are learnt from
        return " More items in both parts would settle it."
    if math.isinf(wanted):
        return ""
    step = 10 ** (len(str(int(wanted))) - 2)
    return f" About {math.ceil(wanted / step) * step:,} items like these would rule one out, if there is none."


def _undecided(
    doubt: str, traces: list[VectorResult], scheme: SchemeResult, threshold: float, wanted: str = ""
) -> Judgement:
    more = wanted or " More items would settle it."
    if not traces:
        reason = f"no probe is significant, but a leak cannot be ruled out: {doubt}.{more}"
        return Judgement("INCONCLUSIVE", reason, scheme.headline, scheme.scheme)
    best = max(traces, key=lambda vector: vector.matched or 0.0)
    start = "there is a cue, but these items cannot show whether it is a leak:"
    if reached(best.matched or 0.0, threshold):
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


# The questions in their order, each asked of the kappa of matched predictions (median over splits):
#
# 1. LEAKS: does it reach the threshold, significantly exceed the margin (half the threshold), and hold when clusters of
#    similar texts are left out?
# 2. TEMPLATE-BOUND: does it do so only while items that belong together straddle the folds?
# 3. IMBALANCED: does the most common answer beat uniform chance, and was no probe shown to leak?
# 4. INCONCLUSIVE: could a leak as large as the threshold have been missed, or may a cue that was found be one?
# 5. Only then TRACES, if there is a cue, or CLEAN, which speak only of probes like these, trained on this many items.
#
# The error rates of the rule are measured in `benchmarks/`.


class Numbers(NamedTuple):
    """What was measured under the schemes."""

    grouped: SchemeResult
    grouping: Grouping
    labels: int | None
    """The number of answers; None where each item has its own options."""
    random: SchemeResult | None = None
    """None if too few items belong together for random folds to differ."""
    gap: SchemeGap | None = None
    clusters: Sequence[ClusterCheck] = ()
    """The checks of the first suspect."""


def decide(
    numbers: Numbers,
    settings: Settings,
    findable: Sequence[Findable] = (),
    constant: str = MOST_COMMON,
    unpredictable: str = "",
) -> Judgement:
    """The verdict of the default protocol.

    `findable` are the smallest injected cues that would have been found; `constant` is what the simplest rule always
    gives; `unpredictable` says why no text can give its answer away, if that is so (`why_unpredictable`).
    TEMPLATE-BOUND also requires that the paired interval of random minus grouped lies above 0; otherwise two kappas
    either side of the threshold would pass for a template effect.
    """
    grouped, grouping, labels, random, gap, clusters = numbers
    leaks = suspects(grouped, settings)
    loose = suspects(random, settings) if random is not None and gap is not None and gap.low > 0 else []
    if leaks and grouping.effective >= FEWEST_GROUPS:
        return leak_or_template(leaks, grouped, grouping, clusters, settings)
    templated = loose and grouping.share >= GROUPED_SHARE and not still_there(loose[0], grouped, settings)
    if templated and random is not None and gap and gap.vector == loose[0].vector:
        return template_bound(loose[0], grouped, random, grouping)
    if grouping.effective < FEWEST_GROUPS:
        return _too_few_groups(grouped, grouping)
    short = short_of_a_leak(grouped, settings, findable, constant, unpredictable)
    if short is None and unpredictable:
        return Judgement("CLEAN", unpredictable, grouped.headline, grouped.scheme)
    return short or _clean(grouped, labels, settings, findable)


def _too_few_groups(grouped: SchemeResult, grouping: Grouping) -> Judgement:
    unequal = ", so unequal that they count as fewer" if grouping.count >= FEWEST_GROUPS else ""
    reason = (
        f"the items come in {things(grouping.count, 'group')}{unequal}: too few to say whether a cue carries over "
        f"to other groups, or to rule one out. At least {FEWEST_GROUPS:.0f} groups of similar size are needed."
    )
    return Judgement("INCONCLUSIVE", reason, strongest(grouped).vector, grouped.scheme)


def _clean(grouped: SchemeResult, labels: int | None, settings: Settings, findable: Sequence[Findable]) -> Judgement:
    highest = max(grouped.counted, key=lambda vector: vector.upper or 0.0)
    reason = (
        f"none of {len(grouped.counted)} probes trained on these items predicts the "
        f"{'' if labels is None else f'{labels} '}answers: none is significant, and the highest 95 % upper bound of "
        f"kappa is {kappa(highest.upper)} ({highest.label}), below the threshold of {kappa(settings.threshold)}."
    )
    untried = (
        "" if settings.trees else "Combinations of words other than neighbours were not tried (--trees tries them)."
    )
    reason = " ".join(filter(None, [reason, hardest(findable), untried]))
    return Judgement("CLEAN", reason, grouped.headline, grouped.scheme)


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
