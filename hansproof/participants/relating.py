"""Relating: every metric of a table of models regressed on the same features, corrected for all of them together."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan, nan
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from audit.phenotype.comparison.mixed import Regression
    from audit.phenotype.comparison.models import ModelTable

__all__ = ["regress_all"]


def regress_all(
    table: ModelTable, metrics: Sequence[str], features: Sequence[str]
) -> tuple[list[Regression], list[str]]:
    """A regression per metric, and why others have none; Holm's correction is over all effects of all of them.

    A metric that cannot be regressed, for example because it is blank in all models, does not stop the others. Raises
    UsageError as `audit.phenotype.comparison.mixed.regress` does, and its InputError if no metric can be regressed.
    """
    import msgspec
    import numpy as np

    from audit.phenotype.comparison.mixed import regress
    from audit.statistics.resampling import holm
    from generators.errors import InputError

    regressions, skipped, faults = [], [], []
    for metric in metrics:
        try:
            regressions.append(regress(table, metric, features))
        except InputError as error:
            faults.append(error)
            skipped.append(f"{metric} left out: {error}")
    if faults and not regressions:
        raise faults[0]
    effects = [effect for regression in regressions for effect in regression.coefficients]
    corrected = iter(holm(np.array([nan if effect.p is None else effect.p for effect in effects])).tolist())
    out = []
    for regression in regressions:
        coefficients = [
            msgspec.structs.replace(effect, p_corrected=None if isnan(p) else p)
            for effect, p in zip(regression.coefficients, corrected)
        ]
        out.append(msgspec.structs.replace(regression, coefficients=coefficients))
    return out, skipped
