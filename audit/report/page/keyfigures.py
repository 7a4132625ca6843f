"""The key figures at the head of a page: each names its fold scheme, and those that the verdict rests on come first."""

from __future__ import annotations

from typing import NamedTuple

from audit import notation
from audit.report import shades
from audit.report.findings import Findings
from audit.result.audit_result import AuditResult, SchemeResult, VectorResult

__all__ = ["KeyFigure", "key_figures"]


class KeyFigure(NamedTuple):
    """One box with a number, as text."""

    name: str
    value: str
    note: str


def key_figures(findings: Findings) -> list[KeyFigure]:
    """The numbers of the deciding feature vector, then the size of the benchmark.

    Figures with nothing to say are left out: kappas if nothing was measured, items if none were read, the second
    fold scheme if there are no groups.
    """
    return [*_measured(findings), *_size(findings.result)]


def _measured(findings: Findings) -> list[KeyFigure]:
    scheme, name = findings.deciding, findings.result.vector
    vector = scheme.find(name) if scheme else None
    if scheme is None or vector is None:
        return []
    where = "test part" if findings.paper else findings.folds(scheme.scheme)
    most_common = f"always giving the most common answer: {notation.kappa(scheme.majority_uniform)}"
    uniform = KeyFigure(f"Uniform-chance kappa, {where}", notation.kappa(vector.uniform), most_common)
    matched = _matched(vector, where, vector.label, "Cohen's kappa" if findings.paper else "Kappa")
    if findings.result.options is not None:
        figures = _of_options(findings, scheme)
        figures = [matched, *figures]
    elif findings.paper:
        figures = [uniform, matched]  # the kappa that the paper plots comes first
    else:
        figures = [matched]
        for other in () if findings.ungrouped else findings.result.schemes:
            beside = other.find(name)
            if other is not scheme and beside is not None:
                figures.append(_matched(beside, findings.folds(other.scheme), _contrast(other)))
        figures.append(uniform)
    majority = f"always giving the most common answer: {notation.per_cent(scheme.majority_accuracy)}"
    if findings.result.options is not None:
        majority = f"guessing: {notation.per_cent(findings.result.options.chance)}"
    figures.append(KeyFigure(f"Accuracy, {where}", notation.per_cent(vector.accuracy), majority))
    known = [cue for cue in findings.result.findable if cue.kappa is not None]
    never = [cue.kind for cue in findings.result.findable if cue.kappa is None and cue.ceiling]
    if never:
        kinds = f"cues of {' and of '.join(never)} would not be found, however strong"
        figures.append(KeyFigure("Smallest cue that would be found", "none", kinds))
    elif known:
        hardest = max(known, key=lambda cue: cue.kappa or 0.0)
        kind = f"cue of {hardest.kind}, the hardest to find; 80 % of the time"
        figures.append(KeyFigure("Smallest cue that would be found", notation.kappa(hardest.kappa), kind))
    return figures


def _of_options(findings: Findings, scheme: SchemeResult) -> list[KeyFigure]:
    """The best probe that never sees the question, and the best that does."""
    options = findings.result.options
    best = {"Options only": options.only, "With the question": options.asked} if options is not None else {}
    figures = []
    for name, vector in best.items():
        entry = scheme.find(vector)
        if entry is not None and vector != findings.result.vector:
            note = f"{notation.interval(entry.matched_low, entry.matched_high)}; {entry.label}"
            figures.append(KeyFigure(name, notation.kappa(entry.matched), note))
    return figures


def _matched(vector: VectorResult, where: str, about: str, name: str = "Kappa") -> KeyFigure:
    parts = [notation.interval(vector.matched_low, vector.matched_high), shades.strength(vector.matched)]
    # An undefined kappa is said once, as the figure itself.
    note = ", ".join(part for part in parts if part and part != notation.UNDEFINED)
    return KeyFigure(f"{name}, {where}", notation.kappa(vector.matched), f"{note}; {about}" if note else about)


def _contrast(other: SchemeResult) -> str:
    return "same feature vector, groups " + ("split" if other.scheme == "random" else "kept together")


def _size(result: AuditResult) -> list[KeyFigure]:
    figures = []
    if result.items:
        left_out = result.left_out_count
        note = f"{notation.things(left_out, 'row')} left out" if left_out else "no rows left out"
        figures.append(KeyFigure("Items", notation.count(result.items), note))
    if result.labels and result.options is None:
        figures.append(KeyFigure("Answers", notation.count(len(result.labels)), "different answers"))
    if result.groups and result.groups.source != "none" and result.groups.largest > 1:
        largest = f"largest: {notation.things(result.groups.largest, 'item')}"
        figures.append(KeyFigure("Groups", notation.count(result.groups.count), largest))
    return figures
