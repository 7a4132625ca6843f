"""Matched groups: in how many is every item right, and in how many does the change of condition change the answer?

One rule for all that is said of conditions: a number about some conditions is made of the groups with exactly one item
of each of them, asked and not left out for want of a reply. An effect (`effects`), and the pair accuracy beside it, are
about two conditions; these numbers here are about all that the group has. So a group that lacks a reply in one of three
conditions is in one effect of two, and in none of these. How many groups there are stands beside each number.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np

from audit.answers.judging.outcome import Outcome
from audit.responses.contrasts import Conditions, matched_by
from audit.statistics.shares import Estimate, clustered
from generators.dataset import Dataset
from generators.item import Item

__all__ = ["Matched", "MatchedGroups"]

_Group = tuple[str, str]
"""A subset, and what its items are matched by."""


class Matched(NamedTuple):
    """The matched groups of some items."""

    right: Estimate | None
    """Those with every item right; None where there is no such group."""
    flips: Estimate | None
    """Those in which some answers are right and others wrong."""
    incomplete: int
    """Further groups with an item that counts, but not exactly one of each condition: not among these items, asked
    twice, or left out for want of a reply."""


class MatchedGroups:
    """Which of some items are matched with others, whatever a model replies."""

    def __init__(self, items: Sequence[Item], family: Dataset | None, conditions: Conditions) -> None:
        """`conditions` are those of all items of the benchmark, of which `items` may be a part."""
        self._family = family
        self._conditions = conditions
        several = {
            (subset, name)
            for subset, groups in conditions.items()
            for name, own in groups.items()
            if (family.subsets[subset].contrast if family and subset in family.subsets else len(own) > 1)
        }
        keys = [(str(item.metadata["subset"]), matched_by(item)) for item in items] if several else []
        self._of: dict[int, _Group] = {place: key for place, key in enumerate(keys) if key in several}

    def of(self, places: Sequence[int], outcomes: Sequence[Outcome]) -> Matched:
        """The groups of the items at `places`, to which these are the `outcomes`."""
        groups: dict[_Group, list[Outcome]] = {}
        open_: dict[_Group, set[str]] = {}
        for place, outcome in zip(places, outcomes, strict=True) if self._of else ():
            if (group := self._of.get(place)) is None:
                continue
            if outcome.score.right is None:
                open_.setdefault(group, set()).add(outcome.item.condition)
            else:
                groups.setdefault(group, []).append(outcome)
        right, mixed, names, incomplete = [], [], [], 0
        for group, members in groups.items():
            conditions = self._contrasted(group, open_.get(group, set()))
            matched = [outcome for outcome in members if outcome.item.condition in conditions]
            if not matched:
                continue
            if sorted(outcome.item.condition for outcome in matched) != sorted(conditions):
                incomplete += 1
                continue
            right.append(all(outcome.right for outcome in matched))
            mixed.append(len({outcome.right for outcome in matched}) > 1)
            names.append(members[0].item.group)
        if not right:
            return Matched(None, None, incomplete)
        # Subsets may share groups: one puzzle in two vocabularies.
        clusters = np.unique(names, return_inverse=True)[1]
        return Matched(clustered(np.array(right), clusters), clustered(np.array(mixed), clusters), incomplete)

    def _contrasted(self, group: _Group, open_: Collection[str]) -> tuple[str, ...]:
        """The conditions that are compared; of an unknown subset, those that the group has, if there are several
        without the `open_` ones, in which nothing is right."""
        subset, name = group
        if self._family is None or subset not in self._family.subsets:
            conditions = tuple(each for each in self._conditions[subset][name] if each not in open_)
            return conditions if len(conditions) > 1 else ()
        contrast = self._family.subsets[subset].contrast
        return (contrast.original, *contrast.perturbed) if contrast else ()
