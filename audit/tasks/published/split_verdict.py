"""The verdict on a published split, and what its author should change."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hansproof.audit.notation import kappa, p_is, per_cent, things
from hansproof.audit.result.advice import advice
from hansproof.audit.result.audit_result import Findable, SchemeResult, Settings, VectorResult
from hansproof.audit.result.tasks import PublishedSplit, SplitKappa
from hansproof.audit.verdict.reasons import at_least, beside_the_majority, effect, how_many, of_templates
from hansproof.audit.verdict.rule import (
    FEWEST_GROUPS,
    GROUPED_SHARE,
    MOSTLY,
    Grouping,
    Judgement,
    Numbers,
    decide,
    suspects,
)

__all__ = ["advise_on_split", "decide_published"]


def advise_on_split(split: PublishedSplit, alpha: float) -> list[str]:
    """Advice on copies, conflicts, shared templates and unequal answers; empty if there is nothing to repair."""
    copies, advised = split.duplicates + split.near_duplicates, []
    if copies:
        exactly, nearly = split.duplicates, split.near_duplicates
        advised.append(advice("DATA002.copies", items=things(copies, "test item"), exactly=exactly, nearly=nearly))
    if split.conflicts:
        advised.append(advice("DATA001.split", items=things(split.conflicts, "test item")))
    if split.same_template is not None and split.same_template >= GROUPED_SHARE * split.test:
        advised.append(advice("TMPL001.split", items=split.same_template, all=things(split.test, "test item")))
    if split.unseen_labels:
        advised.append(advice("IMBA001.unseen", names=", ".join(f"“{name[:40]}”" for name in split.unseen_labels[:3])))
    if split.shift_p < alpha and split.shift >= 0.05:
        learnt, tested = sum(label.train for label in split.labels), sum(label.test for label in split.labels)
        label = max(split.labels, key=lambda label: abs(label.train / learnt - label.test / tested))
        advised.append(
            advice(
                "IMBA001.shift",
                distance=kappa(split.shift),
                p=p_is(split.shift_p),
                answer=label.label[:40],
                train=per_cent(label.train / learnt),
                test=per_cent(label.test / tested),
            )
        )
    return advised


# A leak that collapses on the test items that share neither text nor template with the training part is TEMPLATE-BOUND.
# Where too few such items are left, both parts are cross-fitted together with each template kept together.

HALF, MOST = 0.5, 0.75
"""Share of a kappa that must be left without what the parts share; most of it if the fall is clear."""

_SUSPECTS = 3
"""Vectors that are tried until one holds."""


def decide_published(
    scheme: SchemeResult,
    labels: int,
    settings: Settings,
    grouping: Grouping,
    kappas_of: Callable[[str, bool], Sequence[SplitKappa]],
    findable: Sequence[Findable] = (),
    unpredictable: str = "",
) -> Judgement:
    """The verdict, given the numbers of all test items.

    `grouping` is that of the test part. `kappas_of` gives the kappas of a vector from all test items to those that
    share the least with the training part; if it is told so, with grouped folds last, where too few items are left.
    `findable` and `unpredictable` are those of `audit.verdict.rule.decide`.
    """
    leaks = suspects(scheme, settings)
    if not leaks or grouping.effective < FEWEST_GROUPS:
        return decide(Numbers(scheme, grouping, labels), settings, findable, unpredictable=unpredictable)
    tried = leaks[:_SUSPECTS]
    checks = [list(kappas_of(leak.vector, True))[1:] for leak in tried]
    for leak, of in zip(tried, checks, strict=True):
        if all(_holds(check, leak, settings) for check in of if _says(check)) and _says(of[-1]):
            reason = f"{_effect(leak, scheme)}. It is {kappa(of[-1].kappa)} {_where(of[-1])}."
            reason += at_least(leak) + how_many(leaks, scheme.counted)
            reason += beside_the_majority(leak, scheme) + of_templates(settings.groups, grouping.declared)
            return Judgement("LEAKS", reason, leak.vector, scheme.scheme)
    return _not_held(tried[0], checks[0], scheme, settings)


def _not_held(leak: VectorResult, checks: list[SplitKappa], scheme: SchemeResult, settings: Settings) -> Judgement:
    lost = [check for check in checks if _says(check) and not _holds(check, leak, settings)]
    if not lost:
        last = checks[-1]
        reason = (
            f"{_effect(leak, scheme)}, but only {things(last.items, 'test item')} (of {last.groups:.0f} groups) share "
            f"neither text nor template with the training part: too few to say whether the cue carries over."
        )
        return Judgement("INCONCLUSIVE", reason, leak.vector, scheme.scheme)
    worst = min(lost, key=lambda check: check.kappa or 0.0)
    left = f"{_effect(leak, scheme)}, but only {kappa(worst.kappa)} is left {_where(worst)}"
    if _falls(worst, leak, settings):
        reason = f"{left}: the probe recognises training items and their templates, not a cue that carries over."
        return Judgement("TEMPLATE-BOUND", reason, leak.vector, scheme.scheme)
    reason = f"{left}: what is a cue and what are templates, only more items with new templates can show."
    return Judgement("INCONCLUSIVE", reason, leak.vector, scheme.scheme)


def _effect(leak: VectorResult, scheme: SchemeResult) -> str:
    return effect(leak, scheme, " of the published test part, learnt on the training part,")


def _says(check: SplitKappa) -> bool:
    """Whether enough groups are left for a kappa to mean something."""
    return check.groups >= FEWEST_GROUPS and check.kappa is not None


def _holds(check: SplitKappa, leak: VectorResult, settings: Settings) -> bool:
    """Whether there still is a leak: of the threshold, of most of the kappa, or of half if chance may be the reason."""
    value, whole = check.kappa or 0.0, leak.matched or 0.0
    least = MOST if check.fall_low is not None and check.fall_low > 0 else HALF
    return value >= settings.threshold or (value > settings.margin and value >= least * whole)


def _falls(check: SplitKappa, leak: VectorResult, settings: Settings) -> bool:
    """Whether kappa is clearly lower than on all test items: by its interval; without one, because little is left."""
    if check.fall_low is None:
        return (check.kappa or 0.0) <= max(settings.margin, (leak.matched or 0.0) * MOSTLY)
    return check.fall_low > 0


def _where(check: SplitKappa) -> str:
    if check.items_kept == "grouped folds":
        return "if both parts are cross-fitted together and each template is kept in one fold"
    what = "with no near-duplicate" if check.items_kept == "no near-duplicate" else "with neither a copy nor a template"
    return f"on the {things(check.items, 'test item')} {what} in the training part"
