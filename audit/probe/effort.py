"""How much a large benchmark is measured: beyond a size, less is repeated, because less varies.

Splits, halvings and relabellings measure noise, which falls with the number of items while the time of each repetition
grows. Up to `FULL` items nothing is saved. Beyond, the items are split anew less often, so that all splits together fit
about as many rows as at that size; ratios and injected cues, which do not need every item, are measured on a random
part that keeps groups whole. Every item is still predicted out of fold by every vector.

A fit takes about as long as items times answers are many. So beyond `FULL_LABELS` answers each item counts as often as
the answers exceed them: 10,000 items with 80 answers save as much as 40,000 with 2. Noise does not fall with answers,
however, so that three splits and forty items per answer remain for what is saved on their account.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from audit.probe.logistic import Regularisation
from audit.records.effort import FULL_LABELS, Effort
from audit.statistics.intervals import effective_groups
from audit.statistics.resampling import seeded

if TYPE_CHECKING:
    from audit.features.table import FeatureTable

__all__ = [
    "FULL",
    "FULL_LABELS",
    "LEAST_SPLITS",
    "LOOSE",
    "PER_LABEL",
    "Excerpt",
    "effort_for",
    "excerpt_of",
    "loosened",
    "random_groups",
]

Ints = NDArray[np.int64]

FULL = 20_000
"""Items up to which everything is measured in full."""

LEAST_SPLITS = 3
"""Splits that many answers leave, if as many are asked for: the median of three knows of an odd one."""

PER_LABEL = 40
"""Items per answer, of all items, on which ratios are measured at least."""

LOOSE = 1e-2
"""Tolerance of L1 fits on more items, in place of 1e-4. The last digits of the weights of near-collinear columns take a
hundred times as long as all digits before them. In 60 pairs of fits on 30,000 items, stopping early moved kappa by
.0004 on average and by .0027 at most, a third of its standard error (`benchmarks/scale/tolerance.py`)."""


def effort_for(items: int, splits: int, labels: int = 2, *, thorough: bool = False) -> Effort | None:
    """What is saved on a benchmark of so many `items` with `labels` answers if `splits` splits are asked for, or None.

    With up to `FULL_LABELS` answers, splits * FULL / items splits, rounded down, but at least one: of 10, 5 remain at
    40,000 items, 2 at 100,000 and 1 from 200,000. With k times as many answers, as with k times as many items, but
    `LEAST_SPLITS` remain unless the items alone leave fewer. `thorough` saves nothing at any size.
    """
    cells = items * max(labels, FULL_LABELS)
    if thorough or cells <= FULL * FULL_LABELS:
        return None
    left = max(min(splits, LEAST_SPLITS), splits * FULL * FULL_LABELS // cells)
    return Effort(
        splits=max(1, min(left, splits * FULL // items)),
        part=min(items, FULL, max(FULL * FULL_LABELS // max(labels, FULL_LABELS), PER_LABEL * labels)),
        tolerance=LOOSE,
    )


def loosened(
    candidates: Sequence[Regularisation], effort: Effort | None, labels: int = 2
) -> tuple[Regularisation, ...]:
    """The candidates as they are fitted: L1 stops at the tolerance of `effort`, all else as it did.

    With more than `FULL_LABELS` answers, fits begin at the shares of the answers instead of 0: from 0, each of a
    hundred labels first has to learn that it is rare, which takes half of the time of a fit.
    """
    if effort is None:
        return tuple(candidates)
    return tuple(
        replace(
            how,
            tolerance=effort.tolerance if how.penalty == "l1" else how.tolerance,
            from_shares=labels > FULL_LABELS and how.linear,
        )
        for how in candidates
    )


@dataclass(frozen=True)
class Excerpt:
    """Some of the items of a benchmark, in whole groups, as a benchmark of their own."""

    table: FeatureTable
    y: Ints
    """(n,) label numbers of the whole benchmark."""
    groups: Ints
    """(n,) group numbers from 0."""
    widens: float
    """By how much fewer groups widen the null distribution of a kappa: the square root of their ratio."""


def excerpt_of(table: FeatureTable, y: Ints, groups: Ints, effort: Effort | None, seed: int) -> Excerpt:
    """The part that `effort` asks for; the whole benchmark without one."""
    if effort is None:
        return Excerpt(table, y, groups, 1.0)
    rows = random_groups(groups, effort.part, seeded(seed, "part"))
    own = np.unique(groups[rows], return_inverse=True)[1]
    return Excerpt(table.of(rows), y[rows], own, float(np.sqrt(effective_groups(groups) / effective_groups(own))))


def random_groups(groups: Ints, most: int, random: np.random.Generator) -> Ints:
    """Rows, ascending, of random whole groups that have `most` items together; all rows if there are no more.

    `groups` (n,) are numbers from 0. The last group that is drawn may exceed `most`.
    """
    size = np.bincount(groups)
    order = random.permutation(len(size))
    enough = int(np.searchsorted(np.cumsum(size[order]), most)) + 1
    chosen = np.zeros(len(size), dtype=np.bool_)
    chosen[order[:enough]] = True
    return np.flatnonzero(chosen[groups])
