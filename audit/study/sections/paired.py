"""Differences on the same items: between models, and between matched conditions for each model."""

from __future__ import annotations

from collections.abc import Sequence

from audit import notation
from audit.answers.differences import Difference
from audit.report.page.drawing import Scale
from audit.responses.effects import Effect
from audit.study.records import Answered
from audit.study.sections.tables import Cell, Row, Table, between, captioned, drawn, numbers, points

__all__ = ["difference_table", "effect_notes", "effect_table"]

MOST = 190
"""Pairs of models that are shown: every two of twenty."""


def difference_table(part: Answered, of: str = "") -> Table | None:
    """A row per pair of models; None for one model."""
    if not part.differences:
        return None
    shown = part.differences[:MOST]
    scale = _scale([(each.difference, each.low, each.high) for each in shown])
    more = f", the first {MOST} of {len(part.differences):,}" if len(part.differences) > MOST else ""
    columns = ["First less second", "Items", "Only first right", "Only second", "Points", "95 % interval", "Holm p"]
    table = _table(captioned(f"Differences on common items{more}", of), [*columns, "Points"], scale)
    for each in shown:
        table.rows.append(Row(f"{each.first} − {each.second}", _difference(each, scale)))
    return table


def effect_table(part: Answered, of: str = "") -> Table | None:
    """A row per model, subset and perturbation: whole subsets only; None where no conditions match."""
    whole = [(each.title, effect) for each in part.series for effect in each.effects if not effect.by]
    if not whole:
        return None
    scale = _scale([(effect.paired.effect, effect.paired.low, effect.paired.high) for _, effect in whole])
    columns = ["Model", "Subset", "Conditions", "Pairs", "Only first right", "Only second", "Points", "95 % interval"]
    columns += ["Holm p", "McNemar Holm p", "Finds with 80 %", "Points"]
    table = _table(captioned("Original less perturbed items", of), columns, scale)
    table.rows += [Row(title, _effect(effect, scale)) for title, effect in whole]
    return table


def effect_notes(part: Answered) -> list[str]:
    """What cannot be relied on, a sentence for each reason."""
    doubts: dict[str, list[str]] = {}
    for each in part.series:
        for effect in each.effects:
            if effect.note and not effect.by:
                doubts.setdefault(effect.note, []).append(f"{each.title}, {effect.subset}")
    return [f"{', '.join(dict.fromkeys(where))}: {doubt}" for doubt, where in doubts.items()]


def _difference(each: Difference, scale: Scale) -> list[Cell]:
    value = Cell(points(each.difference), below="" if each.items and not each.note else each.note)
    return [
        Cell(notation.count(each.items)),
        Cell(notation.count(each.first_only)),
        Cell(notation.count(each.second_only)),
        value,
        Cell(between(each.low, each.high, signed=True), "nowrap"),
        Cell(notation.p_value(each.p_holm)),
        drawn(scale, each.difference, each.low, each.high),
    ]


def _effect(effect: Effect, scale: Scale) -> list[Cell]:
    paired = effect.paired
    # No effect can be larger than 100 points: with so few pairs, none would be found.
    finds = "> 100" if paired.detectable > 1 else notation.points(paired.detectable)
    return [
        Cell(effect.subset, "left"),
        Cell(f"{effect.original_condition} − {effect.perturbed_condition}", "left"),
        Cell(notation.count(paired.pairs)),
        Cell(notation.count(paired.original_only)),
        Cell(notation.count(paired.perturbed_only)),
        Cell(points(paired.effect)),
        Cell(between(max(paired.low, -1.0), min(paired.high, 1.0), signed=True), "nowrap"),
        Cell(notation.p_value(effect.p_holm)),
        Cell(notation.p_value(effect.mcnemar_p_holm)),
        Cell(finds),
        drawn(scale, paired.effect, paired.low, paired.high),
    ]


def _scale(values: Sequence[tuple[float, float, float]]) -> Scale:
    return Scale.over([number for triple in values for number in triple], 0.0)


def _table(caption: str, columns: Sequence[str], scale: Scale) -> Table:
    return Table(caption, columns, scale=scale, ticks=numbers(scale), zero=scale.at(0.0), css="full dense")
