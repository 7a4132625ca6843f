"""Differences on the same items: between models, between conditions, tests of hypotheses, and experiments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain
from math import isfinite, isnan
from typing import Final

from hansproof.audit import notation
from hansproof.audit.models.comparison import OverRuns, foremost
from hansproof.audit.models.contrast import Contrast, clear_notes
from hansproof.audit.models.experiment import ArmResult
from hansproof.audit.models.hypotheses import HypothesisReport, Tested
from hansproof.audit.models.matching import contrast_name, effect_note, guessed_note
from hansproof.audit.models.scores import Report
from hansproof.audit.models.study import Answered
from hansproof.audit.report import comparison_words, terms
from hansproof.audit.report.comparison_words import ends, where_said
from hansproof.audit.report.document import (
    SHARES,
    Cell,
    Column,
    Mark,
    ReportTable,
    between,
    captioned,
    drawn,
    filled,
    points,
    sections,
    tabulated,
)
from hansproof.audit.report.terms import CONTRASTS, measured
from hansproof.generators.answering.scorer import ANSWER

__all__ = ["experiment_table", "only_term", "tested_columns"]

_MOST: Final = 20
"""Models between which differences are shown."""


def difference_table(part: Answered, of: str = "") -> ReportTable | None:
    """A row per pair of models, of many models those that are right most often; None for one model."""
    if not part.differences:
        return None
    shown = foremost(part.differences, _MOST)
    more = ""
    if len(shown) < len(part.differences):
        more = f", between the {_MOST} models that are right most often: {len(shown)} of {len(part.differences):,}"
    columns = {
        "Holm p": terms.HOLM_P, "items": terms.ITEMS, "clear points": terms.CLEAR_POINTS,
        "clear items": terms.CLEAR_ITEMS, "se": terms.SE, "only A/B": only_term(shown),
    }  # fmt: skip
    caption = captioned(f"Differences on common items{more}", of)
    named = [(f"{each.first} − {each.second}", each) for each in shown]
    return _contrasts(caption, "Difference", terms.POINTS, columns, named)


def only_term(shown: Sequence[Contrast]) -> str:
    """What the column of items is called that one side does better: where runs are averaged, none is right or wrong."""
    return terms.ONLY if all(each.runs == (1, 1) for each in shown) else terms.BETTER


def difference_notes(part: Answered) -> list[str]:
    """Which differences are not there on clear replies, and what cannot be relied on, a sentence for each reason."""
    return comparison_words.difference_notes(foremost(part.differences, _MOST), "−")


def runs_table(every: Sequence[OverRuns], reports: Sequence[Report] = ()) -> ReportTable | None:
    """A row per model of several runs, and one for each of its subsets, with the chance of their `reports`; None where
    each has one run."""
    if not every:
        return None
    chance = {
        (report.model, report.style, line.name): line.chance.get(ANSWER)
        for report in reports
        for line in report.lines
        if line.by in ("all", "subset")
    }
    fields: list[Column[OverRuns]] = [
        Column(terms.RIGHT, lambda each: each.note or notation.points(each.right)),
        Column("95 % interval", lambda each: Cell(between(each.low, each.high), "nowrap")),
        Column(terms.SE, lambda each: notation.points(each.se)),
        Column(terms.ITEMS, lambda each: notation.count(each.items)),
        Column(terms.GROUPS, lambda each: notation.count(each.groups)),
        Column(
            "right in %",
            lambda each: drawn(
                SHARES, each.right, each.low, each.high, chance.get((each.model, each.style, each.subset))
            ),
        ),
    ]
    named = [(notation.listed(each.title, each.subset), each) for each in every]
    return tabulated("Mean over the runs of a model", "Model, runs", fields, named, scale=SHARES, css="full dense")


def effect_table(part: Answered, of: str = "", *, sliced: bool = False) -> ReportTable | None:
    """A row per model below each subset and perturbation, or, `sliced`, per slice below each model and these; None
    without any."""
    effects = _named(part, sliced=sliced)
    if not effects:
        return None
    columns = {
        "p": terms.P, "Holm p": terms.HOLM_P, "t-test p": terms.T_P, "items": terms.PAIRS,
        "both right": terms.BOTH_RIGHT, "clear points": terms.CLEAR_POINTS, "clear items": terms.CLEAR_PAIRS,
        "only A/B": terms.ONLY, "detectable": terms.DETECTABLE,
    }  # fmt: skip
    rows: dict[str, list[tuple[str, Contrast] | str]] = {}
    for title, effect in effects:
        head = f"{title}, {_contrast(effect)}" if sliced else _contrast(effect)
        rows.setdefault(head, [head]).append((f"{effect.by} {effect.name}" if sliced else title, effect))
    caption = captioned(f"Original less perturbed items{', by slice' if sliced else ''}", of)
    return _contrasts(caption, "Subset, conditions", terms.EFFECT, columns, [*chain.from_iterable(rows.values())])


def effect_notes(part: Answered) -> list[str]:
    """Which effects are not there on clear replies, and what cannot be relied on, a sentence for each reason."""
    whole = _named(part, sliced=False)
    doubted = where_said(
        (f"{title}, {_where(effect)}", [*filter(None, [effect_note(effect)]), *ends(effect)]) for title, effect in whole
    )
    said = [f"{', '.join(dict.fromkeys(places))}: {doubt}" for doubt, places in doubted.items()]
    guessed = guessed_note([effect for each in part.series for effect in each.effects])
    compared = [(f"{title}, {_contrast(effect)}", effect) for title, effect in whole]
    return [*filter(None, [guessed]), *clear_notes(compared), *said]


def slice_notes(part: Answered) -> list[str]:
    """Which intervals of slices leave 0 out although an end is printed as 0.0."""
    doubted = where_said(
        (f"{title}, {_where(effect)}, {effect.by} {effect.name}", ends(effect))
        for title, effect in _named(part, sliced=True)
    )
    return [f"{doubt}: {notation.first_of(places)}" for doubt, places in doubted.items()]


def _named(part: Answered, *, sliced: bool) -> list[tuple[str, Contrast]]:
    """(model, effect): those of the slices, or those of whole subsets."""
    return [(each.title, effect) for each in part.series for effect in each.effects if bool(effect.by) is sliced]


def _where(effect: Contrast) -> str:
    return effect.subset or contrast_name("", effect.first, effect.second, "−")


def _contrast(effect: Contrast) -> str:
    return contrast_name(effect.subset, effect.first, effect.second, "−")


def _contrasts(
    caption: str, head: str, value: str, columns: Mapping[str, str], named: Sequence[tuple[str, Contrast] | str]
) -> ReportTable:
    """A table of contrasts; `columns` are names of `terms.CELLS` and what they are called here."""
    every = [row[1] for row in named if not isinstance(row, str)]
    scale, (difference, ends, drawing) = measured(value, every)
    shown = filled([Column(term, partial(_contrast_cell, name)) for name, term in columns.items()], every)
    return tabulated(caption, head, [difference, ends, *shown, drawing], named, scale=scale, css="full dense")


def _contrast_cell(name: str, each: Contrast) -> Cell:
    if name == "clear points" and (own := each.clear) is not None:
        return Cell(points(own.difference), below=between(own.low, own.high, signed=True))
    made = CONTRASTS[name].made(each)
    return made._replace(css="nowrap") if name == "only A/B" else made


def tested_columns(shift: float) -> dict[str, Column[Tested]]:
    """The columns of tests, by their names, for the page and the screen; `shift` is the one that is to be found."""
    needs: Column[Tested] = Column(
        f"needs for\n{100 * shift:g} points",
        lambda tested: f"{tested.pairs_needed:,.0f}" if isfinite(tested.pairs_needed) else "",
        goes=0,
    )
    fields: tuple[Column[Tested], ...] = (
        Column(terms.PAIRS, lambda tested: notation.count(tested.pairs)),
        Column(terms.RIGHT_BEFORE, lambda tested: notation.points(tested.before_right), goes=3),
        Column(terms.RIGHT_AFTER, lambda tested: notation.points(tested.after_right), goes=4),
        Column(terms.POINTS, lambda tested: points(tested.shift)),
        Column(terms.BH_P, lambda tested: notation.p_value(tested.p_bh_all)),
        Column("supported", lambda tested: "yes *" if tested.supported else "no"),
        Column("right in %", _before_and_after),
        Column(terms.BOTH_RIGHT, lambda tested: notation.count(tested.both)),
        Column("n12", lambda tested: notation.count(tested.before_only)),
        Column("n21", lambda tested: notation.count(tested.after_only)),
        Column("neither", lambda tested: notation.count(tested.neither)),
        Column("z", lambda tested: "" if isnan(tested.z) else f"{tested.z:.2f}", goes=5),
        Column(terms.P, lambda tested: notation.p_value(tested.p), goes=2),
        Column("exact p", lambda tested: notation.p_value(tested.p_exact)),
        Column("BH p of the models", lambda tested: notation.p_value(tested.p_bh)),
        Column("clusters", lambda tested: notation.count(tested.clusters)),
        Column("BH p by clusters", lambda tested: notation.p_value(tested.p_clusters_bh_all)),
        Column(terms.UNCLEAR, lambda tested: notation.count(tested.unclear_before + tested.unclear_after)),
        Column("left out", lambda tested: notation.count(tested.left_out)),
        Column("no reply", lambda tested: notation.count(tested.unanswered)),
        Column(terms.DETECTABLE, lambda tested: notation.points(tested.shift_found), goes=1),
    )
    return {field.name: field for field in fields} | {"needs": needs}


_FIRST: Final = ("right before", "right after", "points", "BH p", "supported", "pairs", "right in %")
"""The columns of the first table of a hypothesis; the second one has all that neither this nor its drawing shows."""


def _before_and_after(tested: Tested) -> Cell:
    before, after = SHARES.at(tested.before_right), SHARES.at(tested.after_right)
    return Cell("", "draw", mark=Mark(after, before, after, ring=before))


def hypothesis_tables(report: HypothesisReport, name: str, of: str) -> list[ReportTable]:
    """A row per test of the hypothesis below the heading of its change: the shares, and all other numbers; nothing
    where it was not tested."""
    tests = [tested for tested in report.tests if tested.hypothesis == name]
    if not tests:
        return []
    columns = tested_columns(report.shift)
    rows = [
        *sections(
            tests,
            lambda tested: f"{tested.before} → {tested.after}",
            lambda tested: notation.series_title(tested.model, tested.style) or notation.NAMELESS,
        )
    ]
    first = [columns[key] for key in _FIRST]
    rest = [field for key, field in columns.items() if key not in _FIRST]
    shares = captioned(f"{name}: per cent right before and after the change", of)
    numbers = captioned(f"{name}: all numbers", of)
    return [
        tabulated(shares, "Change, model", first, rows, scale=SHARES),
        tabulated(numbers, "Change, model", rest, rows, css="full dense"),
    ]


_ARMS: Final[tuple[Column[ArmResult], ...]] = (
    Column("arm", lambda each: each.arm, holds="phrases"),
    Column(terms.ITEMS, lambda each: notation.count(each.items)),
    Column("whole", lambda each: points(each.whole.a)),
    Column("in the arm", lambda each: points(each.whole.b)),
    Column("by luck", lambda each: "" if each.goes_with else points(each.luck)),
    Column("constant", lambda each: points(each.constant)),
    Column("beyond luck", lambda each: "" if each.goes_with else _effect(each)),
    Column("follows the word", lambda each: _effect(each) if each.goes_with else ""),
    Column("Holm p", lambda each: notation.p_value(each.p_holm)),
    Column(terms.UNCLEAR, lambda each: notation.count(each.unclear)),
)
"""Accuracies and differences in points, with 95 % intervals; columns that say nothing are left out."""


def _effect(result: ArmResult) -> str:
    return notation.points_within(result.effect.value, result.effect.low, result.effect.high, "+")


def experiment_table(results: Sequence[ArmResult]) -> ReportTable:
    """A row per model and arm."""
    title = "The same model on the changed items, in percentage points [95 % interval]"
    return tabulated(title, "model", filled(_ARMS, results), [(each.title, each) for each in results])
