"""The verdict on each model. LEANS is a claim with an error rate; the other words say what kept it from being made.

LEANS          the corrected p of the model is at most alpha (5 %): its advantage where the probe is right is larger
               than difficulty and gold answers explain, or its wrong answers agree with the probe's too often
NOT SHOWN      it is not, a single test would have found a reliance of ten points 80 % of the time, and the interval
               ends below ten points
INCONCLUSIVE   it is not, and such a reliance could well have been missed, or was not measured at all
NO SHORTCUT    no benchmark has a probe with a kappa above the threshold: there was nothing to lean on

Both signs are tested, at half the level each (Bonferroni), and models are corrected after Benjamini and Hochberg. With
models that do not lean, some model is called LEANS in at most 5 % of the studies that `benchmarks/reliance` simulates,
in which items are difficult for all models alike. A model with another profile of abilities (better at just those items
that the probe gets right) is not among them, and can be accused.
"""

from __future__ import annotations

from collections.abc import Sequence

from audit.notation import p_is, signed, things
from audit.reliance.estimate import Estimate, combined, difference
from audit.reliance.families import corrected
from audit.reliance.pairs import Pair
from audit.reliance.records import Difference, ModelVerdict, Word

__all__ = ["WORTH_FINDING", "model_verdicts"]

WORTH_FINDING = 0.1
"""A reliance, as a share of the items, that a study should not miss."""


def model_verdicts(pairs: Sequence[Pair], alpha: float) -> list[ModelVerdict]:
    """A verdict for each series of `pairs`, in the order in which they occur."""
    of: dict[tuple[str, str, str], list[Pair]] = {}
    for pair in pairs:
        of.setdefault(pair.model, []).append(pair)
    measured = [_measured([pair for pair in own if pair.record.shortcut]) for own in of.values()]
    ps = [_either(beyond.p, errors.p) for beyond, errors in measured]
    return [
        _verdict(own, beyond, errors, p, p_bh, alpha)
        for own, (beyond, errors), p, p_bh in zip(of.values(), measured, ps, corrected(ps), strict=True)
    ]


def _measured(pairs: Sequence[Pair]) -> tuple[Difference, Difference]:
    """Beyond difficulty, and agreement in error, over the benchmarks."""
    if not pairs:
        return difference(None, "no benchmark has a shortcut"), difference(None, "no benchmark has a shortcut")
    beyond = [pair.beyond for pair in pairs if pair.beyond is not None]
    errors = [pair.errors for pair in pairs if pair.errors is not None]
    reasons = {pair.record.beyond.reason: None for pair in pairs if pair.record.beyond.reason}
    unknown = {pair.record.errors.excess.reason: None for pair in pairs if pair.record.errors is not None}
    return (
        difference(_precise(beyond), "; ".join(reasons)),
        difference(_precise(errors), "; ".join(filter(None, unknown)) or "with two answers, whoever is wrong agrees"),
    )


def _precise(estimates: Sequence[Estimate]) -> Estimate | None:
    """The mean over benchmarks, weighted by precision."""
    usable = [estimate for estimate in estimates if estimate.se > 0]
    return combined(usable, [1 / estimate.se**2 for estimate in usable]) if usable else None


def _either(first: float | None, second: float | None) -> float | None:
    known = [p for p in (first, second) if p is not None]
    return min(1.0, len(known) * min(known)) if known else None


def _verdict(
    pairs: Sequence[Pair], beyond: Difference, errors: Difference, p: float | None, p_bh: float | None, alpha: float
) -> ModelVerdict:
    leaky = [pair for pair in pairs if pair.record.shortcut]
    word, reason = _word(len(leaky), beyond, errors, p_bh, alpha)
    record = pairs[0].record
    return ModelVerdict(
        model=record.model, style=record.style, run=record.run, family=record.family, verdict=word, reason=reason,
        benchmarks=len(leaky), beyond=beyond, errors=errors, p=p, p_bh=p_bh,
    )  # fmt: skip


def _word(
    benchmarks: int, beyond: Difference, errors: Difference, p_bh: float | None, alpha: float
) -> tuple[Word, str]:
    if not benchmarks:
        return "NO SHORTCUT", "no probe is above the threshold, which does not show that there is no shortcut"
    where = things(benchmarks, "benchmark")
    if p_bh is not None and p_bh <= alpha:
        signs = []
        if beyond.p is not None and (errors.p is None or beyond.p <= alpha):
            signs.append(f"{_points(beyond.estimate)} points beyond difficulty")
        if errors.p is not None and errors.p <= alpha:
            signs.append(f"wrong answers agree with the probe's {_points(errors.estimate)} points above chance")
        return "LEANS", f"on {where}, {' and '.join(signs)} ({p_is(p_bh)} corrected)"
    if beyond.detectable is None:
        return "INCONCLUSIVE", beyond.reason
    smallest = f"{100 * beyond.detectable:.0f} points"
    if beyond.detectable <= WORTH_FINDING and beyond.high is not None and beyond.high >= WORTH_FINDING:
        return "INCONCLUSIVE", f"on {where}, its interval reaches {_points(beyond.high)} points beyond difficulty"
    if beyond.detectable <= WORTH_FINDING:
        return "NOT SHOWN", f"on {where}, a reliance of {smallest} would have been found 80 % of the time"
    return (
        "INCONCLUSIVE",
        f"on {where}, only a reliance of {smallest} or more is found 80 % of the time",
    )


def _points(value: float | None) -> str:
    return signed(None if value is None else 100 * value, 0)
