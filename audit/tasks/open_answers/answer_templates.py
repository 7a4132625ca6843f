"""What similar texts contribute: answers that follow from the template, and strategies that work in few of them.

Grouped folds hide what can be learnt of one item of a template for another. Here folds part the items of a template,
and strategies remember it: its most common answer, the place or calculation that was right in it. What they reach
beyond every other strategy is due to templates. Templates that were not detected as groups are looked for as clusters
of similar wording, at the tighter cut-off of `audit.texts.similarity`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.probes.clusters import SPLITS, holds, joined, kept_together
from hansproof.audit.probes.kappas import number
from hansproof.audit.result.audit_result import Settings
from hansproof.audit.result.record import or_least
from hansproof.audit.result.tasks import ClusterShare, StrategyResult, TemplateResult
from hansproof.audit.statistics.intervals import effective_groups
from hansproof.audit.statistics.permutation import seeded
from hansproof.audit.tasks.open_answers.advantages import advantages, refitted, without_the_best
from hansproof.audit.tasks.open_answers.attempts import Attempt, Attempts
from hansproof.audit.tasks.open_answers.golds import Ints
from hansproof.audit.tasks.open_answers.learners import Learner, crossfit, learners_by_template
from hansproof.audit.tasks.open_answers.prompt_words import Reading
from hansproof.audit.texts.sentences import fold_text
from hansproof.audit.texts.similarity import Partition, number_by_first, similarity_partitions
from hansproof.audit.verdict.rule import GROUPED_SHARE

__all__ = ["check_clusters_of", "measure_templates", "partitions_of"]

Floats = NDArray[np.float64]

Templates = tuple[str, Ints, NDArray[np.bool_]]
"""What they are, and the number (n,) of each item's, and whether it has enough texts to be one."""

_TEXTS = 4
"""Fewest texts of a template: that both items of a matched pair have one answer is a design, and they stay together."""


def partitions_of(prompts: Sequence[str], groups: Ints, settings: Settings) -> list[Partition]:
    """Clusters of similar texts, each group (n,) kept whole; none where the settings want no groups."""
    return [] if settings.groups == "none" else similarity_partitions(prompts, groups=groups)


def measure_templates(
    prompts: Sequence[str],
    readings: Sequence[Reading],
    groups: Ints,
    attempts: Attempts,
    partitions: Sequence[Partition],
    settings: Settings,
) -> TemplateResult | None:
    """The best of the strategies that remember templates of four texts or more; None where they hold too few items.

    Each way to divide the items into templates is corrected for their number (Bonferroni), and errors are added up
    over its templates.
    """
    same = number_by_first(fold_text(text) for text in prompts)
    ways = [("groups", groups)] if settings.groups != "none" else []
    ways += [("clusters", joined(groups, part.index)) for part in partitions if part.alike == "template"]
    kept: list[Templates] = []
    for how, index in ways:
        numbered = number_by_first(index.tolist())
        known = _in_templates(numbered, same)
        if known.mean() >= GROUPED_SHARE and not any(np.array_equal(numbered, other) for _, other, _ in kept):
            kept.append((how, numbered, known))
    taught = learners_by_template(readings, attempts.wordings, [_apart(index, known) for _, index, known in kept])
    results = []
    for at, (templates, learners) in enumerate(zip(kept, taught, strict=True)):
        right, _ = crossfit(learners, same, attempts.wordings.right, settings, scheme="random", splits=settings.splits)
        results.append(_measured(templates, learners, right, attempts, len(kept), settings, at))
    return max(results, key=lambda result: or_least(result.advantage), default=None)


def check_clusters_of(
    strategy: StrategyResult, groups: Ints, attempts: Attempts, partitions: Sequence[Partition], settings: Settings
) -> list[ClusterShare]:
    """What is left of the advantage of a strategy with clusters of similar texts kept together.

    What learns is taught without them. What learns nothing loses the one cluster in which it is best. As with probes,
    an advantage is held if it is above the margin and at least half of what it was.
    """
    checks = []
    way = next(way for way in attempts.strategies if way.name == strategy.name)
    kept = [(part.alike, part.index) for part in partitions if part.alike != "template"]
    for alike, together, effective in kept_together(groups, kept):
        value = _left(way, together, attempts, settings)
        checks.append(
            ClusterShare(
                strategy=strategy.name, alike=alike, clusters=int(together.max()) + 1, effective=effective,
                advantage=value, held=holds(value, strategy.advantage or 0.0, settings.margin),
            )
        )  # fmt: skip
    return checks


def _left(way: Attempt, together: Ints, attempts: Attempts, settings: Settings) -> float:
    chance = attempts.chance.right
    if way.kind == "fixed":
        return float(np.nan_to_num(without_the_best(way.right, chance, together)))
    learner, splits = attempts.learners[way.name], min(settings.splits, SPLITS)
    right, _ = crossfit([learner], together, attempts.wordings.right, settings, scheme="clusters", splits=splits)
    base = float(chance.mean())
    return (float(right.mean()) - base) / (1 - base)


def _in_templates(index: Ints, same: Ints) -> NDArray[np.bool_]:
    """(n,) whether each item is in a template; items of one of `same` have one text."""
    texts = np.bincount(np.unique(np.stack([index, same]), axis=1)[0])
    return np.asarray(texts[index] >= _TEXTS)


def _apart(index: Ints, known: NDArray[np.bool_]) -> Ints:
    """(n,) the numbers of the templates, and one of its own for every item that is in none."""
    return np.where(known, index, int(index.max()) + 1 + np.arange(len(index)))


def _measured(
    templates: Templates,
    learners: Sequence[Learner],
    right: Floats,
    attempts: Attempts,
    ways: int,
    settings: Settings,
    at: int,
) -> TemplateResult:
    (how, index, in_template), widened = templates, refitted(settings.folds)
    beyond = advantages(
        right, attempts.chance.right, index, np.full(len(right), widened), leak_alpha=settings.leak_alpha / ways,
        random=seeded(settings.seed, "open-ended", "templates", at),
    )  # fmt: skip
    top = int(np.nanargmax(beyond.value)) if np.isfinite(beyond.value).any() else 0
    rest = max((way.right for way in attempts.strategies), key=lambda row: float(row.mean()))
    over = advantages(
        right[top : top + 1], rest, index, np.array([widened]), leak_alpha=settings.leak_alpha,
        random=seeded(settings.seed, "open-ended", "over", at),
    )  # fmt: skip
    return TemplateResult(
        how="groups" if how == "groups" else "clusters",
        count=len(np.unique(index[in_template])),
        effective=effective_groups(index),
        share=float(in_template.mean()),
        name=learners[top].name,
        description=learners[top].description,
        exact=float(right[top].mean()),
        advantage=number(beyond.value[top]),
        low=number(beyond.low[top]),
        high=number(beyond.high[top]),
        bound=number(beyond.bound[top]),
        p_corrected=min(1.0, float(beyond.p[top]) * ways),
        over_others=number(over.low[0]),
    )
