"""Each model on each benchmark: accuracy on both parts, and errors shared with the probe; the whole study."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, isnan
from typing import Final, Literal, NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray
from scipy import stats

from hansproof.audit.models.hypotheses import benjamini_hochberg
from hansproof.audit.models.reliance.parts import UNKNOWN, PartedAnswers
from hansproof.audit.models.reliance.reliance_records import (
    NO_VERDICT,
    SCHEMA,
    ClusteredEstimate,
    Corrected,
    ErrorAgreement,
    FamilyTest,
    ModelResult,
    PairResult,
    PartAccuracy,
    Reliance,
)
from hansproof.audit.notation import things
from hansproof.audit.replies.grid import MISSING, UNCLEAR
from hansproof.audit.statistics.permutation import holm
from hansproof.audit.statistics.shares import clustered

__all__ = ["model_results", "pairs_of", "study", "within"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_LEVEL = 0.025
"""Of each end of an interval."""
_NOTHING = 1e-9
"""Spread that is a rounding error."""


@dataclass(frozen=True)
class GroupedEstimate:
    """One number of one benchmark with G groups."""

    value: float
    contributions: Floats
    """(G,): what each group adds to the error; their squares add up to the variance."""
    degrees: float
    """Of freedom: the effective number of groups less one."""

    @property
    def se(self) -> float:
        """The standard error, if only groups are independent; above 0."""
        return float(np.sqrt(np.square(self.contributions).sum()))


def of_items(value: float, influence: Floats, groups: Ints, weight: Floats) -> GroupedEstimate | None:
    """The estimate from what each item (n,) contributes; `weight` (n,) says how much each item counts for it.

    Groups with a share h of the weight are scaled by 1 / (1 - h), because the fit follows them: the jackknife of
    MacKinnon, Nielsen and Webb (2023), to first order. Their effective number is Kish's (1965). None with fewer than
    two groups that count, where no error can be told, and where nothing varies.
    """
    count = int(groups.max()) + 1 if len(groups) else 0
    heavy = np.bincount(groups, weights=weight, minlength=count)
    total = float(heavy.sum())
    if total <= 0 or not isfinite(value):
        return None
    share = heavy / total
    effective = 1 / float(share @ share)
    if effective < 2 or share.max() > 0.5:
        return None
    estimate = GroupedEstimate(
        value, np.bincount(groups, weights=influence, minlength=count) / (1 - share), effective - 1
    )
    return estimate if estimate.se > _NOTHING else None


def combined(estimates: Sequence[GroupedEstimate]) -> GroupedEstimate | None:
    """The mean of estimates of different benchmarks, which share no item, weighted by precision; None without any.

    Degrees of freedom as Welch and Satterthwaite have them.
    """
    if not estimates:
        return None
    precision = np.array([estimate.se**-2 for estimate in estimates])
    share = precision / precision.sum()
    variances = share**2 / precision
    below = float((variances**2 / np.array([estimate.degrees for estimate in estimates])).sum())
    return GroupedEstimate(
        float(share @ [estimate.value for estimate in estimates]),
        np.concatenate([part * estimate.contributions for part, estimate in zip(share, estimates)]),
        float(variances.sum()) ** 2 / below,
    )


def recorded(estimate: GroupedEstimate | None, reason: str = "") -> ClusteredEstimate:
    """The record of an estimate, which is a difference of shares; undefined, with a reason, for None."""
    from scipy.stats import t

    if estimate is None:
        return ClusteredEstimate(estimate=None, reason=reason or "too few groups of items for an interval")
    half = float(t.isf(_LEVEL, estimate.degrees)) * estimate.se
    return ClusteredEstimate(
        estimate=estimate.value,
        se=estimate.se,
        low=max(estimate.value - half, -1.0),
        high=min(estimate.value + half, 1.0),
        degrees=estimate.degrees,
    )


def upper_p(estimate: GroupedEstimate) -> float:
    """Twice the one-sided p of a number above 0, at most 1: it is below .05 just where the 95 % interval is above 0."""
    from scipy.stats import t

    return min(1.0, 2 * float(t.sf(estimate.value / estimate.se, estimate.degrees)))


# With strata, it is the Mantel-Haenszel difference of shares, each stratum weighted by n1 n0 / (n1 + n0) (Mantel and
# Haenszel 1959; Cochran 1954): what least squares gives with a constant per stratum. The error is robust within groups.


def within(values: Floats, strata: Ints) -> Floats:
    """`values` (n,) less their means within `strata` (n,)."""
    held = np.unique(strata, return_inverse=True)[1]
    return np.asarray(values - (np.bincount(held, values) / np.bincount(held))[held])


def never_varies(values: Floats, strata: Ints) -> bool:
    """Whether `values` (n,) are the same within each of the `strata` (n,)."""
    return not len(values) or float(np.abs(within(values, strata)).max()) < _NOTHING


def crossed(first: Ints, second: Ints) -> Ints:
    """Strata (n,) of items that are alike in both."""
    held = np.unique(second, return_inverse=True)[1]
    return np.asarray(np.unique(first, return_inverse=True)[1] * (int(held.max(initial=0)) + 1) + held)


def stratified(right: Floats, probe_right: Floats, groups: Ints, strata: Ints) -> GroupedEstimate | None:
    """Mean of `right` where `probe_right` is 1 less that where it is 0, within `strata`; all (n,).

    Strata in which the probe is always right, or always wrong, say nothing. None if all do, with too few groups for an
    error, and where nothing varies.
    """
    contrast = within(probe_right, strata)
    squares = float(contrast @ contrast)
    if squares < _NOTHING:
        return None
    value = float(contrast @ right) / squares
    # A stratum's own mean is estimated from its n items, which makes its residuals too small by (n - 1) / n.
    same = np.unique(strata, return_inverse=True)[1]
    size = np.bincount(same)[same]
    residual = (within(right, strata) - value * contrast) * np.sqrt(size / np.maximum(size - 1, 1))
    return of_items(value, contrast * residual / squares, groups, contrast**2)


# Agreement in error: do a model's wrong answers go with the probe's more than an innocent model's would?
#

# A wrong answer may tempt everybody, and the probe too: a distractor that looks right, or the true answer to an item
# whose gold is wrong. How much it does is told by the other models that are wrong on the same item: a model that is
# tempted as they are gives the probe's answer as often as they do, beyond what each likes to say anyway. But a strong
# model gives the true answer to a wrong gold more often than weak ones. So an innocent model may feel from none to
# twice of what the others show, and the end that says less of the model counts. What that comes to where nobody
# follows the probe is measured in `benchmarks/reliance`.


FEWEST: Final = 10
"""Items with both wrong below which nothing is said."""
_FELT: Final = (0.0, 2.0)
"""How much an innocent model may feel of what tempts the others, as times of their share."""


def undefined(reason: str, items: int = 0, agree: float | None = None) -> tuple[ErrorAgreement, None]:
    """An agreement in error that cannot be told, and why."""
    return ErrorAgreement(items=items, agree=agree, expected=None, excess=recorded(None, reason)), None


def agreement_in_error(
    said: Ints,
    predicted: Ints,
    others: Sequence[Ints],
    wrong: NDArray[np.bool_],
    gold: Ints,
    options: Ints,
    groups: Ints,
) -> tuple[ErrorAgreement, GroupedEstimate | None]:
    """Agreement among the items in which model and probe are both `wrong` (n,), less what is to be expected.

    `said` and `predicted` (n,) number answers, or places of options, from 0. Each of the J `others` has its wrong
    answers (n, R) in R styles and runs, UNKNOWN where it is right or says nothing clear. Items with two `options` (n,),
    and those on which no other model is wrong, say nothing.
    """
    both = np.flatnonzero(wrong & (said != UNKNOWN) & (options > 2))
    answers = int(options.max(initial=0))
    shares = [_share(answered[both], answers) for answered in others]
    known = np.array([of for _, of in shares], dtype=np.bool_).reshape(len(shares), len(both))
    told = known.any(axis=0)
    use = both[told]
    if len(use) < FEWEST:
        return undefined(f"the model, the probe and another model are all wrong on fewer than {FEWEST} items", len(use))
    agree = float((said[use] == predicted[use]).mean())
    item, answer = np.nonzero((np.arange(answers) < options[use][:, None]) & (np.arange(answers) != gold[use][:, None]))
    given = (said[use][item] == answer).astype(np.float64)
    probes = (predicted[use][item] == answer).astype(np.float64)
    strata = crossed(crossed(gold[use][item], options[use][item]), answer)
    if never_varies(given, strata):
        return undefined("its wrong answer is always the same with the same gold answer", len(use), agree)
    mean = (np.sum([share for share, _ in shares], axis=0) / np.maximum(known.sum(axis=0), 1)[:, None])[told]
    tried = [stratified(given - times * mean[item, answer], probes, groups[use][item], strata) for times in _FELT]
    estimate = min((each for each in tried if each), key=lambda each: each.value / each.se, default=None)
    # A model that always gives the probe's answer has no error by itself, but beside the others it has.
    if estimate is None or not (tried[0] or (given == probes).all()):
        return undefined(
            "too few groups of items, or the probe gives the same wrong answer to all with the same gold answer",
            len(use), agree,
        )  # fmt: skip
    # An answer that is common with the same gold answer agrees by itself, whether or not it follows the probe.
    scale = float(np.square(within(probes, strata)).sum()) / len(use)
    expected = agree - scale * estimate.value
    return ErrorAgreement(items=len(use), agree=agree, expected=expected, excess=recorded(estimate)), estimate


def _share(answered: Ints, answers: int) -> tuple[Floats, NDArray[np.bool_]]:
    """(n, A): the share of each answer among those of one model, and (n,) whether it has any."""
    counts = np.stack([(answered == answer).sum(axis=1) for answer in range(answers)], axis=1).astype(np.float64)
    total = counts.sum(axis=1)
    return counts / np.maximum(total, 1)[:, None], total > 0


_FEWEST_OTHERS: Final = 2
"""Other models who tell which wrong answers tempt."""
_ALONE: Final = "a single other model does not tell which wrong answers tempt: its mistakes may be its own"
_AS_GOOD: Final = 0.5
"""How much another model must know, as a share of what this one does: weaker ones do not see what tempts a strong one,
such as the true answer to an item whose gold is wrong."""


class EstimatedPair(NamedTuple):
    """A pair with the estimate of its agreement in error, which is averaged over benchmarks."""

    record: PairResult
    errors: GroupedEstimate | None


def pairs_of(parted: PartedAnswers) -> list[EstimatedPair]:
    """Every series of a benchmark that answered any of its items, in their order."""
    return [
        _pair(parted, place)
        for place in range(len(parted.series))
        if not np.isnan(parted.right[:, place]).all()
    ]  # fmt: skip


def _pair(parted: PartedAnswers, place: int) -> EstimatedPair:
    series, about = parted.series[place], parted.about
    every = np.flatnonzero(~np.isnan(parted.right[:, place]))
    right, probe, groups = parted.right[every, place], parted.probe_right[every], parted.groups[every]
    codes = parted.outcomes[every, place]
    unclear = int((codes == UNCLEAR).sum())
    silent = "none of its replies is clear" if unclear == len(every) else ""
    open_ = "" if (parted.chance > 0).all() else "answers are open: hardly any two items share one"
    errors, excess = _errors(parted, place, every)
    record = PairResult(
        benchmark=about.benchmark, model=series.model, style=series.style, run=series.run,
        family=series.family or series.model, shortcut=about.shortcut, ruled_out=about.ruled_out,
        items=len(every), unclear=unclear, missing=int((codes == MISSING).sum()), accuracy=_mean(right),
        on_right=_accuracy(right[probe > 0], groups[probe > 0]),
        on_wrong=_accuracy(right[probe < 1], groups[probe < 1]),
        raw=_difference(right, probe, groups, np.zeros(len(every), dtype=np.int64), silent),
        equal_gold=_difference(right, probe, groups, parted.gold[every], silent or open_),
        errors=errors,
        corrected=_corrected(right, parted.chance[every], probe) if about.scheme == "paper" else None,
    )  # fmt: skip
    return EstimatedPair(record, excess)


def _accuracy(right: Floats, groups: Ints) -> PartAccuracy:
    share = clustered(right > 0.5, groups)
    low, high = (None if isnan(end) else end for end in (share.low, share.high))
    return PartAccuracy(items=len(right), share=_mean(right), low=low, high=high)


def _difference(right: Floats, probe: Floats, groups: Ints, strata: Ints, silent: str) -> ClusteredEstimate:
    """Between the parts, within `strata`; undefined where a part does not vary: its error would be 0, or next to it."""
    if silent:
        return recorded(None, silent)
    counts = np.abs(within(probe, strata)) > 0  # strata that have items of both parts
    if not counts.any():
        alike = "" if never_varies(strata.astype(np.float64), np.zeros_like(strata)) else " with the same gold answer"
        return recorded(None, f"the probe is right, or wrong, on all of these items{alike}")
    for word, of in (("right", counts & (probe > 0)), ("wrong", counts & (probe < 1))):
        if never_varies(right[of], strata[of]):
            always = "right" if right[of].all() else "wrong" if not right[of].any() else "right, or wrong,"
            alike = " with the same gold answer" if always.endswith(",") else ""
            return recorded(
                None,
                f"where the probe is {word}, the model is {always} on all items{alike}, which leaves no error to tell",
            )
    return recorded(stratified(right, probe, groups, strata))


def _corrected(right: Floats, chance: Floats, probe: Floats) -> Corrected:
    values = (right - chance) / (1 - chance)
    first, second = _mean(values[probe > 0]), _mean(values[probe < 1])
    apart = None if first is None or second is None else first - second
    return Corrected(accuracy=_mean(values), on_right=first, on_wrong=second, difference=apart)


def _errors(parted: PartedAnswers, place: int, every: Ints) -> tuple[ErrorAgreement, GroupedEstimate | None]:
    if parted.about.labels == 2:
        return undefined("with two answers, whoever is wrong agrees")
    if not (parted.chance > 0).all():
        return undefined("answers are open: wrong ones are hardly ever the same")
    if parted.said is None or parted.predicted is None:
        return undefined("what the models said is not known, only whether it is right")
    columns: dict[str, list[int]] = {}
    for at, series in enumerate(parted.series):
        columns.setdefault(series.model, []).append(at)
    corrected = (parted.right[every] - parted.chance[every, None]) / (1 - parted.chance[every, None])
    knows: dict[str, float] = {}
    for name, own_columns in columns.items():
        known = corrected[:, own_columns]
        if (share := _mean(known[~np.isnan(known)])) is not None:
            knows[name] = share
    own = knows.pop(parted.series[place].model)
    if len(knows) < _FEWEST_OTHERS:
        return undefined(_ALONE if knows else "no other model answered these items")
    if sum(own <= 0 or share >= _AS_GOOD * own for share in knows.values()) < _FEWEST_OTHERS:
        return undefined("fewer than two other models know half as much: they do not tell what tempts this one")
    wrong = np.where(parted.right < 0.5, parted.said, UNKNOWN)[every]
    return agreement_in_error(
        parted.said[every, place],
        parted.predicted[every],
        [wrong[:, columns[name]] for name in knows],
        (parted.right[every, place] < 0.5) & (parted.probe_right[every] < 0.5),
        parted.gold[every],
        np.rint(1 / parted.chance[every]).astype(np.int64),
        parted.groups[every],
    )


def _mean(values: Floats) -> float | None:
    return float(values.mean()) if len(values) else None


def model_results(pairs: Sequence[EstimatedPair], alpha: float) -> list[ModelResult]:
    """The agreement in error of each series over the benchmarks with a shortcut, in the order in which they occur."""
    of: dict[tuple[str, str, str], list[EstimatedPair]] = {}
    for pair in pairs:
        of.setdefault((pair.record.model, pair.record.style, pair.record.run), []).append(pair)
    shown = [[pair for pair in own if pair.record.shortcut] for own in of.values()]
    measured = [[errors for _, errors in own if errors is not None] for own in shown]
    estimates = [combined(each) for each in measured]
    ps = [None if each is None else upper_p(each) for each in estimates]
    corrected = [None if isnan(p) else p for p in holm(np.array(ps, dtype=np.float64)).tolist()]
    results = []
    for own, leaky, known, estimate, p, p_holm in zip(of.values(), shown, measured, estimates, ps, corrected):
        record = own[0].record
        reasons = dict.fromkeys(record.errors.excess.reason for record, _ in leaky)
        why = "; ".join(filter(None, reasons)) if leaky else "no benchmark has a shortcut"
        results.append(ModelResult(
            model=record.model, style=record.style, run=record.run, family=record.family, benchmarks=len(leaky),
            measured=len(known), errors=recorded(estimate, why), p=p, p_holm=p_holm,
            follows=None if p_holm is None else p_holm <= alpha,
        ))  # fmt: skip
    return results


def study(
    parted: Sequence[PartedAnswers],
    *,
    protocol: Literal["grouped", "paper"] = "grouped",
    threshold: float = 0.2,
    alpha: float = 0.05,
    notes: Sequence[str] = (),
) -> Reliance:
    """The study of benchmarks parted by their probes (`audit.models.reliance.parts`).

    `protocol` and `threshold` are those of the audit; benchmarks without a shown shortcut have their pairs listed, and
    are in no test. `alpha` is the corrected p up to which a model follows the probe; `notes` come before the study's
    own.
    """
    pairs = [pair for each in parted for pair in pairs_of(each)]
    tested = any(each.about.shortcut for each in parted)
    own = [NO_VERDICT] if parted else ["no benchmark could be assessed: nothing was tested"]
    if parted and not tested:
        shown = "no kappa is above the threshold" if protocol == "paper" else "the audit shows no shortcut"
        own.append(f"{shown} ({things(len(parted), 'benchmark')}): nothing was tested")
    return Reliance(
        schema=SCHEMA,
        protocol=protocol,
        threshold=threshold,
        alpha=alpha,
        benchmarks=[each.about for each in parted],
        models=model_results(pairs, alpha),
        pairs=[record for record, _ in pairs],
        families=family_tests([record for record, _ in pairs]) if protocol == "paper" else [],
        notes=[*notes, *own],
    )


# Table 3 of Pacchiardi et al. (2024): do families of models do better where the probe does?

FEWEST_PAIRS: Final = 5
"""Pairs below which the t-test says little."""
FEWEST_BENCHMARKS: Final = 3


def family_tests(pairs: Sequence[PairResult]) -> list[FamilyTest]:
    """A test for each family over its pairs with a shortcut, largest mean first; p-values are corrected over them."""
    of: dict[str, list[PairResult]] = {}
    for pair in pairs:
        if pair.shortcut and pair.corrected is not None and pair.corrected.difference is not None:
            of.setdefault(pair.family, []).append(pair)
    made = [_test(family, own) for family, own in of.items()]
    known = [test.p for test in made if test.p is not None]
    corrected = iter(benjamini_hochberg(known))
    tests = [test if test.p is None else replace(test, p_bh=next(corrected)) for test in made]
    return sorted(tests, key=lambda test: (-(test.mean or 0.0), test.family))


def _test(family: str, pairs: Sequence[PairResult]) -> FamilyTest:
    """Styles and runs of a model are answers to the same items, not pairs: their mean is one."""
    values: dict[tuple[str, str], list[float]] = {}
    for pair in pairs:
        if pair.corrected is not None and pair.corrected.difference is not None:
            values.setdefault((pair.benchmark, pair.model), []).append(pair.corrected.difference)
    means = np.array([np.mean(own) for own in values.values()])
    benchmarks = len({benchmark for benchmark, _ in values})
    few = [things(len(means), "pair")] if len(means) < FEWEST_PAIRS else []
    few += [things(benchmarks, "benchmark")] if benchmarks < FEWEST_BENCHMARKS else []
    t = p = None
    if len(means) > 1 and np.ptp(means) > 1e-9:
        test = stats.ttest_1samp(means, 0.0, alternative="greater")
        t, p = float(test.statistic), float(test.pvalue)
    return FamilyTest(
        family=family,
        pairs=len(means),
        models=len({model for _, model in values}),
        benchmarks=benchmarks,
        mean=float(means.mean()),
        t=t,
        p=p,
        p_bh=None,
        warning=f"few: {' and '.join(few)}" if few else "",
    )
