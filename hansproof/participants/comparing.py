"""Comparing: every metric of a table of models regressed on the same features, corrected for all of them together."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan, nan
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from audit.phenotype.comparison.mixed import Regression
    from audit.phenotype.comparison.models import ModelTable

__all__ = ["regress_all"]


def regress_all(table: ModelTable, metrics: Sequence[str], features: Sequence[str]) -> list[Regression]:
    """A regression per metric; Holm's correction is over all effects of all of them.

    Raises UsageError and InputError as `audit.phenotype.comparison.mixed.regress` does.
    """
    import msgspec
    import numpy as np

    from audit.phenotype.comparison.mixed import regress
    from audit.statistics.resampling import holm

    regressions = [regress(table, metric, features) for metric in metrics]
    effects = [effect for regression in regressions for effect in regression.coefficients]
    corrected = iter(holm(np.array([nan if effect.p is None else effect.p for effect in effects])).tolist())
    out = []
    for regression in regressions:
        coefficients = [
            msgspec.structs.replace(effect, p_corrected=None if isnan(p) else p)
            for effect, p in zip(regression.coefficients, corrected)
        ]
        out.append(msgspec.structs.replace(regression, coefficients=coefficients))
    return out
