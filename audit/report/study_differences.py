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
from hansproof.audit.models.study import Answered, PageContents
from hansproof.audit.report import comparison_words, terms, words
from hansproof.audit.report.comparison_words import ends, where_said
from hansproof.audit.report.document import (
    SHARES,
    Cell,
    Column,
    Fold,
    Mark,
    Note,
    Part,
    ReportTable,
    Section,
    between,
    captioned,
    drawn,
    filled,
    listed,
    points,
    sections,
    tabulated,
)
from hansproof.audit.report.hypothesis_figure import EXPECTED, doubt_notes, method_notes, untested_notes
from hansproof.audit.report.terms import CONTRASTS, measured
from hansproof.generators.answering.scorer import ANSWER

__all__ = ["difference_section", "effect_section", "experiment_section", "hypothesis_section", "runs_table"]

_MOST: Final = 10
"""Models between which differences are shown."""


def difference_section(contents: PageContents) -> Section:
    """A table of the pairs of models of each benchmark, and what cannot be relied on; empty where none are."""
    parts: list[Part] = []
    compared = [part for part in contents.answered if any(each.difference.items for each in part.differences)]
    for part in compared:
        shown = foremost(part.differences, _MOST)
        parts += [difference_table(part, contents.of(part)), *listed(comparison_words.difference_notes(shown))]
    if parts and contents.lacks:
        what = "verdicts" if compared[0].judged == "harness" else "replies"
        parts.append(Note(f"missing {what} count as wrong here, too", "legend"))
    clear = any(each.clear is not None for part in compared for each in part.differences)
    asked = "have replied to" if contents.skips else "were asked"
    return words.section("differences", parts, "clear" if clear else "", asked=asked)


def difference_table(part: Answered, of: str = "") -> ReportTable:
    """A row per pair of models, of many models those that are right most often."""
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
        Column(terms.SE, lambda each: notation.points(each.se), goes=0),
        Column(terms.ITEMS, lambda each: notation.count(each.items)),
        Column(terms.GROUPS, lambda each: notation.count(each.groups), goes=1),
        Column(
            "right in %",
            lambda each: drawn(
                SHARES, each.right, each.low, each.high, chance.get((each.model, each.style, each.subset))
            ),
            holds="drawings",
        ),
    ]
    named = [(notation.listed(each.title, each.subset), each) for each in every]
    return tabulated("Mean over the runs of a model", "Model, runs", fields, named, scale=SHARES, css="full dense")


def effect_section(contents: PageContents) -> Section:
    """What each change of matched items costs, as a whole and by slice, by benchmark; empty without effects."""
    parts: list[Part] = []
    asked_for = contents.kind == "effects"
    for part in contents.answered:
        of = contents.of(part)
        if whole := _named(part, sliced=False):
            parts += [_effect_table(whole, of), *listed(_effect_notes(part))]
        if sliced := _named(part, sliced=True):
            of_slices: list[Part] = [_effect_table(sliced, of, sliced=True), *listed(_slice_notes(part))]
            parts += of_slices if asked_for else [Fold("By slice", of_slices)]
    if any(not isnan(each.difference.detectable) for part in contents.answered for _, each in _named(part)):
        parts.append(Note(words.SECTIONS["effects"]["detectable"], "legend"))
    if asked_for and not parts:
        parts.append(Note(words.SECTIONS["effects"]["none"]))
    return words.section("effects", parts, replied=" and a reply to both" if contents.skips else "")


