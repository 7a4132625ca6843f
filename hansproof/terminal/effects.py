"""Effects as tables for the terminal, in percentage points: whole subsets first, then slice by slice."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from math import isnan
from typing import TYPE_CHECKING

from audit.report.words import p_value
from hansproof.terminal.tables import fitted, plain, plain_table

if TYPE_CHECKING:
    from rich.table import Table

    from audit.responses.effects import Effect
    from audit.responses.paired import Paired

__all__ = ["effect_tables", "notes"]

_COLUMNS = ("effect", "t p", "Holm\np", "McNemar\np", "pairs", "easy/hard\nonly", "80 %\npower")


def effect_tables(effects: Sequence[Effect]) -> list[Table]:
    """A table of the whole subsets and one of the slices, if there are any; none without effects.

    Effects, their 95 % intervals and the smallest ones found with 80 % power are percentage points of accuracy.
    """
    whole = [one for one in effects if not one.by]
    if not whole:
        return []
    main = _empty("easy - hard", "Effect of the hard condition, percentage points [95 % interval]")
    for one in whole:
        main.add_row(fitted(one.subset), *_cells(one))
    parts = _empty("by slice", "The same by slice; Holm's correction over the slices of a subset")
    for subset, some in groupby((one for one in effects if one.by), key=lambda one: one.subset):
        parts.add_section()
        parts.add_row(fitted(subset))
        for one in some:
            parts.add_row(fitted(f"{one.by} {one.value}"), *_cells(one))
    return [main, parts] if parts.row_count else [main]


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
    table = plain_table(first, _COLUMNS)
    table.title = plain(title)
    table.columns[1].no_wrap = True  # an interval on two lines is hard to read
    return table


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
