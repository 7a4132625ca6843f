"""Scores, spreads and tests of hypotheses as tables, with what is said of the answers as a whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from math import isnan
from typing import Final

from hansproof.audit.models.hypotheses import HypothesisReport, Tested
from hansproof.audit.models.score_lines import Line
from hansproof.audit.models.scores import ALL, FormVariation, Report
from hansproof.audit.notation import NAMELESS, count, first_of, gathered, kappa, listed, p_value, points
from hansproof.audit.replies.arms import SEPARATOR
from hansproof.audit.replies.grid import REMEDY, is_poor
from hansproof.audit.replies.joining import Account, Joined, Left
from hansproof.audit.replies.judged_reply import Judged
from hansproof.audit.report import terms
from hansproof.audit.report.document import Column, ReportTable, filled, sections, tabulated
from hansproof.audit.report.hypothesis_figure import EXPECTED
from hansproof.audit.report.study_differences import tested_columns
from hansproof.audit.report.study_reading import unused
from hansproof.audit.report.study_scores import (
    WEAKEST,
    by_id_notes,
    cancelling_note,
    line_name,
    missing_note,
    score_columns,
    shown_lines,
    weakest,
)

__all__ = [
    "harness_note",
    "hypothesis_tables",
    "joined_notes",
    "notes_of_all",
    "score_table",
    "spread_table",
    "unused_notes",
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
        notes.append(f"not asked, and in no number: {first_of(names)}")
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
            f"{first_of(arms)}: these are replies to changed items; `hansproof analyse --by experiment` reads them"
        )
    said = gathered((note, report.title) for report in reports for note in series_notes(report, judged))
    for note, titles in said.items():
        named = [title for title in titles if title]
        notes.append(f"model{'s' if len(named) > 1 else ''} {first_of(named)}: {note}" if named else note)
    return notes


def joined_notes(joined: Account, reports: Sequence[Report] = ()) -> list[str]:
    """What the numbers rest on, and what could not be used of the answers, with the first places; with `reports` also
    the models of which much is unclear."""
    return [
        *joined.about,
        *unused_notes(joined),
        *by_id_notes(joined.by_id),
        *_differing(joined),
        *_unclear(joined, reports),
    ]


def unused_notes(joined: Account) -> list[str]:
    """What could not be used of the answers, a line for each reason, with the first places."""
    return [f"{said}: {_first(left)}" if left.first else said for said, left in unused(joined)]


def _differing(joined: Account) -> list[str]:
    """How many replies we and the harness judge differently, and why, the commonest reason first."""
    count, causes = joined.disagreements.count, joined.disagreements.causes
    if not count:
        return []
    # Equal counts stay in order of first occurrence.
    why = "; ".join(f"{many:,}: {reason}" for reason, many in sorted(causes.items(), key=lambda pair: -pair[1]))
    first = joined.disagreements.first[0]
    return [f"of {joined.replies:,} replies, we and the harness judge {count:,} differently. {why}. The first: {first}"]


def _first(left: Left) -> str:
    return first_of(list(map(str, left.first)), total=left.count)


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


def score_table(report: Report) -> ReportTable:
    """One row per line of the report; columns that would be empty are left out."""
    lines = shown_lines(report)
    release = f"{report.dataset}@{report.version}" if report.version else report.dataset
    title = listed(release, report.title and f"model {report.title}")
    cuts = sections(lines, lambda line: line.by, line_name)
    return tabulated(title, "% [95 % interval]", score_columns(report, lines), cuts, headings=False)


def weakest_table(reports: Sequence[Report]) -> ReportTable | None:
    """All items and the weakest parts of them, a column per model; None where there are no parts."""
    parts = weakest(reports)
    if not parts:
        return None
    shown = [(ALL, ""), *parts[:WEAKEST]]
    several = len(reports) > 1
    every = [_texts(report, shown) for report in reports[:_MODELS]]
    columns: list[tuple[Column[str], Mapping[tuple[str, str], str]]] = []
    for term, goes in _FIRST.items():
        of = [(place, texts[term]) for place, texts in enumerate(every) if term in texts]
        if several and term == terms.RIGHT:
            columns += [
                (Column(f"{reports[place].title}\n{term}", goes=_MODELS - place if place else None), texts)
                for place, texts in of
            ]
        elif of and not (several and term == terms.CLEAR):
            # Models may be asked other items: what is not the same for all stands for none.
            said = {part: {texts.get(part, "") for _, texts in of} for part in shown}
            shared = {part: texts.pop() for part, texts in said.items() if len(texts) == 1}
            columns.append((Column(term, goes=goes), shared))
    what = f"{parts[0][0]}s" if len(parts) <= WEAKEST else f"{len(parts)} {parts[0][0]}s: the {WEAKEST} weakest"
    models = f", {_MODELS} of {len(reports)} models" if len(reports) > _MODELS else ""
    first: Column[str] = Column("% [95 % interval]", holds="phrases")
    table = ReportTable(f"{what}{models}", [first, *(column for column, _ in columns)])
    for part in shown:
        name = ALL if part == shown[0] else part[1] or "(unnamed)"
        table.row(name, *(texts.get(part, "") for _, texts in columns))
    return table


def _texts(report: Report, shown: Sequence[tuple[str, str]]) -> dict[str, dict[tuple[str, str], str]]:
    """The cells of these parts, by what they are called."""
    lines = [line for line in report.lines if (line.by, line.name) in shown]
    return {
        column.title: {(line.by, line.name): column.on_screen(column.made(line)) for line in lines}
        for column in score_columns(report, lines)
    }


_MODELS = 3
"""Models that have columns beside each other."""
_TESTED: Final = ("pairs", "right before", "right after", "n12", "n21", "z", "p", "BH p", "", "detectable", "needs")
"""The columns of a table of tests."""
_FIRST: Final = {terms.ITEMS: 9, terms.RIGHT: None, terms.CLEAR: 8, terms.CHANCE: None, terms.BEST_BLIND: 0}
"""Columns of that table from left to right, and in which order a narrow terminal leaves them out."""


_SPREAD: Final[tuple[Column[FormVariation], ...]] = (
    Column("% right", lambda each: points(each.accuracy)),
    Column("lowest\nto highest", lambda each: f"{points(each.lowest)} to {points(each.highest)}", goes=3),
    Column("sd of\nforms", lambda each: points(each.deviation)),
    Column("variance\nwithin", lambda each: kappa(each.within, 3)),
    Column("if\nindependent", lambda each: kappa(each.independent, 3), goes=1),
    Column("% mixed\nproblems", lambda each: points(each.mixed), goes=2),
    Column("Cochran\np", lambda each: p_value(each.p), goes=0),
    Column("problems", lambda each: count(each.problems), goes=4),
)


def spread_table(spreads: Sequence[FormVariation]) -> ReportTable | None:
    """One row for all forms of a subset, then one for each thing that is varied; None without any."""
    named = [(f"{spread.subset}: {spread.varied}", spread) for spread in spreads]
    return tabulated("Spread over the surface forms of a problem", "varied", _SPREAD, named) if named else None


def hypothesis_tables(report: HypothesisReport) -> list[ReportTable]:
    """One table per tested hypothesis, a section per change."""
    columns = tested_columns(report.shift)
    number = columns["z"].cell
    z: Column[Tested] = replace(
        columns["z"], cell=lambda of: "exact" if of.method == "exact" and number(of) else number(of)
    )
    star: Column[Tested] = Column("", lambda tested: "*" if tested.supported else "", holds="words")
    style: Column[Tested] = Column("style", lambda tested: tested.style, holds="phrases")
    columns |= {"z": z, "": star}
    tables = []
    for name, same in groupby(report.tests, key=lambda tested: tested.hypothesis):
        tests = list(same)
        (hypothesis,) = (known for known in report.hypotheses if known.name == name)
        rows = sections(
            tests, lambda tested: f"{tested.before} -> {tested.after}", lambda tested: tested.model or NAMELESS
        )
        title = f"{name}: {hypothesis.statement} Expected: {EXPECTED[hypothesis.expects]}."
        fields = [*filled([style], tests), *(columns[key] for key in _TESTED)]
        tables.append(tabulated(title, "change, model", fields, rows))
    return tables
