"""Differences of many simulated studies at once, group by group: what the rules for unseen groups are tried on.

A study is how many items of each group only A, and only B, has right. Everything that `compare` says follows from that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["SIZES", "WAYS", "Moves", "Studies", "Way", "designs"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SIZES: Final[Mapping[str, tuple[int, ...]]] = {
    "8 of 10": (10,) * 8,
    "12 of 20": (20,) * 12,
    "20 of 5": (5,) * 20,
    "40 of 5": (5,) * 40,
    "40 of 10": (10,) * 40,
    "100 of 3": (3,) * 100,
    "100 of 10": (10,) * 100,
    "60 of 1, 60 of 10": (1,) * 60 + (10,) * 60,
    "90 of 1, 10 of 10": (1,) * 90 + (10,) * 10,
    "180 of 1, 20 of 10": (1,) * 180 + (10,) * 20,
    "300 of 1, 10 of 10": (1,) * 300 + (10,) * 10,
    "240 of 1, 40 of 3": (1,) * 240 + (3,) * 40,
    "25 of 1, 15 of 6": (1,) * 25 + (6,) * 15,
    "100 of 1, 5 of 20": (1,) * 100 + (20,) * 5,
    "120 of 2, 6 of 20": (2,) * 120 + (20,) * 6,
    "60 of 4, 4 of 25": (4,) * 60 + (25,) * 4,
    "20 of 2, 10 of 12": (2,) * 20 + (12,) * 10,
    "20 of 1, 2 and 8, 3 of 30": (1,) * 20 + (2,) * 20 + (8,) * 20 + (30,) * 3,
    "4 of 1, 2, 4, 8, 16": (1, 2, 4, 8, 16) * 4,
    "12 of 1, 2, 4, 8, 16": (1, 2, 4, 8, 16) * 12,
    "40 / rank": tuple(max(1, round(40 / rank)) for rank in range(1, 81)),
    "60 of 1, one of 20": (1,) * 60 + (20,),
    "40 of 3, one of 30": (3,) * 40 + (30,),
    "100 of 2, two of 30": (2,) * 100 + (30,) * 2,
    "moral dilemmas": (47, 44, 24, 24, 20) + (12,) * 5 + (8, 8, 7, 7, 6, 4, 4, 4) + (2,) * 24 + (1,) * 23,
    "causal judgement": (13, 12, 10, 8) + (6,) * 4 + (4,) * 15 + (2,) * 26 + (1,) * 7,
}
"""Sizes of groups; the last two are those of two sets of BIG-bench."""

Place = Literal["all", "large", "small", "largest"]


class Studies(NamedTuple):
    """(R, G) each: items of a group, and how many of them only A, only B, has right."""

    sizes: Ints
    a_only: Ints
    b_only: Ints
    true: float
    """The true difference."""


class Moves(NamedTuple):
    """Groups that move as one: in a share of the items of all groups, one side is right and the other one wrong."""

    differing: float
    """Share of all items that differ because their group moves."""
    part: float = 1.0
    """Of a group that moves, the share of items that differ."""
    place: Place = "all"
    """Which groups can move: the large ones are the largest that hold half of the items."""
    noise: float = 0.0
    """Share of the items of other groups that differ, in both directions alike."""

    def drawn(self, sizes: Ints, base: Ints, true: float, random: np.random.Generator) -> Studies | None:
        """Studies in groups of `sizes` (R, G), drawn from `base` (G,); None where no such difference can be."""
        shift = np.maximum(np.rint(self.part * sizes), 1).astype(np.int64)
        able = np.maximum(np.rint(self.part * base), 1)[_placed(base, base, self.place)].sum() / base.sum()
        if true > self.differing or self.differing > able:
            return None
        moved = _placed(sizes, base, self.place) & (random.random(sizes.shape) < self.differing / able)
        ahead = random.random(sizes.shape) < (1 + true / self.differing) / 2
        rest = np.where(moved, 0, sizes)
        a = random.binomial(rest, self.noise / 2)
        b = random.binomial(rest - a, self.noise / (2 - self.noise))
        return Studies(sizes, a + shift * (moved & ahead), b + shift * (moved & ~ahead), true)


class Alike(NamedTuple):
    """Items of a group that correlate: the chances of a group are Dirichlet's, or its items copy one answer."""

    differing: float
    icc: float
    copied: bool = False

    def drawn(self, sizes: Ints, base: Ints, true: float, random: np.random.Generator) -> Studies | None:
        """Studies in groups of `sizes` (R, G)."""
        share = max(self.differing, true)
        first, second = (share + true) / 2, (share - true) / 2
        if self.copied:
            same = sizes - random.binomial(sizes, 1 - np.sqrt(self.icc))
            cell = np.searchsorted([first, share], random.random(sizes.shape), side="right")
            a, b = _counted(sizes - same, first, second, random)
            return Studies(sizes, a + same * (cell == 0), b + same * (cell == 1), true)
        if not self.icc:
            return Studies(sizes, *_counted(sizes, first, second, random), true)
        strength = 1 / self.icc - 1
        drawn = [random.gamma(max(each, 1e-9) * strength, size=sizes.shape) for each in (first, second, 1 - share)]
        whole = np.maximum(sum(drawn), 1e-300)
        return Studies(sizes, *_counted(sizes, drawn[0] / whole, drawn[1] / whole, random), true)


