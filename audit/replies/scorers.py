"""Which scorer reads the replies: that of the item's family, or the one for items that are not ours."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hansproof.generators.answering.plain_scorer import ACCEPTED, INFERRED, PLAIN, PlainScorer, accepted
from hansproof.generators.answering.scorer import Scorer
from hansproof.generators.dataset import Dataset
from hansproof.generators.errors import InputError
from hansproof.generators.item import Item
from hansproof.generators.registry import find

__all__ = [
    "ACCEPTED",
    "BREAKDOWN",
    "INFERRED",
    "MATCHED",
    "ORIGINAL",
    "accepted",
    "family_of",
    "own_subset",
    "places_by_subset",
    "scorer_of",
    "subset_of",
]

MATCHED = "matched"
"""The key of the metadata with the name of what items of several conditions are matched by, where that is declared.
The group says which items count together, and may be larger: items of several pairs may share a template."""

ORIGINAL = "original"
"""The key of the metadata with the condition that others are compared with, where somebody names it."""

BREAKDOWN = "breakdown"
"""The key of the metadata with the subset that somebody wants numbers by. It only cuts the numbers: what was asked,
which items are matched and from which others a blind strategy learns is said by the benchmark's own `subset`."""


def own_subset(item: Item) -> str:
    """The subset that the benchmark itself puts an item into; empty for none."""
    return str(item.metadata.get("subset", ""))


def subset_of(item: Item) -> str:
    """The subset by which an item is shown: that of a breakdown that somebody wants, or else the benchmark's own."""
    return str(item.metadata.get(BREAKDOWN, own_subset(item)))


def places_by_subset(items: Sequence[Item]) -> dict[str, NDArray[np.int64]]:
    """The places of all items, under an empty name, and those of each subset by which they are shown, if there are
    several."""
    subsets = np.array([subset_of(item) for item in items], dtype=np.str_)
    names = list(dict.fromkeys(subsets.tolist()))
    parts = {name: np.flatnonzero(subsets == name) for name in names if name and len(names) > 1}
    return {"": np.arange(len(items)), **parts}


class ThirdPartyScorer(PlainScorer):
    """The scorer of items that are not ours: it reads as `PLAIN` does, and belongs to no family."""


THIRD_PARTY = ThirdPartyScorer()
"""The one instance: it has no state."""


def scorer_of(items: Sequence[Item]) -> Scorer:
    """The scorer of the items' family; of items that are not ours, that of third parties, or the plain one.

    Raises InputError for items of several datasets.
    """
    names = list(dict.fromkeys(str(item.metadata["dataset"]) for item in items))
    if len(names) > 1:
        raise InputError(f"items of {len(names)} datasets to score; score one at a time")
    if items and ACCEPTED in items[0].metadata:
        return THIRD_PARTY
    family = find(names[0]) if names else None
    return family.scorer if family else PLAIN


def family_of(items: Sequence[Item]) -> Dataset | None:
    """The family of the items; None where it is not registered, and for items that are not ours.

    Raises InputError for items of several datasets.
    """
    if scorer_of(items) is THIRD_PARTY:
        return None
    name = str(items[0].metadata["dataset"]) if items else ""
    return find(name)
