"""Which scorer reads the replies to some items, and which family they are of."""

from __future__ import annotations

from collections.abc import Sequence

from audit.answers.third_party import ACCEPTED, THIRD_PARTY
from generators.answering.plain_scorer import PLAIN
from generators.answering.scorer import Scorer
from generators.dataset import Dataset
from generators.errors import InputError
from generators.item import Item
from generators.registry import MODULES, dataset

__all__ = ["family_of", "scorer_of"]


def scorer_of(items: Sequence[Item]) -> Scorer:
    """The scorer of the items' family; of items that are not ours, that of third parties, or the plain one.

    Raises InputError for items of several datasets.
    """
    names = list(dict.fromkeys(str(item.metadata["dataset"]) for item in items))
    if len(names) > 1:
        raise InputError(f"items of {len(names)} datasets to score; score one at a time")
    if items and ACCEPTED in items[0].metadata:
        return THIRD_PARTY
    return dataset(names[0]).scorer if names and names[0] in MODULES else PLAIN


def family_of(items: Sequence[Item]) -> Dataset | None:
    """The family of the items; None where it is not registered, and for items that are not ours.

    Raises InputError for items of several datasets.
    """
    if scorer_of(items) is THIRD_PARTY:
        return None
    name = str(items[0].metadata["dataset"]) if items else ""
    return dataset(name) if name in MODULES else None
