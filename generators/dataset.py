"""Dataset: what one family of items tells the rest of the house about itself.

Every module of the registry has one, called `DATASET`. Generating, releasing, verifying and the contract test know
nothing else of a family.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from generators.item import Item

__all__ = ["Dataset", "Subset"]


@dataclass(frozen=True)
class Subset:
    """One file of a release, and one configuration of its card."""

    rows: int
    """Items in a release; asking for more by hand is always possible unless `limit` says otherwise."""
    description: str
    """One sentence: what is in it and what it is for."""
    labels: bool = True
    """Whether the answers are a few labels, so that the audit applies; False for open answers."""
    known_leak: str = ""
    """Why a shortcut is expected here (a planted cue, a paper's own unbalanced design); empty: it must not leak."""
    limit: int | None = None
    """How many different items there are, where that is few; None where it is beyond counting."""
    contrast: tuple[str, str] | None = None
    """(easy, hard): the two conditions of a matched pair, whose difference in accuracy is the effect."""
    audited: str = ""
    """Where answers are open: the key of `metadata` whose values the audit tries to predict from the prompt instead."""


@dataclass(frozen=True)
class Dataset:
    """A family of items. `make` is all of the generator, `check` an independent way to every gold answer."""

    name: str
    """`knights-knaves`: in ids, paths and on the command line."""
    version: str
    """MAJOR.MINOR.PATCH of the generator: a change of bytes bumps it."""
    title: str
    summary: str
    """Two or three sentences: what it measures and how."""
    seed: int
    """The seed of the frozen release."""
    canary: str
    """The string in every row by which a leaked training set is recognised."""
    subsets: dict[str, Subset]
    """By name, in the order of the release."""
    make: Callable[[str, int, int], Item]
    """(subset, seed, index) -> item; the same whatever is made before, beside or after it."""
    check: Callable[[Item], list[str]]
    """Faults of an item found by a second way of solving it; empty where all is well."""
    fields: dict[str, str]
    """Each key of `metadata` and what it means, for the card."""
    citation: str
    """The paper it follows: authors (year), title."""
    uses: str
    """What it is fit for, in a sentence or two."""
    misuses: str
    """What it is not fit for."""
    factors: tuple[str, ...] = ()
    """Keys of `metadata` that are design factors and must be pairwise independent within each subset."""
    baselines: dict[str, str] = field(default_factory=dict)
    """Chance and majority accuracies, in words, by subset or for all."""
    shortcuts: Callable[[Sequence[Item]], dict[str, float]] | None = None
    """Of the items of a subset: what each known shortcut reaches, NaN where it says nothing; None: none are known."""
    shortcut_fields: dict[str, str] = field(default_factory=dict)
    """Each key of `shortcuts` and what it means, for the card."""
    slices: tuple[str, ...] = ()
    """Keys of `metadata` by which effects are shown too, one after the other."""
    tags: tuple[str, ...] = ()
    """Task tags of the card, e.g. `question-answering`."""
