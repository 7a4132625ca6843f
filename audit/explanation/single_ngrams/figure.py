"""The figure of z against count: a dot for n-grams that are close together, and the curve of significance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from audit.result.shortcuts import NgramCell, NgramCurve
from audit.statistics.association import z_at

__all__ = ["cells", "curves"]

_PER_DOUBLING = 4
_ROWS = 60
"""Rows of cells over the height of the figure, as far as z goes."""
_MOST_CURVES = 4
"""Base rates that get a curve of their own, the lowest and the highest among them."""


def cells(
    count: NDArray[np.int64],
    z: NDArray[np.float64],
    significant: NDArray[np.bool_],
    labels: Sequence[str],
) -> list[NgramCell]:
    """The dots of T n-grams, all arguments (T,): one per cell of a grid, significant ones apart by answer."""
    height = max(0.25, float(z.max()) / _ROWS)
    x = np.floor(np.log2(count) * _PER_DOUBLING).astype(np.int64)
    row = np.floor(z / height).astype(np.int64)
    names = sorted(set(labels))
    place = {name: k for k, name in enumerate(names, 1)}
    kind = np.where(significant, np.array([place[name] for name in labels]), 0)
    keys, inverse, size = np.unique(np.stack([kind, x, row]), axis=1, return_inverse=True, return_counts=True)
    inverse = inverse.ravel()
    mean_count = np.bincount(inverse, weights=count) / size
    mean_z = np.bincount(inverse, weights=z) / size
    return [
        NgramCell(count=float(mean_count[k]), z=float(mean_z[k]), ngrams=int(size[k]), label=([None, *names])[kind_of])
        for k, kind_of in enumerate(keys[0].tolist())
    ]


def curves(p_limit: float, rates: Mapping[str, float], most: int, fewest: int) -> list[NgramCurve]:
    """The z of p = `p_limit` over counts from `fewest` to `most`, for each base rate of the answers in `rates`.

    Answers whose base rates differ by less than a hundredth share a curve, at their mean. Of more than four curves, the
    lowest, the highest and two between them are kept.
    """
    together: list[list[str]] = []
    for label in sorted(rates, key=lambda label: (rates[label], label)):
        if together and rates[label] - rates[together[-1][0]] < 0.01:
            together[-1].append(label)
        else:
            together.append([label])
    if len(together) > _MOST_CURVES:
        kept = np.linspace(0, len(together) - 1, _MOST_CURVES).round().astype(int).tolist()
        together = [together[k] for k in kept]
    return [
        NgramCurve(labels=labels, points=_points(p_limit, float(np.mean([rates[x] for x in labels])), most, fewest))
        for labels in together
    ]


def _points(p_limit: float, rate: float, most: int, fewest: int) -> list[list[float]]:
    few = np.arange(fewest, min(most, 40) + 1)
    many = np.round(np.geomspace(40, max(most, 41), 40)).astype(np.int64) if most > 40 else few[:0]
    count = np.unique(np.concatenate([few, many]))
    z = z_at(p_limit, count, rate)
    return [[float(n), float(value)] for n, value in zip(count, z, strict=True) if not np.isnan(value)]
