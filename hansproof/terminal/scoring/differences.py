"""What is said of the models together: the mean over the runs of each, and differences between every two of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from audit.notation import p_value, points, points_within
from audit.paired.clear import clear_notes
from audit.paired.models import foremost
from audit.paired.wording.doubts import difference_doubts
from audit.study import terms

if TYPE_CHECKING:
    from audit.answers.judging.judged import Judged
    from audit.paired.models import ModelDifference, OverRuns
    from audit.report.terminal.table import TextTable

__all__ = ["difference_notes", "difference_table", "runs_table"]

_MODELS: Final = 8
"""Models between which differences are shown."""


def difference_table(differences: Sequence[ModelDifference]) -> TextTable | None:
    """One row per pair of models, of many models those that are right most often; None where there is none."""
    from audit.report.terminal.table import Column, TextTable

    if not differences:
        return None
    shown = foremost(differences, _MODELS)
    more = ""
    if len(shown) < len(differences):
        more = f": the {_MODELS} that are right most often; --json and --csv have all {len(differences):,}"
    # Where runs are averaged, an item is not right or wrong.
    only = terms.ONLY.screen if all(each.runs == (1, 1) for each in shown) else terms.BETTER.screen
    clear = any(each.clear is not None for each in shown)
    columns = {
        f"{terms.POINTS.screen} [95 % interval]": None, terms.SE.screen: 0, terms.HOLM_P.name: None,
        terms.ITEMS.screen: None, only: 1,
    }  # fmt: skip
    columns |= {terms.CLEAR_POINTS.screen: 3, terms.CLEAR_ITEMS.screen: 2} if clear else {}
    table = TextTable(
        Column("difference", "phrases"),
        *(Column(title, goes=place) for title, place in columns.items()),
        title=f"differences between models on common items{more}",
    )
    for each in shown:
        cells = [
            f"{each.first} - {each.second}",
            points_within(each.difference, each.low, each.high, "+"),
            points(each.se),
            p_value(each.p_holm),
            f"{each.items:,}",
            f"{each.first_better:,}/{each.second_better:,}",
        ]
        if clear:
            own = each.clear
            cells += [points_within(own.difference, own.low, own.high, "+"), f"{own.items:,}"] if own else ["", ""]
        table.row(*cells)
    return table


def runs_table(every: Sequence[OverRuns]) -> TextTable | None:
    """One row per model of several runs, and one for each of its subsets; None where each has one run."""
    from audit.report.terminal.table import Column, TextTable

    if not every:
        return None
    table = TextTable(
        Column("mean over runs", "phrases"),
        Column(f"{terms.RIGHT.screen} [95 % interval]"),
        Column(terms.SE.screen, goes=0),
        Column(terms.ITEMS.screen),
        title="right answers in %, over all runs of a model: an item counts with the mean of its runs",
    )
    for each in every:
        name = f"{each.title}, subset {each.subset}" if each.subset else each.title
        right = points_within(each.right, each.low, each.high) or each.note
        table.row(name, right, points(each.se), f"{each.items:,}")
    return table


def difference_notes(
    differences: Sequence[ModelDifference], *, missing: bool = False, judged: Judged = "reply"
) -> list[str]:
    """Which differences are not there on clear replies; why some have no test, no interval or no standard error, a line
    for each reason; and what becomes of replies (or verdicts) where some are `missing`."""
    shown = foremost(differences, _MODELS)
    what = "verdicts" if judged == "harness" else "replies"
    said = [f"missing {what} count as wrong here, too"] if missing else []
    return [*said, *clear_notes([each.compared() for each in shown]), *difference_doubts(shown)]
