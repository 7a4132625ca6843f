"""What a reader of the numbers must know besides, in sentences: ties, undefined kappas, folds, refitting."""

from __future__ import annotations

from collections.abc import Sequence

from audit.records.effort import FULL_LABELS, Effort
from audit.result import SchemeResult

__all__ = ["UNGROUPED", "of_templates", "saved_effort", "scheme_notes"]

UNGROUPED = "Groups were switched off (--groups none): this audit cannot tell a leak from templates"
"""What follows from `--groups none`, without a full stop."""

_UNDECLARED = "This may also be templates that were not detected; name them with --group"

_NAMED = 3
"""Tied vectors that a note names before it only counts the rest."""


def of_templates(groups: str, declared: bool) -> str:
    """A further sentence after a leak, unless its author `declared` the groups; `groups` is the setting."""
    return "" if declared else f" {UNGROUPED if groups == 'none' else _UNDECLARED}."


def scheme_notes(schemes: Sequence[SchemeResult], same: bool, *, ungrouped: bool = False) -> list[str]:
    """Notes on the folds and the refitting of one or two schemes; `same` if one run served both.

    `ungrouped` says that the user switched groups off.
    """
    # If no two items were detected or declared to belong together, both schemes share their scores.
    notes = []
    for scheme in schemes[: 1 if same else 2]:
        notes += _scheme(scheme)
    if ungrouped:
        notes.append(f"{UNGROUPED[:1].lower()}{UNGROUPED[1:]}")
    elif same:
        notes.append("no group of different texts was detected or declared, so random and grouped folds are the same")
    elif [scheme.scheme for scheme in schemes] == ["grouped"]:
        notes.append("random folds were not run, because too few items belong together for them to differ")
    return notes + _refitting(schemes[0])


def saved_effort(effort: Effort | None, items: int, partly: str, *, labels: int = 2) -> list[str]:
    """What was measured less because there are so many `items`, or so many of them times `labels` answers, and what was
    measured on a part of them; empty if nothing was.
    """
    if effort is None:
        return []
    splits = "1 split" if effort.splits == 1 else f"{effort.splits} splits"
    many = f" and {labels:,} answers" if labels > FULL_LABELS else ""
    part = f", and {partly} were measured on {effort.part:,} of the items" if effort.part < items else ""
    return [
        f"with {items:,} items{many}, {splits} and L1 fits to a tolerance of {effort.tolerance:g} suffice{part}; "
        f"--thorough measures everything {'on all of them' if part else 'in full'}"
    ]


def _scheme(result: SchemeResult) -> list[str]:
    where = {"paper": "single split", "published": "published split"}.get(result.scheme, f"{result.scheme} folds")
    notes = []
    if result.tied:
        more = len(result.tied) - _NAMED
        tied = "; ".join(_label(result, name) for name in (result.headline, *result.tied[:_NAMED]))
        notes.append(
            f"{where}: several feature vectors have the best validation, and the first in the table is used: "
            f"{tied}{f'; and {more} more' if more > 0 else ''}"
        )
    undefined = [vector.label for vector in result.vectors if vector.matched is None]
    if undefined:
        notes.append(f"{where}: kappa is undefined for {'; '.join(undefined)}, because only one answer occurs")
    return notes


def _label(result: SchemeResult, name: str) -> str:
    """The display name of a feature vector, as in the tables: its label may hold a comma, so lists use semicolons."""
    entry = result.find(name)
    return entry.label if entry is not None else name


def _refitting(result: SchemeResult) -> list[str]:
    if result.scheme in ("paper", "published"):
        return []
    notes = []
    if result.splits > 1:
        notes.append(f"kappas are medians over {result.splits} splits, p-values twice the median")
    wider = [
        f"{what} {stretch:.2f} times as wide"
        for what, stretch in (("intervals", result.sampling_stretch), ("the null distribution", result.null_stretch))
        if stretch >= 1.005
    ]
    if wider:
        notes.append(f"allowing for refitted probes makes {' and '.join(wider)}")
    return notes
