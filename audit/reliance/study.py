"""The whole study on one screen: part, compare in rounds, pool."""

from __future__ import annotations

from collections.abc import Sequence

from audit.notation import NAMELESS, first_of, kappa, things
from audit.reliance.families import family_tests
from audit.reliance.pairs import EstimatedPair
from audit.reliance.parts import Parted
from audit.reliance.records import NO_VERDICT, SCHEMA, Reliance
from audit.reliance.regression import regressions
from audit.reliance.rounds import last_round

__all__ = ["study"]

_FEW_MODELS, _FEW_BENCHMARKS = 5, 3
_NAMED = 20
"""Models that a note names."""


def study(
    parted: Sequence[Parted], *, threshold: float = 0.2, alpha: float = 0.05, notes: Sequence[str] = ()
) -> Reliance:
    """The study of benchmarks parted by their probes (`audit.reliance.parts`).

    `threshold` is that of the audit; benchmarks without a shown shortcut have their pairs listed, and are in no test.
    `alpha` is the level at which models are left out of the difficulty of others; `notes` come before the study's own.
    """
    last = last_round(parted, alpha)
    leaky = [pair for pair in last.pairs if pair.record.shortcut]
    return Reliance(
        schema=SCHEMA,
        threshold=threshold,
        alpha=alpha,
        benchmarks=[each.about for each in parted],
        models=last.models,
        left_out=last.left_out,
        families=family_tests(leaky),
        pairs=[pair.record for pair in last.pairs],
        regressions=regressions(parted, last.left_out),
        notes=[*notes, *_notes(parted, leaky, last.left_out, alpha)],
    )


def _notes(
    parted: Sequence[Parted], leaky: Sequence[EstimatedPair], left_out: Sequence[str], alpha: float
) -> list[str]:
    """What cannot be said of so few, and what the numbers cannot tell."""
    if not parted:
        return ["no benchmark could be assessed: nothing was tested"]
    if not leaky:
        return [NO_VERDICT, f"the audit shows no shortcut ({things(len(parted), 'benchmark')}): nothing was tested"]
    models = len({pair.record.model for pair in leaky})
    benchmarks = len({pair.record.benchmark for pair in leaky})
    notes = [
        NO_VERDICT,
        "raw differences also show that some items are easier for everybody. The difference beyond difficulty, and "
        "agreement in error, compare a model with the others: what all models share counts as difficulty, or as "
        "temptation",
        "the paired t-test of a family is about other benchmarks, of which these are a sample, and takes pairs of one "
        "benchmark for independent, although they share its items and parts. The joint BH p knows what they share, and "
        "is about other items of these very benchmarks: it may find what the t-test does not, and the other way round",
    ]
    if left_out:
        notes.append(_without(left_out, alpha))
    if models < _FEW_MODELS or benchmarks < _FEW_BENCHMARKS:
        notes.append(
            f"{things(models, 'model')} on {things(benchmarks, 'benchmark')} with a shortcut are few: what is not "
            "found may still be there"
        )
    return notes


def _without(left_out: Sequence[str], alpha: float) -> str:
    """Which models do not stand for difficulty, and by which numbers."""
    names = first_of([name or NAMELESS for name in left_out], _NAMED)
    which = "whose corrected p is" if len(left_out) == 1 else "whose corrected p are"
    return (
        f"for all other models, difficulty is measured without {names}, {which} at most {kappa(alpha)}; that does not "
        "say why"
    )
