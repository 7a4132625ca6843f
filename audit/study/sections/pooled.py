"""What is said of all models together, or of a family, in the same words on terminal and page."""

from __future__ import annotations

from typing import Final

from audit.notation import listed
from audit.reliance.records import FamilyTest, ModelResult, Regression, Reliance

__all__ = ["ALL_MODELS", "corrected_p", "fits_of_families", "measured_on", "regression_title", "why_not"]

ALL_MODELS: Final = "all models (p not corrected)"
"""The last row of families: with all of them together there is nothing to correct for."""


def corrected_p(test: FamilyTest, p: float | None, corrected: float | None) -> float | None:
    """The p of a column of corrected ones; in the row of all models, the one there is."""
    return corrected if test.family else p


def fits_of_families(study: Reliance) -> dict[str, Regression]:
    """The regressions beside the tests of families, by family; all models have an empty one, as a single family has."""
    fits = {fit.family: fit for fit in study.regressions if not fit.benchmark}
    alone = [test.family for test in study.families if test.family]
    return fits | ({alone[0]: fits[""]} if len(alone) == 1 and "" in fits else {})


def measured_on(model: ModelResult) -> str:
    """On how many of the benchmarks with a shortcut there is a difference beyond difficulty."""
    return f"{model.measured:,} of {model.benchmarks:,}"


def regression_title(fit: Regression) -> str:
    """The family, the benchmark, or all."""
    return listed(fit.family, fit.benchmark) or "all (p not corrected)"


def why_not(fit: Regression) -> str:
    """Why coefficients are not there; else empty."""
    first, second = fit.plain.log_odds.reason, fit.with_difficulty.log_odds.reason
    if first == second:
        return first
    return "; ".join(filter(None, (first, f"with difficulty: {second}" if second else "")))