def _effect_table(effects: Sequence[tuple[str, Contrast]], of: str, *, sliced: bool = False) -> ReportTable:
    """A row per model below each subset and perturbation, or, `sliced`, per slice below each model and these."""
    columns = {
        "p": terms.P, "Holm p": terms.HOLM_P, "t-test p": terms.T_P, "items": terms.PAIRS,
        "both right": terms.BOTH_RIGHT, "clear points": terms.CLEAR_POINTS, "clear items": terms.CLEAR_PAIRS,
        "only A/B": terms.ONLY, "detectable": terms.DETECTABLE,
    }  # fmt: skip
    changes: dict[str, set[tuple[str, str]]] = {}
    for _, effect in effects:
        changes.setdefault(effect.subset, set()).add((effect.first, effect.second))
    rows: dict[str, list[tuple[str, Contrast] | str]] = {}
    for title, effect in effects:
        change = _where(effect) if len(changes[effect.subset]) == 1 else _contrast(effect)
        head = f"{title}, {change}" if sliced else _contrast(effect)
        rows.setdefault(head, [head]).append((f"{effect.by} {effect.name}" if sliced else title, effect))
    how = ", by slice; Holm’s correction is over the slices of a subset" if sliced else ""
    caption = captioned(f"Original less perturbed items, in points{how}", of)
    return _contrasts(caption, "Subset, conditions", terms.EFFECT, columns, [*chain.from_iterable(rows.values())])


def _effect_notes(part: Answered) -> list[str]:
    """Which effects are not there on clear replies, and what cannot be relied on, a sentence for each reason."""
    whole = _named(part, sliced=False)
    doubted = where_said(
        (f"{title}, {_where(effect)}", [*filter(None, [effect_note(effect)]), *ends(effect)]) for title, effect in whole
    )
    said = [f"{', '.join(dict.fromkeys(places))}: {doubt}" for doubt, places in doubted.items()]
    guessed = guessed_note([effect for each in part.series for effect in each.effects])
    compared = [(f"{title}, {_contrast(effect)}", effect) for title, effect in whole]
    alone = [each.title for each in part.series if not each.effects and each.not_applicable < each.asked]
    without = f"{notation.first_of(alone)}: no effects, for lack of replies to both of any two matched conditions"
    return [*filter(None, [guessed]), *clear_notes(compared), *said, *([without] if alone else [])]


def _slice_notes(part: Answered) -> list[str]:
    """Which slices have no test, and which of their intervals leave 0 out although an end is printed as 0.0."""
    doubted = where_said(
        (
            f"{title}, {_where(effect)}, {effect.by} {effect.name}",
            [*filter(None, [effect.difference.note]), *ends(effect)],
        )
        for title, effect in _named(part, sliced=True)
    )
    return [f"{doubt}: {notation.first_of(places)}" for doubt, places in doubted.items()]


def _named(part: Answered, *, sliced: bool | None = None) -> list[tuple[str, Contrast]]:
    """(model, effect): those of the slices, those of whole subsets, or all."""
    return [
        (each.title, effect)
        for each in part.series
        for effect in each.effects
        if sliced is None or bool(effect.by) is sliced
    ]


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
    shown = filled(
        [Column(term, partial(_contrast_cell, name), goes=_GOES.get(name)) for name, term in columns.items()], every
    )
    return tabulated(caption, head, [difference, ends, *shown, drawing], named, scale=scale, css="full dense")


_GOES: Final = {
    "clear items": 0, "clear points": 1, "se": 2, "t-test p": 3, "p": 4, "detectable": 5, "both right": 6,
    "only A/B": 7, "items": 8,
}  # fmt: skip
"""In which order a narrow terminal leaves columns out."""


def _contrast_cell(name: str, each: Contrast) -> Cell:
    if name == "clear points" and (own := each.clear) is not None:
        return Cell(points(own.difference), below=between(own.low, own.high, signed=True))
    made = CONTRASTS[name].made(each)
    return made._replace(css="nowrap") if name == "only A/B" else made


