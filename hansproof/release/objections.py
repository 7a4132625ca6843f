"""Why a release is refused: a shortcut that nobody declared, or a promised balance that does not hold."""

from __future__ import annotations

from typing import Final

from audit.notation import kappa
from generators.answering.scorer import ANSWER
from hansproof.release.manifest import BlindEntry, Manifest, SubsetEntry

__all__ = ["BAD", "beats_chance", "objections"]

BAD: Final = ("LEAKS", "TEMPLATE-BOUND", "IMBALANCED")
"""Verdicts with which a subset is frozen only if its family declares the shortcut."""


def objections(manifest: Manifest) -> list[str]:
    """One sentence per reason to refuse the release; empty where nothing speaks against it."""
    return [reason for entry in manifest.subsets for reason in (*_undeclared(entry), *_broken_promises(entry))]


def beats_chance(result: BlindEntry) -> bool:
    """Whether the interval of a strategy lies above chance; without an interval, its share. False without chance."""
    reached = result.share if result.low is None else result.low
    return reached is not None and result.chance is not None and reached > result.chance


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
