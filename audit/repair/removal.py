"""Which items are held out and which go: all but one of a group or template, or the surest ones."""

from __future__ import annotations

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
    "to_chance",
    "without_the_surest",
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


# A table of counts (form of the cue by answer) is independent if it is an outer product; the largest independent table
# below the counts is what can be kept.

_GRID = 199
"""Shares tried between the break points, for the case that the best one gives one answer too much weight."""

_MOST_BREAKS = 999
"""Break points tried; of more, as many quantiles."""


def cap_of(answers: int, kappa: float) -> float:
    """The share of the most common of k answers at which its uniform-chance kappa is `kappa`: 1/k + (1 - 1/k) kappa."""
    return 1 / answers + (1 - 1 / answers) * kappa


def independent(counts: Ints, cap: float = 1.0, least: float = 0.0) -> Ints:
    """The largest table (S, Y) of integers below `counts` that is independent up to rounding down.

    No answer has more than the share `cap` of it, nor less than `least` times its share of `counts`, unless no table
    can do that; without `least`, the largest table may well be one that lacks an answer. With two forms, every answer
    may keep its own number: for a share r of the first form, answer y keeps min(n_1y / r, n_2y / (1 - r)). Between the
    break points that sum is convex in r, so its maximum over r is at one of them, which makes the search exact (for
    more than two forms, but two answers, the same holds with forms and answers exchanged). Where `cap` binds, a grid of
    shares is tried besides.
    With more forms and more answers the shares of all items and of every form are tried. All-zero counts stay as they
    are.
    """
    turned = counts.shape[0] != 2
    table = counts.T if turned else counts  # two rows, or, failing that, one row per answer
    total = table.sum(axis=0)
    if table.shape[0] == 2:
        breaks = np.unique(table[0][total > 0] / total[total > 0])
        if len(breaks) > _MOST_BREAKS:
            breaks = np.quantile(breaks, np.linspace(0, 1, _MOST_BREAKS))
        points = np.concatenate([breaks, [0.0, 1.0], np.linspace(0, 1, _GRID)])
        shares = np.stack([points, 1 - points], axis=1)
    else:
        shares = np.concatenate([table.sum(axis=1)[None], table.T[total > 0]]).astype(np.float64)
        shares /= np.maximum(shares.sum(axis=1, keepdims=True), 1)
    fewest = least * counts.sum(axis=0) / max(int(counts.sum()), 1)
    best, most = np.zeros_like(table), (False, -1)
    for share in np.unique(shares, axis=0):
        with np.errstate(divide="ignore", invalid="ignore"):
            room = np.where(share[:, None] > 0, table / share[:, None], np.inf).min(axis=0)
        if not turned:
            room = levelled(np.floor(room + 1e-9).astype(np.int64), cap)
        kept = np.floor(share[:, None] * room + 1e-9).astype(np.int64)
        answers = kept.sum(axis=1) if turned else kept.sum(axis=0)
        fair = answers.max() <= cap * answers.sum() + 1 and (answers + 1 >= fewest * answers.sum()).all()
        value = (bool(fair), int(kept.sum()))
        if value > most:
            best, most = kept, value
    return best.T if turned else best


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


def thin(cell: Ints, counts: Ints, wanted: Ints, units: Ints, random: np.random.Generator) -> Bools:
    """Which of n items stay (n,), so that each cell has the number `wanted` of its `counts`, up to whole units.

    `cell` is (n,) the cell of each item, `units` (n,) a number per item that items of a matched set share: they stay or
    go together. Within a cell the choice is random, so that nothing but the cue changes: to remove the most
    predictable items would turn the cue round. A set goes if all its items are in cells with too many; then, if cells
    still have too many, also sets of which only some are.
    """
    stays = np.ones(len(cell), dtype=np.bool_)
    excess = (counts - wanted).astype(np.int64)
    _, unit = np.unique(units, return_inverse=True)
    layout = np.argsort(unit, kind="stable")
    start = np.searchsorted(unit[layout], np.arange(int(unit.max(initial=-1)) + 2))
    order = random.permutation(len(start) - 1)
    for whole in (True, False):
        for number in order.tolist():
            members = layout[start[number] : start[number + 1]]
            if not stays[members[0]]:
                continue
            taken = np.bincount(cell[members], minlength=len(excess))
            cells = taken > 0
            over = excess[cells] >= taken[cells]
            if over.all() if whole else over.any():
                stays[members] = False
                excess -= taken
    return stays


def to_chance(gain: Floats, cell: Ints, units: Ints, random: np.random.Generator) -> Bools:
    """Which of n items stay (n,), so that in each cell a choice is right as often as chance, and not less often.

    `gain` (n,) is by how much the choice is right beyond chance in each item: 1 - 1 / k or -1 / k among k options; in a
    cell that has nothing left above chance, nothing goes. Items of one of the `units` (n,) stay or go together. Units
    with the largest gain per item go first, because then the fewest go; among equal ones the choice is random.
    """
    stays = np.ones(len(gain), dtype=np.bool_)
    excess = np.bincount(cell, gain)
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
        if (excess[above] >= change[above] / 2).all():  # as near to chance as whole units allow
            stays[members] = False
            excess -= change
    return stays


_PREDICTABLE = 0.75
"""Share of splits in which an item must be predicted right to be removed by a filter (Le Bras et al. 2020)."""
_SLICE = 0.05
"""Largest share of the items that one filter step removes."""
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


def without_the_surest(right: Floats, groups: Ints, chance: float, random: np.random.Generator) -> Bools:
    """(n,) False for the items of the `groups` (n,) that are predicted right most reliably.

    `right` (n,) is the share of the splits in which each item is. As many are left as `chance`, the share that is
    right by chance, would predict right beside those that are predicted wrong.
    """
    number = np.unique(groups, return_inverse=True)[1]
    size = np.bincount(number)
    score = np.bincount(number, right) / size
    order = np.lexsort((random.random(len(size)), -score))
    order = order[score[order] >= _PREDICTABLE]
    wrong = int(size[score <= 1 - _PREDICTABLE].sum())
    room = min(_SLICE * len(groups), size[order].sum() - wrong * chance / (1 - chance))
    gone = np.zeros(len(size), dtype=np.bool_)
    gone[order[np.cumsum(size[order]) <= room]] = True
    return np.asarray(~gone[number])
