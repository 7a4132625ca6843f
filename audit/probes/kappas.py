"""From the scores of one scheme to its kappas, with all that is said of them; the gap of two schemes.

Whatever was predicted: labels, or one option of several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from hansproof.audit.probes.crossfit import Ints, Scores
from hansproof.audit.probes.refitting import USUAL_NULL, USUAL_SAMPLING, Limit
from hansproof.audit.probes.task import Accuracy, Task
from hansproof.audit.result.audit_result import SchemeGap, SchemeResult, Settings, VectorResult
from hansproof.audit.result.numbers import SchemeName
from hansproof.audit.result.record import or_least
from hansproof.audit.statistics.intervals import Errors, simultaneous
from hansproof.audit.statistics.kappa import median_over_splits
from hansproof.audit.statistics.permutation import Significance, seeded

__all__ = ["MeasuredScheme", "RefitWidening", "measure", "number", "scheme_gap"]

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
    def usual(cls) -> RefitWidening:
        """As it is on most benchmarks, where nothing was refitted."""
        return cls(USUAL_SAMPLING, USUAL_NULL, _USUAL_DEGREES)


@dataclass(frozen=True)
class MeasuredScheme:
    """A scheme's result, with the scores and errors that further questions need."""

    result: SchemeResult
    scores: list[Scores]
    errors: Errors
    """Of the kappas of matched predictions."""
    critical: NDArray[np.float64]
    """(V,) kappa at which each vector becomes significant."""
    spread: NDArray[np.float64]
    """(V,) standard deviation of each kappa if there were a weak cue: its standard error, or that under the null if it
    is larger. Predictions that hit nothing have a standard error near 0, which says nothing of those that would."""
    stretch: RefitWidening
    """By how much refitting widened these numbers; it holds for other probes on the same folds too."""

    @property
    def fitted(self) -> list[Scores]:
        """The scores of our own probes, which can be fitted again: all but those that were given."""
        return [each for each in self.scores if each.vector.kind != "given"]

    def fitted_like(self, vector: str) -> str:
        """The vector itself; in place of one that was given the strongest of our own."""
        own = {each.vector.name for each in self.fitted}
        ranked = sorted(self.result.counted, key=lambda entry: -or_least(entry.matched))
        return vector if vector in own else next(entry.vector for entry in ranked if entry.vector in own)

    def of(self, vector: str) -> Scores:
        """The scores of the vector with this name."""
        return self.scores[self.at(vector)]

    def at(self, vector: str) -> int:
        """The place of the vector with this name."""
        return [entry.vector for entry in self.result.vectors].index(vector)

    def limits(self) -> dict[str, Limit]:
        """The test of each vector, by its name."""
        numbers = zip(self.critical.tolist(), self.spread.tolist(), strict=True)
        return {entry.vector: Limit(*of) for entry, of in zip(self.result.vectors, numbers, strict=True)}


def scheme_gap(random: MeasuredScheme, grouped: MeasuredScheme, vector: str) -> SchemeGap | None:
    """Kappa under random folds minus kappa under grouped folds, with its paired 95 % interval; None if undefined.

    Both schemes score the same items, so their errors are subtracted group by group. None, too, if one run served both.
    """
    if random.scores is grouped.scores:
        return None
    loose, tight = random.result.find(vector), grouped.result.find(vector)
    if loose is None or tight is None or loose.matched is None or tight.matched is None:
        return None
    difference = random.errors.influence[random.at(vector)] - grouped.errors.influence[grouped.at(vector)]
    count = len(difference)
    se = float(np.sqrt((difference**2).sum() * count / max(count - 1, 1))) * grouped.result.sampling_stretch
    half = se * float(stdtrit(grouped.errors.degrees, 0.975))
    gap = loose.matched - tight.matched
    return SchemeGap(vector=loose.vector, gap=gap, low=max(gap - half, -2.0), high=min(gap + half, 2.0))


Floats = NDArray[np.float64]


