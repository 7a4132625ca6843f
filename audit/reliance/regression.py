"""Logistic regression of every answer on whether the probe is right, all models of a benchmark at once.

A constant for each model and gold answer, one coefficient for the probe. Answers to one item, and to the items of one
group, depend on each other: generalised estimating equations treat a group as a cluster (Liang and Zeger 1986), with
the correction for few clusters of Mancl and DeRouen (2001), by statsmodels. In simulations (`benchmarks/reliance`)
it holds its level; a mixed model with random items and models, fitted by variational Bayes (statsmodels'
BinomialBayesMixedGLM), is too sure of itself. Like the raw difference, it does not know easy items from a shortcut.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from audit.reliance.estimate import LEVEL
from audit.reliance.families import corrected
from audit.reliance.parts import Parted
from audit.reliance.records import Regression

__all__ = ["regressions"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_CELLS = 100
"""Constants up to which each model has one for each gold answer; with more, models and gold answers add up."""
_MOST = 200_000
"""Answers that are fitted."""
_FEWEST_GROUPS = 10


class _Rows(NamedTuple):
    """A row per answer of one benchmark."""

    right: Floats
    probe: Floats
    model: Ints
    gold: Ints
    group: Ints


def regressions(parted: Sequence[Parted]) -> list[Regression]:
    """One for each benchmark with a shortcut, and one pooled over several; p corrected over the benchmarks."""
    leaky = [each for each in parted if each.about.shortcut]
    rows = [_rows(each) for each in leaky]
    made = [_fit(each.about.benchmark, len(each.series), [part]) for each, part in zip(leaky, rows)]
    ps = corrected([each.p for each in made])
    made = [_replaced(each, p) for each, p in zip(made, ps)]
    if len(leaky) > 1:
        models = {(series.model, series.style, series.run) for each in leaky for series in each.series}
        made.append(_fit("", len(models), rows))
    return made


def _rows(parted: Parted) -> _Rows:
    """Models that are always right, or always wrong, with a gold answer say nothing there and are left out."""
    item, model = np.nonzero(~np.isnan(parted.right))
    right = (parted.right[item, model] > 0.5).astype(np.float64)
    gold = parted.gold[item]
    cell = np.unique(model * (int(gold.max(initial=0)) + 1) + gold, return_inverse=True)[1]
    share = (np.bincount(cell, right) / np.bincount(cell))[cell]
    varies = (share > 0) & (share < 1)
    item, model = item[varies], model[varies]
    return _Rows(right[varies], parted.probe_right[item], model, gold[varies], parted.groups[item])


def _fit(benchmark: str, models: int, parts: Sequence[_Rows]) -> Regression:
    answers = sum(len(part.right) for part in parts)
    groups = sum(len(np.unique(part.group)) for part in parts)
    empty = Regression(
        benchmark=benchmark, answers=answers, models=models, groups=groups, log_odds=None, se=None, low=None, high=None,
        p=None, p_bh=None,
    )  # fmt: skip
    try:
        import statsmodels.api as statsmodels
        from scipy import stats
    except ImportError:
        return _failed(empty, "the regression needs statsmodels; run: pip install 'hansproof[mixed]'")
    if groups < _FEWEST_GROUPS or answers > _MOST:
        few = groups < _FEWEST_GROUPS
        return _failed(empty, f"too few groups of items: {groups}" if few else f"too many answers: {answers:,}")
    constants, cluster, start = [], [], 0
    for part in parts:
        constants.append(_constants(part))
        cluster.append(part.group + start)
        start += int(part.group.max(initial=0)) + 1
    design = np.zeros((answers, 1 + sum(block.shape[1] for block in constants)))
    design[:, 0] = np.concatenate([part.probe for part in parts])
    row, column = 0, 1
    for block in constants:
        design[row : row + len(block), column : column + block.shape[1]] = block
        row, column = row + len(block), column + block.shape[1]
    if np.linalg.matrix_rank(design) < design.shape[1]:
        return _failed(empty, "the probe is right, or wrong, on all items with the same gold answer")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            fit = statsmodels.GEE(
                np.concatenate([part.right for part in parts]), design, groups=np.concatenate(cluster),
                family=statsmodels.families.Binomial(),
            ).fit(cov_type="bias_reduced")  # fmt: skip
        except (np.linalg.LinAlgError, ValueError) as error:
            return _failed(empty, f"the fit failed: {error}")
    value, se = float(fit.params[0]), float(fit.bse[0])
    if not (np.isfinite(value) and np.isfinite(se) and se > 0 and fit.converged):
        return _failed(empty, "the fit did not converge")
    degrees = max(groups - len(parts) - 1, 1)
    half = float(stats.t.isf(LEVEL, degrees)) * se
    return Regression(
        benchmark=benchmark, answers=answers, models=models, groups=groups, log_odds=value, se=se, low=value - half,
        high=value + half, p=float(stats.t.sf(value / se, degrees)), p_bh=None,
    )  # fmt: skip


def _constants(part: _Rows) -> Floats:
    """A column per model and gold answer; with too many of them, per model and per gold answer but the first."""
    models, golds = (np.unique(values, return_inverse=True)[1] for values in (part.model, part.gold))
    if not len(models):
        return np.zeros((0, 0))
    cells = np.unique(models * (int(golds.max()) + 1) + golds, return_inverse=True)[1]
    if cells.max() < _CELLS:
        return np.asarray(np.eye(int(cells.max()) + 1)[cells])
    return np.hstack([np.eye(int(models.max()) + 1)[models], np.eye(int(golds.max()) + 1)[golds][:, 1:]])


def _replaced(regression: Regression, p: float | None) -> Regression:
    import msgspec

    return msgspec.structs.replace(regression, p_bh=p)


def _failed(regression: Regression, reason: str) -> Regression:
    import msgspec

    return msgspec.structs.replace(regression, reason=reason)
