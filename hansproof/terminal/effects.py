"""Effects as tables for the terminal, in percentage points: whole subsets first, then slice by slice."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from math import isnan
from typing import TYPE_CHECKING

from audit.notation import p_value

if TYPE_CHECKING:
    from audit.report.terminal.table import Table
    from audit.responses.effects import Effect
    from audit.responses.paired import Paired

__all__ = ["effect_tables", "notes"]


def effect_tables(effects: Sequence[Effect]) -> list[Table]:
    """A table of the whole subsets and one of the slices, if there are any; none without effects.

    Effects, their 95 % intervals and the smallest ones found with 80 % power are percentage points of accuracy.
    """
    whole = [effect for effect in effects if not effect.by]
    if not whole:
        return []
    main = _empty("easy - hard", "Effect of the hard condition, percentage points [95 % interval]")
    for effect in whole:
        main.row(effect.subset, *_cells(effect))
    parts = _empty("by slice", "The same by slice; Holm's correction over the slices of a subset")
    for subset, slices in groupby((effect for effect in effects if effect.by), key=lambda effect: effect.subset):
        parts.section()
        parts.row(subset, *[""] * (len(parts.columns) - 1))
        for effect in slices:
            parts.row(f"{effect.by} {effect.value}", *_cells(effect))
    return [main, parts] if parts.rows else [main]


def notes(effects: Sequence[Effect]) -> list[str]:
    """Lines below the tables: what was compared, what is not to be relied on and where, what is missing."""
    whole = [one for one in effects if not one.by]
    contrasts: dict[str, list[str]] = {}
    for one in whole:
        contrasts.setdefault(f"{one.easy_condition} - {one.hard_condition}", []).append(one.subset)
    doubts: dict[str, dict[str, list[str]]] = {}
    for one in effects:
        if one.paired.note:
            places = doubts.setdefault(one.paired.note, {}).setdefault(one.subset, [])
            places.append(f"{one.by} {one.value}" if one.by else "as a whole")
    missing = [f"{one.subset} {one.missing_easy:,}/{one.missing_hard:,}"
               for one in whole if one.missing_easy + one.missing_hard]  # fmt: skip
    left_out = [f"{one.subset} {one.left_out:,}" for one in whole if one.left_out]
    lines = [f"{contrast}: {', '.join(subsets)}" for contrast, subsets in contrasts.items()]
    lines += [
        f"{doubt}: {'; '.join(subset + ' ' + ', '.join(some) for subset, some in where.items())}"
        for doubt, where in doubts.items()
    ]
    lines += [f"replies missing, counted wrong, easy/hard: {', '.join(missing)}"] if missing else []
    return lines + ([f"groups that are no pair, left out: {', '.join(left_out)}"] if left_out else [])


def _empty(first: str, title: str) -> Table:
    from audit.report.terminal.table import Column, Table

    return Table(
        Column(first, "phrases"),
        Column("effect"),
        Column("t p", goes=1),
        Column("Holm\np"),
        Column("McNemar\np", goes=0),
        Column("pairs", goes=3),
        Column("easy/hard\nonly", goes=4),
        Column("80 %\npower", goes=2),
        title=title,
    )


def _cells(effect: Effect) -> list[str]:
    paired = effect.paired
    return [
        _points(paired),
        p_value(paired.p),
        p_value(effect.p_holm),
        p_value(paired.mcnemar_p),
        f"{paired.pairs:,}",
        f"{paired.easy_only:,}/{paired.hard_only:,}",
        "" if isnan(paired.detectable) else f"{100 * paired.detectable:.1f}",
    ]


def _points(paired: Paired) -> str:
    if isnan(paired.effect):
        return ""
    effect = _number(paired.effect, sign="+")
    return effect if isnan(paired.low) else f"{effect} [{_number(paired.low)}, {_number(paired.high)}]"


def _number(share: float, sign: str = "") -> str:
    text = f"{100 * share:{sign}.1f}"
    return "0.0" if float(text) == 0 else text  # a rounded zero has no sign
