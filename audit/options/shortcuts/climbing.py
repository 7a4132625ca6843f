"""The ladder of options, from the fits of the audit, the rules and one n-gram."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from audit.ladder.climbing import ladder_of, rung_of
from audit.options.choosing import chance_of, influence, kappa
from audit.options.crossfit import Bed, ViewScores, crossfit
from audit.options.items.pool import Pool
from audit.options.numbers.scheme import measure
from audit.options.rules import rules_on
from audit.options.shortcuts.ngram import single_option_ngram
from audit.options.shortcuts.picking import of_rules, of_views, views_of
from audit.options.shortcuts.rungs import LABELS, RULES, SAID, VIEWS
from audit.probes.crossfit import draw_folds
from audit.probes.kappas import RefitWidening
from audit.result.audit_result import Settings
from audit.result.shortcuts import Ladder, Rung, SingleNgram
from audit.statistics.intervals import errors_of

__all__ = ["options_ladder"]

Ints = NDArray[np.int64]


def options_ladder(
    bed: Bed, groups: Ints, scores: Sequence[ViewScores], stretch: RefitWidening, settings: Settings, *, ordered: bool
) -> Ladder:
    """The rungs under grouped folds, on the splits of `scores`, which are those of all views; `groups` are (n,).

    All rungs share the folds; p is corrected for all of them (max-T), and differences are paired item by item. Trees
    are a rung of their own: if they compete in this audit, the rungs below are fitted once more without them.
    `stretch` is that of the scheme; without `ordered` there is no rung of positions.
    """
    pool, splits = bed.pool, len(scores[0].shares)
    folds = draw_folds(pool.strata, groups, settings.seed, "grouped", settings.folds, splits)
    linear = tuple(how for how in bed.fitting.candidates if how.linear)
    trees = None
    if linear != bed.fitting.candidates:
        trees = of_views("trees", pool, [entry for entry in scores if entry.view.vector.kind == "ngram"], folds)
        plain = replace(bed, fitting=replace(bed.fitting.quiet(), candidates=linear))
        views = [entry.view for entry in scores]
        scores = crossfit(plain, views, pool.gold, groups, scheme="grouped", folds=settings.folds, splits=splits)
    steps, ngram = _steps(bed, scores, folds, groups, ordered)
    if trees is not None:
        steps["trees"] = trees
    return _climbed(steps, ngram, pool, groups, settings, stretch)


def _steps(
    bed: Bed, scores: Sequence[ViewScores], folds: Sequence[Ints], groups: Ints, ordered: bool
) -> tuple[dict[str, tuple[ViewScores, str]], SingleNgram | None]:
    """What each rung chooses, with what training preferred, simplest first."""
    pool, values = bed.pool, bed.tables["question"].numbers["question-cues"]
    rules = [rules_on(pool, values, fold, ordered) for fold in folds]
    steps: dict[str, tuple[ViewScores, str]] = {}
    for name, wanted in RULES.items():
        known = [[rule for rule in of if rule.name in wanted] for of in rules]
        if (made := of_rules(name, pool, known, folds)) is not None:
            steps[name] = made
    single, ngram = single_option_ngram(bed.tables["option"], pool, folds)
    steps["ngram"] = single, "a word, a token, or two in a row of the option"
    for name, kind in VIEWS.items():
        if (made := of_views(name, pool, views_of(kind, scores), folds)) is not None:
            steps[name] = made
    return steps, ngram


def _climbed(
    steps: dict[str, tuple[ViewScores, str]],
    ngram: SingleNgram | None,
    pool: Pool,
    groups: Ints,
    settings: Settings,
    stretch: RefitWidening,
) -> Ladder:
    made = [scores for scores, _ in steps.values()]
    measured = measure("grouped", pool, groups, made, settings, None, lambda strongest, null_sd: stretch)
    splits = len(made[0].shares)
    rungs: list[Rung] = [rung_of("constant", LABELS["constant"], "nothing", None, None, 0.0, splits)]
    for (name, (_, often)), vector in zip(steps.items(), measured.result.vectors, strict=True):
        several = len(RULES.get(name, ())) > 1 or name in ("unigrams", "bigrams", "others", "question", "trees")
        sees = f"{often} most often" if several else often
        rungs.append(rung_of(name, LABELS[name], sees, vector, vector.p_corrected, vector.matched, splits))
    hits = {name: scores.shares[:, pool.gold].astype(np.float64) for name, (scores, _) in steps.items()}
    hits["constant"] = np.tile(1 / pool.size, (splits, 1))

    def half_width(first: str, second: str) -> float | None:
        pairs = list(zip(hits[first], hits[second], strict=True))
        parts = np.stack([influence(a, pool.size) - influence(b, pool.size) for a, b in pairs])
        gains = np.array([[kappa(a, pool.size) - kappa(b, pool.size) for a, b in pairs]])
        spread = errors_of(
            [parts], groups, gains, chance_of(pool.size), stretch=stretch.sampling, stretched_by=stretch.degrees
        )
        half = float(spread.half_width()[0])
        return half if np.isfinite(half) else None

    grouped = int(groups.max()) + 1 < pool.n
    return ladder_of(rungs, half_width, settings, ngram, grouped=grouped, said=SAID, unit="option")
