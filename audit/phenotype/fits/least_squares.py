"""Pooled least squares from sums over runs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from audit.phenotype.fits.statistic import Statistic

__all__ = ["coefficient"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_SINGULAR = 1e-10
"""Of the largest eigenvalue of the scaled X'X: a smaller one says that columns depend on each other."""


def coefficient(design: Floats, outcome: Floats, run: Ints, runs: int, which: int, *, constant: str = "") -> Statistic:
    """Coefficient `which` of the least-squares fit of `outcome` (n,) on `design` (n, k), all rows of all runs pooled.

    Undefined with fewer rows than coefficients, and where columns of the design depend on each other; with `constant`
    also for that reason where a binary outcome is the same in all rows.
    """
    k = design.shape[1]
    products = np.einsum("ni,nj->nij", design, design).reshape(len(design), k * k)
    cells = np.column_stack([np.ones(len(design)), products, design * outcome[:, None], outcome])
    sums = np.stack([np.bincount(run, column, runs) for column in cells.T], axis=1).astype(np.float64)

    def formula(totals: Floats) -> Floats:
        rows, gram, moments = totals[:, 0], totals[:, 1 : 1 + k * k].reshape(-1, k, k), totals[:, 1 + k * k : -1]
        scale = np.sqrt(np.maximum(np.diagonal(gram, axis1=1, axis2=2), np.finfo(float).tiny))
        scaled = gram / (scale[:, :, None] * scale[:, None, :])
        values = np.linalg.eigvalsh(scaled)
        exists = (rows >= k) & (values[:, 0] > _SINGULAR * values[:, -1])
        if constant:
            exists &= (totals[:, -1] > 0) & (totals[:, -1] < rows)
        out = np.full(len(totals), np.nan)
        out[exists] = np.linalg.solve(gram[exists], moments[exists][:, :, None])[:, which, 0]
        return out

    def why_undefined(totals: Floats) -> str:
        if totals[0] < k:
            return f"too few trials for {k} coefficients: {totals[0]:.0f}"
        if constant and totals[-1] in (0, totals[0]):
            return constant
        return "the predictors do not vary independently"

    return Statistic(sums, formula, why_undefined)
