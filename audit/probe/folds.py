"""Which items train the probe and which are scored: stratified folds that keep groups whole, and the paper's split."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["Ints", "fold_numbers", "paper_split"]

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
    """Folds for `new` single items of one label that make the label as even as possible (water filling)."""
    level = held.copy()
    taken = np.zeros(len(held), dtype=np.int64)
    rest = new
    while rest:
        low = level.min()
        lowest = np.flatnonzero(level == low)
        lowest = lowest[np.argsort(total[lowest] + taken[lowest], kind="stable")]
        above = level[level > low]
        room = int(min(above.min() - low, rest // len(lowest))) if len(above) else rest // len(lowest)
        if room == 0:
            lowest, room = lowest[:rest], 1
        taken[lowest] += room
        level[lowest] += room
        rest -= room * len(lowest)
    return np.repeat(np.arange(len(held)), taken)


def paper_split(n: int, seed: int = 42) -> tuple[Ints, Ints, Ints]:
    """Rows for training (60 %), validation (20 %) and test (20 %), shuffled once and cut. Pacchiardi et al. (2024).

    Uses NumPy's legacy generator, because its stream is frozen and the published code draws from it.
    """
    order = np.random.RandomState(seed).permutation(n)
    first, second = int(0.6 * n), int(0.8 * n)
    return order[:first], order[first:second], order[second:]
