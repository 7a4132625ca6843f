"""What a reader of the numbers must know besides, in sentences: ties, undefined kappas, stray answers, trees."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from audit.probe.scheme import STRAY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from audit.assessment import Assessment
    from audit.probe.crossfit import Scores
    from audit.probe.logistic import Regularisation
    from audit.result import SchemeResult

__all__ = ["notes_on", "scheme_notes"]

_NAMED = 3
"""Tied vectors that a note names before it only counts the rest."""


def notes_on(assessment: Assessment, scores: Scores, shown: Regularisation) -> list[str]:
    """Notes on what was measured; `scores` are those of the evidence, `shown` the model behind its n-gram weights."""
    same = len(assessment.schemes) == 2 and assessment.schemes[0].scores is assessment.schemes[1].scores
    notes = scheme_notes([scheme.result for scheme in assessment.schemes], same)
    return notes + _saved(assessment) + _trees(scores, shown) + _stray(assessment)


def scheme_notes(schemes: Sequence[SchemeResult], same: bool) -> list[str]:
    """Notes on the folds and the refitting of one or two schemes; `same` if one run served both."""
    # If no two items were detected or declared to belong together, both schemes share their scores.
    notes = []
    for scheme in schemes[: 1 if same else 2]:
        notes += _scheme(scheme)
    if same:
        notes.append("no group of different texts was detected or declared, so random and grouped folds are the same")
    elif [scheme.scheme for scheme in schemes] == ["grouped"]:
        notes.append("random folds were not run, because too few items belong together for them to differ")
    return notes + _refitting(schemes[0])


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


def _saved(assessment: Assessment) -> list[str]:
    effort = assessment.effort
    if effort is None:
        return []
    splits = "1 split" if effort.splits == 1 else f"{effort.splits} splits"
    return [
        f"with {len(assessment.y):,} items, {splits} and L1 fits to a tolerance of {effort.tolerance:g} suffice, and "
        f"refitting and injected cues were measured on {effort.part:,} of the items; --thorough measures everything on "
        f"all of them"
    ]


def _trees(scores: Scores, shown: Regularisation) -> list[str]:
    """Trees have no weight per n-gram and answer, so their evidence comes from a regression."""
    trees = scores.regularisation.count("trees")
    if not trees:
        return []
    times = len(scores.regularisation)
    folds = "the single split" if times == 1 else f"{trees} of {times} folds"
    return [
        f"gradient-boosted trees scored {scores.vector.label} on {folds}. Trees have no weight per n-gram, so the "
        f"n-grams shown are those of the linear probe {shown.name} on the same feature vector; the probabilities of "
        f"the items are those of the models that scored them"
    ]


def _stray(assessment: Assessment) -> list[str]:
    counts = np.bincount(assessment.y)
    stray = [assessment.labels[c] for c in np.flatnonzero(counts < STRAY * len(assessment.y)).tolist()]
    if not stray:
        return []
    return [
        f"fewer than {100 * STRAY:.0f} % of the items have the answer {' or '.join(map(repr, stray[:5]))}; the "
        f"uniform-chance kappa of the most common answer does not count such rare answers"
    ]
