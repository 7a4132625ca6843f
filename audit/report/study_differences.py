"""Differences on the same items: between models, between conditions, and tests of hypotheses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from math import isfinite, isnan
from typing import Final, NamedTuple

from hansproof.audit import notation
from hansproof.audit.models.comparison import OverRuns, foremost
from hansproof.audit.models.contrast import Contrast, clear_notes
from hansproof.audit.models.hypotheses import Tested
from hansproof.audit.models.matching import contrast_name, effect_note, guessed_note
from hansproof.audit.models.scores import Report
from hansproof.audit.models.study import Answered
from hansproof.audit.report import comparison_words, terms
from hansproof.audit.report.comparison_words import ends, first_names, where_said
from hansproof.audit.report.hypothesis_figure import EXPECTED, doubt_notes, method_notes, untested_notes
from hansproof.audit.report.study_tables import (
    SHARES,
    Cell,
    Mark,
    PageRow,
    PageTable,
    between,
    captioned,
    contrast_cells,
    contrast_scale,
    drawn,
    per_cent,
    points,
)
from hansproof.generators.answering.scorer import ANSWER

__all__ = []

_MOST: Final = 20
"""Models between which differences are shown."""


def difference_table(part: Answered, of: str = "") -> PageTable | None:
    """A row per pair of models, of many models those that are right most often; None for one model."""
    if not part.differences:
        return None
    shown = foremost(part.differences, _MOST)
    more = ""
    if len(shown) < len(part.differences):
        more = f", between the {_MOST} models that are right most often: {len(shown)} of {len(part.differences):,}"
    # Where runs are averaged, an item is not right or wrong.
    only = terms.ONLY if all(each.runs == (1, 1) for each in shown) else terms.BETTER
    clear = {"clear points": terms.CLEAR_POINTS.page, "clear items": terms.CLEAR_ITEMS.page}
    columns = {
        "Holm p": terms.HOLM_P.page, "items": terms.ITEMS.page,
        **(clear if any(each.clear is not None for each in shown) else {}),
        "se": terms.SE.page, "only A/B": only.page,
    }  # fmt: skip
    named = {"": [(f"{each.first} − {each.second}", each) for each in shown]}
    return _contrasts(
        captioned(f"Differences on common items{more}", of), "Difference", terms.POINTS.page, columns, named
    )


def difference_notes(part: Answered) -> list[str]:
    """Which differences are not there on clear replies, and what cannot be relied on, a sentence for each reason."""
    return comparison_words.difference_notes(foremost(part.differences, _MOST), "−")


def runs_table(every: Sequence[OverRuns], reports: Sequence[Report] = ()) -> PageTable | None:
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
    columns = ["Model, runs", terms.RIGHT.page, "95 % interval", terms.SE.page, terms.ITEMS.page, terms.GROUPS.page]
    table = PageTable("Mean over the runs of a model", [*columns, "Right in %"], scale=SHARES, css="full dense")
    for each in every:
        cells = [
            Cell(each.note or notation.points(each.right)),
            Cell(between(each.low, each.high), "nowrap"),
            Cell(notation.points(each.se)),
            Cell(notation.count(each.items)),
            Cell(notation.count(each.groups)),
            drawn(SHARES, each.right, each.low, each.high, chance.get((each.model, each.style, each.subset))),
        ]
        table.rows.append(PageRow(notation.listed(each.title, each.subset), cells))
    return table


def effect_table(part: Answered, of: str = "", *, sliced: bool = False) -> PageTable | None:
    """A row per model below each subset and perturbation, or, `sliced`, per slice below each model and these; None
    without any."""
    rows: dict[str, list[tuple[str, Contrast]]] = {}
    for title, effect in _named(part, sliced=sliced):
        head = f"{title}, {_contrast(effect)}" if sliced else _contrast(effect)
        rows.setdefault(head, []).append((f"{effect.by} {effect.name}" if sliced else title, effect))
    if not rows:
        return None
    clear = {"clear points": terms.CLEAR_POINTS.page, "clear items": terms.CLEAR_PAIRS.page}
    some = any(effect.clear is not None for named in rows.values() for _, effect in named)
    columns = {
        "p": terms.P.page, "Holm p": terms.HOLM_P.page, "t-test p": terms.T_P.page, "items": terms.PAIRS.page,
        "both right": terms.BOTH_RIGHT.page, **(clear if some else {}), "only A/B": terms.ONLY.page,
        "detectable": terms.DETECTABLE.page,
    }  # fmt: skip
    caption = captioned(f"Original less perturbed items{', by slice' if sliced else ''}", of)
    return _contrasts(caption, "Subset, conditions", terms.EFFECT.page, columns, rows)


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
    return [f"{doubt}: {first_names(places)}" for doubt, places in doubted.items()]


def _named(part: Answered, *, sliced: bool) -> list[tuple[str, Contrast]]:
    """(model, effect): those of the slices, or those of whole subsets."""
    return [(each.title, effect) for each in part.series for effect in each.effects if bool(effect.by) is sliced]


def _where(effect: Contrast) -> str:
    return effect.subset or contrast_name("", effect.first, effect.second, "−")


def _contrast(effect: Contrast) -> str:
    return contrast_name(effect.subset, effect.first, effect.second, "−")


def _contrasts(
    caption: str, head: str, value: str, columns: Mapping[str, str], of: Mapping[str, Sequence[tuple[str, Contrast]]]
) -> PageTable:
    """A row per name and contrast below each heading that is not empty; `columns` are names of `terms.CELLS` and their
    headings."""
    scale = contrast_scale([each for named in of.values() for _, each in named])
    table = PageTable(caption, [head, value, "95 % interval", *columns.values(), value], scale=scale, css="full dense")
    for heading, named in of.items():
        table.rows += [PageRow(heading)] if heading else []
        table.rows += [PageRow(name, contrast_cells(each, [*columns], scale)) for name, each in named]
    return table


class HypothesisPart(NamedTuple):
    """One hypothesis."""

    name: str
    statement: str
    expected: str
    table: PageTable | None
    """The shares before and after each change; None where nothing was tested."""
    every: PageTable | None
    """All other numbers of the tests."""
    untested: list[str]
    """What was not tested, and why."""


def hypothesis_parts(part: Answered, of: str = "") -> list[HypothesisPart]:
    """Every hypothesis that was asked for, in the order of the family."""
    report = part.tested
    if report is None:
        return []
    tests = {name: list(same) for name, same in groupby(report.tests, key=lambda tested: tested.hypothesis)}
    return [
        HypothesisPart(
            each.name, each.statement, EXPECTED[each.expects],
            _shares(tests[each.name], captioned(f"{each.name}: per cent right before and after the change", of))
            if each.name in tests else None,
            _numbers(tests[each.name], report.shift, captioned(f"{each.name}: all numbers", of))
            if each.name in tests else None,
            untested_notes(report, each.name),
        )
        for each in report.hypotheses
    ]  # fmt: skip


def tested_notes(part: Answered) -> list[str]:
    """How the numbers were made, and what cannot be relied on."""
    report = part.tested
    if report is None:
        return []
    notes = [*method_notes(report), *doubt_notes(report)]
    if report.unused:
        notes.append(
            f"{report.unused:,} of {report.lines:,} replies belong to items that no hypothesis tested here is about"
        )
    return notes


def _shares(tests: Sequence[Tested], caption: str) -> PageTable:
    columns = ["Change, model", terms.RIGHT_BEFORE.page, terms.RIGHT_AFTER.page, terms.POINTS.page, terms.BH_P.page]
    columns += ["Supported", terms.PAIRS.page, "Right in %"]
    table = PageTable(caption, columns, scale=SHARES)
    _fill(table, tests, _share_cells)
    return table


def _share_cells(tested: Tested) -> list[Cell]:
    before, after = SHARES.at(tested.before_right), SHARES.at(tested.after_right)
    return [
        Cell(per_cent(tested.before_right)),
        Cell(per_cent(tested.after_right)),
        Cell(points(tested.shift)),
        Cell(notation.p_value(tested.p_bh_all)),
        Cell("yes *" if tested.supported else "no"),
        Cell(notation.count(tested.pairs)),
        Cell("", "draw", mark=Mark(after, before, after, ring=before)),
    ]


def _numbers(tests: Sequence[Tested], shift: float, caption: str) -> PageTable:
    columns: dict[str, Callable[[Tested], str]] = {
        terms.BOTH_RIGHT.page: lambda tested: notation.count(tested.both),
        "n12": lambda tested: notation.count(tested.before_only),
        "n21": lambda tested: notation.count(tested.after_only),
        "Neither": lambda tested: notation.count(tested.neither),
        "z": lambda tested: "" if isnan(tested.z) else f"{tested.z:.2f}",
        "p": lambda tested: notation.p_value(tested.p),
        "Exact p": lambda tested: notation.p_value(tested.p_exact),
        "BH p of the models": lambda tested: notation.p_value(tested.p_bh),
        "Clusters": lambda tested: notation.count(tested.clusters),
        "BH p by clusters": lambda tested: notation.p_value(tested.p_clusters_bh_all),
        terms.UNCLEAR.page: lambda tested: notation.count(tested.unclear_before + tested.unclear_after),
        "Left out": lambda tested: notation.count(tested.left_out),
        "No reply": lambda tested: notation.count(tested.unanswered),
        terms.DETECTABLE.page: lambda tested: notation.points(tested.shift_found),
        f"Needs for {100 * shift:g} points": lambda tested: (
            f"{tested.pairs_needed:,.0f}" if isfinite(tested.pairs_needed) else ""
        ),
    }
    table = PageTable(caption, ["Change, model", *columns], css="full dense")
    _fill(table, tests, lambda tested: [Cell(text(tested)) for text in columns.values()])
    return table


def _fill(table: PageTable, tests: Sequence[Tested], cells: Callable[[Tested], list[Cell]]) -> None:
    """A row per test below the heading of its change."""
    for change, same in groupby(tests, key=lambda tested: (tested.before, tested.after)):
        table.rows.append(PageRow(f"{change[0]} → {change[1]}"))
        for tested in same:
            table.rows.append(
                PageRow(notation.series_title(tested.model, tested.style) or notation.NAMELESS, cells(tested))
            )
