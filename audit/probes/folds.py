"""Which items train the probe and which are scored, and how often: folds, and less effort on large files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.probes.logistic import Regularisation
from hansproof.audit.result.numbers import FULL_LABELS, Effort
from hansproof.audit.statistics.permutation import seeded

__all__ = ["FULL", "LOOSE", "effort_for", "fold_numbers", "loosened", "paper_split", "part_of", "random_groups"]

Ints = NDArray[np.int64]


def fold_numbers(y: Ints, groups: Ints, folds: int, random: np.random.Generator) -> Ints:
    """The fold (0 to folds - 1) of each item: groups stay whole, and labels are spread as evenly as that allows.

    `y` and `groups` are (n,) numbers from 0. Groups of several items are assigned greedily, the most lopsided first,
    each to the fold where it leaves the label counts most even, as in scikit-learn's StratifiedGroupKFold, which takes
    half a minute per call on a hundred thousand groups. Single items then fill the gaps, label by label. The names of
    labels and groups have no influence. With fewer groups than folds, some folds stay empty.
    """
    n_labels, n_groups = int(y.max()) + 1, int(groups.max()) + 1
    counts = np.bincount(groups * n_labels + y, minlength=n_groups * n_labels).reshape(n_groups, n_labels)
    size = counts.sum(axis=1)
    weight = 1.0 / np.maximum(counts.sum(axis=0), 1) ** 2
    held = np.zeros((folds, n_labels))
    fold_of_group = np.zeros(n_groups, dtype=np.int64)

    order = random.permutation(n_groups)
    several = order[size[order] > 1]
    several = several[np.argsort(-counts[several].std(axis=1), kind="stable")]
    for group in several:
        # The sum over folds of squared shares grows by 2 held.c + c.c, and c.c is the same for all folds.
        cost = held @ (weight * counts[group])
        best = int(np.lexsort((held.sum(axis=1), np.round(cost, 15)))[0])
        held[best] += counts[group]
        fold_of_group[group] = best

    single = order[size[order] == 1]
    label = counts[single].argmax(axis=1)
    for c in range(n_labels):
        alike = single[label == c]
        fold_of_group[alike] = _fill(held[:, c], held.sum(axis=1), len(alike))
        held += np.bincount(fold_of_group[alike], minlength=folds)[:, None] * (np.arange(n_labels) == c)
    return fold_of_group[groups]


def _fill(held: NDArray[np.float64], total: NDArray[np.float64], new: int) -> Ints:
    """Folds for `new` single items of one label that make the label as even as possible: the lowest places first."""
    highest = max(held.max(), (held.sum() + new) / len(held))
    place = np.arange(min(new, int(highest - held.min()) + 1))
    level, size = (start[:, None] + place for start in (held, total))
    return np.sort(np.lexsort((size.ravel(), level.ravel()))[:new] // max(len(place), 1))


def paper_split(n: int, seed: int = 42) -> tuple[Ints, Ints, Ints]:
    """Rows for training (60 %), validation (20 %) and test (20 %), shuffled once and cut. Pacchiardi et al. (2024).

    Uses NumPy's legacy generator, because its stream is frozen and the published code draws from it.
    """
    order = np.random.RandomState(seed).permutation(n)
    first, second = int(0.6 * n), int(0.8 * n)
    return order[:first], order[first:second], order[second:]


# Splits, halvings and relabellings measure noise, which falls with the number of items while the time of each
# repetition grows. Beyond `FULL` items they are made less often, on about as many rows in all; what does not need every
# item is measured on a random part that keeps groups whole. Every item is still predicted out of fold by every vector.
#
# A fit takes about as long as items times answers are many, so beyond `FULL_LABELS` answers each item counts as often
# as the answers exceed them. Noise does not fall with answers, so three splits and forty items per answer remain.

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


def loosened(candidates: Sequence[Regularisation], effort: Effort | None) -> tuple[Regularisation, ...]:
    """The candidates as they are fitted: L1 stops at the tolerance of `effort`, all else as it did."""
    if effort is None:
        return tuple(candidates)
    return tuple(replace(how, tolerance=effort.tolerance) if how.penalty == "l1" else how for how in candidates)


def part_of(groups: Ints, effort: Effort | None, seed: int) -> Ints | None:
    """The units, ascending and in whole `groups` (n,), of the random part that `effort` asks for; None for all."""
    return None if effort is None else random_groups(groups, effort.part, seeded(seed, "part"))


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
