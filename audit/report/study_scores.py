"""The scores of one model: which lines are shown, what to know of them, and their tables in full."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import isnan, log, nan, sqrt

from hansproof.audit import notation
from hansproof.audit.models.blind import BlindResult
from hansproof.audit.models.contrast import not_on_clear
from hansproof.audit.models.matching import INCOMPLETE, contrast_name
from hansproof.audit.models.score_lines import Line
from hansproof.audit.models.scores import ALL, FormVariation, ReadingAgreement, Report
from hansproof.audit.models.study import PageContents
from hansproof.audit.notation import points, things
from hansproof.audit.replies.grid import REMEDY, is_poor
from hansproof.audit.report import terms, words
from hansproof.audit.report.document import (
    EMPTY_CELL,
    SHARES,
    Cell,
    Column,
    Fold,
    Part,
    ReportTable,
    Section,
    between,
    drawn,
    filled,
    listed,
    sections,
    tabulated,
)
from hansproof.audit.statistics.power import ALPHA
from hansproof.audit.statistics.shares import Estimate
from hansproof.generators.answering.scorer import ANSWER

__all__ = [
    "cancelling", "cancelling_note", "headlines", "score_section", "score_table",
    "uncompared", "weakest_table",
]  # fmt: skip

_MUCH = 0.02
"""Share of unclear replies above which the share of the clear ones that is right is shown, too."""


def blind_note(report: Report) -> str:
    """What the strategies do that are the best ones of some line, and how much hindsight may add to their shares.

    Empty where none was measured. The bound is that of `Line.best_blind` on the first line, with half of the interval
    over 1.96 as the standard error.
    """
    part, share = _main_part(report)
    of = "" if part == ANSWER else f" of {part}"
    best = [line.best_blind(part) for line in shown_lines(report)]
    said = {result.strategy: result.description for result in best if result is not None}
    if not said:
        return ""
    note = f"best blind{of}: " + "; ".join(f"{name} {what}" for name, what in said.items())
    note += _under_chance(report, part)
    count = len(report.lines[0].measured_blind(part))
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
    return f"{cancelling(lines[0])}: {notation.first_of(list(map(line_name, lines)))}"


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


_USUAL = 2.7
"""Standard errors that an interval has to each side: with Student's quantile for six groups 2.57."""
_CHANCE = 0.01


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


def _main_part(report: Report) -> tuple[str, bool]:
    """What chance and blind strategies are shown for, whole answers, or else the first measure; and whether that is a
    share."""
    part = ANSWER if report.lines[0].right is not None else next(iter(report.measures), ANSWER)
    return part, part == ANSWER or report.measures[part].share


def score_columns(report: Report, lines: Sequence[Line]) -> list[Column[Line]]:
    """The columns of `lines` from left to right, without those that would be empty."""
    part, share = _main_part(report)
    lacking, vague = any(line.missing for line in lines), any(map(much_unclear, lines))

    columns: list[Column[Line]] = [
        Column(terms.ITEMS, lambda line: line.note or notation.count(line.items)),
        Column(terms.RIGHT, lambda line: _estimate(line.right)),
        Column(terms.SE, lambda line: "" if line.right is None else _number(line.se), goes=0),
        Column(terms.REPLIED, lambda line: _estimate(line.replied if lacking else None)),
        Column(terms.CLEAR, lambda line: _estimate(line.clear if vague else None), brief=True),
        *(
            Column(name if kind.share else f"{name}\nnot in %", _measure(name, kind.share))
            for name, kind in report.measures.items()
        ),
        Column(terms.GROUPS, lambda line: f"{line.matched.total:,}" if line.matched else "", goes=3),
        Column(terms.GROUPS_RIGHT, lambda line: _estimate(line.matched), goes=4),
        Column(terms.FLIPS, lambda line: _estimate(line.flips), goes=1),
        Column(terms.UNCLEAR, lambda line: notation.count(line.unclear), goes=5),
        Column(terms.MISSING, lambda line: notation.count(line.missing), goes=2),
        Column(terms.CHANCE, lambda line: _number(line.chance.get(part), share), goes=6),
        Column(terms.BEST_BLIND, lambda line: _best_blind(line, part, share), goes=7),
    ]
    return filled(columns, lines)


