"""Accuracy by model and subset: a heat map, and a table in which every share has its interval and its items."""

from __future__ import annotations

from typing import Final

from audit import notation
from audit.report.page.drawing import Scale
from audit.study import terms
from audit.study.records import Accuracy, Answered, SeriesAccount
from audit.study.sections.tables import EMPTY, Cell, Row, Table, between, captioned, drawn, numbers, per_cent

__all__ = ["LEGEND", "accuracy_map", "accuracy_table"]

LEGEND: Final = tuple((f"a{place}", f"{10 * place}–{10 * place + 10} %") for place in range(10))
"""Shades of the map, from none right to all right: blue, because those of a kappa say that something is wrong."""
_SCALE: Final = Scale(0.0, 1.0)


def accuracy_map(part: Answered, of: str = "") -> Table:
    """Models by subsets, all items first; each share with its interval and its number of items."""
    subsets = _subsets(part)
    table = Table(captioned("Right answers in per cent", of), ["Model", *map(_name, subsets)], css="map shares")
    for each in part.series:
        known = {accuracy.subset: accuracy for accuracy in each.accuracies}
        table.rows.append(Row(each.title, [_shaded(each, subset, known.get(subset)) for subset in subsets]))
    return table


def accuracy_table(part: Answered, of: str = "") -> Table:
    """A row per subset and model with the same numbers, chance, and a drawing."""
    lacking = any(accuracy.missing for each in part.series for accuracy in each.accuracies)
    columns = ["Subset, model", terms.RIGHT.page, "95 % interval", terms.SE.page]
    columns += [*([terms.REPLIED.page] if lacking else []), terms.CHANCE.page, "Right items", terms.ITEMS.page]
    columns += [*([terms.MISSING.page] if lacking else []), "Right in %"]
    table = Table(
        captioned("Right answers, with intervals", of), columns, scale=_SCALE, ticks=numbers(_SCALE), zero="0%"
    )
    subsets = _subsets(part)
    for subset in subsets:
        if len(subsets) > 1:
            table.rows.append(Row(_name(subset)))
        for each in part.series:
            for accuracy in each.accuracies:
                if accuracy.subset == subset:
                    table.rows.append(Row(each.title, _cells(accuracy, lacking)))
            if subset in each.no_reply:
                none = [EMPTY] * (len(columns) - 2)
                table.rows.append(Row(each.title, [Cell(notation.NO_REPLY), *none[:-1], Cell("", "draw")]))
    return table


def _subsets(part: Answered) -> list[str]:
    """All items first, then the subsets in which anything is right, or could be if it had a reply."""
    known = {accuracy.subset for each in part.series for accuracy in each.accuracies}
    known |= {subset for each in part.series for subset in each.no_reply}
    return ["", *(subset for subset in part.subsets if subset in known and subset)] if "" in known else []


def _name(subset: str) -> str:
    return subset or "all items"


def _shaded(series: SeriesAccount, subset: str, accuracy: Accuracy | None) -> Cell:
    if accuracy is None:
        if subset in series.no_reply:
            return Cell(notation.NO_REPLY, "cell hx", f"to {notation.things(series.no_reply[subset], 'item')}")
        return Cell("not asked" if subset in series.not_asked else "–", "cell hx")
    interval = between(accuracy.low, accuracy.high)
    missing = f", {accuracy.missing:,} missing" if accuracy.missing else ""
    below = f"{interval} of {accuracy.items:,}{missing}".strip()
    return Cell(per_cent(accuracy.share), f"cell a{min(int(10 * accuracy.share), 9)}", below)


def _cells(accuracy: Accuracy, lacking: bool) -> list[Cell]:
    return [
        Cell(per_cent(accuracy.share)),
        Cell(between(accuracy.low, accuracy.high), "nowrap"),
        Cell(per_cent(accuracy.se)),
        *([Cell(per_cent(accuracy.share_replied))] if lacking else []),
        Cell(per_cent(accuracy.chance)),
        Cell(notation.count(accuracy.right)),
        Cell(notation.count(accuracy.items)),
        *([Cell(notation.count(accuracy.missing))] if lacking else []),
        drawn(_SCALE, accuracy.share, accuracy.low, accuracy.high, accuracy.chance),
    ]
