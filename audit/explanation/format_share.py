"""How much of kappa is the format of the texts: the same probes, on the same folds, on clean texts.

A cue that a model sees and a reader of the words does not (a fourth line break, a double blank) disappears with the
format. A cue in the words stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from audit.explanation.clean import changed, clean
from audit.probes.crossfit import Fitting, Ints, Scores, crossfit
from audit.result.explanation import CleanKappa, FormatMark, FormatShare
from audit.statistics import kappa
from audit.texts.feature_table import FeatureTable
from audit.texts.formatting import FORMATS, format_counts

if TYPE_CHECKING:
    from audit.texts.vectors import Vector

__all__ = ["Folding", "format_marks", "format_share"]

SPLITS = 3
"""Of the audit's splits, those on which clean texts are fitted too."""

_CLEAR_Z = 5.0
"""A mark is named only well beyond what the best of a hundred marks shows by chance."""
_MOST_MARKS = 3


class Folding(NamedTuple):
    """How items are divided into folds."""

    groups: Ints
    """(N,) items of one group are in one fold."""
    scheme: str
    folds: int = 5


def format_share(
    texts: Sequence[str],
    y: Ints,
    labels: Sequence[str],
    scores: Sequence[Scores],
    deciding: str,
    fitting: Fitting,
    folding: Folding,
    part: Ints | None = None,
) -> FormatShare:
    """Kappa on clean texts of the deciding vector and of the strongest of another kind, over the first few splits.

    `scores` are those of the texts as they are; `y`, `fitting` and `folding` must be the same. If
    `part` names rows, in whole groups, both kappas are those of probes that are trained and tested on these rows alone.
    Raises ValueError if `scores` has no vector called `deciding`.
    """
    raw = {entry.vector.name: _cohen(entry, y, fitting.labels) for entry in scores}
    if deciding not in raw:
        raise ValueError(f"no scores of the vector {deciding!r}")
    named = {entry.vector.name: entry.vector for entry in scores}
    others = [name for name in raw if named[name].level != named[deciding].level]
    others.sort(key=lambda name: -(raw[name] or 0.0))
    vectors = [named[name] for name in (deciding, *others[:1])]
    splits = min(SPLITS, len(scores[0].matched))  # a large benchmark has fewer
    compared = texts if part is None else [texts[row] for row in part.tolist()]
    y_compared = y if part is None else y[part]
    if part is not None:
        folding = folding._replace(groups=np.unique(folding.groups[part], return_inverse=True)[1])

    def fitted(versions: Sequence[str]) -> list[Scores]:
        return _crossfit(versions, y_compared, vectors, fitting, folding, splits)

    if part is not None:
        raw = {entry.vector.name: _cohen(entry, y_compared, fitting.labels) for entry in fitted(compared)}
    on_clean = fitted([clean(text) for text in compared])
    return FormatShare(
        changed=sum(changed(texts)),
        kappas=[
            CleanKappa(
                vector=entry.vector.name,
                label=entry.vector.label,
                raw=raw[entry.vector.name],
                clean=_cohen(entry, y_compared, fitting.labels),
            )
            for entry in on_clean
        ],
        marks=format_marks(texts, y, labels),
    )


def format_marks(texts: Sequence[str], y: Ints, labels: Sequence[str], most: int = _MOST_MARKS) -> list[FormatMark]:
    """The parts of the format that go with an answer most clearly, each with the answer it fits best.

    z is the correlation of the part with the answer times the square root of the number of items. Parts below z = 5
    and parts that are nearly the same as a stronger one are left out.
    """
    counts, logs = format_counts(texts)
    spread = logs.std(axis=0)
    varying = np.flatnonzero(spread > 1e-9)
    if not len(varying) or len(labels) < 2:
        return []
    standard = (logs[:, varying] - logs[:, varying].mean(axis=0)) / spread[varying]
    answers = np.stack([y == c for c in range(len(labels))], axis=1).astype(np.float64)
    shares = answers.mean(axis=0)
    answers = (answers - shares) / np.sqrt(np.maximum(shares * (1 - shares), 1e-12))
    z = standard.T @ answers / np.sqrt(len(y))
    best = np.abs(z).argmax(axis=1)
    strength = np.abs(z)[np.arange(len(varying)), best]
    marks: list[FormatMark] = []
    kept: list[int] = []
    for at in np.argsort(-strength, kind="stable").tolist():
        if strength[at] < _CLEAR_Z or len(marks) == most:
            break
        if any(abs(float(standard[:, at] @ standard[:, other])) > 0.8 * len(y) for other in kept):
            continue
        kept.append(at)
        column, c = int(varying[at]), int(best[at])
        marks.append(_mark(counts[:, column], FORMATS[column], y == c, labels[c], float(z[at, c])))
    return marks


def _mark(values: NDArray[np.float64], name: str, has: NDArray[np.bool_], label: str, z: float) -> FormatMark:
    return FormatMark(mark=name, label=label, mean=float(values[has].mean()), others=float(values[~has].mean()), z=z)


def _crossfit(
    texts: Sequence[str],
    y: Ints,
    vectors: Sequence[Vector],
    fitting: Fitting,
    folding: Folding,
    splits: int,
) -> list[Scores]:
    """The one call of the probe."""
    table = FeatureTable.build(
        texts,
        levels=list(dict.fromkeys(vector.level for vector in vectors if vector.kind == "ngram")),
        dense=[vector.name for vector in vectors if vector.kind == "dense"],
    )
    return crossfit(
        table, y, folding.groups, vectors, fitting, scheme=folding.scheme, folds=folding.folds, splits=splits
    )


def _cohen(scores: Scores, y: Ints, labels: int) -> float | None:
    """The median of the matched kappas of the first few splits, which both texts share."""
    gold = y[scores.rows]
    tables = [kappa.confusion(gold, row, labels) for row in scores.matched[:SPLITS].astype(np.int64)]
    value = float(np.median([float(kappa.cohen(table)) for table in tables]))
    return None if np.isnan(value) else value
