"""Items with labels as repairs see them: numbered and parted, the best n-gram, a quick look by probes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import msgspec
import numpy as np
from scipy.sparse import csr_matrix

from hansproof.audit.benchmark import Benchmark
from hansproof.audit.probes.crossfit import Fitting, crossfit_folds
from hansproof.audit.probes.folds import fold_numbers
from hansproof.audit.probes.kappas import measure
from hansproof.audit.probes.logistic import REGULARISATIONS, prepare
from hansproof.audit.repair.removal import LOOSELY, PAIR, Bools, Floats, Ints, choosing_items
from hansproof.audit.repair.search import Look
from hansproof.audit.result.audit_result import Settings, VectorResult
from hansproof.audit.result.numbers import SchemeName
from hansproof.audit.shortcuts.short_rules import find_mentions
from hansproof.audit.statistics.permutation import seeded
from hansproof.audit.tasks.group_layout import groups_of
from hansproof.audit.texts.feature_table import FeatureTable
from hansproof.audit.texts.sentences import fold_text
from hansproof.audit.texts.similarity import number_by_first
from hansproof.audit.texts.vectors import FURTHER, THIRTEEN, Vector, by_name

__all__ = ["LabelledItems", "NgramCue", "bearing", "kappa_of", "look", "scored", "strongest_cue", "within"]


@dataclass(frozen=True)
class LabelledItems:
    """N items in an order that depends on their texts alone."""

    benchmark: Benchmark
    order: list[int]
    """(N,) the place of each in the source."""
    y: Ints
    labels: list[str]
    groups: Ints
    """(N,) group numbers; groups are never parted."""
    how: str
    """Where the groups come from: `column`, `found` or `none`."""
    units: Ints
    """(N,) items with the same number are kept or removed together."""
    chosen: Bools
    """(N,) the items that rules are chosen on; the others are held out."""
    table: FeatureTable
    fitting: Fitting
    settings: Settings

    @classmethod
    def of(cls, benchmark: Benchmark, settings: Settings, held_out: float, workers: int) -> LabelledItems:
        """Number, group, part and count the items. Raises InputError for too few groups to hold any out."""
        ordered, order = benchmark.in_text_order()
        labels = list(dict.fromkeys(ordered.answers))
        number = {label: c for c, label in enumerate(labels)}
        y = np.array([number[answer] for answer in ordered.answers], dtype=np.int64)
        groups = groups_of(ordered, settings.groups)
        chosen = choosing_items(y, groups.index, held_out, settings.seed, ordered.source)
        prepare()
        return cls(
            ordered,
            order,
            y,
            labels,
            groups.index,
            groups.source,
            _units(y, groups.index),
            chosen,
            FeatureTable.build(ordered.prompts, dense=["readability", *(vector.name for vector in FURTHER)]),
            Fitting(len(labels), settings.seed, LOOSELY, workers=workers),
            settings,
        )

    def part(self, rows: Bools) -> Benchmark:
        """Some of the items as a benchmark whose groups are declared to be those of all items."""
        used = np.flatnonzero(rows).tolist()
        return replace(
            self.benchmark.taken(used),
            groups=[str(self.groups[row]) for row in used],
            mapping=replace(self.benchmark.mapping, group="group of all items", sources=()),
            splits=None,
            choices=None,
            accepted=None,
            options=None,
            places=None,
        )

    def shares(self, rows: Bools) -> Floats:
        """(labels,) the shares of the answers among some of the items."""
        counts = np.bincount(self.y[rows], minlength=len(self.labels))
        return np.asarray(counts / max(int(counts.sum()), 1))


def _units(y: Ints, groups: Ints) -> Ints:
    """(N,) the group of the items of small groups with several answers (matched sets); all other items stand alone."""
    size = np.bincount(groups)
    first = np.full(len(size), -1)
    first[groups[::-1]] = y[::-1]
    mixed = np.zeros(len(size), dtype=np.bool_)
    mixed[groups[y != first[groups]]] = True
    together = mixed[groups] & (size[groups] <= PAIR)
    return np.where(together, groups, len(size) + np.arange(len(y)))


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


def bearing(pool: LabelledItems, cue: NgramCue) -> Bools:
    """(N,) which items have the cue."""
    counts = pool.table.counts(cue.level)[:, [cue.column]]
    return np.asarray(counts.toarray().ravel() >= cue.times)


def strongest_cue(pool: LabelledItems, rows: Bools) -> NgramCue | None:
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


def _named(pool: LabelledItems, rows: Bools) -> list[str]:
    """The answers that stand in their prompts by design, folded; none if they do not."""
    used = np.flatnonzero(rows).tolist()
    prompts, answers = ([values[row] for row in used] for values in (pool.benchmark.prompts, pool.benchmark.answers))
    if find_mentions(prompts, answers) is None:
        return []
    return sorted({label.casefold() for label in pool.labels})


# Repairs take many looks, so a look has few splits and permutations; what is reported in the end are whole audits.

_SPLITS, _PERMUTATIONS = 2, 199
_SCORING = 4
"""Splits behind the scores by which items are matched or filtered."""


def look(pool: LabelledItems, rows: Bools, scheme: SchemeName = "grouped") -> Look:
    """Cross-fit the counted vectors on `rows` (N,) of the pool; under `random`, only equal texts stay together."""
    groups = pool.groups
    if scheme == "random":
        groups = number_by_first(fold_text(text) for text in pool.benchmark.prompts)
    counted = [vector for vector in THIRTEEN + FURTHER if vector.name != "length"]
    return Look(_measured(pool, rows, groups, scheme, counted))


def kappa_of(pool: LabelledItems, rows: Bools, vector: str) -> float | None:
    """The matched kappa of one vector, as a look at the same rows has it."""
    return _measured(pool, rows, pool.groups, "grouped", [by_name(vector)])[0].matched


def _measured(
    pool: LabelledItems, rows: Bools, groups: Ints, scheme: SchemeName, vectors: list[Vector]
) -> tuple[VectorResult, ...]:
    drawn = [_folds(pool, rows, groups, f"look {split}") for split in range(_SPLITS)]
    scores = crossfit_folds(pool.table, pool.y, vectors, pool.fitting, drawn)
    settings = msgspec.structs.replace(pool.settings, permutations=_PERMUTATIONS)
    counted = {vector.name for vector in vectors}
    return tuple(measure(scheme, pool.y, pool.groups, len(pool.labels), scores, settings, counted).result.vectors)


def within(pool: LabelledItems, rows: Bools, vector: str) -> tuple[Floats, Floats]:
    """Out-of-fold scores of `rows` by models of the other rows: probabilities (N, labels) and shares of splits in which
    the most probable answer is right (N,); NaN for other items.
    """
    drawn = [_folds(pool, rows, pool.groups, f"score {split}") for split in range(_SCORING)]
    return _scored(pool, by_name(vector), drawn, rows)


def scored(pool: LabelledItems, rows: Bools, vector: str) -> tuple[Floats, Floats]:
    """The same for `rows` of both parts, by models of the chosen ones: those that are held out by models that are each
    fitted on a random four fifths of the groups.
    """
    chosen, others = rows & pool.chosen, rows & ~pool.chosen
    drawn = [_folds(pool, chosen, pool.groups, f"score {split}") for split in range(_SCORING)]
    # All splits must leave out the same items, so each is fitted on its own.
    every = [_scored(pool, by_name(vector), [np.where(others, 0, np.where(fold > 0, 1, -1))], others) for fold in drawn]
    values, right = (np.mean(of, axis=0) for of in zip(*every, strict=True))
    inner = within(pool, chosen, vector)
    return np.where(chosen[:, None], inner[0], values), np.where(chosen, inner[1], right)


def _folds(pool: LabelledItems, rows: Bools, groups: Ints, name: str) -> Ints:
    """(N,) the fold of each of `rows`, -1 for the others."""
    fold = np.full(len(pool.y), -1, dtype=np.int64)
    held = np.unique(groups[rows], return_inverse=True)[1]
    random = seeded(pool.settings.seed, "harden", name)
    fold[rows] = fold_numbers(pool.y[rows], held, pool.settings.folds, random)
    return fold


def _scored(pool: LabelledItems, vector: Vector, drawn: list[Ints], wanted: Bools) -> tuple[Floats, Floats]:
    plain: Fitting = replace(pool.fitting, candidates=REGULARISATIONS[:1])
    scores = crossfit_folds(pool.table, pool.y, [vector], plain, drawn)[0]
    values = np.full((len(pool.y), len(pool.labels)), np.nan)
    right = np.full(len(pool.y), np.nan)
    values[scores.rows] = scores.probabilities
    right[scores.rows] = (scores.predicted == pool.y[scores.rows]).mean(axis=0)
    values[~wanted], right[~wanted] = np.nan, np.nan
    return values, right
