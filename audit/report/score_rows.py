"""What `score` and `analyse` write as CSV: scores, effects, tests, pairs and arms, one row each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from math import isfinite
from typing import Any, Final

from hansproof.audit.models.comparison import OverRuns
from hansproof.audit.models.contrast import Contrast
from hansproof.audit.models.experiment import ArmResult
from hansproof.audit.models.hypotheses import HypothesisReport, Tested
from hansproof.audit.models.matching import effect_note
from hansproof.audit.models.reliance.reliance_records import Reliance, shortcut_word
from hansproof.audit.models.scores import Report
from hansproof.audit.notation import listed
from hansproof.audit.report.study_scores import cancelling
from hansproof.audit.result.shown import Rows

__all__ = ["cells_at", "effect_rows", "experiment_rows", "hypothesis_rows", "pair_rows", "paths", "score_rows"]

# A table is the names of its columns, each with the path to its number in the record of a row; a column that is called
# as its number is needs no path. Shares are from 0 to 1, and what is undefined is blank.

Cell = str | float | None


def paths(text: str) -> dict[str, str]:
    """Column -> path, of `column=path` and `column` with blanks between them."""
    return {name: path or name for name, _, path in (column.partition("=") for column in text.split())}


def cells_at(record: Any, columns: Mapping[str, str]) -> dict[str, Cell]:
    """The texts and numbers of a record at these paths; blank also where there is no record on the way."""
    return {name: _at(record, path) for name, path in columns.items()}


def _at(record: Any, path: str) -> Cell:
    for name in path.split("."):
        if record is None:
            return None
        if isinstance(record, Mapping):
            record = record.get(name)
        else:
            record = record[int(name)] if name.isdecimal() else getattr(record, name)
    if isinstance(record, bool):
        return "yes" if record else "no"
    known: Cell = record
    return known if known is None or isinstance(known, str) or isfinite(known) else None


def _table(names: Iterable[str], rows: Iterable[Mapping[str, Cell]]) -> Rows:
    header = [*names]
    return [header, *([row.get(name) for name in header] for row in rows)]


_SCORES: Final = paths("""
    model=report.model family=report.family style=report.style run=report.run
    dataset=report.dataset version=report.version
    by=line.by name=line.name items=line.items skipped=line.skipped missing=line.missing unclear=line.unclear
    accuracy=line.right.share low=line.right.low high=line.right.high interval=line.right.interval se=line.se
    replied=line.replied.total accuracy_replied=line.replied.share
    replied_low=line.replied.low replied_high=line.replied.high
    accuracy_clear=line.clear.share accuracy_clear_low=line.clear.low accuracy_clear_high=line.clear.high
    groups=line.groups pairs=line.matched.total
    pair_accuracy=line.matched.share pair_low=line.matched.low pair_high=line.matched.high
    flip_rate=line.flips.share flip_low=line.flips.low flip_high=line.flips.high chance=line.chance.answer
""")
_OVER_RUNS: Final = paths("model family style name=subset items accuracy=right low high se groups note")
_DIFFERENCES: Final = paths("""
    first second first_accuracy=difference.a second_accuracy=difference.b
    difference=difference.difference difference_low=difference.low difference_high=difference.high
    p=difference.p p_holm first_better=difference.a_only second_better=difference.b_only
    first_unclear=unclear.0 second_unclear=unclear.1 first_missing=missing.0 second_missing=missing.1
    clear_items=clear.items clear_difference=clear.difference clear_low=clear.low clear_high=clear.high clear_p_holm
