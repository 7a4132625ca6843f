"""Table 3 of Pacchiardi et al. (2024): do families of models do better where the probe does?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from msgspec.structs import replace
from scipy import stats

from hansproof.audit.models.hypotheses import benjamini_hochberg
from hansproof.audit.models.reliance.reliance_records import FamilyTest, PairResult
from hansproof.audit.notation import things

__all__ = ["family_tests"]

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
