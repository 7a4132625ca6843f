"""The rules by which items are removed. A rule is chosen on one part of the items, and applied to any.

Rules that balance make a cue independent of the answer by removing random items of the cells that have too many. The
cue is an n-gram, the template, or a score by which a probe predicts an answer: items with equal scores and different
answers are then equally frequent, as in matching on the propensity score (Rosenbaum & Rubin 1983).
`Filter` removes the groups that are predicted best, as AFLite does (Sakaguchi et al. 2020, Le Bras et al. 2020).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from audit.notation import drawn
from audit.probes.kappas import common_answers
from audit.repair.cells import cap_of, independent, levelled, thin
from audit.repair.labels.cues import NgramCue, bearing
from audit.repair.labels.look import outside, within
from audit.repair.labels.pool import Bools, Pool
from audit.repair.records import StepKind
from audit.repair.removal import FEWEST_BINS, by_part, score_bins, without_the_surest
from audit.repair.subject import Named
from audit.statistics.permutation import seeded
from audit.texts.vectors import by_name

__all__ = ["BalanceAnswers", "BalanceCue", "BalanceTemplates", "Filter", "Match", "Rule"]

Ints = NDArray[np.int64]

_LEAST = 0.8
"""An answer keeps at least so much of its share of the items, where it can: else it would be cheapest to drop it."""


class Rule(Named, Protocol):
    """What is removed and why."""

    def kept(self, pool: Pool, rows: Bools, step: int) -> Bools:
        """(N,) the items of `rows` that stay. `rows` are in both parts, each of which is treated alone."""


def _balanced(pool: Pool, rows: Bools, form: Ints, target: Ints, step: int) -> Bools:
    """Make `form` (N,) independent of `target` (N,) among the items of each part of `rows`."""
    stays = rows.copy()
    for name, part in by_part(pool.chosen, rows):
        used = np.flatnonzero(part)
        if not len(used):
            continue
        forms, places = np.unique(form[used], return_inverse=True)
        answers = np.unique(target[used], return_inverse=True)[1]
        width = int(answers.max()) + 1
        cell = places * width + answers
        counts = np.bincount(cell, minlength=len(forms) * width)
        table = counts.reshape(len(forms), width)
        cap = _cap(pool, target[used]) if width == len(np.unique(pool.y[used])) else 1.0
        wanted = independent(table, cap, _LEAST).ravel()
        random = seeded(pool.settings.seed, "harden", step, name)
        stays[used] = thin(cell, counts, wanted, pool.units[used], random)
    return stays


def _cap(pool: Pool, y: Ints) -> float:
    """The largest share of an answer: what it is now, if that is no fault, or that with half the threshold.

    Where answers must be balanced anyway, those items go that balance the cue as well.
    """
    counts = np.bincount(y)
    common, share = common_answers(counts), float((counts / len(y)).max())
    cap = cap_of(common, pool.settings.margin)
    return cap if share >= cap_of(common, pool.settings.threshold) else max(cap, share)


@dataclass(frozen=True)
class BalanceAnswers:
    """The most common answers lose items until always giving one has a kappa of half the threshold."""

    kind: StepKind = "answers"

    @property
    def words(self) -> str:
        """In words, for the table of steps."""
        return "balance the answers"

    def kept(self, pool: Pool, rows: Bools, step: int) -> Bools:
        """As `Rule` says."""
        stays = rows.copy()
        for name, part in by_part(pool.chosen, rows):
            used = np.flatnonzero(part)
            counts = np.bincount(pool.y[used], minlength=len(pool.labels))
            wanted = levelled(counts, cap_of(common_answers(counts), pool.settings.margin))
            random = seeded(pool.settings.seed, "harden", step, name)
            stays[used] = thin(pool.y[used], counts, wanted, pool.units[used], random)
        return stays


@dataclass(frozen=True)
class BalanceCue:
    """An n-gram occurs equally often with every answer afterwards, or no longer at all."""

    cue: NgramCue
    ngram: str
    kind: StepKind = "cue"

    @property
    def words(self) -> str:
        """In words, for the table of steps."""
        often = f" {self.cue.times} times or more" if self.cue.times > 1 else ""
        return f"balance “{drawn(self.ngram)}”{often} over the answers"

    def kept(self, pool: Pool, rows: Bools, step: int) -> Bools:
        """As `Rule` says."""
        return _balanced(pool, rows, bearing(pool, self.cue).astype(np.int64), pool.y, step)


@dataclass(frozen=True)
class BalanceTemplates:
    """Within every group, all answers are equally frequent afterwards."""

    kind: StepKind = "templates"

    @property
    def words(self) -> str:
        """In words, for the table of steps."""
        return "balance the answers within each template"

    def kept(self, pool: Pool, rows: Bools, step: int) -> Bools:
        """As `Rule` says."""
        return _balanced(pool, rows, pool.groups, pool.y, step)


@dataclass(frozen=True)
class Match:
    """Items are matched on the probability that a probe gives to an answer, by models that never saw them.

    In the held-out part, the probabilities come from models of the chosen items alone.
    """

    vector: str
    kind: StepKind = "match"

    @property
    def words(self) -> str:
        """In words, for the table of steps."""
        return f"match the answers on the score of {by_name(self.vector).label}"

    def kept(self, pool: Pool, rows: Bools, step: int) -> Bools:
        """As `Rule` says."""
        chosen, others = rows & pool.chosen, rows & ~pool.chosen
        inner = within(pool, chosen, self.vector)[0]
        values = np.where(chosen[:, None], inner, outside(pool, chosen, others, self.vector)[0])
        label = self._label(pool, chosen, inner)
        form = np.zeros(len(pool.y), dtype=np.int64)
        for _, part in by_part(pool.chosen, rows):
            used = np.flatnonzero(part)
            form[used] = score_bins(values[used, label])
        return _balanced(pool, rows, form, (pool.y == label).astype(np.int64), step)

    def _label(self, pool: Pool, chosen: Bools, values: NDArray[np.float64]) -> int:
        """The answer whose probability goes best with it; of two answers, the first, since both say the same."""
        if len(pool.labels) == 2:
            return 0
        best, most = 0, -1.0
        for label in range(len(pool.labels)):
            hit = pool.y[chosen] == label
            if hit.sum() >= FEWEST_BINS * 2 and np.std(values[chosen, label]) > 0:
                fit = float(np.corrcoef(hit, values[chosen, label])[0, 1])
                best, most = (label, fit) if fit > most else (best, most)
        return best


@dataclass(frozen=True)
class Filter:
    """The groups that are predicted right most reliably go, until as many are left as chance would predict right.

    AFLite removes them all. That turns the cue round: of answers that are pure chance, only those are left that
    contradict the model, and on groups that the choice never saw, the opposite of the model is then a cue of its own,
    with a kappa of .4 and more in our simulations. `bounded=False` does so all the same.
    """

    vector: str
    bounded: bool = True
    kind: StepKind = "filter"

    @property
    def words(self) -> str:
        """In words, for the table of steps."""
        return f"remove the groups that {by_name(self.vector).label} predict best"

    def kept(self, pool: Pool, rows: Bools, step: int) -> Bools:
        """As `Rule` says."""
        chosen, others = rows & pool.chosen, rows & ~pool.chosen
        right = np.where(chosen, within(pool, chosen, self.vector)[1], outside(pool, chosen, others, self.vector)[1])
        stays = rows.copy()
        for name, part in by_part(pool.chosen, rows):
            random = seeded(pool.settings.seed, "harden", step, "filter", name)
            chance = float((pool.shares(part) ** 2).sum()) if self.bounded else None
            stays &= without_the_surest(right, pool.groups, part, chance, random)
        return stays
