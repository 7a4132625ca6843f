"""Who learns from whom: parts of a subset for strategies that learn, so that none sees an answer that it is asked for.

Parts are made of whole groups, and groups that share a text are one. They follow from the names of the groups alone,
so no random state, no order of the rows and no process changes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from generators.item import Item

__all__ = ["FOLDS", "WAVES", "BlindFold", "folds", "kept_together", "waves"]

FOLDS = 5
"""Parts into which the groups of a subset are cut; as many as there are groups where there are fewer."""
WAVES = 10
"""The same for strategies that learn from earlier parts only."""


class BlindFold(NamedTuple):
    """Places of items."""

    learned: list[int]
    asked: list[int]


def kept_together(items: Sequence[Item]) -> list[str]:
    """For each item the name of its group; of groups that share a text in one subset, the first of their names.

    Items share a text where prompt and options are the same, in whatever order the options stand.
    """
    nodes = sorted({(str(item.metadata["subset"]), item.group) for item in items})
    number = {node: place for place, node in enumerate(nodes)}
    first_with: dict[tuple[str, str, frozenset[str]], int] = {}
    own = [number[str(item.metadata["subset"]), item.group] for item in items]
    joined = [
        first_with.setdefault((str(item.metadata["subset"]), item.prompt, frozenset(item.choices or ())), node)
        for item, node in zip(items, own, strict=True)
    ]
    links = coo_array((np.ones(len(own)), (own, joined)), shape=(len(nodes), len(nodes)))
    parts = connected_components(links, directed=False)[1].tolist()
    first: dict[int, str] = {}
    for part, (_, name) in zip(parts, nodes, strict=True):
        first.setdefault(part, name)
    return [first[parts[node]] for node in own]


def folds(groups: Sequence[str], places: Sequence[int]) -> list[BlindFold]:
    """Every place is asked once, by those who learned from all other parts; none with fewer than two groups.

    `groups` has the group of every item, `places` says which of them to cut.
    """
    names = _spread({groups[place] for place in places})
    part = {name: number % FOLDS for number, name in enumerate(names)}
    return [
        BlindFold(
            [place for place in places if part[groups[place]] != number],
            [place for place in places if part[groups[place]] == number],
        )
        for number in range(min(FOLDS, len(names)) if len(names) > 1 else 0)
    ]


def waves(groups: Sequence[str], places: Sequence[int]) -> list[BlindFold]:
    """Every part but the first is asked once, by those who learned from the parts before it (Dawid 1984).

    Shares over folds stray further than their items say, because each answer is both learned from and asked for. Of
    waves each is judged by an answer that nothing before it depends on, so that the number right has exactly the
    distribution of guesses where nothing can be learned.
    """
    names = _spread({groups[place] for place in places})
    count = min(WAVES, len(names))
    part = {name: number * count // len(names) for number, name in enumerate(names)}
    return [
        BlindFold(
            [place for place in places if part[groups[place]] < number],
            [place for place in places if part[groups[place]] == number],
        )
        for number in range(1, count)
    ]


def _spread(names: set[str]) -> list[str]:
    # Digests spread groups over the parts however their names are ordered: `easy-1`, ..., `hard-1`, ...
    return sorted(names, key=lambda name: blake2b(name.encode("utf-8", "surrogatepass")).digest())