class BySize(NamedTuple):
    """Items that answer alone, with a difference that is larger by `gap` in large groups than in small ones; without a
    gap it is all in the groups of `place`."""

    differing: float
    gap: float = 0.0
    place: Place = "large"

    def drawn(self, sizes: Ints, base: Ints, true: float, random: np.random.Generator) -> Studies | None:
        """Studies in groups of `sizes` (R, G); None where no such difference can be."""
        held = float(base[_placed(base, base, self.place)].sum() / base.sum())
        if not 0 < held < 1:
            return None
        here, there = (true + self.gap * (1 - held), true - self.gap * held) if self.gap else (true / held, 0.0)
        if max(abs(here), abs(there)) > 0.95:
            return None
        shift = np.where(_placed(sizes, base, self.place), here, there)
        share = np.maximum(self.differing, np.abs(shift))
        return Studies(sizes, *_counted(sizes, (share + shift) / 2, (share - shift) / 2, random), true)


class Cancelling(NamedTuple):
    """Pairs of items within a group, of which A has the one right and B the other; some groups move as a whole."""

    differing: float
    moving: float
    """The share of groups that move."""

    def drawn(self, sizes: Ints, base: Ints, true: float, random: np.random.Generator) -> Studies | None:
        """Studies in groups of `sizes` (R, G); None where no such difference can be."""
        if true > self.moving or base.max() == 1:
            return None
        half = random.binomial(sizes // 2, self.differing)
        moved = random.random(sizes.shape) < self.moving
        ahead = random.random(sizes.shape) < (1 + true / self.moving) / 2
        a, b = (np.where(moved, np.where(way, sizes, 0), half) for way in (ahead, ~ahead))
        return Studies(sizes, a, b, true)


Way = Moves | Alike | BySize | Cancelling

WAYS: Final[tuple[Way, ...]] = (
    *(Alike(share, 0.0) for share in (0.05, 0.2, 0.4)),
    *(Alike(share, icc) for share in (0.1, 0.3) for icc in (0.1, 0.4)),
    *(Alike(share, icc, copied=True) for share in (0.1, 0.3) for icc in (0.3, 1.0)),
    *(Moves(share, part) for share in (0.05, 0.15) for part in (1.0, 0.5, 0.2)),
    *(Moves(share, place=place) for share in (0.05, 0.15) for place in ("large", "small")),
    *(Moves(0.06, place=place, noise=noise) for place in ("all", "large") for noise in (0.05, 0.3)),
    *(Moves(share, place="largest", noise=noise) for share in (0.03, 0.06, 0.12) for noise in (0.02, 0.1)),
    *(BySize(share, place=place) for share in (0.1, 0.3) for place in ("large", "small")),
    *(BySize(0.2, gap=gap) for gap in (0.2, 0.5)),
    *(Cancelling(0.4, share) for share in (0.02, 0.05, 0.2)),
)  # fmt: skip
"""How groups and items differ."""

_TRUE: Final = (0.02, 0.05, 0.15, 0.35)


def designs() -> Iterator[tuple[str, Way, float, bool]]:
    """Every (sizes, way, true difference, whether the sizes are drawn anew for each study)."""
    for name, sizes in SIZES.items():
        for way in WAYS:
            for true in _TRUE:
                for anew in (False, True) if len(set(sizes)) > 1 else (False,):
                    yield name, way, true, anew


def _placed(sizes: Ints, base: Ints, place: Place) -> NDArray[np.bool_]:
    falling = np.sort(base)[::-1]
    least = falling[np.searchsorted(np.cumsum(falling), 0.5 * base.sum())]
    if place == "all":
        return np.ones(sizes.shape, dtype=np.bool_)
    return sizes == base.max() if place == "largest" else sizes < least if place == "small" else sizes >= least


def _counted(sizes: Ints, first: Floats | float, second: Floats | float, random: np.random.Generator) -> list[Ints]:
    a = random.binomial(sizes, first)
    return [a, random.binomial(sizes - a, np.clip(second / np.maximum(1 - np.asarray(first), 1e-12), 0, 1))]
