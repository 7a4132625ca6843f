"""What could not be used: how much of it, and the first of it with its place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from audit.answers.grid import Grid
from audit.notation import things
from generators.errors import Fault

__all__ = ["Left", "file_of", "groups_left", "no_verdict", "shortfalls"]

_LISTED = 20
_SHOWN = 3
"""Series that a note lists."""
_PLACE = re.compile(r": (?:line|row|sample) ")


@dataclass
class Left:
    """Answers that are not used for one reason."""

    count: int = 0
    first: list[Fault] = field(default_factory=list)
    """At most 20."""

    def add(self, reason: str, place: str) -> None:
        """Count an answer, and keep it if it is one of the first."""
        self.count += 1
        if len(self.first) < _LISTED:
            self.first.append(Fault(reason, place))


def file_of(place: str) -> str:
    """The file of the place of a reply."""
    return _PLACE.split(place, maxsplit=1)[0]


def no_verdict(title: str = "") -> str:
    """That the replies of a series, or all, lack what `judged="harness"` needs."""
    return f"no reply{f' of model {title}' if title else ''} has a verdict of a harness"


def shortfalls(said: Iterable[Sequence[str]]) -> list[str]:
    """What logs say of their runs (`Reply.about`), each sentence once, and at most 20 of them."""
    every = list(dict.fromkeys(sentence for sentences in said for sentence in sentences))
    more = len(every) - _LISTED
    return [*every[:_LISTED], *([f"{more:,} more of such sentences on other logs"] if more > 0 else [])]


def groups_left(grid: Grid) -> str:
    """How many groups of items are in the numbers of each series, where items share groups and not all items are in
    them; empty elsewhere."""
    counted, groups = grid.counted(), grid.groups()
    if counted.all() or len(np.unique(groups)) == len(groups):
        return ""
    said = [
        f"{things(len(np.unique(groups[column])), 'group')} of {things(int(column.sum()), 'item')}"
        + (f" for {each.title}" if each.title else "")
        for each, column in zip(grid.series, counted.T, strict=True)
        if not column.all()
    ]
    more = f" and {len(said) - _SHOWN:,} more" if len(said) > _SHOWN else ""
    return f"of the items that are in the numbers, these count: {'; '.join(said[:_SHOWN])}{more}"
