"""The scores of one model: which lines are shown, what to know of them, and their tables in full."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import isnan, log, nan, sqrt

from hansproof.audit import notation
from hansproof.audit.models.blind import BlindResult
from hansproof.audit.models.effects import INCOMPLETE
from hansproof.audit.models.score_lines import Line
from hansproof.audit.models.scores import ReadingAgreement, Report
from hansproof.audit.notation import points, things
from hansproof.audit.replies.judged_reply import Judged
from hansproof.audit.report import terms
from hansproof.audit.report.study_tables import SHARES, Cell, PageRow, PageTable, between, drawn
from hansproof.audit.statistics.shares import Estimate
from hansproof.generators.answering.scorer import ANSWER

__all__ = [
    "blind_name",
    "blind_note",
    "by_id_notes",
    "cancelling",
    "cancelling_note",
    "matched_note",
    "measure_note",
    "missing_note",
    "much_unclear",
    "part_of",
    "reading_note",
    "shown_lines",
]

_MUCH = 0.02
"""Share of unclear replies above which the share of the clear ones that is right is shown, too."""
_TASKS = 3
"""Names of tasks that a note lists."""


def blind_note(report: Report) -> str:
    """What the strategies do that are the best ones of some line, and how much hindsight may add to their shares.

    Empty where none was measured. The bound is that of `Line.best_blind` on the first line, with half of the interval
    over 1.96 as the standard error.
    """
    part = part_of(report)
    of = "" if part == ANSWER else f" of {part}"
    best = [line.best_blind(part) for line in shown_lines(report)]
    said = {result.strategy: result.description for result in best if result is not None}
    if not said:
        return ""
    note = f"best blind{of}: " + "; ".join(f"{name} {what}" for name, what in said.items())
    note += _under_chance(report, part)
    count = len(report.lines[0].measured_blind(part))
    share = part == ANSWER or report.measures[part].share
    if best[0] is None or count < 2 or not share or isnan(best[0].share.low):
        return note
    error = (best[0].share.high - best[0].share.low) / (2 * 1.96)
    return (
        f"{note}. The best of {count} is picked on these very items: luck alone may add up to "
        f"{100 * sqrt(2 * log(count)) * error:.1f} points to its share, and more on the lines with fewer items"
    )


def blind_name(result: BlindResult) -> str:
    """The strategy, and the share of the items that it answers where that is not all."""
    reach = "" if result.answered == result.items else f" ({points(result.answered / result.items)} %)"
    return f"{result.strategy}{reach}"


def _under_chance(report: Report, part: str) -> str:
    """Said where the best strategy on all items is below chance, which looks like a mistake; else empty."""
    every = report.lines[0]
    best, chance = every.best_blind(part), every.chance.get(part, nan)
    if best is None or isnan(chance) or best.better != "higher" or best.worth >= chance:
        return ""
    return ". None of them is better than chance here: there is nothing that it could use"


def measure_note(report: Report) -> str:
    """How to read measures that are not shares, or of which more is not better; empty where there are none."""
    read = {"higher": "higher is better", "lower": "lower is better", "neither": "neither higher nor lower is better"}
    odd = {name: kind for name, kind in report.measures.items() if not kind.share or kind.better != "higher"}
    return "; ".join(f"{name}: {kind.meaning}, {read[kind.better]}" for name, kind in odd.items())


def matched_note(report: Report) -> str:
    """How many groups of matched items are in neither `groups right` nor `flips`; empty where all are."""
    left = report.lines[0].incomplete
    return f"groups right, flips: {INCOMPLETE}: {left:,}" if left else ""


def cancelling_note(report: Report) -> str:
    """Where right and wrong cancel within groups, so that the standard error is much smaller than the interval shows;
    empty where they nowhere do.

    The interval counts the items for independent at best (`shares.clustered`), and the standard error of Miller (2024)
    does not.
    """
    lines = [line for line in shown_lines(report) if cancelling(line)]
    if not lines:
        return ""
    names = [line.by if line.by == "all" else f"{line.by} {line.name or '(unnamed)'}" for line in lines]
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"{cancelling(lines[0])}: {', '.join(names[:_SHOWN])}{more}"


def cancelling(line: Line) -> str:
    """The same of one line, without its name; empty where right and wrong do not cancel."""
    return (
        "se is much smaller than the interval, because right and wrong cancel within groups and the interval counts on "
        "no such thing; go by the interval"
        if _cancels(line)
        else ""
    )


def _cancels(line: Line) -> bool:
    right = line.right
    if right is None or right.interval != "cluster-robust" or isnan(right.low) or not 0 < right.hits < right.total:
        return False
    independent = sqrt(right.share * (1 - right.share) / right.total)
    if (right.high - right.low) / 2 <= _USUAL * line.se:
        return False
    from scipy.stats import chi2

    # Independent items stray so little between groups in 1 of 100 benchmarks: with few groups, se is small by chance.
    return line.groups * (line.se / independent) ** 2 < float(chi2.ppf(_CHANCE, line.groups - 1))


_SHOWN = 3
_USUAL = 2.7
"""Standard errors that an interval has to each side: with Student's quantile for six groups 2.57."""
_CHANCE = 0.01


