"""Why a release is refused: a shortcut that nobody declared, or a promised balance that does not hold."""

from __future__ import annotations

from typing import Final

from audit.notation import kappa
from generators.answering.scorer import ANSWER
from hansproof.release.manifest import BlindEntry, Manifest, SubsetEntry

__all__ = ["BAD", "beats_chance", "declared", "objections"]

BAD: Final = ("LEAKS", "TEMPLATE-BOUND", "IMBALANCED")
"""Verdicts with which a subset is frozen only if its family declares the shortcut."""


def objections(manifest: Manifest) -> list[str]:
    """One sentence per reason to refuse the release; empty where nothing speaks against it."""
    return [reason for entry in manifest.subsets for reason in (*_undeclared(entry), *_broken_promises(entry))]


def beats_chance(result: BlindEntry) -> bool:
    """Whether the whole interval of a strategy is better than chance; without an interval, its share.

    False without chance, and for a measure of which neither end is better.
    """
    if result.share is None or result.chance is None or result.better == "neither":
        return False
    if result.better == "lower":
        return (result.share if result.high is None else result.high) < result.chance
    return (result.share if result.low is None else result.low) > result.chance


def declared(entry: SubsetEntry) -> bool:
    """Whether the audit found a shortcut that works in the subset by design; it may find none, or not be possible."""
    return bool(entry.exploit) and entry.audit.verdict in BAD


def _undeclared(entry: SubsetEntry) -> list[str]:
    if entry.audit.verdict not in BAD or entry.exploit:
        return []
    return [
        f"{entry.name}: the audit says {entry.audit.verdict}: {entry.audit.reason.rstrip('.')}; remove the shortcut "
        "from the design, or declare it as the subset's `exploit`"
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
        f"{kappa(result.share, 4)} of {_part(result)} right (95 % interval {kappa(result.low, 4)} to "
        f"{kappa(result.high, 4)}), where chance is {kappa(result.chance, 4)}; balance the design, or declare the "
        "subset not `balanced`"
        for result in entry.blind
        if beats_chance(result)
    ]


def _part(result: BlindEntry) -> str:
    return "the answers" if result.part == ANSWER else f"`{result.part}`"
