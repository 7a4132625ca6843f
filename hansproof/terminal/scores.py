"""Scores, spreads and tests of hypotheses as tables, with what is said of the answers as a whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from math import isinf, isnan
from typing import Final

from hansproof.audit.harnesses.reply import EMPTY_REPLIES
from hansproof.audit.models.hypotheses import HypothesisReport, Tested
from hansproof.audit.models.score_lines import Line
from hansproof.audit.models.scores import ALL, FormVariation, Report
from hansproof.audit.notation import NAMELESS, kappa, p_value
from hansproof.audit.replies.arms import SEPARATOR
from hansproof.audit.replies.grid import REMEDY, is_poor
from hansproof.audit.replies.joining import Account, Joined, Left
from hansproof.audit.replies.judged_reply import Judged
from hansproof.audit.report import terms
from hansproof.audit.report.hypothesis_figure import EXPECTED
from hansproof.audit.report.study_scores import (
    WEAKEST,
    ScoreColumn,
    by_id_notes,
    cancelling_note,
    missing_note,
    score_columns,
    shown_lines,
    weakest,
)
from hansproof.audit.report.terminal import Column, TextTable

__all__ = [
    "harness_note",
    "hypothesis_tables",
    "joined_notes",
    "left_notes",
    "notes_of_all",
    "score_table",
    "spread_table",
    "weakest_table",
]

_UNCLEAR = 0.1
"""Share of unclear replies above which a note says what share of the others is right."""
_SHOWN = 3


def harness_note(report: Report) -> str:
    """How far our reading agrees with the harness that ran the model; empty where it left no verdicts."""
    agreed = report.harness
    if agreed is None:
        return ""
    kappa = f"undefined ({agreed.reason})" if isnan(agreed.kappa) else f"{agreed.kappa:.3f}"
    return (
        f"harness: of {agreed.replies:,} replies with its verdict, {agreed.both:,} are right by our reading and by the "
        f"harness, {agreed.first_only:,} by our reading only, {agreed.second_only:,} by the harness only, "
        f"{agreed.neither:,} by neither; kappa {kappa}{f': {REMEDY}' if is_poor(agreed) else ''}"
    )


def series_notes(report: Report, judged: Judged = "reply") -> list[str]:
    """What a model was not asked, how many of its replies (or the verdicts on them) are missing, and where its standard
    error is much smaller than its interval; without its name."""
    every, notes = report.lines[0], []
    if note := missing_note(every.items, every.missing, report.skipped, right=every.right is not None, judged=judged):
        notes.append(note)
    if note := cancelling_note(report):
        notes.append(note)
    if report.not_asked:
        asked = Counter(str(outcome.item.metadata["subset"]) for outcome in report.outcomes)
        names = [_lacking(name, count, asked[name]) for name, count in report.not_asked.items()]
        notes.append(f"not asked, and in no number: {_some(names)}")
    return notes


def _lacking(subset: str, count: int, asked: int) -> str:
    """The items of a subset that were not asked, beside those that were."""
    if asked:
        return f"{count:,} of {count + asked:,} items{f' of {subset}' if subset else ''}, which its log does not hold"
    return f"{subset or 'the other subset'} ({count:,} items)"


def notes_of_all(reports: Sequence[Report], joined: Joined, judged: Judged = "reply") -> list[str]:
    """What is said of all answers, and of single models: each note once, with the models that it is about."""
    notes = joined_notes(joined.read, reports)
    if arms := [report.title for report in reports if SEPARATOR in report.style]:
        notes.append(
            f"{_some(arms)}: these are replies to changed items; `hansproof analyse --by experiment` reads them"
        )
    said: dict[str, list[str]] = {}
    for report in reports:
        for note in series_notes(report, judged):
            said.setdefault(note, []).append(report.title)
    for note, titles in said.items():
        named = [title for title in titles if title]
        notes.append(f"model{'s' if len(named) > 1 else ''} {_some(named)}: {note}" if named else note)
    return notes


def joined_notes(joined: Account, reports: Sequence[Report] = ()) -> list[str]:
    """What the numbers rest on, and what could not be used of the answers, with the first places; with `reports` also
    the models of which much is unclear."""
    every = joined.replies
    few = (
        (joined.empty, EMPTY_REPLIES),
        (joined.unjudged, "have no verdict of a harness and count as missing"),
        (joined.ungraded, "have no gold answer, and are right or wrong by the harness alone: --judged harness"),
        (joined.unconfirmed, "found their item by id alone: their prompt is not recognised as its"),
    )
    return [
        *joined.about,
        *left_note(joined.unmatched, "belong to no item and are left out", every),
        *by_id_notes(joined.by_id),
        *_differing(joined),
        *left_note(
            joined.undecided,
            "have a mark of a harness that is neither right nor wrong, and are in no accuracy by its verdicts",
            every,
        ),
        *_unclear(joined, reports),
        *left_note(joined.doubled, "are given again for the same item, model and style; the first counts", every),
        *(f"{count:,} of {every:,} replies {what}" for count, what in few if count),
    ]


def _differing(joined: Account) -> list[str]:
    """How many replies we and the harness judge differently, and why, the commonest reason first."""
    count, causes = joined.disagreements.count, joined.disagreements.causes
    if not count:
        return []
    # Equal counts stay in order of first occurrence.
    why = "; ".join(f"{many:,}: {reason}" for reason, many in sorted(causes.items(), key=lambda pair: -pair[1]))
    first = joined.disagreements.first[0]
    return [f"of {joined.replies:,} replies, we and the harness judge {count:,} differently. {why}. The first: {first}"]


def left_note(left: Left, what: str, every: int) -> list[str]:
    """One line with the first places; none where nothing is left."""
    if not left.count:
        return []
    return [f"{left.count:,} of {every:,} replies {what}: {_first(left)}"]


def _first(left: Left) -> str:
    more = f"; and {left.count - _SHOWN:,} more" if left.count > _SHOWN else ""
    return "; ".join(map(str, left.first[:_SHOWN])) + more


def _unclear(joined: Account, reports: Sequence[Report]) -> list[str]:
    """How many replies are unclear, of which models more than a few, and what share of their clear ones is right."""
    lines = [(report.title, report.lines[0]) for report in reports]
    count = sum(line.unclear for _, line in lines) if lines else joined.unclear.count
    if not count:
        return []
    # Where no answer is right, none is wrong either, and none is listed.
    note = f"{count:,} of {joined.replies:,} replies are unclear{', which is wrong' * bool(joined.unclear.count)}"
    many = [(title, line) for title, line in lines if line.unclear > _UNCLEAR * line.items]
    many.sort(key=lambda named: -named[1].unclear)  # equal counts stay in order
    if len(lines) == 1:
        note += "".join(f"; {said}" for _, line in many if (said := _clear_ones(line, "the")))
    elif many:
        whose = [f"{line.unclear:,} of {line.items - line.missing:,} of {title or NAMELESS}{_clear_ones(line, 'its')}"
                 for title, line in many[:_SHOWN]]  # fmt: skip
        whose += [f"more than a tenth of {len(many) - _SHOWN:,} models more"] if len(many) > _SHOWN else []
        note += f": {'; '.join(whose)}"
    return [f"{note}. The first: {_first(joined.unclear)}" if joined.unclear.count else note]


def _clear_ones(line: Line, whose: str) -> str:
    """What share of the clear replies is right; empty where there are none, or where nothing is right."""
    clear = line.items - line.missing - line.unclear
    if not clear or line.right is None:
        return ""
    right = f"of {whose} {clear:,} clear ones {100 * line.right.hits / clear:.1f} % are right"
    return f" ({right})" if whose == "its" else right


def _some(names: Sequence[str]) -> str:
    return "; ".join(names[:_SHOWN]) + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")


def score_table(report: Report) -> TextTable:
    """One row per line of the report; columns that would be empty are left out."""
    lines = shown_lines(report)
    columns = score_columns(report, lines)
    release = f"{report.dataset}@{report.version}" if report.version else report.dataset
    table = TextTable(
        Column("% [95 % interval]", "phrases"),
        *(Column(column.term.screen, goes=column.goes) for column in columns),
        title=", ".join(part for part in (release, report.title and f"model {report.title}") if part),
    )
    for place, line in enumerate(lines):
        if place and lines[place - 1].by != line.by:
            table.section()
        cells = [_cell(column, place) for column in columns]
        table.row("all" if line.by == "all" else f"{line.by} {line.name}", *cells)
    return table


def _cell(column: ScoreColumn, place: int) -> str:
    shown = column.cells[place]
    return shown.text if column.brief else f"{shown.text} {shown.below}".rstrip()


def weakest_table(reports: Sequence[Report]) -> TextTable | None:
    """All items and the weakest parts of them, a column per model; None where there are no parts."""
    parts = weakest(reports)
    if not parts:
        return None
    shown = [(ALL, ""), *parts[:WEAKEST]]
    several = len(reports) > 1
    columns: list[tuple[int, Column, dict[tuple[str, str], str]]] = []
    shared: dict[int, dict[tuple[str, str], str]] = {}
    for place, report in enumerate(reports[:_MODELS]):
        lines = [line for line in report.lines if (line.by, line.name) in shown]
        for column in score_columns(report, lines):
            if column.term not in _FIRST or (several and column.term is terms.CLEAR):
                continue
            at, goes = _FIRST[column.term]
            cells = {(line.by, line.name): _cell(column, number) for number, line in enumerate(lines)}
            if several and column.term is terms.RIGHT:
                title = f"{report.title}\n{column.term.name}"
                columns.append((at, Column(title, goes=_MODELS - place if place else None), cells))
            elif at not in shared:
                columns.append((at, Column(column.term.screen, goes=goes), shared.setdefault(at, cells)))
            else:  # models were asked other items: what is not the same for all stands for none
                for part in {*cells, *shared[at]}:
                    shared[at][part] = cells[part] if cells.get(part) == shared[at].get(part) else ""
    columns.sort(key=lambda column: column[0])  # models stay in order, between the items and what guesses get
    what = f"{parts[0][0]}s" if len(parts) <= WEAKEST else f"{len(parts)} {parts[0][0]}s: the {WEAKEST} weakest"
    of = f", {_MODELS} of {len(reports)} models" if len(reports) > _MODELS else ""
    first = Column("% [95 % interval]", "phrases")
    table = TextTable(first, *(column for _, column, _ in columns), title=f"{what}{of}")
    for part in shown:
        name = "all" if part == shown[0] else part[1] or "(unnamed)"
        table.row(name, *(cells.get(part, "") for _, _, cells in columns))
    return table


_MODELS = 3
"""Models that have columns beside each other."""
_FIRST: Final = {
    terms.ITEMS: (0, 9),
    terms.RIGHT: (1, None),
    terms.CLEAR: (2, 8),
    terms.CHANCE: (3, None),
    terms.BEST_BLIND: (4, 0),
}
"""Columns of that table: their places, and in which order a narrow terminal leaves them out."""


def spread_table(spreads: Sequence[FormVariation]) -> TextTable | None:
    """One row for all forms of a subset, then one for each thing that is varied; None without any."""
    if not spreads:
        return None
    table = TextTable(
        Column("varied", "phrases"),
        Column("% right"),
        Column("lowest\nto highest", goes=3),
        Column("sd of\nforms"),
        Column("variance\nwithin"),
        Column("if\nindependent", goes=1),
        Column("% mixed\nproblems", goes=2),
        Column("Cochran\np", goes=0),
        Column("problems", goes=4),
        title="Spread over the surface forms of a problem",
    )
    for spread in spreads:
        table.row(
            f"{spread.subset}: {spread.varied}",
            f"{100 * spread.accuracy:.1f}",
            f"{100 * spread.lowest:.1f} to {100 * spread.highest:.1f}",
            f"{100 * spread.deviation:.1f}",
            kappa(spread.within, 3),
            kappa(spread.independent, 3),
            f"{100 * spread.mixed:.1f}",
            p_value(spread.p),
            f"{spread.problems:,}",
        )
    return table


def hypothesis_tables(report: HypothesisReport) -> list[TextTable]:
    """One table per tested hypothesis, a section per change."""
    tables = []
    for name, tests in groupby(report.tests, key=lambda tested: tested.hypothesis):
        hypothesis = next(known for known in report.hypotheses if known.name == name)
        every = list(tests)
        styled = any(tested.style for tested in every)
        table = _empty(f"{name}: {hypothesis.statement} Expected: {EXPECTED[hypothesis.expects]}.", styled, report)
        for change, same in groupby(every, key=lambda tested: (tested.before, tested.after)):
            table.section()
            table.row(f"{change[0]} -> {change[1]}", *[""] * (len(table.columns) - 1))
            for tested in same:
                style = [tested.style] if styled else []
                table.row(f"  {tested.model or 'replies'}", *style, *_cells(tested))
        tables.append(table)
    return tables


def left_notes(report: HypothesisReport) -> list[str]:
    """What could not be used of the file, with the first places."""
    again = "are given again for the same item, model and style; the first counts"
    few = [(report.empty, EMPTY_REPLIES), (report.unused, "belong to items that no hypothesis tested here is about")]
    return [
        *left_note(report.unmatched, "belong to no item and are left out", report.lines),
        *left_note(report.doubled, again, report.lines),
        *(f"{count:,} of {report.lines:,} replies {what}" for count, what in few if count),
    ]


def _empty(title: str, styled: bool, report: HypothesisReport) -> TextTable:
    return TextTable(
        Column("change, model", "phrases"),
        *([Column("style", "phrases")] if styled else []),
        Column(terms.PAIRS.screen),
        Column(terms.RIGHT_BEFORE.screen, goes=3),
        Column(terms.RIGHT_AFTER.screen, goes=4),
        Column("n12"),
        Column("n21"),
        Column("z", goes=5),
        Column("p", goes=2),
        Column(terms.BH_P.screen),
        Column("", "words"),
        Column(terms.DETECTABLE.screen, goes=1),
        Column(f"needs for\n{100 * report.shift:g} points", goes=0),
        title=title,
    )


def _cells(tested: Tested) -> list[str]:
    return [
        f"{tested.pairs:,}",
        f"{100 * tested.before_right:.1f}",
        f"{100 * tested.after_right:.1f}",
        f"{tested.before_only:,}",
        f"{tested.after_only:,}",
        "" if isnan(tested.z) else "exact" if tested.method == "exact" else f"{tested.z:.2f}",
        p_value(tested.p),
        p_value(tested.p_bh_all),
        "*" if tested.supported else "",
        "" if isnan(tested.shift_found) else f"{100 * tested.shift_found:.1f}",
        "" if isnan(tested.pairs_needed) or isinf(tested.pairs_needed) else f"{tested.pairs_needed:,.0f}",
    ]
