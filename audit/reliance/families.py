"""Families of models: the paper's paired t-test, and the same mean with the error that shared items give it.

The paper takes each pair of a model and a benchmark for independent; styles and runs of a model are averaged first.
Pairs of one benchmark share its items, and above all its parts: if the items that the probe predicts happen to be easy,
they are easy for all. The joint test averages what each group of items contributes over the models of a benchmark, and
only groups count as independent.

The two ask different things, and may well disagree. The paired t-test takes the benchmarks for a sample of others: its
error is how much pairs differ, and few benchmarks that differ much show nothing of others. The joint test takes the
benchmarks as fixed and their items for a sample: it can show a mean difference on just these that no other need have.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from audit.notation import things
from audit.reliance.estimate import GroupedEstimate, average, combined, difference
from audit.reliance.pairs import EstimatedPair
from audit.reliance.records import FamilyTest
from audit.responses.hypotheses.mcnemar import benjamini_hochberg

__all__ = ["corrected", "family_tests", "pooled"]

FEWEST_PAIRS = 5
"""Pairs below which the t-test says little."""
FEWEST_BENCHMARKS = 3


def family_tests(pairs: Sequence[EstimatedPair]) -> list[FamilyTest]:
    """A test for each family, largest mean first, and for all models together, last; `pairs` of benchmarks with a
    shortcut. p-values are corrected over the families; the last row, which has them all, is not among these."""
    if not pairs:
        return []
    names = sorted({pair.record.family for pair in pairs})
    made = [_test(name, [pair for pair in pairs if pair.record.family == name]) for name in names]
    ps = corrected([test.p for test in made])
    joint = corrected([test.joint.p for test in made])
    gold = corrected([test.equal_gold.p for test in made])
    beyond = corrected([test.beyond.p for test in made])
    tests = [
        _with(test, p_bh=p, joint_bh=j, equal_gold_bh=g, beyond_bh=b)
        for test, p, j, g, b in zip(made, ps, joint, gold, beyond, strict=True)
    ]
    tests.sort(key=lambda test: (-(test.mean if test.mean is not None else -9.0), test.family))
    return [*tests, _test("", pairs)] if len(names) > 1 else tests


def pooled(
    pairs: Sequence[EstimatedPair], which: Callable[[EstimatedPair], GroupedEstimate | None]
) -> GroupedEstimate | None:
    """The mean of an estimate over models and benchmarks, which weigh the same however many styles and runs there are.

    Answers to one benchmark share its groups of items. None where nothing has an estimate.
    """
    of_benchmark: dict[str, dict[str, list[GroupedEstimate]]] = {}
    for pair in pairs:
        estimate = which(pair)
        if estimate is not None:
            of_benchmark.setdefault(pair.record.benchmark, {}).setdefault(pair.record.model, []).append(estimate)
    if not of_benchmark:
        return None
    means = []
    for of_model in of_benchmark.values():
        longest = max(len(estimate.contributions) for own in of_model.values() for estimate in own)
        means.append(average([average([each.widened(longest) for each in own]) for own in of_model.values()]))
    return combined(means, [len(of_model) for of_model in of_benchmark.values()])


def corrected(ps: Sequence[float | None]) -> list[float | None]:
    """Benjamini and Hochberg's (1995) p over those that are known."""
    known = [p for p in ps if p is not None]
    values = iter(benjamini_hochberg(known))
    return [None if p is None else next(values) for p in ps]


def _test(family: str, pairs: Sequence[EstimatedPair]) -> FamilyTest:
    from scipy import stats

    values = _of_models(pairs)
    benchmarks = len({pair.record.benchmark for pair in pairs})
    t = p = None
    if len(values) > 1 and np.ptp(values) > 1e-9:
        test = stats.ttest_1samp(values, 0.0, alternative="greater")
        t, p = float(test.statistic), float(test.pvalue)
    few = []
    if len(values) < FEWEST_PAIRS:
        few.append(things(len(values), "pair"))
    if benchmarks < FEWEST_BENCHMARKS:
        few.append(things(benchmarks, "benchmark"))
    return FamilyTest(
        family=family,
        pairs=len(values),
        models=len({pair.record.model for pair in pairs}),
        benchmarks=benchmarks,
        mean=float(values.mean()) if len(values) else None,
        t=t,
        p=p,
        p_bh=None,
        joint=difference(pooled(pairs, lambda pair: pair.paper)),
        joint_bh=None,
        equal_gold=difference(pooled(pairs, lambda pair: pair.equal_gold)),
        equal_gold_bh=None,
        beyond=difference(pooled(pairs, lambda pair: pair.beyond), "no pair has a difference beyond difficulty"),
        beyond_bh=None,
        beyond_pairs=len({(pair.record.benchmark, pair.record.model) for pair in pairs if pair.beyond is not None}),
        warning=f"few: {' and '.join(few)}" if few else "",
    )


def _of_models(pairs: Sequence[EstimatedPair]) -> NDArray[np.float64]:
    """One value for each model and benchmark: styles and runs of a model are answers to the same items, not pairs."""
    values: dict[tuple[str, str], list[float]] = {}
    for pair in pairs:
        if pair.record.paper.estimate is not None:
            values.setdefault((pair.record.benchmark, pair.record.model), []).append(pair.record.paper.estimate)
    return np.array([np.mean(own) for own in values.values()])


def _with(test: FamilyTest, **values: float | None) -> FamilyTest:
    import msgspec

    return msgspec.structs.replace(test, **values)
