"""The items of a benchmark as repairs see them: numbered, grouped, counted, and parted in two by group."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from audit.benchmark import Benchmark
from audit.groups.chosen import groups_of
from audit.probes.crossfit import Fitting
from audit.probes.logistic import prepare
from audit.repair.holding_out import LOOSELY, choosing_items
from audit.repair.removal import PAIR
from audit.result.audit_result import Settings
from audit.texts.feature_table import FeatureTable
from audit.texts.vectors import FURTHER

__all__ = ["Pool"]

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Pool:
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
    def of(cls, benchmark: Benchmark, settings: Settings, held_out: float, workers: int) -> Pool:
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
        whole = self.benchmark
        return replace(
            whole,
            prompts=[whole.prompts[row] for row in used],
            answers=[whole.answers[row] for row in used],
            ids=[whole.ids[row] for row in used],
            groups=[str(self.groups[row]) for row in used],
            mapping=replace(whole.mapping, group="group of all items", sources=()),
            splits=None,
            choices=None,
            accepted=None,
            options=None,
            places=None,
        )

    def shares(self, rows: Bools) -> NDArray[np.float64]:
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
