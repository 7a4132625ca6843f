"""What `score` and `analyse` write as CSV: scores, effects, tests of hypotheses and pairs, one row each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from math import isfinite, isnan, nan
from typing import Final

from hansproof.audit.models.effects import Effect
from hansproof.audit.models.hypothesis_records import HypothesisReport, Tested
from hansproof.audit.models.pairwise import ModelDifference, OverRuns
from hansproof.audit.models.reliance.reliance_records import Reliance, shortcut_word
from hansproof.audit.models.score_lines import Line
from hansproof.audit.models.scores import Report
from hansproof.audit.report.study_scores import cancelling
from hansproof.audit.result.shown import Rows
from hansproof.audit.statistics.shares import Estimate
from hansproof.generators.answering.scorer import ANSWER

__all__ = ["effect_rows", "hypothesis_rows", "pair_rows", "score_rows"]

Cell = str | float | None

_SCORES: Final = (
    "model", "family", "style", "run", "dataset", "version", "by", "name", "items", "skipped", "missing", "unclear",
    "accuracy", "low", "high", "interval", "se", "replied", "accuracy_replied", "replied_low", "replied_high",
    "accuracy_clear", "accuracy_clear_low", "accuracy_clear_high", "groups", "pairs",
    "pair_accuracy", "pair_low", "pair_high", "flip_rate", "flip_low", "flip_high", "chance",
)  # fmt: skip
_DIFFERENCES: Final = (
    "first", "second", "first_accuracy", "second_accuracy", "difference", "difference_low", "difference_high", "p",
    "p_holm", "first_better", "second_better", "first_unclear", "second_unclear", "first_missing", "second_missing",
    "clear_items", "clear_difference", "clear_low", "clear_high", "clear_p_holm",
)  # fmt: skip
_SCORE_HEADER: Final = (*_SCORES, *_DIFFERENCES, "note")


def score_rows(
    reports: Sequence[Report], over_runs: Sequence[OverRuns] = (), differences: Sequence[ModelDifference] = ()
) -> Rows:
    """The lines of all reports, the means over runs (`by` is "runs", or "runs, subset") and the differences between
    models (`by` is "difference"); shares from 0 to 1, blank where undefined.

    A benchmark without subsets has no row of a subset: it would repeat that of all items.
    """
    release = (reports[0].dataset, reports[0].version) if reports else ("", "")
    rows = [_line(report, line) for report in reports for line in report.lines if not _repeats(report, line)]
    rows += [_runs(each, release) for each in over_runs]
    rows += [_difference(each, release) for each in differences]
    return [_SCORE_HEADER, *([row.get(name) for name in _SCORE_HEADER] for row in rows)]


def _repeats(report: Report, line: Line) -> bool:
    return line.by == "subset" and not line.name and line.items == report.lines[0].items


def _line(report: Report, line: Line) -> dict[str, Cell]:
    right = line.right
    return {
        **{name: getattr(report, name) for name in ("model", "family", "style", "run", "dataset", "version")},
        **{name: getattr(line, name) for name in ("by", "name", "items", "skipped", "missing", "unclear", "groups")},
        **_ends(right, "accuracy", "low", "high"),
        "interval": right.interval if right is not None else None,
        "se": _known(line.se),
        "replied": line.replied.total if line.replied is not None else None,
        **_ends(line.replied, "accuracy_replied", "replied_low", "replied_high"),
        **_ends(line.clear, "accuracy_clear", "accuracy_clear_low", "accuracy_clear_high"),
        "pairs": line.matched.total if line.matched is not None else None,
        **_ends(line.matched, "pair_accuracy", "pair_low", "pair_high"),
        **_ends(line.flips, "flip_rate", "flip_low", "flip_high"),
        "chance": _known(line.chance.get(ANSWER)),
        "note": "; ".join(filter(None, (line.note, cancelling(line)))),
    }


def _runs(mean: OverRuns, release: tuple[str, str]) -> dict[str, Cell]:
    return {
        **{name: getattr(mean, name) for name in ("model", "family", "style", "items", "groups", "note")},
        "run": f"mean of {mean.runs}",
        "dataset": release[0],
        "version": release[1],
        "by": "runs, subset" if mean.subset else "runs",
        "name": mean.subset,
        **_all_known(accuracy=mean.right, low=mean.low, high=mean.high, se=mean.se),
        "interval": "cluster-robust",
    }


def _difference(each: ModelDifference, release: tuple[str, str]) -> dict[str, Cell]:
    row: dict[str, Cell] = {
        "dataset": release[0],
        "version": release[1],
        "by": "difference",
        "name": f"{each.first} - {each.second}",
        **{
            name: getattr(each, name)
            for name in ("items", "groups", "first", "second", "first_better", "second_better", "note")
        },
        **_all_known(
            se=each.se, first_accuracy=each.first_right, second_accuracy=each.second_right, p=each.p,
            p_holm=each.p_holm, difference=each.difference, difference_low=each.low, difference_high=each.high,
        ),
        "first_unclear": each.unclear[0],
        "second_unclear": each.unclear[1],
        "first_missing": each.missing[0],
        "second_missing": each.missing[1],
    }  # fmt: skip
    if (clear := each.clear) is None:
        return row
    return row | {
        "clear_items": clear.items,
        **_all_known(
            clear_difference=clear.difference, clear_low=clear.low, clear_high=clear.high, clear_p_holm=clear.p_holm
        ),
    }


def _ends(estimate: Estimate | None, *names: str) -> dict[str, Cell]:
    known = (None,) * 3 if estimate is None else (estimate.share, estimate.low, estimate.high)
    return {name: _known(value) for name, value in zip(names, known, strict=True)}


def _all_known(**values: float) -> dict[str, Cell]:
    return {name: _known(value) for name, value in values.items()}


def _known(value: float | None) -> float | None:
    return None if value is None or isnan(value) else value


_EFFECTS_HEADER = (
    "model", "family", "style", "run", "subset", "by", "value", "original_condition", "perturbed_condition", "pairs",
    "original", "perturbed", "effect", "se", "low", "high", "p", "p_holm", "t", "t_p",
    "original_only", "perturbed_only", "both_right", "detectable", "missing_original", "missing_perturbed",
    "unclear_original", "unclear_perturbed", "clear_pairs", "clear_effect", "clear_low", "clear_high", "clear_p_holm",
    "left_out", "note",
)  # fmt: skip


def effect_rows(reports: Sequence[Report]) -> Rows:
    """The effects of all reports; shares from 0 to 1, blank where undefined.

    Those on clear replies (`clear_...`) are blank where all replies are clear.
    """
    rows = [
        [report.model, report.family, report.style, report.run, *_row(effect)]
        for report in reports
        for effect in report.effects
    ]
    return [_EFFECTS_HEADER, *rows]


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
        effect.subset, effect.by, effect.value, effect.original_condition, effect.perturbed_condition, paired.pairs,
        *map(_known, numbers), effect.note,
    ]  # fmt: skip


_LISTS = ("left_out_first", "parts")
"""Fields that fit into no cell; the JSON has them."""


def hypothesis_rows(report: HypothesisReport) -> Rows:
    """Every test with all its numbers; shares from 0 to 1, blank where undefined."""
    names = [field.name for field in fields(Tested) if field.name not in _LISTS]
    rows = [[_cell(vars(tested)[name]) for name in names] for tested in report.tests]
    return [names, *rows]


def _cell(value: str | float | bool) -> str | float | None:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) or isfinite(value) else None


def pair_rows(study: Reliance) -> Rows:
    """A heading and a row per pair, for CSV: shares in full."""
    differences = ("paper", "raw", "equal_gold", "equal_others", "equal_gold_others", "beyond")
    fields = ("estimate", "se", "low", "high", "p")
    names = ["benchmark", "model", "style", "run", "family", "shortcut", "items", "shared_items"]
    names += ["corrected_accuracy", "on_right", "on_wrong"]
    rows: list[list[str | float | None]] = [[*names, *(f"{name}_{field}" for name in differences for field in fields)]]
    for pair in study.pairs:
        values = (pair.paper, pair.raw, pair.equal_gold, pair.equal_others, pair.equal_gold_others, pair.beyond)
        rows.append([
            pair.benchmark, pair.model, pair.style, pair.run, pair.family, shortcut_word(pair),
            pair.items, pair.shared_items, pair.accuracy, pair.on_right, pair.on_wrong,
            *(number for each in values for number in (each.estimate, each.se, each.low, each.high, each.p)),
        ])  # fmt: skip
    return rows
