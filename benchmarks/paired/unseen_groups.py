"""Rules for the group that was not drawn: how often the interval of each holds the truth, and how wide it is.

    python benchmarks/paired/unseen_groups.py --studies 300 --part 1:5 --keep fifth1.json  # a fifth of the cells
    python benchmarks/paired/unseen_groups.py --table fifth*.json

The interval of `compare` takes one group more to have moved (`audit/paired/effective.py`). The rules differ in how
large it is, and how far it moves. The truth is never 0 here: of 0 all of them say what the exact test says.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import stats

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))  # the script is run from anywhere

from audit.paired.difference import MARGIN  # noqa: E402
from audit.statistics.flips import sign_flip_p  # noqa: E402
from audit.statistics.resampling import seeded  # noqa: E402
from benchmarks.paired.drawn_groups import SIZES, Studies, Way, designs  # noqa: E402

__all__ = ["RULES", "Grouped", "covered", "equivalent", "main", "measured"]

Floats = NDArray[np.float64]


class Grouped:
    """What rules go by, for R studies: each attribute is (R,)."""

    def __init__(self, studies: Studies) -> None:
        """Of `studies` of (R, G) groups."""
        size = studies.sizes.astype(np.float64)
        self.shifts = studies.a_only - studies.b_only
        differing = studies.a_only + studies.b_only
        self.items = size.sum(axis=1)
        self.difference = self.shifts.sum(axis=1) / self.items
        self.discordant = differing.sum(axis=1) / self.items
        count = size.shape[1]
        mean = self.difference[:, None]
        residuals = self.shifts - mean * size
        squares = differing - 2 * mean * self.shifts + size * mean**2
        variance = (count - 1) / count * np.square(residuals / (self.items[:, None] - size)).sum(axis=1)
        self.variance = np.where(variance < 1e-24, 0.0, variance)
        self.random_size = np.square(size).sum(axis=1) / self.items
        self.mean_size = self.items / count
        self.effective = self.items / self.random_size
        self.moved = (self.shifts != 0).sum(axis=1)
        self.products = (np.square(residuals) - squares).sum(axis=1)
        self.most = (squares * (size - 1)).sum(axis=1)
        self._falling = -np.sort(-size, axis=1)
        self._held = np.cumsum(self._falling, axis=1)

    def largest(self, share: float) -> Floats:
        """How many of the largest groups hold this share of the items; the last one counts in part."""
        wanted = share * self.items
        whole = (self._held < wanted[:, None] - 1e-9).sum(axis=1)
        before = np.where(whole > 0, self._at(self._held, np.maximum(whole - 1, 0)), 0.0)
        return whole + (wanted - before) / self._at(self._falling, whole)

    def least(self, share: float) -> Floats:
        """The smallest of the largest groups that hold this share of the items."""
        return self._at(self._falling, (self._held < share * self.items[:, None] - 1e-9).sum(axis=1))

    def pairs(self, size: Floats, weight: Floats | float = 1.0) -> Floats:
        """Independent pairs, if a group more of this `size` moved as a whole; or a `weight` of one."""
        added = size / self.items
        with np.errstate(divide="ignore", invalid="ignore"):
            pairs = (self.discordant - self.difference**2 + weight * added) / (self.variance + weight * added**2)
        return np.where(np.isfinite(pairs) & (pairs > 0), np.minimum(pairs, self.items), self.effective)

    def alike(self, seen: float) -> Floats:
        """A group of the largest tenth, as large as if it moved as its items are alike (see `effective`)."""
        large = self.tenth
        more = seen * (large - 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            icc = np.where(self.most + more > 0, np.maximum(self.products + more, 0) / (self.most + more), 1.0)
        return np.sqrt(large * (1 + (large - 1) * np.minimum(icc, 1.0)))

    @property
    def tenth(self) -> Floats:
        """The size of the largest groups that hold a tenth of the items."""
        return 0.1 * self.items / self.largest(0.1)

    @property
    def usual(self) -> Floats:
        """The size of a group that is taken to move as a whole."""
        return np.maximum(self.random_size, self.least(1 / 3))

    @staticmethod
    def _at(of: Floats, places: NDArray[np.int64]) -> Floats:
        return np.take_along_axis(of, np.minimum(places, of.shape[1] - 1)[:, None], axis=1)[:, 0]


RULES: Final[Mapping[str, Callable[[Grouped], Floats]]] = {
    "none: the jackknife alone": lambda each: each.pairs(np.zeros(len(each.items))),
    "a group of mean size": lambda each: each.pairs(each.mean_size),
    "the group of a random item": lambda each: each.pairs(each.random_size),
    "one that a third of the items sits in, or that": lambda each: each.pairs(each.usual),
    "one of the largest tenth, fading as 5 / (5 + moved groups)": lambda each: each.pairs(
        each.tenth, 5 / (5 + each.moved)
    ),
    "one of the largest tenth, as far as items are alike": lambda each: each.pairs(each.alike(3.0)),
    "one of the largest tenth": lambda each: each.pairs(each.tenth),
    "as `compare` does": lambda each: each.pairs(np.maximum(each.usual, each.alike(3.0))),
}
"""What is added, each as a number of independent pairs."""

_FAR: Final = "one of the largest tenth, with ends moved as far as p is sure (before)"


def covered(each: Grouped, pairs: Floats, true: float, p: Floats, *, far: bool = False) -> NDArray[np.bool_]:
    """Whether the interval for so many `pairs` holds the `true` difference, after it was made to agree with `p` (R,).

    `far`: an end that p moves away from 0 goes as far as p is sure, and not just to 0.
    """
    way = np.where(each.difference < 0, -1.0, 1.0)
    ahead, wanted = each.difference * way, true * way
    alone = each.effective == each.items
    quantile = np.where(alone, stats.norm.ppf(0.975), stats.t.ppf(0.975, each.effective - 1))
    here = _statistic(ahead, each.discordant, np.where(alone, each.items, pairs), wanted)
    excluded = _statistic(ahead, each.discordant, np.where(alone, each.items, pairs), np.zeros_like(ahead)) > quantile
    held = np.abs(here) <= quantile
    outwards, inwards = (p > 0.05) & excluded & (ahead > 0), (p <= 0.05) & ~excluded & (ahead > 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        sure = each.discordant * (np.minimum(stats.norm.isf(p / 2), 38) / ahead) ** 2
        moved = _statistic(ahead, each.discordant, sure, wanted) <= stats.norm.ppf(0.975)
    held = np.where(outwards, (here >= -quantile) & (moved | (wanted >= 0)), held)
    return np.where(inwards, (here >= -quantile) & (wanted > 0) & (moved | (not far)), held)


def equivalent(each: Grouped, pairs: Floats) -> Floats:
    """The p of "the difference is the margin or more": see `equivalence`."""
    size = np.abs(each.difference)
    coins = each.largest(MARGIN) / MARGIN
    lacking = np.maximum(MARGIN - size, 0)
    alone = each.effective == each.items
    nearer = _statistic(size, each.discordant, np.where(alone, each.items, pairs), np.full_like(size, MARGIN))
    with np.errstate(divide="ignore", invalid="ignore"):
        unseen = -lacking / np.sqrt(each.variance + lacking * (1 - lacking) / coins)
    nearer = np.where((each.variance > 0) & (lacking > 0) & ~alone, np.maximum(nearer, unseen), nearer)
    tested = np.where(alone, stats.norm.cdf(nearer), stats.t.cdf(nearer, np.maximum(each.effective - 1, 1)))
    heads = coins * size
    return np.maximum(
        tested, np.where(heads >= coins, 1, stats.beta.sf(MARGIN, heads + 1, np.maximum(coins - heads, 1e-9)))
    )


def _statistic(difference: Floats, discordant: Floats, pairs: Floats, true: Floats) -> Floats:
    """`score_test.score_statistic` of many."""
    way = np.where(true < 0, -1.0, 1.0)
    difference, true = difference * way, true * way
    first, second = (discordant + difference) / 2, np.maximum((discordant - difference) / 2, 0)
    b = (2 - first + second) * true - discordant
    variance = (np.sqrt(np.maximum(b * b + 8 * second * true * (1 - true), 0)) - b) / 2 + true * (1 - true)
    with np.errstate(divide="ignore", invalid="ignore"):
        there = (difference - true) * np.sqrt(pairs / variance)
    there = np.where(variance > 0, there, np.where(difference > true, np.inf, -np.inf))
    return np.where(difference == true, 0.0, there) * way


def measured(name: str, way: Way, true: float, anew: bool, count: int) -> dict[str, list[float]] | None:
    """By rule: coverage, standard error as a multiple of the true one, and false equivalence (NaN where `true` is not
    the margin), of so many studies; None where there are none, or not half of them have six effective groups."""
    base = np.array(SIZES[name])
    random = seeded(0, "unseen groups", name, str(way), round(1000 * true), int(anew))
    sizes = base[random.integers(0, len(base), (count, len(base)))] if anew else np.tile(base, (count, 1))
    studies = way.drawn(sizes, base, true, random)
    if studies is None:
        return None
    each = Grouped(studies)
    enough = (each.items >= 30) & (each.effective >= 6)
    if enough.mean() < 0.5:
        return None
    each = Grouped(Studies(studies.sizes[enough], studies.a_only[enough], studies.b_only[enough], true))
    p = np.array([sign_flip_p(row.tolist()) for row in each.shifts])
    spread = float(each.difference.std())
    made = {}
    for rule, made_pairs in RULES.items():
        pairs = made_pairs(each)
        error = float(np.median(np.sqrt(np.maximum(each.discordant - each.difference**2, 0) / pairs)))
        wrong = float(np.mean((equivalent(each, pairs) <= 0.05) & (p > 0.05))) if true == MARGIN else np.nan
        made[rule] = [float(covered(each, pairs, true, p).mean()), error / spread if spread else np.nan, wrong]
    pairs = RULES["one of the largest tenth"](each)
    made[_FAR] = [float(covered(each, pairs, true, p, far=True).mean()), *made["one of the largest tenth"][1:]]
    return made


def main() -> int:
    """Print the table of the README."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--studies", type=int, default=300, help="Studies per cell.")
    parser.add_argument(
        "--part", metavar="N:OF", default="1:1", help="Only every fifth of the cells, from the first, for 1:5."
    )
    parser.add_argument("--keep", metavar="FILE", help="Keep the cells here, as JSON.")
    parser.add_argument("--table", metavar="FILE", nargs="+", help="The table of cells that were kept.")
    given = parser.parse_args()
    cells = [cell for path in given.table or () for cell in json.loads(Path(path).read_text(encoding="utf-8"))]
    if not given.table:
        part, of = map(int, given.part.split(":"))
        cells = [
            {"design": [name, str(way), true, anew], "rules": made}
            for name, way, true, anew in list(designs())[part - 1 :: of]
            if (made := measured(name, way, true, anew, given.studies))
        ]
    if given.keep:
        Path(given.keep).write_text(json.dumps(cells, indent=1), encoding="utf-8")
    print("| group more that moved | lowest coverage | below 90 % | below 92 % | below 94 % | se as a multiple of the "
          "true one: median | of the widest tenth, at least | 5 points called equivalent, most |")  # fmt: skip
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    for rule in (_FAR, *RULES):
        held, errors, wrong = (
            np.array([cell["rules"][rule][place] for cell in cells], dtype=float) for place in range(3)
        )
        below = " | ".join(f"{int((held < least).sum()):,}" for least in (0.9, 0.92, 0.94))
        print(f"| {rule} | {100 * held.min():.1f} % | {below} | {np.nanmedian(errors):.2f} "
              f"| {np.nanquantile(errors, 0.9):.2f} | {100 * np.nanmax(wrong):.1f} % |")  # fmt: skip
    print(f"\n{len(cells):,} cells")
    return 0


if __name__ == "__main__":
    sys.exit(main())
