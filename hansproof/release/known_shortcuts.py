"""The known shortcuts of a subset as its manifest keeps them, and whether they are what its items give.

Freezing computes them from the items that it writes, verifying from those that it reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

from generators.dataset import Dataset
from generators.errors import HansproofError
from generators.item import Item
from hansproof.release.manifest import MANIFEST, SubsetEntry

__all__ = ["rounded_shortcuts", "shortcut_faults"]

# Items that somebody tampered with have fields of the right type and no more.
_UNCOUNTABLE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, HansproofError)


def rounded_shortcuts(dataset: Dataset, items: Sequence[Item]) -> dict[str, float | None]:
    """What each shortcut reaches, to four decimals, None where it is undefined; empty where none are known."""
    found = dataset.shortcuts(items) if dataset.shortcuts else {}
    # Adding nought turns -0.0, which would be written with its sign, into 0.0.
    return {key: None if isnan(value) else round(value, 4) + 0.0 for key, value in found.items()}


def shortcut_faults(entry: SubsetEntry, items: Sequence[Item], dataset: Dataset) -> list[str]:
    """Where the manifest says something else of a subset than its items give."""
    place = f"{MANIFEST}: {entry.name}"
    try:
        found = rounded_shortcuts(dataset, items)
    except _UNCOUNTABLE as error:
        return [f"{place}: its shortcuts cannot be computed: {type(error).__name__}: {error}"]
    faults = []
    for key in dict.fromkeys([*found, *entry.shortcuts]):
        if key not in entry.shortcuts:
            faults.append(f"{place}: lacks the shortcut {key}; the items give {found[key]}")
        elif key not in found:
            faults.append(f"{place}: has a shortcut {key} that {dataset.name} {dataset.version} does not know")
        elif entry.shortcuts[key] != found[key]:
            faults.append(f"{place}: {key} is {entry.shortcuts[key]}; the items give {found[key]}")
    return faults
