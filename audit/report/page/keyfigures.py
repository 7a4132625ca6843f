"""The key figures at the head of a page: each with its fold scheme, those that the verdict stands on first.

Reads a result, gives names, values and notes as text for the template.
"""

from __future__ import annotations

from typing import NamedTuple

from audit.report import words
from audit.result import AuditResult, SchemeResult, VectorResult

__all__ = ["KeyFigure", "key_figures"]


class KeyFigure(NamedTuple):
    """One card."""

    name: str
    value: str
    note: str


def key_figures(result: AuditResult) -> list[KeyFigure]:
    """What was measured of the vector that the verdict is about, then the size of the benchmark.

    Figures that have nothing to say are left out: no kappas where nothing was measured, no items where none were
    read, no second fold scheme where there are no groups.
    """
    return [*_measured(result), *_size(result)]


def _measured(result: AuditResult) -> list[KeyFigure]:
    scheme = result.deciding_scheme
    found = _of(scheme, result.vector)
    if scheme is None or found is None:
        return []
    same = words.unparted(result)
    where = "test part" if scheme.scheme == "paper" else "out of fold" if same else words.FOLDS[scheme.scheme]
    floor = f"always the commonest answer: {words.kappa(scheme.majority_uniform)}"
    uniform = KeyFigure(f"Uniform-chance kappa, {where}", words.kappa(found.uniform), floor)
    cohen = _cohen(found, where, found.label if not same else f"{found.label}; no groups: random folds are the same")
    if scheme.scheme == "paper":
        figures = [uniform, cohen]  # the paper decides by its own kappa
    else:
        figures = [cohen]
        for other in () if same else result.schemes:
            beside = _of(other, result.vector)
            if other is not scheme and beside is not None:
                figures.append(_cohen(beside, words.FOLDS[other.scheme], _contrast(other)))
        figures.append(uniform)
    majority = f"always the commonest answer: {words.per_cent(scheme.majority_accuracy)}"
    figures.append(KeyFigure(f"Accuracy, {where}", words.per_cent(found.accuracy), majority))
    if scheme.detectable is not None:
        power = "80 % power of the test on these predictions, not of learning"
        figures.append(KeyFigure(f"Smallest detectable kappa, {where}", words.kappa(scheme.detectable), power))
    return figures


def _cohen(found: VectorResult, where: str, told: str) -> KeyFigure:
    known = [words.interval(found.cohen_low, found.cohen_high), words.strength(found.cohen)]
    # An undefined kappa is said once, as the figure itself.
    note = ", ".join(part for part in known if part and part != words.UNDEFINED)
    return KeyFigure(f"Cohen's kappa, {where}", words.kappa(found.cohen), f"{note}; {told}" if note else told)


def _contrast(other: SchemeResult) -> str:
    return "same vector, groups parted" if other.scheme == "random" else "same vector, groups kept together"


def _of(scheme: SchemeResult | None, vector: str | None) -> VectorResult | None:
    return next((one for one in scheme.vectors if one.vector == vector), None) if scheme else None


def _size(result: AuditResult) -> list[KeyFigure]:
    figures = []
    if result.items:
        left = f"{words.things(result.left_out_count, 'row')} left out" if result.left_out_count else "none left out"
        figures.append(KeyFigure("Items", words.count(result.items), left))
    if result.labels:
        figures.append(KeyFigure("Answers", words.count(len(result.labels)), "different labels"))
    if result.groups and result.groups.source != "none" and result.groups.largest > 1:
        largest = f"largest: {words.things(result.groups.largest, 'item')}"
        figures.append(KeyFigure("Groups", words.count(result.groups.count), largest))
    return figures
