"""The whole study on one screen: part, compare and judge in rounds, pool."""

from __future__ import annotations

from collections.abc import Sequence

from audit.notation import NAMELESS, first_of, things
from audit.reliance.families import family_tests
from audit.reliance.pairs import EstimatedPair
from audit.reliance.parts import Parted
from audit.reliance.records import SCHEMA, Reliance
from audit.reliance.regression import regressions
from audit.reliance.rounds import Round, below_0, judged

__all__ = ["study"]

_FEW_MODELS, _FEW_BENCHMARKS = 5, 3
_NAMED = 20
"""Models that a note names."""


def study(
    parted: Sequence[Parted], *, threshold: float = 0.2, alpha: float = 0.05, notes: Sequence[str] = ()
) -> Reliance:
    """The study of benchmarks parted by their probes (`audit.reliance.parts`).

    `threshold` is that of the audit; benchmarks without a shown shortcut have their pairs listed, and are in no test.
    `alpha` is the level of the verdicts; `notes` come before the study's own.
    """
    last = judged(parted, alpha)
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
        notes=[*notes, *_notes(parted, leaky, last, alpha)],
    )


def _notes(parted: Sequence[Parted], leaky: Sequence[EstimatedPair], last: Round, alpha: float) -> list[str]:
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
        "the paired t-test of a family is about other benchmarks, of which these are a sample, and takes pairs of one "
        "benchmark for independent, although they share its items and parts. The joint BH p knows what they share, and "
        "is about other items of these very benchmarks: it may find what the t-test does not, and the other way round",
    ]
    if last.left_out:
        notes.append(_without(last.left_out, models))
    if below := below_0(last.models, alpha):
        notes.append(_below(below))
    if models < _FEW_MODELS or benchmarks < _FEW_BENCHMARKS:
        notes.append(
            f"{things(models, 'model')} on {things(benchmarks, 'benchmark')} with a shortcut are few: what is not "
            "found may still be there (see the smallest difference that would be found)"
        )
    return notes


def _without(left_out: Sequence[str], models: int) -> str:
    """Which models do not stand for difficulty, and what that supposes where they are many."""
    names = first_of([name or NAMELESS for name in left_out], _NAMED)
    whose = "its" if len(left_out) == 1 else "their"
    note = (
        f"for all other models, difficulty is measured without {names}: more of {whose} answers follow the probe than "
        "difficulty explains, which would push the others below 0"
    )
    if 2 * len(left_out) < models:
        return note
    rest = "that these lean, and not that the others work against the shortcut, is a supposition"
    return f"{note}. They are {len(left_out):,} of {models:,} models: {rest}"


def _below(names: Sequence[str]) -> str:
    """What else than chance puts models below 0: a proxy that leans, what they are worse at, or poor items."""
    are, they = ("is", "it is") if len(names) == 1 else ("are", "they are")
    return (
        f"{first_of(names, _NAMED)} {are} below 0 beyond difficulty by more than chance: some of the others lean and "
        f"were not found, {they} worse at the topics that the probe gets right, or golds are wrong or items of one "
        "part tell good models from weak ones better"
    )
