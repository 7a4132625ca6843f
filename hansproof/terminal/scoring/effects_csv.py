"""Effects of matched conditions as CSV: a row per model, subset and perturbation, whole subsets before their slices."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan, nan
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from audit.responses.effects import Effect
    from audit.responses.scoring import Report

__all__ = ["effects_csv"]

_HEADER = (
    "model", "family", "style", "run", "subset", "by", "value", "original_condition", "perturbed_condition", "pairs",
    "original", "perturbed", "effect", "se", "low", "high", "p", "p_holm", "t", "t_p",
    "original_only", "perturbed_only", "both_right", "detectable", "missing_original", "missing_perturbed",
    "unclear_original", "unclear_perturbed", "clear_pairs", "clear_effect", "clear_low", "clear_high", "clear_p_holm",
    "left_out", "note",
)  # fmt: skip


def effects_csv(reports: Sequence[Report]) -> bytes:
    """The effects of all reports; shares from 0 to 1, blank where undefined.

    Those on clear replies (`clear_...`) are blank where all replies are clear.
    """
    from audit.documents.csv_cells import csv_text

    rows = [
        [report.model, report.family, report.style, report.run, *_row(effect)]
        for report in reports
        for effect in report.effects
    ]
    return csv_text([_HEADER, *rows]).encode()


def _row(effect: Effect) -> list[str | float | None]:
    paired, own = effect.paired, effect.clear
    clear = (own.items, own.difference, own.low, own.high, own.p_holm) if own else (nan,) * 5
    numbers = (
        paired.original, paired.perturbed, paired.effect, paired.se, paired.low, paired.high, paired.p, effect.p_holm,
        paired.t, paired.t_p, paired.original_only, paired.perturbed_only, paired.both_right, paired.detectable,
        effect.missing_original, effect.missing_perturbed, effect.unclear_original, effect.unclear_perturbed,
        *clear, effect.left_out,
    )  # fmt: skip
    return [
        effect.subset,
        effect.by,
        effect.value,
        effect.original_condition,
        effect.perturbed_condition,
        paired.pairs,
        *(None if isnan(number) else number for number in numbers),
        effect.note,
    ]
