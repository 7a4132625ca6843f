"""The fewest items to remove so that a cue has nothing to do with the answer, and which ones.

A table of counts, one row per form of the cue, one column per answer, is independent if it is an outer product: every
answer has the same shares of the forms. The largest independent table below the counts is what can be kept.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["cap_of", "independent", "levelled", "thin"]

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

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