def missing_note(items: int, missing: int, skipped: int, *, right: bool = True, judged: Judged = "reply") -> str:
    """How many of the asked `items` have a reply, or a verdict on it, and what becomes of the others; empty where all
    have one.

    `missing` of them count as wrong where an answer can be `right`; `skipped` further items are left out on request.
    """
    given = items - missing
    what = "verdict" if judged == "harness" else "reply"
    have = f"{given:,} of {items + skipped:,} items {'has' if given == 1 else 'have'} a {what}"
    if skipped:
        return f"{have}; the rest are left out (--skip-missing)"
    if not missing:
        return ""
    return f"{have}; " + (
        "the rest count as wrong: --skip-missing leaves them out" if right else "--skip-missing leaves the rest out"
    )


def by_id_notes(by_id: Mapping[str, int]) -> list[str]:
    """How many replies, by the task that they name, found their item by id alone (`Joined.by_id`)."""
    named = [f"{name!r} ({count:,})" for name, count in by_id.items() if name]
    notes = []
    if named:
        more = f" and {len(named) - _TASKS:,} more" if len(named) > _TASKS else ""
        task = "task" if len(named) == 1 else "tasks"
        count = things(sum(by_id.values()) - by_id.get("", 0), "reply", "replies")
        notes.append(
            f"{count} of the {task} {', '.join(named[:_TASKS])}{more} joined items that are called otherwise, by id "
            "alone: nothing confirms that these are the same items"
        )
    if "" in by_id:
        count = things(by_id[""], "reply", "replies")
        notes.append(
            f"{count} joined by id alone, and the ids are mere numbers: nothing confirms that these are the same "
            "items; prompts beside the replies would"
        )
    return notes


def reading_note(agreement: ReadingAgreement) -> str:
    """How far a further reading agrees with the one that is scored, on one line."""
    kappa = f"undefined ({agreement.reason})" if isnan(agreement.kappa) else f"{agreement.kappa:.3f}"
    return (
        f"{agreement.reading} reading ({agreement.description}): of {agreement.replies:,} replies, both readings find "
        f"an answer in {agreement.read_by_both:,} and the same answer in {agreement.same:,}; right under both "
        f"{agreement.both_right:,}, under the main reading only {agreement.main_only:,}, under the "
        f"{agreement.reading} reading only {agreement.other_only:,}, under neither {agreement.neither:,}; kappa {kappa}"
    )


def shown_lines(report: Report) -> Sequence[Line]:
    """All lines, without that of the one subset where there is only one: it would repeat the first line."""
    single = sum(line.by == "subset" for line in report.lines) == 1
    return [line for line in report.lines if not (single and line.by == "subset")]


def much_unclear(line: Line) -> bool:
    """Whether so much of a part is unclear that the share of the clear replies stands beside that of all."""
    return line.unclear > _MUCH * (line.items - line.missing)


def part_of(report: Report) -> str:
    """What chance and blind strategies are shown for: whole answers, or else the first measure."""
    return ANSWER if report.lines[0].right is not None else next(iter(report.measures), ANSWER)


