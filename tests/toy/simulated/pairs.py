"""Two models that answer the same items, with a known difference: what the calibration and the tests draw from."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Answers", "moved_groups", "several_runs", "two_models"]


class Answers(NamedTuple):
    """Right (1) and wrong (0) of two models, (n,) or by run (n, runs), and which group each item is of (n,)."""

    a: NDArray[np.float64]
    b: NDArray[np.float64]
    groups: NDArray[np.int64]


def two_models(
    sizes: Sequence[int],
    difference: float,
    discordant: float,
    random: np.random.Generator,
    *,
    icc: float = 0.0,
    both: float = 0.5,
) -> Answers:
    """Groups of `sizes` items: A is right more often than B by `difference`, one of them alone in a share `discordant`.

    Two items of a group have the same of the four cells (both right, only A, only B, neither) by more than chance, so
    that everything about them, the paired differences too, correlates by `icc`. `both` are right in this share of the
    items on which they agree.
    """
    groups = np.repeat(np.arange(len(sizes)), sizes)
    shares = np.array([(discordant + difference) / 2, (discordant - difference) / 2, (1 - discordant) * both, 0.0])
    ends = np.cumsum(shares)[:3]
    of_group = np.searchsorted(ends, random.random(len(sizes)), side="right")
    of_item = np.searchsorted(ends, random.random(len(groups)), side="right")
    cell = np.where(random.random(len(groups)) < sqrt(icc), of_group[groups], of_item)
    return Answers(np.isin(cell, (0, 2)).astype(np.float64), np.isin(cell, (1, 2)).astype(np.float64), groups)


def moved_groups(
    sizes: Sequence[int],
    difference: float,
    discordant: float,
    random: np.random.Generator,
    *,
    part: float = 1.0,
    large: bool = False,
    noise: float = 0.0,
) -> Answers:
    """Groups of `sizes` items, some of which move: the models differ there on a `part` of the items, all the same way.

    All groups, or only the `large` ones (the largest size), move with a chance that makes a share `discordant` of all
    items differ, the part of a group being one item at least; A is better in so many of them that the true difference
    is `difference`. A share `noise` of the items of groups that do not move differs too, in both directions alike.
    """
    size = np.array(sizes)
    groups = np.repeat(np.arange(len(size)), size)
    shifts = np.maximum(np.rint(part * size), 1)
    able = size == size.max() if large else np.ones(len(size), dtype=np.bool_)
    chance = discordant * len(groups) / float(shifts[able].sum())
    if chance > 1 + 1e-9:
        raise ValueError(f"a share {discordant} of the items cannot differ")
    moved = able & (random.random(len(size)) < chance)
    ahead = random.random(len(size)) < (1 + difference / discordant) / 2
    within = np.arange(len(groups)) - np.repeat(np.cumsum(size) - size, size)
    differs = moved[groups] & (within < shifts[groups])
    drawn = np.where(moved[groups], 1.0, random.random(len(groups)))
    a_only = (differs & ahead[groups]) | (drawn < noise / 2)
    b_only = (differs & ~ahead[groups]) | ((noise / 2 <= drawn) & (drawn < noise))
    return Answers(np.where(b_only, 0.0, 1.0), np.where(a_only, 0.0, 1.0), groups)


def several_runs(
    sizes: Sequence[int],
    runs: tuple[int, int],
    right: float,
    difference: float,
    random: np.random.Generator,
    *,
    alike: float | tuple[float, float] = 0.0,
    rare: bool = False,
) -> Answers:
    """So many runs of A and of B: A is right with the chance `right` on average, B with `difference` less.

    Runs are independent once an item's chance is given. It is the same for all items where `alike` is 0. Otherwise each
    model has its own chance for each group, right (1) or wrong (0) in all runs of a share `alike` of the groups (two of
    them: that of A and that of B; 1 makes all runs copies). With `rare`, the difference is all in a share `difference`
    of the groups: A is right in all runs there, and B in none.
    """
    groups = np.repeat(np.arange(len(sizes)), sizes)
    sides = []
    both = alike if isinstance(alike, tuple) else (alike, alike)
    apart = random.random(len(sizes)) < difference if rare else np.zeros(len(sizes), dtype=np.bool_)
    every = zip(runs, (right, right - (0 if rare else difference)), (1.0, 0.0), both, strict=True)
    for count, share, kept, own in every:
        settled = np.where(random.random(len(sizes)) < share, 1.0, 0.0)
        mixed = np.where(random.random(len(sizes)) < own, settled, share)
        chance = np.where(apart, kept, mixed)[groups]
        sides.append((random.random((len(groups), count)) < chance[:, None]).astype(np.float64))
    return Answers(sides[0], sides[1], groups)
