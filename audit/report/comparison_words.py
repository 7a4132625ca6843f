"""What is said of a comparison: the verdict in a sentence, what cannot be relied on, and the items that changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Final

from hansproof.audit.models.comparison import Change, Comparison
from hansproof.audit.models.contrast import (
    THERE,
    UNANSWERED,
    Contrast,
    clear_notes,
    direction,
    lost_words,
    made_by_unclear,
    not_on_clear,
    unclear_words,
)
from hansproof.audit.models.difference import FEW, FEWEST_GROUPS, UNSEEN, Difference
from hansproof.audit.models.sides import AS_ONE
from hansproof.audit.notation import first_of, one_line, p_is, points, things
from hansproof.audit.replies.judged_reply import Read
from hansproof.audit.report.document import Cell, Column, ReportTable, tabulated
from hansproof.audit.report.terms import WHOLE, detected, grouped, interval
from hansproof.audit.statistics.power import ALPHA

__all__ = [
    "changed_items",
    "changed_rows",
    "changed_tables",
    "difference_notes",
    "ends",
    "notes",
    "sentence",
    "where_said",
]

# What cannot be relied on, or looks odd, in a difference as it is printed: one rule for the screen and every page.

_USUAL: Final = (1.5, 2.7)
"""Standard errors that an interval usually has to each side."""
_TOUCHES: Final = 1e-6
"""An end as near to 0 is there because the exact test leaves 0 out."""


def strained(measured: Difference) -> str:
    """Why the interval is not the usual two standard errors wide to each side, where it is far from that; else empty.

    A normal interval has 1.96 of them, and one with Student's quantile for six groups 2.57.
    """
    half = (measured.high - measured.low) / 2
    if isnan(half) or isnan(measured.se) or _USUAL[0] * measured.se <= half <= _USUAL[1] * measured.se:
        return ""
    return (
        "se and interval differ from the usual: the two differ in few items or groups, so the interval follows the "
        "score test and the exact p; go by the interval"
    )


def touching(measured: Difference) -> str:
    """Why an interval with an end that is printed as 0.0 leaves 0 out; empty for others.

    An interval leaves 0 out exactly where p is at most .05 (`agreeing_interval`), and then lies on one side of it.
    """
    near = min(abs(measured.low), abs(measured.high))
    if not measured.p <= ALPHA or points(near) != "0.0":
        return ""
    if near > _TOUCHES:
        return "the interval leaves 0 out: its end at 0.0 is rounded"
    return (
        "the interval ends at 0.0 and leaves 0 out: the exact p is surer of 0 than the interval, which allows for one "
        "group more that moves. The end stands where p leaves it: how small the difference may be is not known better"
    )


def ends(each: Contrast, *, clear: bool = True) -> list[str]:
    """What is said of ends at 0.0: of the interval, and of that on the items with `clear` replies, if it is printed."""
    there = touching(each.clear) if clear and each.clear is not None else ""
    return [*filter(None, [touching(each.difference)]), *([f"where both replies are clear, {there}"] if there else [])]


def doubts(each: Contrast, *, clear: bool = True) -> list[str]:
    """All that is said of a difference whose standard error is printed beside its interval, in this order."""
    return [*filter(None, (each.difference.note, strained(each.difference))), *ends(each, clear=clear)]


def where_said(named: Iterable[tuple[str, Iterable[str]]]) -> dict[str, list[str]]:
    """Doubt -> the names of all of which it is said, both in the order in which they come.

    What a sample may miss is said once, with the numbers of each behind its name.
    """
    said: dict[str, list[str]] = {}
    for name, reasons in named:
        for reason in reasons:
            before, unseen, after = reason.partition(UNSEEN)
            if before:
                said.setdefault(before.removesuffix("; "), []).append(name)
            if unseen:
                what, _, numbers = after.partition(" (")
                said.setdefault(unseen + what, []).append(f"{name} ({numbers}")
    return said


def difference_notes(shown: Sequence[Contrast]) -> list[str]:
    """Which differences of a table are not there on clear replies, and a line for each doubt about them, with the first
    of those that it is about."""
    said = where_said((f"{each.first} − {each.second}", doubts(each)) for each in shown)
    notes = clear_notes([(each.title, each) for each in shown])
    return notes + [f"{doubt}: {first_of(names)}" for doubt, names in said.items()]


_MCNEMAR: Final = "McNemar p takes items that share a group for independent, which they are not; "
_EQUAL: Final = (
    "equal accuracies can be called different where one side is a little ahead {1} many {0} and far behind {1} a few"
)
_WIDER: Final = 1.25
"""A standard error so many times as large as that of Miller (2024) is told apart from it."""


def sentence(comparison: Comparison) -> str:
    """The verdict, both shares, and their difference with its interval; the same of clear replies, if some are not."""
    return _verdict(comparison) + _on_clear(comparison)


def _verdict(comparison: Comparison) -> str:
    whole = comparison.whole
    measured = whole.difference
    margin = f"{100 * comparison.margin:g} points"
    scores = (
        f"{comparison.a} is right on {points(measured.a)} %, {comparison.b} on {points(measured.b)} % of "
        f"{things(measured.items, 'item')}"
    )
    what = f"{scores}: {interval(measured)} points"
    if whole.verdict == "INCONCLUSIVE":
        return f"INCONCLUSIVE: {_why_not(measured)}. {what}."
    what += f", {p_is(measured.p)}"
    if whole.verdict == "equivalent":
        return f"Equivalent: the difference is smaller than {margin} ({p_is(measured.equivalent_p)}). {what}."
    if whole.verdict == "no difference shown":
        shown = detected(measured.detectable)
        least = f" A true difference of {shown} points would have been found about 80 % of the time." if shown else ""
        return f"No difference shown, but one of {margin} is not ruled out{_out_of_reach(measured)}. {what}.{least}"
    small = f" The difference is smaller than {margin}." if measured.equivalent_p <= ALPHA else ""
    return f"{whole.verdict}{_carried(comparison)}: {what}.{small}"


def _out_of_reach(measured: Difference) -> str:
    """Said where nobody could be called equivalent on these items."""
    if not measured.least_equivalent_p > ALPHA:
        return ""
    few = "to so few items" if measured.groups == measured.items else "in groups so few, or so large,"
    return f", and no answers {few} could rule it out"


def _why_not(measured: Difference) -> str:
    if measured.items < FEW:
        return f"fewer than {FEW} items in common"
    if measured.effective_groups < FEWEST_GROUPS:
        return f"fewer than {FEWEST_GROUPS} independent groups of items"
    return UNANSWERED


def _carried(comparison: Comparison) -> str:
    """What stands behind `A better` where the items with clear replies of both do not say so, too, or are none."""
    whole = comparison.whole
    clear = whole.clear
    if clear is None or not not_on_clear(whole):
        return ""
    lost = lost_words(whole, ("A", "B"))
    if not made_by_unclear(whole):
        return f", but not shown on {THERE} ({lost})"
    ahead, behind = ("A", "B") if whole.difference.difference > 0 else ("B", "A")
    there = f"{behind} is better" if direction(clear.difference, whole.clear_p_holm) else f"{ahead} is not ahead"
    return f", but {unclear_words([whole])} make the difference, as {there} on {THERE} ({lost})"


def _on_clear(comparison: Comparison) -> str:
    """The difference on the items to which both replies are clear; empty where all are."""
    clear = next((part for part in comparison.parts if part.by == "clear"), None)
    if clear is None:
        return ""
    measured = clear.difference
    return (
        f" On the {things(measured.items, 'item')} to which both replies are clear: {interval(measured)} points, "
        f"{clear.verdict}."
    )


def notes(comparison: Comparison) -> list[str]:
    """What to know of the numbers, and what is not among them."""
    parts = comparison.parts
    said = clear_notes([(part.name, part) for part in comparison.parts if part.by not in WHOLE])
    said += _columns(comparison)
    doubted = [
        (part.name or WHOLE.get(part.by, part.by), [*doubts(part, clear=False), *filter(None, [part.difference.aside])])
        for part in parts
    ]
    several = (f"{note}: {', '.join(where)}" for note, where in where_said(doubted).items())
    said += several if len(parts) > 1 else doubted[0][1]
    said += _miller(parts)
    whole = parts[0]
    for what, (a, b) in (("unclear", whole.unclear), ("missing", whole.missing)):
        if a or b:
            said.append(f"{what} replies, counted as wrong: A {a:,}, B {b:,}")
    if any(part.by == "clear" for part in parts):
        said.append(
            "both replies clear: without items whose replies are missing or unclear, which may be the hard ones"
        )
    if any(comparison.left_out):
        a, b = comparison.left_out
        said.append(f"items that only one of the two was asked, left out: A {a:,}, B {b:,}")
    if comparison.skipped:
        said.append(f"items without a reply of both, left out: {comparison.skipped:,}")
    return said


def _columns(comparison: Comparison) -> list[str]:
    """What the columns mean, of those that the table has: with too few items it has neither tests nor power."""
    every = [part.difference for part in comparison.parts]
    said = []
    if all(isnan(each.p) for each in every):
        return ["se and intervals count groups"] if grouped(comparison) else []
    if grouped(comparison):
        said.append(
            "p: exact, could A and B change places in every group (sign-flip test over groups); "
            + (_MCNEMAR if any(not isnan(each.mcnemar_p) for each in every) else "")
            + "intervals and se count groups; "
            + _EQUAL.format("groups", "in")
        )
    elif comparison.runs == (1, 1):
        said.append("p: exact test of McNemar; every item is a group of its own")
    else:
        # Scores of items that are means of several runs of both sides may differ by little.
        averaged = min(comparison.runs) > 1 and any(AS_ONE not in each.note for each in every)
        said.append(
            "p: exact, could A and B change places on every item (sign-flip test)"
            + ("; " + _EQUAL.format("items", "on") if averaged else "")
        )
    if any(part.by not in WHOLE and not isnan(part.p_holm) for part in comparison.parts):
        said.append(
            "Holm p: corrected over the subsets, or over the conditions; it makes their verdicts, and "
            "detectable is after it; intervals and p are before it"
        )
    if len(comparison.parts) > 1:
        said.append(
            "the verdict on all items is the answer, and p is not corrected for looking at others beside it: of equal "
            "models, some line says better more often than in 5 %"
        )
    equal = f"equal p: a small one rules out a true difference of {100 * comparison.margin:g} points or more (two "
    power = "detectable: the smallest difference that would be found about 80 % of the time, in points"
    detectable = any(not isnan(each.detectable) for each in every)
    said.append(f"{equal}one-sided tests)" + (f"; {power}" if detectable else ""))
    return said


def _miller(parts: Sequence[Contrast]) -> list[str]:
    """The standard errors of Miller (2024) that are much smaller than ours."""
    wider = [part for part in parts if part.difference.se > _WIDER * part.difference.se_miller > 0]
    if not wider:
        return []
    errors = [
        points(part.difference.se_miller) + (f" ({part.name or WHOLE.get(part.by, part.by)})" if len(parts) > 1 else "")
        for part in wider
    ]
    why = (
        "It takes the groups that were drawn for all there are, and is too small where few groups moved; se allows for "
        "one group more that moves: a usual one as a whole, or a large one as far as its items are alike"
    )
    if all(part.difference.groups == part.difference.items for part in wider):
        why = "It is that of means of all runs; se is that of comparisons with equal numbers of runs"
    return [f"se of Miller (2024): {', '.join(errors)}. {why}"]


# A new column is one `ChangeColumn`. CSV has every text whole, the page the beginning and the end of long ones.

_SHOWN: Final = 100
"""Changed items of each kind that the page lists."""


@dataclass(frozen=True)
class ChangeColumn:
    """One column of the tables of items that changed."""

    name: str
    """In CSV and JSON."""
    value: Callable[[Change], str | float]
    page: str
    """The heading on the page."""
    most: int = 160
    """Characters that the page shows of it; the table has it whole."""
    prose: bool = False
    """Whether it is long, so that the page gives it room."""

    def on_page(self, change: Change) -> Cell:
        """The cell on the page."""
        value = self.value(change)
        if not isinstance(value, str):
            return Cell(f"{value:.3g}")
        return Cell(_ends(value, self.most), "left prose" if self.prose else "left")


CHANGED: Final = (
    ChangeColumn("id", lambda change: change.id, "Item"),
    ChangeColumn("subset", lambda change: change.subset, "Subset"),
    ChangeColumn("condition", lambda change: change.condition, "Condition"),
    ChangeColumn("group", lambda change: change.group, ""),
    ChangeColumn("prompt", lambda change: change.prompt, "Prompt", 220, prose=True),
    ChangeColumn("answer", lambda change: change.answer, "Gold answer", 80),
    ChangeColumn("a_read", lambda change: _listed(change.a_read), "Read from A", 80),
    ChangeColumn("b_read", lambda change: _listed(change.b_read), "Read from B", 80),
    ChangeColumn("a", lambda change: change.a, "A"),
    ChangeColumn("b", lambda change: change.b, "B"),
)
"""Of an item that changed, from left to right; without a heading for the page it is not on it."""


def _listed(read: Sequence[Read]) -> str:
    """What was read from the reply of one run; of several `yes (2), unclear (names no option) (1)`, in order of first
    occurrence."""
    counts = Counter(map(str, read))
    return ", ".join(f"{text} ({count})" if len(read) > 1 else text for text, count in counts.items())


def _ends(text: str, most: int) -> str:
    """`text` in one line of at most `most` characters: beginning and end, as what is asked mostly stands there."""
    line = one_line(text) if len(text) <= 8 * most else f"{one_line(text[: 4 * most])} {one_line(text[-4 * most :])}"
    if len(line) <= most:
        return line
    first = (most - 3) // 2
    return f"{line[:first].rstrip()} … {line[len(line) - (most - 3 - first) :].lstrip()}"


def changed_rows(comparison: Comparison) -> list[list[str | float | None]]:
    """The items that changed as rows of a table, headings first; the last column says who does better."""
    rows: list[list[str | float | None]] = [[*(column.name for column in CHANGED), "better"]]
    for better, changes in (("A", comparison.a_better), ("B", comparison.b_better)):
        rows += [[*(column.value(change) for column in CHANGED), better] for change in changes]
    return rows


def changed_tables(comparison: Comparison) -> list[tuple[str, ReportTable]]:
    """Those that A does better and those that B does, for the page, headed; the first of each kind are listed."""
    return [
        (f"{things(len(changes), 'item')} {said}", _table(changes, said)) for changes, said in changed_items(comparison)
    ]


def changed_items(comparison: Comparison) -> list[tuple[Sequence[Change], str]]:
    """The items that A does better and those that B does, in words."""
    once = comparison.runs == (1, 1)
    return [
        (comparison.a_better, "right with A, wrong with B" if once else "right more often with A"),
        (comparison.b_better, "wrong with A, right with B" if once else "right more often with B"),
    ]


def _says(column: ChangeColumn, changes: Sequence[Change]) -> bool:
    """Whether the page needs it: it has any text, and a part that is the same in all items is none."""
    values = {column.value(change) for change in changes}
    if column.name in ("subset", "condition") and len(changes) > 1:
        return len(values) > 1
    return bool(values - {""})


def _table(changes: Sequence[Change], said: str) -> ReportTable:
    more = f", the first {_SHOWN} of {len(changes):,}" if len(changes) > _SHOWN else ""
    listed = changes[:_SHOWN]
    if not listed:
        return ReportTable(f"Items {said}", [])
    first, *others = (column for column in CHANGED if column.page and _says(column, listed))
    columns = [Column(column.page, column.on_page) for column in others]
    named = [(first.on_page(change).text, change) for change in listed]
    return tabulated(f"Items {said}{more}", first.page, columns, named, css="full dense tight")
