"""Which items are held out, and which go so that a cue tells nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.probes.folds import fold_numbers
from hansproof.audit.statistics.permutation import seeded
from hansproof.generators.errors import InputError

__all__ = [
    "FEWEST_BINS",
    "Bools",
    "Floats",
    "Ints",
    "cap_of",
    "choosing_items",
    "first_of_each",
    "independent",
    "levelled",
    "score_bins",
    "thin",
    "thin_to",
]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

_TENTHS = 10
_FEWEST = 10
"""Fewest groups of each part: with fewer, neither could be cross-fitted."""


def choosing_items(y: Ints, groups: Ints, held_out: float, seed: int, source: str) -> Bools:
    """(N,) the items that rules are chosen on; about the share `held_out` is not among them.

    `y` and `groups` (N,) are numbers from 0: groups stay whole, and each part gets its share of every `y`. Raises
    InputError for too few groups to hold any out.
    """
    count = int(groups.max()) + 1
    if count * min(held_out, 1 - held_out) < _FEWEST:
        raise InputError(f"the items come in {count:,} groups, too few to hold {held_out:.0%} of them out", source)
    tenth = fold_numbers(y, groups, _TENTHS, seeded(seed, "harden", "held out"))
    return np.asarray(tenth >= max(1, round(held_out * _TENTHS)))


def cap_of(answers: int, kappa: float) -> float:
    """The share of the most common of k answers at which its uniform-chance kappa is `kappa`: 1/k + (1 - 1/k) kappa."""
    return 1 / answers + (1 - 1 / answers) * kappa


_LEAST = 0.8
"""An answer keeps at least so much of its share of the items: else it would be cheapest to drop it."""

_GRID = 201
"""Shares tried on the way from those of all items to equal ones, and as far away from them."""


def independent(counts: Ints, cap: float = 1.0) -> Ints:
    """A large table (S, Y) of integers below `counts` (form of a cue by answer) with the same answers in every form.

    For shares p of the answers, a form keeps the largest multiple of p below its counts. Tried are the shares of all
    items, those of every form, and steps towards equal ones, as far as no answer has more than the share `cap` nor
    less than 4/5 of its own: that keeps at least nine tenths of what the largest table would. Counts are rounded down;
    if all shares tried exceed `cap`, the answers are kept equal.
    """
    total = counts.sum(axis=0)
    if not total.any():
        return counts
    own = total / total.sum()
    equal = (total > 0) / (total > 0).sum()
    forms = np.unique(counts[counts.sum(axis=1) > 0], axis=0)
    steps = own + np.linspace(-1, 1, _GRID)[:, None] * (equal - own)
    tried = np.concatenate([[equal, own], forms / forms.sum(axis=1, keepdims=True), steps])
    fair = (tried.max(axis=1) <= cap + 1e-9) & (tried >= _LEAST * np.minimum(own, cap) - 1e-9).all(axis=1)
    best, most = np.zeros_like(counts), -1
    for shares in tried[fair] if fair.any() else tried[:1]:
        part = shares > 0
        room = (counts[:, part] / shares[part]).min(axis=1, keepdims=True)
        kept = np.floor(room * shares + 1e-9).astype(np.int64)
        if kept.sum() > most:
            best, most = kept, int(kept.sum())
    return best


def levelled(counts: Ints, cap: float) -> Ints:
    """The largest counts (Y,) below `counts` of which none is more than the share `cap` of their sum.

    All that are too many get the same number. With two answers or more and `cap` of at least 1/Y there is always one.
    """
    low, high = 0, int(counts.max())
    while low < high:  # the share of the largest never falls as `top` rises
        top = (low + high + 1) // 2
        kept = np.minimum(counts, top)
        low, high = (top, high) if kept.max() <= cap * kept.sum() else (low, top - 1)
    return np.minimum(counts, low)


def thin(gain: Floats, excess: NDArray[Any], cell: Ints, units: Ints, random: np.random.Generator) -> Bools:
    """Which of n items stay (n,), so that each cell loses its `excess` of `gain`, up to whole units.

    `gain` (n,) is what the removal of an item is good for, `cell` (n,) its cell, and `units` (n,) a number that the
    items of a matched set share: they stay or go together. A unit goes unless that would take from a cell something of
    which less than half is too much. Those with the largest gain per item go first, because then the fewest go; equal
    ones go at random, so that nothing but the cue changes: to remove the most predictable items would turn the cue
    round.
    """
    stays = np.ones(len(gain), dtype=np.bool_)
    excess = excess.astype(np.float64)
    unit = np.unique(units, return_inverse=True)[1]
    total, size = np.bincount(unit, gain), np.bincount(unit)
    layout = np.argsort(unit, kind="stable")
    start = np.searchsorted(unit[layout], np.arange(len(size) + 1))
    for number in np.lexsort((random.permutation(len(size)), -np.round(total / np.maximum(size, 1), 10))).tolist():
        if total[number] <= 0:
            break
        members = layout[start[number] : start[number + 1]]
        change = np.bincount(cell[members], gain[members], minlength=len(excess))
        above = change > 0
        if (excess[above] >= change[above] / 2).all():
            stays[members] = False
            excess -= change
    return stays


def thin_to(wanted: Ints, counts: Ints, cell: Ints, units: Ints, random: np.random.Generator) -> Bools:
    """Which of n items stay (n,), so that each cell has the number `wanted` of its `counts` (`thin`)."""
    excess = (counts - wanted).ravel()
    return thin((excess > 0)[cell].astype(np.float64), excess, cell, units, random)


_BIN, FEWEST_BINS, _MOST_BINS = 40, 3, 10
"""Items per bin of scores, and how many bins there are."""


def first_of_each(groups: Ints, rows: Bools, random: np.random.Generator) -> Bools:
    """(N,) a random item of every group among `rows`."""
    used = np.flatnonzero(rows)
    order = used[random.permutation(len(used))]
    stays = np.zeros_like(rows)
    stays[order[np.unique(groups[order], return_index=True)[1]]] = True
    return stays


def score_bins(score: Floats) -> Ints:
    """(n,) the bin of each item, from 0, with equally many items in each; ties go by their order."""
    count = int(np.clip(len(score) // _BIN, FEWEST_BINS, _MOST_BINS))
    rank = np.argsort(np.argsort(np.round(score, 10), kind="stable"), kind="stable")
    return np.asarray(rank * count // max(len(score), 1))
