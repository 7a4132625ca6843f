"""Differences on the same items: between models, and between matched conditions for each model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from audit import notation
from audit.paired.models import ModelDifference
from audit.report.page.drawing import Scale
from audit.responses.contrasts import contrast_name
from audit.responses.effects import Effect
from audit.study.records import Answered
from audit.study.sections.tables import Cell, Row, Table, between, captioned, drawn, numbers, points

__all__ = ["difference_table", "effect_notes", "effect_table", "slice_table"]

_EFFECT = (
    "Points", "95 % interval", "Holm p", "Pairs", "Only first right", "Only second",
    "Finds about 80 %", "Points",
)  # fmt: skip
MOST = 190
"""Pairs of models that are shown: every two of twenty."""


def difference_table(part: Answered, of: str = "") -> Table | None:
    """A row per pair of models; None for one model."""
    if not part.differences:
        return None
    shown = part.differences[:MOST]
    scale = _scale([(each.difference, each.low, each.high) for each in shown])
    more = f", the first {MOST} of {len(part.differences):,}" if len(part.differences) > MOST else ""
    only = ("Only first right", "Only second")
    if any(each.runs != (1, 1) for each in shown):
        only = ("First does better", "Second does better")  # in the mean of its runs
    columns = ["First less second", "Points", "95 % interval", "se", "Holm p", "Items", *only]
    table = _table(captioned(f"Differences on common items{more}", of), [*columns, "Points"], scale)
    for each in shown:
        table.rows.append(Row(f"{each.first} − {each.second}", _difference(each, scale)))
    return table


def effect_table(part: Answered, of: str = "") -> Table | None:
    """A row per model below each subset and perturbation: whole subsets only; None where no conditions match."""
    whole: dict[str, list[tuple[str, Effect]]] = {}
    for each in part.series:
        for effect in each.effects:
            if not effect.by:
                whole.setdefault(_contrast(effect), []).append((each.title, effect))
    return _effects(captioned("Original less perturbed items", of), whole)


def slice_table(part: Answered, of: str = "") -> Table | None:
    """The same slice by slice, below each model; None where nothing is sliced."""
    slices: dict[str, list[tuple[str, Effect]]] = {}
    for each in part.series:
        for effect in each.effects:
            if effect.by:
                head = f"{each.title}, {_contrast(effect)}"
                slices.setdefault(head, []).append((f"{effect.by} {effect.value}", effect))
    return _effects(captioned("Original less perturbed items, by slice", of), slices)


def effect_notes(part: Answered) -> list[str]:
    """What cannot be relied on, a sentence for each reason."""
    doubts: dict[str, list[str]] = {}
    for each in part.series:
        for effect in each.effects:
            if effect.note and not effect.by:
                where = effect.subset or contrast_name("", effect.original_condition, effect.perturbed_condition, "−")
                doubts.setdefault(effect.note, []).append(f"{each.title}, {where}")
    return [f"{', '.join(dict.fromkeys(places))}: {doubt}" for doubt, places in doubts.items()]


def _difference(each: ModelDifference, scale: Scale) -> list[Cell]:
    return [
        Cell(points(each.difference), below=each.note),
        Cell(between(each.low, each.high, signed=True), "nowrap"),
        Cell(notation.points(each.se)),
        Cell(notation.p_value(each.p_holm)),
        Cell(notation.count(each.items)),
        Cell(notation.count(each.first_better)),
        Cell(notation.count(each.second_better)),
        drawn(scale, each.difference, each.low, each.high),
    ]


def _contrast(effect: Effect) -> str:
    return contrast_name(effect.subset, effect.original_condition, effect.perturbed_condition, "−")


def _effects(caption: str, of: Mapping[str, Sequence[tuple[str, Effect]]]) -> Table | None:
    """A row per name and effect below each heading; None without any."""
    every = [effect.paired for named in of.values() for _, effect in named]
    if not every:
        return None
    scale = _scale([(paired.effect, paired.low, paired.high) for paired in every])
    table = _table(caption, ["Subset, conditions", *_EFFECT], scale)
    for head, named in of.items():
        table.rows += [Row(head), *(Row(name, _effect(effect, scale)) for name, effect in named)]
    return table


def _effect(effect: Effect, scale: Scale) -> list[Cell]:
    paired = effect.paired
    # No effect can be larger than 100 points: with so few pairs, none would be found.
    finds = "> 100" if paired.detectable > 1 else notation.points(paired.detectable)
    return [
        Cell(points(paired.effect)),
        Cell(between(paired.low, paired.high, signed=True), "nowrap"),
        Cell(notation.p_value(effect.p_holm)),
        Cell(notation.count(paired.pairs)),
        Cell(notation.count(paired.original_only)),
        Cell(notation.count(paired.perturbed_only)),
        Cell(finds),
        drawn(scale, paired.effect, paired.low, paired.high),
    ]


def _scale(values: Sequence[tuple[float, float, float]]) -> Scale:
    return Scale.over([number for triple in values for number in triple], 0.0)


def _table(caption: str, columns: Sequence[str], scale: Scale) -> Table:
    return Table(caption, columns, scale=scale, ticks=numbers(scale), zero=scale.at(0.0), css="full dense")
