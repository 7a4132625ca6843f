"""Which items are held out, and how probes are fitted while rules are chosen on the others."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from audit.probes.folds import LOOSE, fold_numbers
from audit.probes.logistic import REGULARISATIONS
from audit.statistics.permutation import seeded
from generators.errors import InputError

__all__ = ["LOOSELY", "choosing_items"]

Ints = NDArray[np.int64]

LOOSELY = tuple(replace(how, tolerance=LOOSE) if how.penalty == "l1" else how for how in REGULARISATIONS)
"""Many looks are taken, at which the last digits of a weight show nothing."""

_TENTHS = 10
_FEWEST = 10
"""Fewest groups of each part: with fewer, neither could be cross-fitted."""


def choosing_items(y: Ints, groups: Ints, held_out: float, seed: int, source: str) -> NDArray[np.bool_]:
    """(N,) the items that rules are chosen on; about the share `held_out` is not among them.

    `y` and `groups` (N,) are numbers from 0: groups stay whole, and each part gets its share of every `y`. Raises
    InputError for too few groups to hold any out.
    """
    count = int(groups.max()) + 1
    if count * min(held_out, 1 - held_out) < _FEWEST:
        raise InputError(f"the items come in {count:,} groups, too few to hold {held_out:.0%} of them out", source)
    tenth = fold_numbers(y, groups, _TENTHS, seeded(seed, "harden", "held out"))
    return np.asarray(tenth >= max(1, round(held_out * _TENTHS)))