def _best_blind(line: Line, part: str, share: bool) -> Cell:
    of = line.best_blind(part)
    return Cell(_number(of.share.share, share), below=blind_name(of)) if of else EMPTY_CELL


def score_table(report: Report) -> ReportTable:
    """A row per line of the report, with a drawing where an answer can be right."""
    lines = shown_lines(report)
    columns = score_columns(report, lines)
    draws = any(line.right is not None for line in lines)

    def drawing(line: Line) -> Cell:
        right = line.right
        return drawn(SHARES, right.share, right.low, right.high, line.chance.get(ANSWER)) if right else drawn(SHARES)

    rows = sections(
        lines,
        lambda line: "" if line.by == ALL else f"by {line.by}",
        lambda line: line_name(line).removeprefix(f"{line.by} "),
    )
    drawings: list[Column[Line]] = [Column("right in %", drawing, holds="drawings")] if draws else []
    scale = SHARES if draws else None
    release = f"{report.dataset}@{report.version}" if report.version else report.dataset
    caption = f"Scores of {report.title or 'the replies'} on {release}, in per cent"
    return tabulated(caption, "Items of", [*columns, *drawings], rows, scale=scale, css="full dense")


def line_name(line: Line) -> str:
    """`all`, or what the items are cut by and the name of the part: `subset S-3`."""
    return ALL if line.by == ALL else f"{line.by} {line.name or '(unnamed)'}"


# What comes first, on the screen and on the page.

_HEADED = 8
"""Models that have a sentence."""


def headlines(reports: Sequence[Report]) -> list[str]:
    """A paragraph per model: what it gets right, what guesses get (once, where that is the same for all), and which
    matched change moves it most; then which of two accuracies decides."""
    shown = reports[:_HEADED]
    guesses = list(dict.fromkeys(map(_guesses, shown)))
    said = []
    for report in shown:
        parts = (_gets(report), _lacks(report), _guesses(report) if len(guesses) > 1 else "", _moved(report))
        said.append(" ".join(filter(None, parts)))
    more = len(reports) - len(shown)
    said += [f"And {more:,} more, by model, style and run."] if more else []
    said += [guesses[0]] if len(guesses) == 1 and guesses[0] else []
    return [*said, *_deciding(shown)]


def _deciding(reports: Sequence[Report]) -> list[str]:
    """Which of two accuracies decides; nothing where there is only one."""
    if not any(map(_lacks, reports)):
        return []
    what = "unclear and missing" if any(report.lines[0].missing for report in reports) else "unclear"
    return [
        f"Of two accuracies the one of all items decides, with {what} replies as wrong: these may belong to the hard "
        "items, and all tests count them so."
    ]


def _gets(report: Report) -> str:
    line, (part, share) = report.lines[0], _main_part(report)
    name, of = ("right", line.right) if part == ANSWER else (part, line.measures.get(part))
    title, items = report.title or "The replies", notation.things(line.items, "item")
    if of is None or isnan(of.share):
        return f"{title}: no answer to {items} is right or wrong."
    number = _estimate(of, share)
    return f"{title}: {number.text}{' %' * share} {name} {number.below}".rstrip() + f" of {items}."


def _lacks(report: Report) -> str:
    """How many replies are missing or unclear, and what share of the others is right; empty where hardly any is."""
    line = report.lines[0]
    clear, vague, lacking = line.clear, much_unclear(line), line.missing > _MUCH * line.items
    if line.right is None or not (vague or lacking):
        return ""
    counts = [f"{line.missing:,} {'has' if line.missing == 1 else 'have'} no reply"] * lacking + [
        f"{things(line.unclear, 'reply is', 'replies are')} unclear"
    ] * vague
    rest = (
        f"{points(clear.share)} % of the {things(int(clear.total), 'clear reply is', 'clear replies are')} right"
        if clear
        else "no reply is clear"
    )
    return f"{' and '.join(counts)}; {rest}."