def _tested_columns(shift: float) -> list[Column[Tested]]:
    """The columns of the first table of a hypothesis; `shift` is the one that is to be found."""
    return [
        Column(terms.PAIRS, lambda tested: notation.count(tested.pairs)),
        Column(terms.RIGHT_BEFORE, lambda tested: notation.points(tested.before_right), goes=3),
        Column(terms.RIGHT_AFTER, lambda tested: notation.points(tested.after_right), goes=4),
        Column(terms.POINTS, lambda tested: points(tested.shift), goes=5),
        Column("n12", lambda tested: notation.count(tested.before_only)),
        Column("n21", lambda tested: notation.count(tested.after_only)),
        Column(terms.P, lambda tested: notation.p_value(tested.p), goes=2),
        Column(terms.BH_P, lambda tested: notation.p_value(tested.p_bh_all)),
        Column("supported", lambda tested: "yes *" if tested.supported else "no"),
        Column(terms.DETECTABLE, lambda tested: notation.points(tested.shift_found), goes=1),
        Column(
            f"needs for\n{100 * shift:g} points",
            lambda tested: f"{tested.pairs_needed:,.0f}" if isfinite(tested.pairs_needed) else "",
            goes=0,
        ),
        Column("right in %", _before_and_after, holds="drawings"),
    ]


_FURTHER: Final[tuple[Column[Tested], ...]] = (
    Column(terms.BOTH_RIGHT, lambda tested: notation.count(tested.both)),
    Column("neither", lambda tested: notation.count(tested.neither)),
    Column("z", lambda tested: "" if isnan(tested.z) else f"{tested.z:.2f}"),
    Column("exact p", lambda tested: notation.p_value(tested.p_exact)),
    Column("BH p of the models", lambda tested: notation.p_value(tested.p_bh)),
    Column("clusters", lambda tested: notation.count(tested.clusters)),
    Column("BH p by clusters", lambda tested: notation.p_value(tested.p_clusters_bh_all)),
    Column(terms.UNCLEAR, lambda tested: notation.count(tested.unclear_before + tested.unclear_after)),
    Column("left out", lambda tested: notation.count(tested.left_out)),
    Column("no reply", lambda tested: notation.count(tested.unanswered)),
)
"""What a page has beside these."""


def _before_and_after(tested: Tested) -> Cell:
    before, after = SHARES.at(tested.before_right), SHARES.at(tested.after_right)
    return Cell("", "draw", mark=Mark(after, before, after, ring=before))


def hypothesis_section(contents: PageContents) -> Section:
    """What each hypothesis says, its tests, and how the numbers were made; empty where none is declared."""
    parts: list[Part] = []
    for part in contents.answered:
        if (report := part.tested) is None:
            continue
        for hypothesis in report.hypotheses:
            parts.append(Note(f"{hypothesis.name}: {hypothesis.statement}", "heading"))
            parts += _hypothesis_tables(report, hypothesis.name, contents.of(part))
            parts += listed(untested_notes(report, hypothesis.name))
        parts += listed([*method_notes(report), *doubt_notes(report)])
    return words.section("hypotheses", parts)


def _hypothesis_tables(report: HypothesisReport, name: str, of: str) -> list[Part]:
    """A row per test of the hypothesis below the heading of its change; nothing where it was not tested."""
    tests = [tested for tested in report.tests if tested.hypothesis == name]
    if not tests:
        return []
    (expects,) = (hypothesis.expects for hypothesis in report.hypotheses if hypothesis.name == name)
    rows = [
        *sections(
            tests,
            lambda tested: f"{tested.before} → {tested.after}",
            lambda tested: notation.series_title(tested.model, tested.style) or notation.NAMELESS,
        )
    ]
    caption = captioned(f"{name}, expected: {EXPECTED[expects]}", of)
    further = captioned(f"{name}: further numbers", of)
    return [
        tabulated(caption, "change, model", _tested_columns(report.shift), rows, scale=SHARES, css="full dense"),
        Fold("Further numbers", [tabulated(further, "change, model", _FURTHER, rows, css="full dense")]),
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


def experiment_section(contents: PageContents) -> Section:
    """What each arm shows, then a row per model and arm; empty without an experiment."""
    said = [f"{each.sentence[:1].upper()}{each.sentence[1:]}." for each in contents.arms]
    table = [_experiment_table(contents.arms)] if contents.arms else []
    return words.section("experiment", [*listed(said), *table])


def _experiment_table(results: Sequence[ArmResult]) -> ReportTable:
    title = "The same model on the changed items, in percentage points [95 % interval]"
    return tabulated(title, "model", filled(_ARMS, results), [(each.title, each) for each in results])
