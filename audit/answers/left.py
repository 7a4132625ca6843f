"""What could not be used: how much of it, and the first of it with its place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import median

import numpy as np

from audit.answers.grid import MISSING, RIGHT, Grid
from audit.answers.judging.odds import FEWEST, REMEDY
from audit.answers.third_party import accepted
from audit.notation import things
from generators.errors import Fault

__all__ = ["Left", "file_of", "groups_left", "long_golds", "no_verdict", "shortfalls"]

_LISTED = 20
_SHOWN = 3
"""Series that a note lists."""
_LONG = 12
"""Words of a gold answer that no reply is likely to repeat."""
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


def long_golds(grid: Grid) -> list[str]:
    """A note on subsets with long gold answers to which no reply of a series is right."""
    places: dict[str, list[int]] = {}
    for place, item in enumerate(grid.items):
        if item.choices is None and item.answer is not None:
            places.setdefault(str(item.metadata["subset"]), []).append(place)
    notes = []
    for subset, own in places.items():
        words = median(min(len(gold.split()) for gold in accepted(grid.items[place])) for place in own)
        codes = grid.outcomes[own]
        asked = [
            series.title
            for series, column in zip(grid.series, codes.T, strict=True)
            if (column < MISSING).sum() >= FEWEST
        ]
        if words >= _LONG and asked and not (codes == RIGHT).any():
            notes.append(
                f"{subset or 'the items'}: no reply is right, and the gold answers are texts of {words:g} words, which "
                "no reply is likely to repeat: --answer-part REGEX takes the part that counts, and where the log has "
                f"verdicts, {REMEDY}"
            )
    return notes
