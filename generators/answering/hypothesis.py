"""Hypothesis: what a family says should happen to answers when something that does not matter is changed.

A family declares its hypotheses as data (`Dataset.hypotheses`). They are tested on the replies of models by
`hansproof score --test mcnemar`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Expectation", "Hypothesis"]

Expectation = Literal["better", "worse", "either"]
"""What the change does to the answers: more of them are right, fewer, or one of the two without saying which."""


@dataclass(frozen=True)
class Hypothesis:
    """One change and what is expected of it."""

    name: str
    """`H4`: unique within a family."""
    statement: str
    """What is changed and what is expected, as one sentence."""
    subsets: tuple[str, ...]
    """Whose items it is about; pairs of all of them are counted together."""
    changes: tuple[tuple[str, str], ...]
    """(before, after), each tested by itself: conditions of items of one group, or prompt styles of one item."""
    expects: Expectation
    styles: bool = False
    """Whether `changes` are prompt styles, so that an item is its own twin; conditions otherwise."""
    conditions: tuple[str, ...] = ()
    """For styles: only items of these conditions count, so that no group counts twice; all where it is empty. Subsets
    with conditions of their own are named together: each needs at least one of them."""
    shared: tuple[str, ...] = ()
    """Keys of `Item.metadata`, the first of which an item has says what several pairs may share (a story, a person), so
    that they are not independent of each other; empty where no pair has anything in common with another."""
