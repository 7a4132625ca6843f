"""How often `hansproof compare` calls equal models different, and how often its intervals hold the true difference.

    python benchmarks/paired/calibration.py
    python benchmarks/paired/calibration.py --pairs 200      # a quick look

Pairs of models answer the same items, in groups or alone; the true difference is known.
"""

from __future__ import annotations

import argparse
import sys
from math import isnan, nan
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "toy"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # the checkout, installed or not

from simulated.pairs import Answers, moved_groups, several_runs, two_models

from hansproof.audit.models.contrast import word_of
from hansproof.audit.models.difference import MARGIN, difference_of
from hansproof.audit.statistics.permutation import seeded

__all__ = ["DESIGNS", "Rates", "Setting", "main", "rates"]


class Setting(NamedTuple):
    """A benchmark, and how much the models depend on its groups."""

    name: str
    sizes: tuple[int, ...]
    """Of its groups."""
    discordant: float
    """Share of items that only one of the two gets right; of several runs, that both get wrong on average."""
    icc: float = 0.0
    """How much the items of a group answer alike; of several runs, the share of groups in which all runs do."""
    runs: tuple[int, int] | None = None
    """Runs of A and of B; None for one of each, drawn together."""
    rare: bool = False
    """Whether the difference of several runs is all in the items that A gets right and B wrong in every run."""
    part: float = 0.0
    """1 where groups move as a whole: all their items differ, the same way."""
    large: bool = False
    """Whether only the groups of the largest size move."""
    copies: float | None = None
    """Of several runs, the share of groups in which all runs of A do alike, where it is not `icc`; 1 for copies."""

    def drawn(self, difference: float, random: np.random.Generator) -> Answers:
        """Answers of two models whose true difference is `difference`."""
        if self.part:
            return moved_groups(self.sizes, difference, self.discordant, random, part=self.part, large=self.large)
        if self.runs is None:
            return two_models(self.sizes, difference, self.discordant, random, icc=self.icc)
        alike = self.icc if self.copies is None else (self.copies, self.icc)
        return several_runs(self.sizes, self.runs, 1 - self.discordant, difference, random, alike=alike, rare=self.rare)

    def described(self) -> str:
        """The first cell of its row."""
        if self.part:
            where = ", of the large ones" if self.large else ""
            return f"{self.name}, {100 * self.discordant:g} % differ, whole groups{where}"
        if self.runs is None:
            return f"{self.name}, {100 * self.discordant:g} % differ, icc {self.icc:g}"
        alike = f", {100 * self.icc:g} % of groups alike in all runs" if self.icc else ""
        if self.copies is not None:
            first = "A's runs are copies" if self.copies == 1 else f"A's are alike in {100 * self.copies:g} % of groups"
            alike = f", {first}" + (f", B's in {100 * self.icc:g} %" if self.icc else "")
        rare = ", the difference in few items" if self.rare else ""
        against = "1 run" if self.runs[0] == 1 else f"{self.runs[0]} runs"
        return f"{self.name}, {against} against {self.runs[1]}, {100 * self.discordant:g} % wrong{alike}{rare}"


DESIGNS: Final = (
    Setting("1,000 items", (1,) * 1000, 0.2),
    Setting("200 items, few differ", (1,) * 200, 0.05),
    Setting("40 groups of 5, all alike", (5,) * 40, 0.2, 1.0),
    Setting("30 items", (1,) * 30, 0.05, 0.0, (10, 10), copies=1.0),
    Setting("30 items", (1,) * 30, 0.05, 0.0, (10, 10), copies=0.9),
    Setting("80 groups of 3", (3,) * 80, 0.1, 0.0, (3, 3), rare=True),
    Setting("900 groups of 1 and 100 of 10", (1,) * 900 + (10,) * 100, 0.05, part=1.0, large=True),
)


class Rates(NamedTuple):
    """Shares of simulated pairs of models."""

    different: float
    """Called better or worse, either way."""
    mcnemar: float
    """McNemar's exact p, which knows no groups, is at most .05."""
    equivalent: float
    held: float
    """Of the intervals that are defined: hold the true difference."""


def rates(setting: Setting, difference: float, pairs: int, seed: int = 0) -> Rates:
    """The rates of `pairs` pairs of models whose true difference is `difference`, a share."""
    of_runs: tuple[int, ...] = () if setting.runs is None else setting.runs
    if setting.copies is not None:
        of_runs = (*of_runs, round(100 * setting.copies), round(100 * setting.icc))
    if setting.part:
        of_runs = (round(100 * setting.part), int(setting.large), 0)
    random = seeded(
        seed, "calibration", setting.name, round(1000 * setting.discordant), *of_runs, round(10_000 * difference)
    )
    words, mcnemar, held = [], [], []
    for _ in range(pairs):
        measured = difference_of(*setting.drawn(difference, random), MARGIN)
        words.append(word_of(measured, measured.p, measured.equivalent_p))
        mcnemar.append(measured.mcnemar_p <= 0.05)
        held.append(nan if isnan(measured.low) else float(measured.low <= difference <= measured.high))
    ends = np.array(held)
    return Rates(
        different=sum(word in ("A better", "B better") for word in words) / pairs,
        mcnemar=float(np.mean(mcnemar)),
        equivalent=words.count("equivalent") / pairs,
        held=float(np.nanmean(ends)) if not np.isnan(ends).all() else nan,
    )


def main() -> int:
    """Print the table of the README."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=2000, help="Pairs of models per line and true difference.")
    given = parser.parse_args()
    print("| items | equal models: called different | exact McNemar p at most .05 | 95 % interval holds 0 "
          "| 5 points apart: called equivalent | 95 % interval holds 5 "
          "| difference printed for 80 %: called better |")  # fmt: skip
    print("|---|--:|--:|--:|--:|--:|--:|")
    for setting in DESIGNS:
        same = rates(setting, 0.0, given.pairs)
        # At the margin itself no difference is negligible; where fewer differ, it is the most that there can be.
        edge = rates(setting, MARGIN, given.pairs)
        mcnemar = f"{100 * same.mcnemar:.1f} %" if setting.runs is None else ""
        print(
            f"| {setting.described()} "
            f"| {100 * same.different:.1f} % | {mcnemar} | {100 * same.held:.1f} % "
            f"| {100 * edge.equivalent:.1f} % | {100 * edge.held:.1f} % | {_power(setting, given.pairs)} |",
            flush=True,
        )
    return 0


def _power(setting: Setting, pairs: int) -> str:
    """The share called better at the smallest difference that comparisons of equal models say they would find: the
    median of sixty. Empty for groups that move, where such a difference cannot be drawn."""
    if setting.part:
        return ""
    random = seeded(1, "printed", setting.described())
    printed = [difference_of(*setting.drawn(0.0, random), MARGIN).detectable for _ in range(60)]
    shown = float(np.median(np.nan_to_num(printed, nan=1.0)))
    most = 1 - setting.discordant if setting.runs else 1.0
    if shown >= most:
        return "none so small"
    wider = setting._replace(discordant=max(setting.discordant, shown)) if setting.runs is None else setting
    return f"{100 * rates(wider, shown, pairs).different:.0f} % at {100 * shown:.1f} points"


if __name__ == "__main__":
    sys.exit(main())
