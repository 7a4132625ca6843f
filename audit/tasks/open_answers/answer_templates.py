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
from hansproof.audit.result.audit_result import Settings
from hansproof.audit.result.record import or_least
from hansproof.audit.result.tasks import ClusterShare, StrategyResult, TemplateResult
from hansproof.audit.statistics.intervals import effective_groups
from hansproof.audit.statistics.permutation import seeded
from hansproof.audit.tasks.open_answers.advantages import advantages, refitted, without_the_best
from hansproof.audit.tasks.open_answers.attempts import Attempt, Attempts
from hansproof.audit.tasks.open_answers.golds import Golds, Ints
from hansproof.audit.tasks.open_answers.learners import Learner, crossfit
from hansproof.audit.tasks.open_answers.learnt_cues import learners_by_template
from hansproof.audit.tasks.open_answers.prompt_words import Reading
from hansproof.audit.texts.sentences import fold_text
from hansproof.audit.texts.similarity import Partition, number_by_first, similarity_partitions
from hansproof.audit.verdict.rule import GROUPED_SHARE

__all__ = ["check_clusters_of", "measure_templates", "partitions_of"]

Floats = NDArray[np.float64]

_TEXTS = 4
"""Fewest texts of a template: that both items of a matched pair have one answer is a design, and they stay together."""


def partitions_of(prompts: Sequence[str], groups: Ints, settings: Settings) -> list[Partition]:
    """Clusters of similar texts, each group (n,) kept whole; none where the settings want no groups."""
    return [] if settings.groups == "none" else similarity_partitions(prompts, groups=groups)


def measure_templates(
    prompts: Sequence[str],
    readings: Sequence[Reading],
    golds: Golds,
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
    ways = [(how, index) for how, index in _different(ways) if _in_templates(index, same).mean() >= GROUPED_SHARE]
    numbers, texts = attempts.numbers, attempts.texts
    taught = learners_by_template(
        readings, golds, attempts.wordings, [_apart(index, _in_templates(index, same)) for _, index in ways],
        numbers=numbers, texts=texts,
    )  # fmt: skip
    best: TemplateResult | None = None
    for at, ((how, index), learners) in enumerate(zip(ways, taught, strict=True)):
        right, _ = crossfit(learners, same, attempts.wordings.right, settings, scheme="random", splits=settings.splits)
        known = _in_templates(index, same)
        result = _measured((how, index, known), learners, right, attempts, len(ways), settings, at)
        if best is None or or_least(result.advantage) > or_least(best.advantage):
            best = result
    return best


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


def _different(ways: Sequence[tuple[str, Ints]]) -> list[tuple[str, Ints]]:
    kept: list[tuple[str, Ints]] = []
    for how, index in ways:
        numbered = number_by_first(index.tolist())
        if not any(np.array_equal(numbered, other) for _, other in kept):
            kept.append((how, numbered))
    return kept


def _in_templates(index: Ints, same: Ints) -> NDArray[np.bool_]:
    """(n,) whether each item is in a template; items of one of `same` have one text."""
    texts = np.bincount(np.unique(np.stack([index, same]), axis=1)[0])
    return np.asarray(texts[index] >= _TEXTS)


def _apart(index: Ints, known: NDArray[np.bool_]) -> Ints:
    """(n,) the numbers of the templates, and one of its own for every item that is in none."""
    return np.where(known, index, int(index.max()) + 1 + np.arange(len(index)))


def _measured(
    templates: tuple[str, Ints, NDArray[np.bool_]],
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
    known = bool(np.isfinite([beyond.value[top], beyond.low[top], beyond.high[top]]).all())
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
        advantage=float(beyond.value[top]) if known else None,
        low=float(beyond.low[top]) if known else None,
        high=float(beyond.high[top]) if known else None,
        bound=float(beyond.bound[top]) if known else None,
        p_corrected=min(1.0, float(beyond.p[top]) * ways),
        over_others=float(over.low[0]) if np.isfinite(over.low[0]) else None,
    )