def measure(
    name: SchemeName,
    task: Task,
    groups: Ints,
    scores: list[Scores],
    settings: Settings,
    counted: Collection[str],
    refitted: Callable[[Scores, float], RefitWidening] = lambda strongest, null_sd: RefitWidening(),
) -> MeasuredScheme:
    """Statistics of `scores` against the right answers of `task`; units of one of the `groups` (n,) belong together.

    `counted` names the vectors that decide the verdict and that the correction covers. `refitted` is given the scores
    of the counted vector with the largest kappa and the standard deviation of its null distribution, and says by how
    much refitting widens errors and null. The resampling draws do not depend on the scheme.
    """
    units = scores[0].units
    held = np.unique(groups[units], return_inverse=True)[1]
    deciding = np.array([each.vector.name in counted for each in scores])
    matched = np.stack([each.matched for each in scores])
    kappas = np.array([[task.kappa(row, task.gold, units) for row in of] for of in matched])
    middle = median_over_splits(kappas)
    null = task.null(matched, units, held, settings.permutations, seeded(settings.seed, "permutation"))
    strongest = int(np.argmax(np.where(deciding & ~np.isnan(middle), middle, -np.inf)))
    stretch = refitted(scores[strongest], null.sd(strongest))
    wide = {"stretch": stretch.sampling, "stretched_by": stretch.degrees}
    errors = task.errors(matched, task.gold, units, held, kappas, **wide)
    predicted = np.stack([each.predicted for each in scores])
    tested = null.test(deciding, alpha=settings.alpha, stretch=stretch.null)
    spread = np.fmax(errors.se, tested.sd)
    judged = _Judged(
        kappas,
        middle,
        replace(errors, se=np.where(middle > 0, errors.se, spread)),
        tested,
        _bounds(middle, errors, np.flatnonzero(deciding), settings),
        replace(errors, se=np.fmax(errors.se, errors.widening * task.expected_error(settings.threshold, units))),
    )
    plain = task.accuracies(matched, predicted, units, held, **wide)
    vectors = [judged.entry(v, each, plain[v], counted=bool(deciding[v])) for v, each in enumerate(scores)]
    # The counted vectors with the best validation, of which the first is the headline.
    among = [entry for entry in vectors if entry.counted] or vectors
    best = max(or_least(entry.validation) for entry in among)
    tied = [entry.vector for entry in among if or_least(entry.validation) == best]
    accuracy, uniform = task.constant
    result = SchemeResult(
        scheme=name,
        splits=kappas.shape[1],
        scored=len(units),
        vectors=vectors,
        headline=tied[0],
        tied=tied[1:],
        majority_accuracy=accuracy,
        majority_uniform=uniform,
        p_floor=judged.tested.floor,
        sampling_stretch=stretch.sampling,
        null_stretch=stretch.null,
    )
    return MeasuredScheme(result, scores, errors, judged.tested.critical, spread, stretch)


def _bounds(middle: Floats, errors: Errors, chosen: Ints, settings: Settings) -> Floats:
    """(V,) lower bounds that hold for all of the `chosen` vectors at once; NaN for the others."""
    bounds = np.full(len(middle), np.nan)
    own = Errors(errors.influence[chosen], errors.se[chosen], errors.degrees, errors.widening[chosen])
    lowest, _ = simultaneous(middle[chosen], own, 1 - settings.leak_alpha, seeded(settings.seed, "bounds"))
    bounds[chosen] = np.maximum(lowest, -1.0)  # the least that kappa can be
    return bounds


@dataclass(frozen=True)
class _Judged:
    """What is said of V kappas, each the median over S splits."""

    values: Floats
    """(V, S)"""
    middle: Floats
    """(V,) medians; NaN where undefined."""
    errors: Errors
    """A kappa of 0 or less has at least the error that it has under the null: a probe that by chance hits none of a
    rare answer has a standard error near 0. With 24 rare answers among 300 permuted ones, intervals without that held 0
    in 84 % of 1,040, and nearly all others lay below it; with it, in 99.5 %."""
    tested: Significance
    bounds: Floats
    """(V,) as `_bounds`."""
    wider: Errors
    """Those of kappas as large as the threshold, where they are larger."""

    def entry(self, v: int, scores: Scores, plain: Accuracy, *, counted: bool) -> VectorResult:
        """The record of the vector in place `v`."""
        known = not np.isnan(self.middle[v])
        low, high = (ends[v] for ends in self.errors.ends(self.middle))
        return VectorResult(
            vector=scores.vector.name,
            label=scores.vector.label,
            matched=number(self.middle[v]),
            matched_low=number(low),
            matched_high=number(high),
            upper=number(self.wider.ends(self.middle)[1][v]),
            # t intervals know nothing of -1 and 1, beyond which no kappa can lie.
            bound=number(np.clip(self.bounds[v], -1, 1)) if np.isfinite(self.bounds[v]) else None,
            split_sd=number(float(np.std(self.values[v], ddof=1))) if self.values.shape[1] > 1 else None,
            cohen=number(plain.cohen),
            cohen_low=number(plain.cohen_low),
            cohen_high=number(plain.cohen_high),
            uniform=number(plain.uniform),
            accuracy=plain.accuracy,
            balanced_accuracy=number(plain.balanced),
            p=number(self.tested.p[v]) if known else None,
            p_corrected=number(self.tested.corrected[v]) if known else None,
            validation=number(scores.validation),
            regularisation=dict(sorted(Counter(scores.regularisation).items())),
            features=scores.features,
            counted=counted,
        )


def number(value: float) -> float | None:
    """None for NaN and infinities: what is undefined."""
    return float(value) if np.isfinite(value) else None
