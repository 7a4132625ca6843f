"""Why a release is refused: a shortcut that nobody declared, or a promised balance or figure that does not hold.

The balance of a subset is refused where the p of a strategy, after Holm's correction over all strategies and parts of
the subset, is below `ALPHA`. So a subset whose answers have nothing to do with what the strategies see is refused with
a probability of at most 1 %: exactly where items stand alone and parts are right or wrong, nearly where items come in
groups or parts are measures. With 20 strategies, and 800 items that stand alone and of which guessing gets half right,
a strategy that is right .1 more often is refused with a probability above 95 %.
"""

from __future__ import annotations

from typing import Final

from audit.notation import kappa, p_is
from generators.answering.scorer import ANSWER
from hansproof.manifests.figures import missed
from hansproof.manifests.manifest import BlindEntry, Manifest, SubsetEntry

__all__ = ["ALPHA", "BAD", "beats_chance", "declared", "objections"]

ALPHA: Final = 0.01
"""How often, at most, a subset without any shortcut may have a strategy that beats chance."""

BAD: Final = ("LEAKS", "TEMPLATE-BOUND", "IMBALANCED")
"""Verdicts with which a subset is frozen only if its family declares the shortcut."""


def objections(manifest: Manifest) -> list[str]:
    """One sentence per reason to refuse the release; empty where nothing speaks against it."""
    by_subset = [reason for entry in manifest.subsets for reason in (*_undeclared(entry), *_broken_promises(entry))]
    return [*by_subset, *missed(manifest)]


def beats_chance(result: BlindEntry) -> bool:
    """Whether a strategy beats chance beyond what luck gives the best of all strategies and parts of its subset."""
    return result.p_holm is not None and result.p_holm < ALPHA


def declared(entry: SubsetEntry) -> bool:
    """Whether the audit found a shortcut that works in the subset by design; it may find none, or not be possible."""
    return bool(entry.exploit) and entry.audit.verdict in (*BAD, "TRACES")


def _undeclared(entry: SubsetEntry) -> list[str]:
    if entry.exploit:
        return []
    audits = [("the audit", entry.audit), ("the audit by option", entry.by_option)]
    return [
        f"{entry.name}: {which} says {audit.verdict}: {audit.reason.rstrip('.')}; remove the shortcut "
        "from the design, or declare it as the subset's `exploit`"
        for which, audit in audits
        if audit is not None and audit.verdict in BAD
    ]


def _broken_promises(entry: SubsetEntry) -> list[str]:
    if not entry.balanced:
        return []
    if all(result.chance is None for result in entry.blind):
        return [
            f"{entry.name}: is declared `balanced`, but no blind strategy has a chance level to compare with (the "
            "answers are open); declare the subset not `balanced`, or give the scorer a `chance`"
        ]
    return [
        f"{entry.name}: is declared `balanced`, but the blind strategy {result.strategy!r} gets "
        f"{kappa(result.of_answered(result.share), 4)} of {_part(result)} right (95 % interval "
        f"{kappa(result.of_answered(result.low), 4)} to {kappa(result.of_answered(result.high), 4)}), where chance is "
        f"{kappa(result.chance, 4)} ({p_is(result.p_holm)} after Holm's "
        "correction); balance the design, or declare the subset not `balanced`"
        for result in entry.blind
        if beats_chance(result)
    ]


def _part(result: BlindEntry) -> str:
    part = "the answers" if result.part == ANSWER else f"`{result.part}`"
    return (
        part if result.answered == result.items else f"{part} that it gives ({result.answered:,} of {result.items:,})"
    )
