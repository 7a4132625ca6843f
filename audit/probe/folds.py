"""Who is trained on and who is scored: stratified folds that never part a group, and the paper's single split."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["Ints", "fold_numbers", "paper_split"]

Ints = NDArray[np.int64]


def fold_numbers(y: Ints, groups: Ints, folds: int, random: np.random.Generator) -> Ints:
    """The fold (0 .. folds - 1) of each item: groups stay whole, labels are spread as evenly as they let.

    `y` and `groups` are (n,) numbers from 0. Groups of several items are dealt greedily, the most lopsided
    first, each to the fold where it leaves the label counts most even, as scikit-learn's StratifiedGroupKFold does,
    which takes half a minute a call on a hundred thousand groups; single items then fill up, label by label.
    Only the order of labels and groups enters, never their names. With fewer groups than folds some folds
    stay empty.
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
        # Sum over folds of squared shares grows by 2 held.c + c.c: the second part is the same for all folds.
        cost = held @ (weight * counts[group])
        best = int(np.lexsort((held.sum(axis=1), np.round(cost, 15)))[0])
        held[best] += counts[group]
        fold_of_group[group] = best

    single = order[size[order] == 1]
    label = counts[single].argmax(axis=1)
    for c in range(n_labels):
        mine = single[label == c]
        fold_of_group[mine] = _fill(held[:, c], held.sum(axis=1), len(mine))
        held += np.bincount(fold_of_group[mine], minlength=folds)[:, None] * (np.arange(n_labels) == c)
    return fold_of_group[groups]


def _fill(held: NDArray[np.float64], total: NDArray[np.float64], new: int) -> Ints:
    """Folds for `new` single items of one label, so that the label ends as even as it can (water filling)."""
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
    """Training 60 %, validation 20 %, test 20 %: rows shuffled once, then cut (Pacchiardi et al. 2024).

    NumPy's legacy generator, because its stream is frozen and is the one the published code drew from.
    """
    order = np.random.RandomState(seed).permutation(n)
    first, second = int(0.6 * n), int(0.8 * n)
    return order[:first], order[first:second], order[second:]