""")
_COMMON: Final = paths(
    "name=title items=difference.items groups=difference.groups se=difference.se note=difference.note"
)
"""What differences have in the columns of scores."""


def score_rows(
    reports: Sequence[Report], over_runs: Sequence[OverRuns] = (), differences: Sequence[Contrast] = ()
) -> Rows:
    """The lines of all reports, the means over runs (`by` is "runs", or "runs, subset") and the differences between
    models (`by` is "difference").

    A benchmark without subsets has no row of a subset: it would repeat that of all items.
    """
    release = cells_at(reports[0], paths("dataset version")) if reports else {}
    rows = [
        {
            **cells_at({"report": report, "line": line}, _SCORES),
            "note": "; ".join(filter(None, (line.note, cancelling(line)))),
        }
        for report in reports
        for line in report.lines
        if line.by != "subset" or line.name or line.items != report.lines[0].items
    ]
    for mean in over_runs:
        by = listed("runs", "subset" if mean.subset else "")
        about: dict[str, Cell] = {"run": f"mean of {mean.runs}", "by": by, "interval": "cluster-robust"}
        rows.append(cells_at(mean, _OVER_RUNS) | release | about)
    rows += [{**cells_at(each, _DIFFERENCES | _COMMON), **release, "by": "difference"} for each in differences]
    return _table([*_SCORES, *_DIFFERENCES, "note"], rows)


_EFFECTS: Final = paths("""
    model=report.model family=report.family style=report.style run=report.run
    subset=effect.subset by=effect.by value=effect.name
    original_condition=effect.first perturbed_condition=effect.second pairs=effect.difference.items
    original=effect.difference.a perturbed=effect.difference.b effect=effect.difference.difference
    se=effect.difference.se low=effect.difference.low high=effect.difference.high
    p=effect.difference.p p_holm=effect.p_holm t=effect.difference.t t_p=effect.difference.t_p
    original_only=effect.difference.a_only perturbed_only=effect.difference.b_only
    both_right=effect.difference.both_right detectable=effect.difference.detectable
    missing_original=effect.missing.0 missing_perturbed=effect.missing.1
    unclear_original=effect.unclear.0 unclear_perturbed=effect.unclear.1
    clear_pairs=effect.clear.items clear_effect=effect.clear.difference
    clear_low=effect.clear.low clear_high=effect.clear.high clear_p_holm=effect.clear_p_holm left_out=effect.left_out
""")


def effect_rows(reports: Sequence[Report]) -> Rows:
    """The effects of all reports; those on clear replies (`clear_...`) are blank where all replies are clear."""
    rows = [
        {**cells_at({"report": report, "effect": effect}, _EFFECTS), "note": effect_note(effect)}
        for report in reports
        for effect in report.effects
    ]
    return _table([*_EFFECTS, "note"], rows)


_LISTS = ("left_out_first", "parts")
"""Fields that fit into no cell; the JSON has them."""


def hypothesis_rows(report: HypothesisReport) -> Rows:
    """Every test with all its numbers."""
    columns = {field.name: field.name for field in fields(Tested) if field.name not in _LISTS}
    return _table(columns, [cells_at(tested, columns) for tested in report.tests])


_PAIRS: Final = paths("""
    benchmark model style run family shortcut items unclear missing accuracy
    on_right=on_right.share on_right_low=on_right.low on_right_high=on_right.high on_right_items=on_right.items
    on_wrong=on_wrong.share on_wrong_low=on_wrong.low on_wrong_high=on_wrong.high on_wrong_items=on_wrong.items
    raw=raw.estimate raw_se=raw.se raw_low=raw.low raw_high=raw.high
    equal_gold=equal_gold.estimate equal_gold_se=equal_gold.se
    equal_gold_low=equal_gold.low equal_gold_high=equal_gold.high
    both_wrong=errors.items agree=errors.agree expected=errors.expected excess=errors.excess.estimate
    excess_se=errors.excess.se excess_low=errors.excess.low excess_high=errors.excess.high
""")
_CORRECTED: Final = paths("""
    corrected_accuracy=corrected.accuracy corrected_on_right=corrected.on_right
    corrected_on_wrong=corrected.on_wrong corrected_difference=corrected.difference
""")


def pair_rows(study: Reliance) -> Rows:
    """A row per pair, with the paper's accuracies under its protocol."""
    columns = _PAIRS | (_CORRECTED if study.protocol == "paper" else {})
    return _table(columns, [{**cells_at(pair, columns), "shortcut": shortcut_word(pair)} for pair in study.pairs])


_ARMS: Final = paths("""
    model style run arm items unclear whole=whole.a in_arm=whole.b constant luck
    effect=effect.value low=effect.low high=effect.high p=effect.p p_holm shown sentence
""")


def experiment_rows(results: Sequence[ArmResult]) -> Rows:
    """A row per model and arm."""
    return _table(_ARMS, [{**cells_at(each, _ARMS), "shown": int(each.shown)} for each in results])
