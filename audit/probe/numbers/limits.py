"""What a probe must reach to be found: the audit's own test, and by how much that test would differ with the cue."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from audit.probe.numbers.stretch import REFITS

__all__ = ["Limit", "limit_of"]

_QUANTILES = 64
"""Values of the estimated stretch over which the chance of being found is averaged."""


@dataclass(frozen=True)
class Limit:
    """The test of one vector's kappa as this audit made it."""

    critical: float
    """Kappa above which the vector is significant; infinite where there was nothing to test."""
    spread: float
    """Standard deviation of a kappa."""
    null_sd: float
    """Standard deviation of a kappa under the null if predictions are held fixed."""
    stretch: float = 1.0
    """By how much refitting widened the null in this audit: `critical` has it."""

    def wanted(self, power: float, refitted: float | None = None) -> float:
        """The mean kappa of a probe that is significant with probability `power`.

        `refitted` is the standard deviation of its kappas under the null with refitting, in texts that have the forms
        of a cue; without it the critical kappa is taken to be this audit's. An audit of such texts would not have this
        audit's `stretch`. It would estimate its own from REFITS refits, as max(1, refitted / null_sd x chi / sqrt(df)),
        and be the stricter, the more its probes vary: the chance of being found is averaged over that estimate.
        """
        if refitted is None or not (math.isfinite(self.critical) and self.null_sd > 0):
            return self.critical + NormalDist().inv_cdf(power) * self.spread
        from scipy.optimize import brentq
        from scipy.stats import chi2, norm

        degrees = REFITS - 1
        estimated = np.sqrt(chi2.ppf((np.arange(_QUANTILES) + 0.5) / _QUANTILES, degrees) / degrees)
        criticals = self.critical / self.stretch * np.maximum(1.0, refitted / self.null_sd * estimated)
        noise = max(self.spread, refitted)

        def excess(kappa: float) -> float:
            return float(norm.cdf((kappa - criticals) / noise).mean()) - power

        return float(brentq(excess, criticals[0] - 9 * noise, criticals[-1] + 9 * noise))


_NONE = Limit(math.inf, math.nan, math.nan)


def limit_of(limits: Mapping[str, Limit], vector: str) -> Limit:
    """The limit of `vector` with a cue in the texts; `limits` has that of every vector as the texts are.

    Where the kappa of `vector` cannot vary, its limit is infinite: twins of the same words and opposite answers are
    predicted alike. A cue would part them, so the strictest limit of the vectors that do vary takes its place; an
    infinite one if there are none.
    """
    own = limits.get(vector)
    if own is not None and math.isfinite(own.critical):
        return own
    varying = [limit for limit in limits.values() if math.isfinite(limit.critical)]
    return max(varying, key=lambda limit: limit.critical, default=_NONE)