def _guesses(report: Report) -> str:
    """What a uniform guess and the best blind strategy get on all items; empty where neither is known."""
    line, (part, share) = report.lines[0], _main_part(report)
    unit = " %" if share else ""
    said = [f"a uniform guess gets {known}{unit}"] if (known := _number(line.chance.get(part), share)) else []
    if best := line.best_blind(part):
        whole = best.answered == best.items
        reach = "" if whole else f" of the items it answers ({points(best.answered / best.items)} % of all)"
        reached = f"{_number(best.share.share, share)}{unit}{reach}"
        said.append(f"the best blind strategy, {best.strategy}, gets {reached}: it {best.description}")
    text = "; ".join(said)
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _moved(report: Report) -> str:
    """The largest effect of a matched change that is shown, also on clear replies; empty where none is tested.

    A change after which a model is right more often counts as much as one that costs: a cue may have gone with it.
    """
    tested = [each for each in report.effects if not each.by and not isnan(each.p_holm)]
    if not tested:
        return ""
    shown = [each for each in tested if each.p_holm <= ALPHA and not not_on_clear(each)]
    if not shown:
        return f"No matched change is shown to move accuracy ({len(tested)} tested)."
    most = max(shown, key=lambda each: abs(each.difference.difference))
    where = contrast_name(most.subset, most.first, most.second)
    effect = notation.points_within(most.difference.difference, most.difference.low, most.difference.high)
    changes = (
        f"Of {notation.things(len(tested), 'matched change')}, {len(shown):,} {'is' if len(shown) == 1 else 'are'}"
    )
    p = notation.p_value(most.p_holm)
    return f"{changes} shown to move accuracy, most of all {where}: {effect} points (Holm p {p})."


_WEAKEST = 10
_MODELS = 3
"""Models that have columns beside each other."""


def weakest_table(reports: Sequence[Report]) -> ReportTable | None:
    """All items and the weakest parts of them, a column per model; None where there are no parts."""
    parts = weakest(reports)
    if not parts:
        return None
    shown = reports[:_MODELS]
    of_part, share = _main_part(reports[0])
    columns: list[Column[Sequence[Line | None]]] = [
        Column(terms.ITEMS, lambda lines: _shared(lines, lambda line: Cell(notation.count(line.items))), goes=9)
    ]
    for place, report in enumerate(shown):
        title = f"{report.title}\n{terms.RIGHT}" if len(reports) > 1 else terms.RIGHT
        columns.append(
            Column(title, partial(_right, place), goes=_MODELS - place if place else None, is_name=len(reports) > 1)
        )
    columns += [
        Column(terms.CHANCE, lambda lines: _shared(lines, lambda line: Cell(_number(line.chance.get(of_part), share)))),
        Column(terms.BEST_BLIND, lambda lines: _shared(lines, lambda line: _best_blind(line, of_part, share)), goes=0),
    ]
    known = [{(line.by, line.name): line for line in report.lines} for report in shown]
    named: list[tuple[str, Sequence[Line | None]]] = [(ALL, [of[ALL, ""] for of in known])]
    named += [(part[1] or "(unnamed)", [of.get(part) for of in known]) for part in parts[:_WEAKEST]]
    kinds = f"{parts[0][0].capitalize()}s"
    what = kinds if len(parts) <= _WEAKEST else f"{len(parts)} {kinds.lower()}: the {_WEAKEST} weakest"
    models = f", {_MODELS} of {len(reports)} models" if len(reports) > _MODELS else ""
    every = [lines for _, lines in named]
    return tabulated(f"{what}{models}", "% [95 % interval]", filled(columns, every), named)


def _right(place: int, lines: Sequence[Line | None]) -> Cell:
    line = lines[place]
    return EMPTY_CELL if line is None else _estimate(line.right)


def _shared(lines: Sequence[Line | None], cell: Callable[[Line], Cell]) -> Cell:
    """What is the same for all models, which may be asked other items; else nothing."""
    cells = {cell(line) for line in lines if line is not None}
    return cells.pop() if len(cells) == 1 else EMPTY_CELL


