"""From the scores of one scheme to its kappas, with all that is said of them; the gap of two schemes.

Whatever was predicted: labels, or one option of several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import partial
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.probes.crossfit import Ints, Scores
from hansproof.audit.probes.refitting import DEGREES, USUAL_NULL, USUAL_SAMPLING, Limit
from hansproof.audit.result.audit_result import SchemeGap, SchemeResult, Settings, VectorResult
from hansproof.audit.result.numbers import SchemeName
from hansproof.audit.result.record import or_least
from hansproof.audit.statistics import kappa
from hansproof.audit.statistics.intervals import Errors, errors, expected_error, lower_bounds
from hansproof.audit.statistics.permutation import Null, Significance, seeded

__all__ = [
    "STRAY",
    "Kappas",
    "MeasuredScheme",
    "RefitWidening",
    "S",
    "common_answers",
    "measure",
    "number",
    "scheme_gap",
]

S = TypeVar("S")
"""The scores of one feature vector: of labels, or of options."""

_USUAL_DEGREES = 20.0
"""Of freedom of the usual sampling ratio, from which those of benchmarks differ by 16 % (1 / (2 * .16**2))."""


@dataclass(frozen=True)
class RefitWidening:
    """By how much refitting widens fixed predictions (`audit.probes.refitting`), each at least 1."""

    sampling: float = 1.0
    null: float = 1.0
    degrees: float = np.inf
    """Of freedom of `sampling`, which is an estimate itself if it was measured."""

    @classmethod
    def measured(cls, sampling: float, null: float) -> RefitWidening:
        """As refitting showed it."""
        return cls(sampling, null, DEGREES)

    @classmethod
    def usual(cls) -> RefitWidening:
        """As it is on most benchmarks, where nothing was refitted."""
        return cls(USUAL_SAMPLING, USUAL_NULL, _USUAL_DEGREES)


@dataclass(frozen=True)
class MeasuredScheme(Generic[S]):
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

    @property
    def stretch(self) -> RefitWidening:
        """By how much refitting widened these numbers; it holds for other probes on the same folds too."""
        return RefitWidening.measured(self.result.sampling_stretch, self.result.null_stretch)

    def of(self, vector: str) -> S:
        """The scores of the vector with this name."""
        return self.scores[self.at(vector)]

    def at(self, vector: str) -> int:
        """The place of the vector with this name."""
        return [entry.vector for entry in self.result.vectors].index(vector)

    def limits(self) -> dict[str, Limit]:
        """The test of each vector, by its name."""
        numbers = zip(self.critical.tolist(), self.spread.tolist(), strict=True)
        return {entry.vector: Limit(*of) for entry, of in zip(self.result.vectors, numbers, strict=True)}


def scheme_gap(random: MeasuredScheme[S], grouped: MeasuredScheme[S], vector: str) -> SchemeGap | None:
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


Floats = NDArray[np.float64]


class _Named(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def label(self) -> str: ...


class _Fitted(Protocol):
    @property
    def validation(self) -> float: ...
    @property
    def regularisation(self) -> list[str]: ...
    @property
    def features(self) -> int: ...


@dataclass(frozen=True)
class Kappas:
    """V kappas, each the median over S splits."""

    values: Floats
    """(V, S)"""
    middle: Floats
    """(V,) medians; NaN where undefined."""
    counted: NDArray[np.bool_]
    """(V,) which decide the verdict."""
    errors: Errors
    tested: Significance
    stretch: RefitWidening
    ends: tuple[Floats, Floats]
    """(V,) of the 95 % intervals."""
    upper: Floats
    """(V,) larger kappas are ruled out."""
    bounds: Floats
    """(V,) lower bounds that hold for all counted vectors at once; NaN for the others."""

    @classmethod
    def judged(
        cls,
        values: Floats,
        counted: NDArray[np.bool_],
        null: Null,
        errors_of: Callable[..., Errors],
        at_threshold: float,
        settings: Settings,
        refitted: Callable[[int, float], RefitWidening],
    ) -> Kappas:
        """What is said of kappas (V, S) under their `null`.

        `errors_of` takes the keywords `stretch` and `stretched_by` of `audit.statistics.intervals.errors_of`, and
        `at_threshold` is the standard error of a kappa as large as the threshold. `refitted` is given the counted
        vector with the largest kappa and the standard deviation of its null distribution. The resampling draws do not
        depend on the scheme.
        """
        middle = median_over_splits(values)
        strongest = int(np.argmax(np.where(counted & ~np.isnan(middle), middle, -np.inf)))
        stretch = refitted(strongest, null.sd(strongest))
        tested = null.test(counted, alpha=settings.alpha, stretch=stretch.null)
        errors = errors_of(stretch=stretch.sampling, stretched_by=stretch.degrees)
        bounds = np.full(len(values), np.nan)
        chosen = np.flatnonzero(counted)
        own = Errors(errors.influence[chosen], errors.se[chosen], errors.degrees, errors.widening[chosen])
        lowest = lower_bounds(middle[chosen], own, 1 - settings.leak_alpha, seeded(settings.seed, "bounds"))
        bounds[chosen] = np.maximum(lowest, -1.0)  # the least that kappa can be
        wider = replace(errors, se=np.fmax(errors.se, errors.widening * at_threshold))
        ends, upper = interval_ends(middle, errors), interval_ends(middle, wider)[1]
        return cls(values, middle, counted, errors, tested, stretch, ends, upper, bounds)

    def entry(
        self,
        v: int,
        named: _Named,
        fitted: _Fitted,
        *,
        uniform: float,
        accuracy: float,
        cohen: tuple[float, float, float] = (np.nan, np.nan, np.nan),
        balanced_accuracy: float = np.nan,
    ) -> VectorResult:
        """The record of the vector in place `v`; `cohen` is that of its most probable answers, with its interval."""
        known = not np.isnan(self.middle[v])
        return VectorResult(
            vector=named.name,
            label=named.label,
            matched=number(self.middle[v]),
            matched_low=number(self.ends[0][v]),
            matched_high=number(self.ends[1][v]),
            upper=number(self.upper[v]),
            # t intervals know nothing of -1 and 1, beyond which no kappa can lie.
            bound=number(np.clip(self.bounds[v], -1, 1)) if np.isfinite(self.bounds[v]) else None,
            split_sd=number(float(np.std(self.values[v], ddof=1))) if self.values.shape[1] > 1 else None,
            cohen=number(cohen[0]),
            cohen_low=number(cohen[1]),
            cohen_high=number(cohen[2]),
            uniform=number(uniform),
            accuracy=float(accuracy),
            balanced_accuracy=number(balanced_accuracy),
            p=number(self.tested.p[v]) if known else None,
            p_corrected=number(self.tested.corrected[v]) if known else None,
            validation=number(fitted.validation),
            regularisation=dict(sorted(Counter(fitted.regularisation).items())),
            features=fitted.features,
            counted=bool(self.counted[v]),
        )

    def measured(
        self,
        name: SchemeName,
        scores: list[S],
        vectors: list[VectorResult],
        *,
        scored: int,
        majority_accuracy: float,
        majority_uniform: float | None,
    ) -> MeasuredScheme[S]:
        """The scheme called `name`, of whose vectors each has an entry and scores; `scored` items were predicted."""
        # The counted vectors with the best validation, of which the first is the headline.
        counted = [entry for entry in vectors if entry.counted] or vectors
        best = max(or_least(entry.validation) for entry in counted)
        tied = [entry.vector for entry in counted if or_least(entry.validation) == best]
        result = SchemeResult(
            scheme=name,
            splits=self.values.shape[1],
            scored=scored,
            vectors=vectors,
            headline=tied[0],
            tied=tied[1:],
            majority_accuracy=majority_accuracy,
            majority_uniform=majority_uniform,
            p_floor=self.tested.floor,
            sampling_stretch=self.stretch.sampling,
            null_stretch=self.stretch.null,
        )
        spread = np.fmax(self.errors.se, self.tested.sd)
        return MeasuredScheme(result, scores, self.errors, self.tested.critical, spread)


def median_over_splits(values: Floats) -> Floats:
    """(V,) medians of (V, S) over the splits that have a number; NaN without any."""
    known = [row[~np.isnan(row)] for row in values]
    return np.array([float(np.median(row)) if len(row) else np.nan for row in known])


def interval_ends(kappas: Floats, errors: Errors) -> tuple[Floats, Floats]:
    """(V,) lower and upper ends of 95 % intervals, within the range of kappa; infinite where the error is."""
    half = errors.half_width()
    known = np.isfinite(half)
    return (
        np.where(known, np.maximum(kappas - half, -1.0), kappas - half),
        np.where(known, np.minimum(kappas + half, 1.0), kappas + half),
    )


def number(value: float) -> float | None:
    """None for NaN and infinities: what is undefined."""
    return float(value) if np.isfinite(value) else None


STRAY = 0.01
"""An answer with a smaller share of the items is a slip, not one more way of being wrong by chance."""

_MEASURES = (kappa.uniform, kappa.accuracy, kappa.balanced_accuracy)


def measure(
    name: SchemeName,
    y: Ints,
    groups: Ints,
    labels: int,
    scores: list[Scores],
    settings: Settings,
    counted: Collection[str],
    refitted: Callable[[Scores, float], RefitWidening] = lambda strongest, null_sd: RefitWidening(),
) -> MeasuredScheme[Scores]:
    """Statistics of `scores` against gold labels `y` (N,); items of one of the `groups` (N,) belong together.

    `counted` names the vectors that decide the verdict and that the correction covers. `refitted` is given the scores
    of the counted vector with the largest kappa and the standard deviation of its null distribution, and says by how
    much refitting widens errors and null.
    """
    rows = scores[0].rows
    gold = y[rows]
    held = np.unique(groups[rows], return_inverse=True)[1]
    deciding = np.array([vector.vector.name in counted for vector in scores])
    matched = np.stack([vector.matched for vector in scores])
    kappas = np.array([[kappa.cohen_of(gold, row, labels) for row in of] for of in matched])
    null = Null(gold, matched, held, labels, settings.permutations, seeded(settings.seed, "permutation"))
    judged = Kappas.judged(
        kappas,
        deciding,
        null,
        partial(errors, gold, matched, held, labels, kappas),
        expected_error(settings.threshold, kappa.shares_of(gold, labels), len(gold)),
        settings,
        lambda strongest, null_sd: refitted(scores[strongest], null_sd),
    )
    plain = np.stack([vector.predicted for vector in scores])
    plain_kappas = np.array([[kappa.cohen_of(gold, row, labels) for row in of] for of in plain])
    stretch = judged.stretch
    plain_errors = errors(
        gold, plain, held, labels, plain_kappas, stretch=stretch.sampling, stretched_by=stretch.degrees
    )
    measures = np.array([[_measures(gold, row, labels) for row in of] for of in plain])
    cohen = median_over_splits(plain_kappas)
    cohen_low, cohen_high = interval_ends(cohen, plain_errors)
    uniform, accuracy, balanced = (median_over_splits(measures[:, :, place]) for place in range(len(_MEASURES)))
    vectors = [
        judged.entry(
            v,
            known.vector,
            known,
            uniform=uniform[v],
            accuracy=accuracy[v],
            cohen=(cohen[v], cohen_low[v], cohen_high[v]),
            balanced_accuracy=balanced[v],
        )
        for v, known in enumerate(scores)
    ]
    counts = np.bincount(y, minlength=labels)
    share = float(counts.max() / len(y))
    common = common_answers(counts)
    return judged.measured(
        name,
        scores,
        vectors,
        scored=len(rows),
        majority_accuracy=share,
        majority_uniform=(share - 1 / common) / (1 - 1 / common),
    )


def common_answers(counts: Ints) -> int:
    """How many answers, given how often each occurs, are ways of being wrong by chance; at least 2."""
    return max(int((counts >= STRAY * counts.sum()).sum()), 2)


def _measures(gold: Ints, predicted: NDArray[np.int16], labels: int) -> list[float]:
    """What `_MEASURES` say of predictions (n,); no table of answers by answers outlives it."""
    table = kappa.confusion(gold, predicted.astype(np.int64), labels)
    return [float(measure_of(table)) for measure_of in _MEASURES]
