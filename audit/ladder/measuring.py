"""The ladder of one benchmark, from the fits of the audit and a few of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from audit.ladder.climbing import Climb
from audit.ladder.ngram import single_ngram
from audit.ladder.rungs import LABELS, FittedRung, steps_of
from audit.partial.choice import chosen_in_training
from audit.partial.probing import Probed
from audit.probes.crossfit import Fitting, Ints, Scores, crossfit, draw_folds
from audit.probes.kappas import MeasuredScheme
from audit.result.audit_result import Settings
from audit.result.shortcuts import Ladder

if TYPE_CHECKING:
    from audit.texts.feature_table import FeatureTable

__all__ = ["measure_ladder"]


def measure_ladder(
    table: FeatureTable,
    y: Ints,
    groups: Ints,
    labels: Sequence[str],
    grouped: MeasuredScheme[Scores],
    fitting: Fitting,
    settings: Settings,
    parts: Probed | None = None,
) -> Ladder:
    """The ladder under grouped folds, on the splits of the scheme `grouped`; `parts` are its partial inputs.

    Trees are a rung of their own: if they compete in this audit, the rungs below are fitted once more without them.
    """
    folds = draw_folds(y, groups, fitting.seed, "grouped", settings.folds, grouped.result.splits)
    quiet = fitting.quiet()
    linear, scores = tuple(how for how in fitting.candidates if how.linear), grouped.scores
    trees: list[FittedRung] = []
    if linear != fitting.candidates:
        ngrams = [entry for entry in scores if entry.vector.kind == "ngram"]
        combined, often = chosen_in_training("trees", LABELS["trees"], ngrams, folds)
        trees = [FittedRung("trees", f"{grouped.of(often).vector.label} most often", combined)]
        vectors = [entry.vector for entry in scores]
        scores = crossfit(
            table, y, groups, vectors, replace(quiet, candidates=linear),
            scheme="grouped", folds=settings.folds, splits=grouped.result.splits,
        )  # fmt: skip
    best = single_ngram(table, y, labels, folds, quiet)
    sees = "a word, a token, or two in a row"
    steps = [*steps_of(scores, folds), FittedRung("ngram", sees, best.scores), *_part(parts, folds), *trees]
    climb = Climb(y, groups, len(labels), settings, grouped.stretch)
    return climb.ladder(steps, uniform=grouped.result.majority_uniform, ngram=best.named)


def _part(parts: Probed | None, folds: Sequence[Ints]) -> list[FittedRung]:
    """The rung of partial input: in each fold, the part that training chose."""
    if parts is None or not parts.scores:
        return []
    combined, often = chosen_in_training("partial", LABELS["partial"], parts.scores, folds)
    sees = next(entry.sees for entry in parts.result.inputs if entry.name == often)
    return [FittedRung("partial", sees, combined)]
