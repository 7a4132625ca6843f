"""The blind strategies of a subset as its manifest has them, and whether they are what its items give.

Freezing measures them on the items that it writes, verifying on those that it reads.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec.structs import asdict

from audit.responses.blind import measure_blind
from generators.dataset import Dataset
from generators.errors import Fault, HansproofError
from generators.item import Item
from hansproof.manifests.manifest import MANIFEST, BlindEntry, SubsetEntry, rounded

__all__ = ["UNMEASURABLE", "blind_entries", "blind_faults", "with_blind"]

UNMEASURABLE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, HansproofError)
"""What measuring may raise: items that somebody tampered with have fields of the right type and no more."""


def blind_entries(dataset: Dataset, items: Sequence[Item]) -> list[BlindEntry]:
    """Every blind strategy of the family on every part of the answers to `items`, one subset, to four decimals."""
    return [
        BlindEntry(
            strategy=result.strategy,
            part=result.part,
            items=result.items,
            answered=result.answered,
            share=rounded(result.share.share),
            low=rounded(result.share.low),
            high=rounded(result.share.high),
            interval=result.share.interval,
            in_sample=rounded(result.in_sample),
            chance=rounded(result.chance),
            p_holm=rounded(result.p_holm),
            better=result.better,
        )
        for result in measure_blind(items, dataset.scorer, unanswered=True)
    ]


def with_blind(entry: SubsetEntry, dataset: Dataset, items: Sequence[Item]) -> SubsetEntry:
    """The entry with the strategies measured on `items`: for manifests of the first schema, which have none."""
    return msgspec.structs.replace(entry, blind=blind_entries(dataset, items))


def blind_faults(entry: SubsetEntry, items: Sequence[Item], dataset: Dataset) -> list[Fault]:
    """Where the manifest says something else about a subset than its items give."""
    place = f"{MANIFEST}: {entry.name}"
    try:
        measured = {(result.strategy, result.part): result for result in blind_entries(dataset, items)}
    except UNMEASURABLE as error:
        return [Fault(f"its blind strategies cannot be measured: {type(error).__name__}: {error}", place)]
    published = {(result.strategy, result.part): result for result in entry.blind}
    faults = []
    for key in dict.fromkeys([*measured, *published]):
        name = " on ".join(key)
        if key not in published:
            faults.append(Fault(f"lacks the blind strategy {name}", place))
        elif key not in measured:
            faults.append(
                Fault(f"has a blind strategy {name} that {dataset.name} {dataset.version} does not have", place)
            )
        else:
            said, given = asdict(published[key]), asdict(measured[key])
            other = [f"{field} {said[field]}, not {given[field]}" for field in said if said[field] != given[field]]
            if other:
                faults.append(Fault(f"its numbers for {name} do not match the items: {'; '.join(other)}", place))
    return faults