def weakest(reports: Sequence[Report]) -> list[tuple[str, str]]:
    """`by` and name of the parts that are right least often, over the models: subsets, or conditions where there is
    only one; the first ones where nothing is right."""
    for by in ("subset", "condition"):
        shares: dict[tuple[str, str], list[float]] = {}
        for report in reports:
            for line in report.lines:
                if line.by == by:
                    known = shares.setdefault((line.by, line.name), [])
                    known += [line.right.share] if line.right is not None else []
        if len(shares) > 1:
            return sorted(shares, key=lambda part: sum(shares[part]) / len(shares[part]) if shares[part] else 2.0)
    return []


def score_section(contents: PageContents) -> Section:
    """The scores of each model in full, the first one unfolded; empty where nobody asked for them."""
    parts: list[Part] = []
    for report, notes in zip(contents.reports, score_notes(contents.reports), strict=True):
        spreads = [_spread_table(report.spreads)] if report.spreads else []
        own: list[Part] = [score_table(report), *listed(notes), *spreads]
        parts += [Fold(report.title or "replies", own)] if parts else own
    replied = " and a reply to all" if contents.skips else ""
    return words.section("scores", parts, replied=replied)


def score_notes(reports: Sequence[Report]) -> list[list[str]]:
    """How to read the measures, what the best blind strategies do, how far further readings and the harness agree, what
    cannot be relied on, and what has no effects: of each report, without what an earlier one has said."""
    known: set[str] = set()
    every = []
    for report in reports:
        common = [note for note in (measure_note(report), blind_note(report)) if note not in known]
        known.update(common)
        own = (matched_note(report), *map(reading_note, report.readings), _harness_note(report))
        every.append([*filter(None, (*common, *own, cancelling_note(report), uncompared(report)))])
    return every


def _harness_note(report: Report) -> str:
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


_SPREAD: tuple[Column[FormVariation], ...] = (
    Column("% right", lambda each: points(each.accuracy)),
    Column("lowest\nto highest", lambda each: f"{points(each.lowest)} to {points(each.highest)}", goes=3),
    Column("sd of\nforms", lambda each: points(each.deviation)),
    Column("variance\nwithin", lambda each: notation.kappa(each.within, 3)),
    Column("if\nindependent", lambda each: notation.kappa(each.independent, 3), goes=1),
    Column("% mixed\nproblems", lambda each: points(each.mixed), goes=2),
    Column("Cochran\np", lambda each: notation.p_value(each.p), goes=0),
    Column("problems", lambda each: notation.count(each.problems), goes=4),
)


def _spread_table(spreads: Sequence[FormVariation]) -> ReportTable:
    """One row for all forms of a subset, then one for each thing that is varied."""
    named = [(f"{spread.subset}: {spread.varied}", spread) for spread in spreads]
    return tabulated("Spread over the surface forms of a problem", "varied", _SPREAD, named)


def uncompared(report: Report) -> str:
    """Why matched items have no effects: no answer to them is right; empty where every contrast has its effects."""
    if not report.without_effects:
        return ""
    return (
        f"no effects in {', '.join(report.without_effects)}: no answer is right there, so no accuracy can differ; "
        "compare the measures by condition"
    )


def _measure(name: str, share: bool) -> Callable[[Line], Cell]:
    return lambda line: _estimate(line.measures.get(name), share)


def _estimate(estimate: Estimate | None, share: bool = True) -> Cell:
    if estimate is None or isnan(estimate.share):
        return EMPTY_CELL
    low, high = estimate.low, estimate.high
    ends = between(low, high) if share else "" if isnan(low) else f"[{low:.2f}, {high:.2f}]"
    return Cell(_number(estimate.share, share), below=ends)


def _number(value: float | None, share: bool = True) -> str:
    """A share in per cent, any other number as it is; empty where it is undefined."""
    if value is None or isnan(value):
        return ""
    return notation.points(value) if share else f"{value:.2f}"
