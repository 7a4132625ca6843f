"""The rule: the order of the questions, each asked of the kappa of matched predictions (median over splits).

1. LEAKS: does it reach the threshold, significantly exceed the margin (half the threshold), and hold when clusters of
   similar texts are left out?
2. TEMPLATE-BOUND: does it do so only while items that belong together straddle the folds?
3. IMBALANCED: does the most common answer beat uniform chance, and was no probe shown to leak?
4. INCONCLUSIVE: could a leak as large as the threshold have been missed, or may a cue that was found be one?
5. Only then TRACES, if there is a cue, or CLEAN, which speak only of probes like these, trained on this many items.

The error rates of the rule are measured in `benchmarks/`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from audit.explanation.reach import hardest
from audit.notation import kappa, things
from audit.result import ClusterCheck, Findable, SchemeGap, SchemeResult, Settings
from audit.verdict.carrying import leak_or_template, still_there, template_bound
from audit.verdict.doubts import MOST_COMMON, short_of_a_leak
from audit.verdict.judgement import FEWEST_GROUPS, GROUPED_SHARE, Grouping, Judgement
from audit.verdict.suspects import strongest, suspects

__all__ = ["Numbers", "decide"]


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
