"""What the statistics of one scheme leave for further questions, whatever its scores are; the gap of two schemes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from audit.probe.numbers.limits import Limit
from audit.result import SchemeGap, SchemeResult
from audit.statistics.intervals import Errors

__all__ = ["Measured", "S", "Stretch", "scheme_gap"]

S = TypeVar("S")
"""The scores of one feature vector: of labels, or of options."""


_DEGREES = 16.0
"""Of freedom of a ratio from ten halvings of three vectors: by how much it varies from benchmark to benchmark."""


@dataclass(frozen=True)
class Stretch:
    """By how much refitting widens fixed predictions (`audit.probe.numbers.stretch`), each at least 1."""

    sampling: float = 1.0
    null: float = 1.0
    degrees: float = np.inf
    """Of freedom of `sampling`, which is an estimate itself if it was measured."""

    @classmethod
    def measured(cls, sampling: float, null: float) -> Stretch:
        """As refitting showed it."""
        return cls(sampling, null, _DEGREES)


@dataclass(frozen=True)
class Measured(Generic[S]):
    """A scheme's result, with the scores and errors that further questions need."""

    result: SchemeResult
    scores: list[S]
    errors: Errors
    """Of the kappas of matched predictions."""
    critical: NDArray[np.float64]
    """(V,) kappa at which each vector becomes significant."""
    spread: NDArray[np.float64]
    """(V,) standard deviation of each kappa if there were a weak cue: its standard error, or that under the null if it
    is larger. Predictions that hit nothing have a standard error near 0, which says nothing of those that would."""
    null_sd: NDArray[np.float64]
    """(V,) standard deviation of each kappa under the null if predictions are held fixed."""

    @property
    def stretch(self) -> Stretch:
        """By how much refitting widened these numbers; it holds for other probes on the same folds too."""
        return Stretch.measured(self.result.sampling_stretch, self.result.null_stretch)

    def of(self, vector: str) -> S:
        """The scores of the vector with this name."""
        return self.scores[self.at(vector)]

    def at(self, vector: str) -> int:
        """The place of the vector with this name."""
        return [entry.vector for entry in self.result.vectors].index(vector)

    def limits(self, widens: float = 1.0) -> dict[str, Limit]:
        """The test of each vector, by its name; `widens` is by how much a part of the items widens the null."""
        numbers = zip(self.critical.tolist(), self.spread.tolist(), (self.null_sd * widens).tolist(), strict=True)
        stretch = self.result.null_stretch
        return {
            entry.vector: Limit(*of, stretch=stretch) for entry, of in zip(self.result.vectors, numbers, strict=True)
        }


def scheme_gap(random: Measured[S], grouped: Measured[S], vector: str) -> SchemeGap | None:
    """Kappa under random folds minus kappa under grouped folds, with its paired 95 % interval; None if undefined.

    Both schemes score the same items, so their errors are subtracted group by group. None, too, if one run served both.
    """
    from scipy.stats import t

    if random.scores is grouped.scores:
        return None
    loose, tight = random.result.find(vector), grouped.result.find(vector)
    if loose is None or tight is None or loose.matched is None or tight.matched is None:
        return None
    difference = random.errors.influence[random.at(vector)] - grouped.errors.influence[grouped.at(vector)]
    count = len(difference)
    se = float(np.sqrt((difference**2).sum() * count / max(count - 1, 1))) * grouped.result.sampling_stretch
    half = se * float(t.ppf(0.975, grouped.errors.degrees))
    gap = loose.matched - tight.matched
    return SchemeGap(vector=loose.vector, gap=gap, low=max(gap - half, -2.0), high=min(gap + half, 2.0))
