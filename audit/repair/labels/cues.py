"""The single n-gram that goes best with the answers: the cheapest kind of cue to balance."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix

from audit.explanation.mentions import find_mentions
from audit.repair.labels.pool import Bools, Pool

__all__ = ["NgramCue", "bearing", "strongest_cue"]

_FEWEST = 5
"""Items with and without an n-gram that make it worth a test."""
_TIMES = (1, 2, 3, 4, 6, 8)
"""How often an n-gram must occur to count: a fourth line break may be the cue, not the first."""


class NgramCue(NamedTuple):
    """An n-gram that occurs at least `times` times."""

    level: str
    column: int
    times: int
    p: float
    """Of the chi-square test of independence, times the number of n-grams tested (Bonferroni)."""


def bearing(pool: Pool, cue: NgramCue) -> Bools:
    """(N,) which items have the cue."""
    counts = pool.table.counts(cue.level)[:, [cue.column]]
    return np.asarray(counts.toarray().ravel() >= cue.times)


def strongest_cue(pool: Pool, rows: Bools) -> NgramCue | None:
    """The n-gram with the largest chi-square among `rows`; None if there is none to test.

    Items count by the inverse of the size of their group, so that a template of a hundred items is one observation.
    Where answers stand in their prompts by design, no n-gram with an answer in it is tested: to balance it would be to
    remove the answer.
    """
    named = _named(pool, rows)
    used = np.flatnonzero(rows)
    y = pool.y[used]
    group = np.unique(pool.groups[used], return_inverse=True)[1]
    weight = 1.0 / np.bincount(group)[group]
    hot = np.zeros((len(used), len(pool.labels)))
    hot[np.arange(len(used)), y] = weight
    total, base = weight.sum(), hot.sum(axis=0)
    occurs = base > 0
    best, tests, most = None, 0, 0.0
    for level in pool.table.levels:
        counts = pool.table.counts(level)[used]
        for times in _TIMES:
            present = csr_matrix((counts.data >= times, counts.indices, counts.indptr), counts.shape, dtype=np.float64)
            items = np.asarray(present.sum(axis=0)).ravel()
            columns = np.flatnonzero((items >= _FEWEST) & (items <= len(used) - _FEWEST))
            if not len(columns):
                break
            seen = np.asarray(present.T @ hot)[columns][:, occurs]
            count = seen.sum(axis=1, keepdims=True)
            expected = count * base[occurs] / total
            square = ((seen - expected) ** 2 / expected).sum(axis=1) * total / (total - count[:, 0])
            tests += len(columns)
            for at in np.argsort(-square, kind="stable").tolist():
                if square[at] <= most * (1 + 1e-9):
                    break
                if not any(name in pool.table.ngram_text(level, int(columns[at])).casefold() for name in named):
                    best, most = (level, int(columns[at]), times), float(square[at])
                    break
    if best is None:
        return None
    from scipy.stats import chi2

    return NgramCue(*best, min(1.0, float(chi2.sf(most, int(occurs.sum()) - 1)) * tests))


def _named(pool: Pool, rows: Bools) -> list[str]:
    """The answers that stand in their prompts by design, folded; none if they do not."""
    used = np.flatnonzero(rows).tolist()
    prompts, answers = ([values[row] for row in used] for values in (pool.benchmark.prompts, pool.benchmark.answers))
    if find_mentions(prompts, answers) is None:
        return []
    return sorted({label.casefold() for label in pool.labels})