def score_table(report: Report) -> PageTable:
    """A row per line of the report; columns that would be empty are left out, and so is the drawing where nothing is
    right."""
    lines = shown_lines(report)
    part = part_of(report)
    share = part == ANSWER or report.measures[part].share
    lacking, vague = any(line.missing for line in lines), any(map(much_unclear, lines))
    columns: dict[str, Callable[[Line], Cell]] = {
        terms.ITEMS.page: lambda line: Cell(line.note or notation.count(line.items)),
        terms.RIGHT.page: lambda line: _estimate(line.right),
        terms.SE.page: lambda line: Cell("" if line.right is None else _number(line.se, True)),
        terms.REPLIED.page: lambda line: _estimate(line.replied) if lacking else Cell(""),
        terms.CLEAR.page: lambda line: _estimate(line.clear) if vague else Cell(""),
        **{
            (name if kind.share else f"{name} not in %"): _measure(name, kind.share)
            for name, kind in report.measures.items()
        },
        terms.GROUPS.page: lambda line: Cell(f"{line.matched.total:,}" if line.matched else ""),
        terms.GROUPS_RIGHT.page: lambda line: _estimate(line.matched),
        terms.FLIPS.page: lambda line: _estimate(line.flips),
        terms.UNCLEAR.page: lambda line: Cell(notation.count(line.unclear)),
        terms.MISSING.page: lambda line: Cell(notation.count(line.missing)),
        terms.CHANCE.page: lambda line: Cell(_number(line.chance.get(part), share)),
        terms.BEST_BLIND.page: lambda line: _best(line, part, share),
    }
    cells = {title: [made(line) for line in lines] for title, made in columns.items()}
    kept = {title: column for title, column in cells.items() if any(cell.text for cell in column)}
    draws = any(line.right is not None for line in lines)
    table = PageTable(
        f"Scores of {report.title or 'the replies'} in per cent",
        ["Items of", *kept, *(["Right in %"] if draws else [])],
        scale=SHARES if draws else None, css="full dense",
    )  # fmt: skip
    for place, line in enumerate(lines):
        if line.by != "all" and lines[place - 1].by != line.by:
            table.rows.append(PageRow(f"by {line.by}"))
        right = line.right
        mark = (
            [drawn(SHARES, right.share, right.low, right.high, line.chance.get(ANSWER)) if right else Cell("", "draw")]
            if draws
            else []
        )
        table.rows.append(
            PageRow(
                "all" if line.by == "all" else line.name or "(unnamed)", [*(of[place] for of in kept.values()), *mark]
            )
        )
    return table


def score_notes(report: Report, earlier: Sequence[Report] = ()) -> list[str]:
    """How to read the measures, what the best blind strategies do, how far further readings agree; without what an
    `earlier` report on the same items has said."""
    known = {note for before in earlier for note in (measure_note(before), blind_note(before))}
    common = [note for note in (measure_note(report), blind_note(report)) if note not in known]
    notes = [*common, matched_note(report), cancelling_note(report), *map(reading_note, report.readings)]
    if report.without_effects:
        notes.append(f"no effects in {', '.join(report.without_effects)}: no answer is right there")
    return [note for note in notes if note]


def _measure(name: str, share: bool) -> Callable[[Line], Cell]:
    return lambda line: _estimate(line.measures.get(name), share)


def _estimate(estimate: Estimate | None, share: bool = True) -> Cell:
    if estimate is None or isnan(estimate.share):
        return Cell("")
    low, high = estimate.low, estimate.high
    ends = between(low, high) if share else "" if isnan(low) else f"[{low:.2f}, {high:.2f}]"
    return Cell(_number(estimate.share, share), below=ends)


def _best(line: Line, part: str, share: bool) -> Cell:
    best = line.best_blind(part)
    return Cell(_number(best.share.share, share), below=blind_name(best)) if best else Cell("")


def _number(value: float | None, share: bool) -> str:
    if value is None or isnan(value):
        return ""
    return notation.points(value) if share else f"{value:.2f}"
