"""A suspected leak: does it carry over to other templates, or is it the templates that the probe recognises?"""

from __future__ import annotations

from collections.abc import Sequence

from audit.explanation.predicting import at_least, beside_the_majority, effect, how_many
from audit.notation import kappa, per_cent, things
from audit.notes import of_templates
from audit.result import ClusterCheck, SchemeResult, Settings, VectorResult
from audit.verdict.judgement import FEWEST_CLUSTERS, FEWEST_GROUPS, MOSTLY, Grouping, Judgement

__all__ = ["leak_or_template", "still_there", "template_bound"]


def leak_or_template(
    leaks: list[VectorResult],
    grouped: SchemeResult,
    grouping: Grouping,
    clusters: Sequence[ClusterCheck],
    settings: Settings,
) -> Judgement:
    """LEAKS if one of the suspects holds when clusters of similar texts are left out; else what they show instead."""
    lost = {leak.vector: [c for c in clusters if c.vector == leak.vector and not c.held] for leak in leaks}
    tried = [leak for leak in leaks if any(check.vector == leak.vector for check in clusters)] or leaks[:1]
    best = next((leak for leak in tried if not lost[leak.vector]), tried[0])
    if not lost[best.vector]:
        unseen = " of items" if grouping.count == grouped.scored else " of groups of items"
        share = how_many(leaks, grouped.counted)
        reason = f"{effect(best, grouped, f'{unseen} that it was not trained on')}.{beside_the_majority(best, grouped)}"
        reason += at_least(best) + share + of_templates(settings.groups, grouping.declared)
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
    reason = (
        f"{effect(loose, random)}, but only while items from the same template are in both the training and the "
        f"test folds. With each group kept together, kappa is {kappa(tight.matched if tight else None)}: the probe "
        f"recognises templates, not a cue that carries over to new ones.{few}"
    )
    return Judgement("TEMPLATE-BOUND", reason, loose.vector, random.scheme)
