"""The whole study on one screen: part, compare, pool, judge."""

from __future__ import annotations

from collections.abc import Sequence

from audit.notation import things
from audit.reliance.families import family_tests
from audit.reliance.models import model_verdicts
from audit.reliance.pairs import EstimatedPair, pairs_of
from audit.reliance.parts import Parted
from audit.reliance.records import SCHEMA, Reliance
from audit.reliance.regression import regressions

__all__ = ["study"]

_FEW_MODELS, _FEW_BENCHMARKS = 5, 3


def study(
    parted: Sequence[Parted], *, threshold: float = 0.2, alpha: float = 0.05, notes: Sequence[str] = ()
) -> Reliance:
    """The study of benchmarks parted by their probes (`audit.reliance.parts`).

    `threshold` is that of the audit; benchmarks without a shown shortcut have their pairs listed, and are in no test.
    `alpha` is the level of the verdicts; `notes` come before the study's own.
    """
    pairs = [pair for each in parted for pair in pairs_of(each)]
    leaky = [pair for pair in pairs if pair.record.shortcut]
    return Reliance(
        schema=SCHEMA,
        threshold=threshold,
        alpha=alpha,
        benchmarks=[each.about for each in parted],
        models=model_verdicts(pairs, alpha),
        families=family_tests(leaky),
        pairs=[pair.record for pair in pairs],
        regressions=regressions(parted),
        notes=[*notes, *_notes(parted, leaky)],
    )


def _notes(parted: Sequence[Parted], leaky: Sequence[EstimatedPair]) -> list[str]:
    """What cannot be said of so few, and what the numbers cannot tell."""
    if not parted:
        return ["no benchmark could be assessed: nothing was tested"]
    if not leaky:
        return [f"the audit shows no shortcut ({things(len(parted), 'benchmark')}): nothing was tested"]
    models = len({pair.record.model for pair in leaky})
    benchmarks = len({pair.record.benchmark for pair in leaky})
    notes = [
        "raw differences also show that some items are easier for everybody; only the difference beyond difficulty, "
        "and agreement in error, tell reliance from that. Both compare a model with the others: what all models share "
        "counts as difficulty, or as temptation",
        "the paired t-test takes pairs of one benchmark for independent, although they share its items and parts; the "
        "joint p does not",
    ]
    if models < _FEW_MODELS or benchmarks < _FEW_BENCHMARKS:
        notes.append(
            f"{things(models, 'model')} on {things(benchmarks, 'benchmark')} with a shortcut are few: what is not "
            "found may still be there (see the smallest difference that would be found)"
        )
    return notes
