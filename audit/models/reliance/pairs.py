"""Each model on each benchmark: accuracy on both parts, and errors shared with the probe; the whole study."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import Final, Literal, NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray
from scipy import stats

from hansproof.audit.models.hypotheses import benjamini_hochberg
from hansproof.audit.models.reliance.estimate import (
    UNKNOWN,
    GroupedEstimate,
    agreement_in_error,
    combined,
    never_varies,
    recorded,
    stratified,
    undefined,
    upper_p,
    within,
)
from hansproof.audit.models.reliance.parts import PartedAnswers
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

__all__ = ["EstimatedPair", "family_tests", "model_results", "pairs_of", "study"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_FEWEST: Final = 2
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
    if len(knows) < _FEWEST:
        return undefined(_ALONE if knows else "no other model answered these items")
    if sum(own <= 0 or share >= _AS_GOOD * own for share in knows.values()) < _FEWEST:
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
