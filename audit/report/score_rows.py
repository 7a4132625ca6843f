"""What `score` and `analyse` write as CSV: scores, effects, tests of hypotheses and pairs, one row each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from math import isfinite, isnan
from typing import Final

from hansproof.audit.models.comparison import OverRuns
from hansproof.audit.models.contrast import Contrast
from hansproof.audit.models.hypotheses import HypothesisReport, Tested
from hansproof.audit.models.matching import effect_note
from hansproof.audit.models.reliance.reliance_records import ClusteredEstimate, PartAccuracy, Reliance, shortcut_word
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
    reports: Sequence[Report], over_runs: Sequence[OverRuns] = (), differences: Sequence[Contrast] = ()
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


def _difference(each: Contrast, release: tuple[str, str]) -> dict[str, Cell]:
    apart = each.difference
    return {
        "dataset": release[0],
        "version": release[1],
        "by": "difference",
        "name": each.title,
        "first": each.first,
        "second": each.second,
        "first_better": apart.a_only,
        "second_better": apart.b_only,
        **{name: getattr(apart, name) for name in ("items", "groups", "note")},
        **_all_known(
            se=apart.se, first_accuracy=apart.a, second_accuracy=apart.b, p=apart.p, p_holm=each.p_holm,
            difference=apart.difference, difference_low=apart.low, difference_high=apart.high,
        ),
        **_sides(each, "{0}_{1}", "first", "second"),
        **_clear(each, "clear_items", "clear_difference"),
    }  # fmt: skip


def _sides(each: Contrast, form: str, *names: str) -> dict[str, Cell]:
    """Unclear and missing replies of both sides; `form` names a column by side and kind."""
    kinds = (("unclear", each.unclear), ("missing", each.missing))
    return {form.format(name, kind): count for kind, both in kinds for name, count in zip(names, both, strict=True)}


def _clear(each: Contrast, items: str, apart: str) -> dict[str, Cell]:
    """The difference on clear replies; blank where all are."""
    if (own := each.clear) is None:
        return {}
    numbers = {apart: own.difference, "clear_low": own.low, "clear_high": own.high, "clear_p_holm": each.clear_p_holm}
    return {items: own.items, **_all_known(**numbers)}


def _ends(estimate: Estimate | None, *names: str) -> dict[str, Cell]:
    known = (None,) * 3 if estimate is None else (estimate.share, estimate.low, estimate.high)
    return {name: _known(value) for name, value in zip(names, known, strict=True)}


def _all_known(**values: float | None) -> dict[str, Cell]:
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
        {**{name: getattr(report, name) for name in ("model", "family", "style", "run")}, **_effect(effect)}
        for report in reports
        for effect in report.effects
    ]
    return [_EFFECTS_HEADER, *([row.get(name) for name in _EFFECTS_HEADER] for row in rows)]


def _effect(effect: Contrast) -> dict[str, Cell]:
    apart = effect.difference
    return {
        **{name: getattr(effect, name) for name in ("subset", "by", "left_out")},
        "value": effect.name,
        "original_condition": effect.first,
        "perturbed_condition": effect.second,
        "pairs": apart.items,
        "original_only": apart.a_only,
        "perturbed_only": apart.b_only,
        **_all_known(
            original=apart.a, perturbed=apart.b, effect=apart.difference, se=apart.se, low=apart.low, high=apart.high,
            p=apart.p, p_holm=effect.p_holm, t=apart.t, t_p=apart.t_p, both_right=apart.both_right,
            detectable=apart.detectable,
        ),
        **_sides(effect, "{1}_{0}", "original", "perturbed"),
        **_clear(effect, "clear_pairs", "clear_effect"),
        "note": effect_note(effect),
    }  # fmt: skip


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
    corrected = ("accuracy", "on_right", "on_wrong", "difference") if study.protocol == "paper" else ()
    names = ["benchmark", "model", "style", "run", "family", "shortcut", "items", "unclear", "missing", "accuracy"]
    names += [f"{part}{end}" for part in ("on_right", "on_wrong") for end in ("", "_low", "_high", "_items")]
    names += [f"{name}{end}" for name in ("raw", "equal_gold") for end in ("", "_se", "_low", "_high")]
    names += ["both_wrong", "agree", "expected", "excess", "excess_se", "excess_low", "excess_high"]
    rows: list[list[str | float | None]] = [[*names, *(f"corrected_{name}" for name in corrected)]]
    for pair in study.pairs:
        errors = pair.errors
        rows.append([
            pair.benchmark, pair.model, pair.style, pair.run, pair.family, shortcut_word(pair),
            pair.items, pair.unclear, pair.missing, pair.accuracy, *_part(pair.on_right), *_part(pair.on_wrong),
            *_all(pair.raw), *_all(pair.equal_gold), errors.items, errors.agree, errors.expected, *_all(errors.excess),
            *(getattr(pair.corrected, name, None) for name in corrected),
        ])  # fmt: skip
    return rows


def _part(part: PartAccuracy) -> list[float | None]:
    return [part.share, part.low, part.high, part.items]


def _all(of: ClusteredEstimate) -> list[float | None]:
    return [of.estimate, of.se, of.low, of.high]
