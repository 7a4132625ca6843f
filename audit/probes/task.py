"""What a probe predicts: the one protocol by which labels, and options of their own for each item, are measured."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.statistics import kappa
from hansproof.audit.statistics.intervals import Errors, errors_of, expected_error, influence
from hansproof.audit.statistics.kappa import common_answers, median_over_splits, shares_of
from hansproof.audit.statistics.permutation import Null, relabelled

if TYPE_CHECKING:
    from hansproof.audit.texts.feature_table import FeatureTable

__all__ = ["Accuracy", "LabelTask", "Task"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class Accuracy(NamedTuple):
    """What else is said of one vector beside its kappa: medians over the splits, NaN where they are undefined."""

    uniform: float
    """Uniform-chance kappa."""
    accuracy: float
    balanced: float = np.nan
    cohen: float = np.nan
    """Of the most probable answers, with the ends of its interval."""
    cohen_low: float = np.nan
    cohen_high: float = np.nan


@dataclass(frozen=True)
class Task(ABC):
    """n units, each with a right answer, over R rows of text, each with one of k labels that probes are fitted on.

    Where all items share their answers, a unit is a row and the right answer its label. Where each item has options of
    its own, a unit is an item, its rows are the options, and the right answer is the row of one of them.

    `gold` (n,) is given to most methods, because relabelling moves it; `units` (m,) are numbers of units, ascending.
    """

    matched_as: ClassVar[type[np.generic]]
    """How `matched` is kept."""

    tables: Mapping[str, FeatureTable]
    """The R rows as features, by `Vector.table`."""

    @cached_property
    def bare(self) -> Self:
        """The same without the texts of the tables: what is sent to other machines."""
        return replace(self, tables={name: table.bare for name, table in self.tables.items()})

    @property
    @abstractmethod
    def gold(self) -> Ints:
        """(n,) the right answers."""

    @property
    @abstractmethod
    def k(self) -> int:
        """How many labels a row may have."""

    @abstractmethod
    def taken(self, units: Ints) -> Self:
        """The same for some of the units."""

    @abstractmethod
    def strata(self, gold: Ints) -> Ints:
        """(n,) what folds hold in equal shares."""

    @abstractmethod
    def rows(self, units: Ints) -> Ints:
        """The rows of some units, unit by unit."""

    @abstractmethod
    def answers(self, gold: Ints) -> Ints:
        """(R,) the label of each row."""

    @abstractmethod
    def matched(self, probabilities: Floats, units: Ints, shares: Floats) -> NDArray[Any]:
        """What a probe gives to each of the rows of `units`, from the `probabilities` (rows, k) of their labels.

        `shares` (k,) are those of the labels in training.
        """

    @abstractmethod
    def kappa(self, matched: NDArray[Any], gold: Ints, units: Ints) -> float:
        """How much better than chance the right answers of `units` are `matched`; NaN where that is undefined."""

    @abstractmethod
    def influence(self, matched: NDArray[Any], gold: Ints, units: Ints) -> Floats:
        """(S, m) what each of `units` contributes to the error of the kappa of what was `matched` (S, rows)."""

    @abstractmethod
    def chance(self, units: Ints) -> float:
        """The accuracy of guessing."""

    def errors(
        self, matched: NDArray[Any], gold: Ints, units: Ints, groups: Ints, kappas: Floats,
        *, stretch: float = 1.0, stretched_by: float = np.inf,
    ) -> Errors:  # fmt: skip
        """The errors of `kappas` (V, S) of what was `matched` (V, S, rows), as `audit.statistics.intervals.errors_of`.

        `groups` are those of `units`.
        """
        parts = (self.influence(of, gold, units) for of in matched)
        return errors_of(parts, groups, kappas, self.chance(units), stretch=stretch, stretched_by=stretched_by)

    def difference(
        self, first: NDArray[Any], second: NDArray[Any], groups: Ints,
        *, stretch: float = 1.0, stretched_by: float = np.inf,
    ) -> Errors:  # fmt: skip
        """The error of the median of kappa(first) - kappa(second) over S splits, of all n units on the same folds.

        The contributions of each unit are subtracted before they are squared, so what both get right or wrong cancels.
        `first` and `second` (S, rows) are what was matched. NaN if one of the kappas is undefined.
        """
        units = np.arange(len(self.gold))
        parts = self.influence(first, self.gold, units) - self.influence(second, self.gold, units)
        a, b = (np.array([[self.kappa(row, self.gold, units) for row in of]]) for of in (first, second))
        chance = self.chance(units)
        return errors_of([parts], groups, a - b, chance, stretch=stretch, stretched_by=stretched_by)

    @abstractmethod
    def relabelled(self, groups: Ints, times: int, random: np.random.Generator) -> Iterator[Ints]:
        """`times` other golds (n,) under the null hypothesis that no text gives its answer away.

        The units of one of the `groups` (n,) move together.
        """

    @abstractmethod
    def null(self, matched: NDArray[Any], units: Ints, groups: Ints, times: int, random: np.random.Generator) -> Null:
        """The null distribution of the kappas of what was `matched` (V, S, rows), under such golds of `units`."""

    @abstractmethod
    def expected_error(self, value: float, units: Ints) -> float:
        """The standard error of kappa over independent units if it is truly `value`."""

    @abstractmethod
    def accuracies(
        self, matched: NDArray[Any], predicted: NDArray[np.int16], units: Ints, groups: Ints,
        *, stretch: float, stretched_by: float,
    ) -> list[Accuracy]:  # fmt: skip
        """What is said besides of each of V vectors, from what was `matched` or `predicted` (V, S, rows)."""

    @property
    @abstractmethod
    def constant(self) -> tuple[float, float | None]:
        """(accuracy, uniform-chance kappa) of the simplest rule, which gives the same throughout; None without one."""


@dataclass(frozen=True)
class LabelTask(Task):
    """Rows with labels, `Vector.table` of which is `text`."""

    matched_as: ClassVar[type[np.generic]] = np.int16

    y: Ints
    """(n,) label numbers from 0."""
    labels: int
    """How many different labels there are, whether or not all of them occur."""

    @classmethod
    def of(cls, table: FeatureTable, y: Ints, labels: int) -> LabelTask:
        """The rows of `table` with the labels `y`."""
        return cls({"text": table}, y, labels)

    @property
    def gold(self) -> Ints:
        """The labels."""
        return self.y

    @property
    def k(self) -> int:
        """As many as there are labels."""
        return self.labels

    def taken(self, units: Ints) -> LabelTask:
        """As `Task` says."""
        return LabelTask({name: table.of(units) for name, table in self.tables.items()}, self.y[units], self.labels)

    def strata(self, gold: Ints) -> Ints:
        """The labels themselves."""
        return gold

    def rows(self, units: Ints) -> Ints:
        """Each unit is its only row."""
        return units

    def answers(self, gold: Ints) -> Ints:
        """As `rows`."""
        return gold

    def matched(self, probabilities: Floats, units: Ints, shares: Floats) -> NDArray[Any]:
        """Labels, each given about as often as it occurs in training (`audit.statistics.kappa.matched`)."""
        return kappa.matched(probabilities, shares)

    def kappa(self, matched: NDArray[Any], gold: Ints, units: Ints) -> float:
        """Cohen's."""
        return kappa.cohen_of(gold[units], matched.astype(np.int64), self.labels)

    def influence(self, matched: NDArray[Any], gold: Ints, units: Ints) -> Floats:
        """Fleiss, Cohen & Everitt's (`audit.statistics.intervals.influence`)."""
        return np.stack([influence(gold[units], row, self.labels) for row in matched])

    def chance(self, units: Ints) -> float:
        """Of labels given as often as they occur."""
        return float((shares_of(self.y[units], self.labels) ** 2).sum())

    def relabelled(self, groups: Ints, times: int, random: np.random.Generator) -> Iterator[Ints]:
        """Groups exchange their labels."""
        return relabelled(self.y, groups, times, random)

    def null(self, matched: NDArray[Any], units: Ints, groups: Ints, times: int, random: np.random.Generator) -> Null:
        """As `Task` says."""
        return Null.of(self.y[units], matched, groups, self.labels, times, random)

    def expected_error(self, value: float, units: Ints) -> float:
        """As `Task` says."""
        return expected_error(value, shares_of(self.y[units], self.labels), len(units))

    def accuracies(
        self, matched: NDArray[Any], predicted: NDArray[np.int16], units: Ints, groups: Ints,
        *, stretch: float, stretched_by: float,
    ) -> list[Accuracy]:  # fmt: skip
        """Those of the most probable labels."""
        kappas = np.array([[self.kappa(row, self.y, units) for row in of] for of in predicted])
        spread = self.errors(predicted, self.y, units, groups, kappas, stretch=stretch, stretched_by=stretched_by)
        gold, cohen = self.y[units], median_over_splits(kappas)
        measures = np.array([[_measures(gold, row, self.labels) for row in of] for of in predicted])
        columns = [median_over_splits(measures[:, :, place]) for place in range(3)]
        return [Accuracy(*map(float, of)) for of in zip(*columns, cohen, *spread.ends(cohen), strict=True)]

    @property
    def constant(self) -> tuple[float, float | None]:
        """Of the most common label."""
        counts = np.bincount(self.y, minlength=self.labels)
        share, chance = float(counts.max() / len(self.y)), 1 / common_answers(counts)
        return share, (share - chance) / (1 - chance)


def _measures(gold: Ints, predicted: NDArray[np.int16], labels: int) -> list[float]:
    """(uniform-chance kappa, accuracy, balanced accuracy); no table of answers by answers outlives it."""
    table = kappa.confusion(gold, predicted.astype(np.int64), labels)
    return [float(of(table)) for of in (kappa.uniform, kappa.accuracy, kappa.balanced_accuracy)]
