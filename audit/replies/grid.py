"""Items by series: what became of every answer, and what could not be used. Every analysis starts here."""

from __future__ import annotations

import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.notation import first_of, series_title, things
from hansproof.audit.replies.judged_reply import Outcome, Read, by_harness
from hansproof.audit.replies.scorers import ACCEPTED, accepted, own_subset
from hansproof.audit.statistics.kappa import Agreement, agree_counts
from hansproof.generators.item import Item

__all__ = [
    "ASKED",
    "MISSING",
    "NONE",
    "NOT_APPLICABLE",
    "NOT_ASKED",
    "REMEDY",
    "RIGHT",
    "SKIPPED",
    "UNCLEAR",
    "WRONG",
    "Grid",
    "Series",
    "Tally",
    "at_odds",
    "code_of",
    "column_of",
    "file_of",
    "group_numbers",
    "groups_left",
    "is_poor",
    "long_golds",
    "no_verdict",
    "rights",
    "shortfalls",
]

WRONG, RIGHT, UNCLEAR, MISSING, NOT_ASKED, NOT_APPLICABLE, SKIPPED = range(7)
"""Unclear is wrong, and counted. Missing: no reply in a subset of which the series has others; wrong, and counted.
Not asked: the series has no reply to any item of the subset, or its logs, which hold only a part of it, do not name
the item. Not applicable: no answer is right there, or the mark of the harness that counts is neither right nor wrong.
Skipped: as missing, but left out on request."""


class Series(NamedTuple):
    """One model in one prompt style and one run: a column of a grid."""

    model: str
    style: str = ""
    run: str = ""
    family: str = ""

    @property
    def title(self) -> str:
        """What tables call it: `series_title`, which is empty where nothing is named."""
        return series_title(self.model, self.style, self.run)


def group_numbers(items: Sequence[Item]) -> NDArray[np.int64]:
    """(N,): the number of each item's group, from 0, in order of first occurrence."""
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(item.group, len(numbers)) for item in items], dtype=np.int64)


def rights(codes: NDArray[np.int8]) -> NDArray[np.float64]:
    """1 for right, 0 for wrong, unclear and missing, NaN where not asked, not applicable or skipped."""
    return np.where(codes >= NOT_ASKED, np.nan, codes == RIGHT)


@dataclass(frozen=True)
class Grid:
    """N items of one benchmark, answered by S series."""

    benchmark: str
    items: tuple[Item, ...]
    """In the order of the source. Third-party rows become items, too: `group` is their group, or their id."""
    series: tuple[Series, ...]
    outcomes: NDArray[np.int8]
    """(N, S): WRONG, RIGHT, UNCLEAR, MISSING, NOT_ASKED, NOT_APPLICABLE or SKIPPED."""
    said: NDArray[np.str_] | None = None
    """(N, S): the answer that each reply gives, as one of the item's answers; empty where it gives none. None where
    only right and wrong are known."""
    read: tuple[tuple[Read | None, ...], ...] = ()
    """By series and item: what was read from each reply, None without one; empty unless somebody asked for it."""

    def right(self) -> NDArray[np.float64]:
        """(N, S): `rights` of all outcomes."""
        return rights(self.outcomes)

    def counted(self) -> NDArray[np.bool_]:
        """(N, S): whether an item is in the numbers of a series: it was asked, and is not skipped."""
        return np.isin(self.outcomes, (NOT_ASKED, SKIPPED), invert=True)

    def groups(self) -> NDArray[np.int64]:
        """(N,): the numbers of the items' groups."""
        return group_numbers(self.items)


ASKED = "asked"
"""The key of the metadata of an item that a harness asks only on request, such as a perturbed one, with what it asks
then: of another one the subset says it."""

NONE = -1
"""Of an item that no reply names."""


def code_of(scored: Outcome) -> int:
    """The code of a reply that was read and scored."""
    if scored.score.right is None:
        return NOT_APPLICABLE
    if scored.right:
        return RIGHT
    return MISSING if scored.missing else UNCLEAR if scored.unclear else WRONG


def column_of(
    codes: array[int], items: Sequence[Item], skip_missing: bool, partial: Collection[str]
) -> NDArray[np.int8]:
    """(N,): the codes with missing (or skipped), not asked and not applicable where there is no reply.

    A series was not asked a subset (or what `ASKED` names) of which it has no reply, nor, in the subsets that its logs
    hold only a part of (`partial`), an item that they do not name.
    """
    column = np.frombuffer(codes, dtype=np.int8).copy()
    parts = [str(item.metadata.get(ASKED, own_subset(item))) for item in items]
    asked = {part for part, code in zip(parts, column.tolist(), strict=True) if code != NONE}
    for place, (part, item) in enumerate(zip(parts, items, strict=True)):
        if column[place] in (NONE, MISSING):
            if part not in asked or (own_subset(item) in partial and column[place] == NONE):
                column[place] = NOT_ASKED
            elif skip_missing:
                column[place] = SKIPPED
            else:
                column[place] = NOT_APPLICABLE if item.answer is None and not by_harness(item) else MISSING
    return column


REMEDY = "--judged harness takes the verdicts of the harness"
_KAPPA = 0.5
"""Agreement below which our reading is doubtful, where"""
_DIFFERENT = 0.1
"""this share of the replies is judged differently: beside rare wrong answers, kappa is small for a few of them."""
FEWEST = 10
"""Replies with a verdict from which on an agreement says something."""
_SERIES_SHOWN = 4


class Tally:
    """What we and the harness that logged them say of the replies of one series, by subset."""

    def __init__(self) -> None:
        self._counts: defaultdict[str, Counter[tuple[bool, bool]]] = defaultdict(Counter)

    def add(self, subset: str, ours: bool, theirs: bool) -> None:
        """Count a reply with both judgements."""
        self._counts[subset][ours, theirs] += 1

    def agreement(self) -> Agreement | None:
        """Of all replies; None without any."""
        return _agreement(sum(self._counts.values(), Counter())) if self._counts else None

    def poor(self) -> dict[str, Agreement]:
        """Subset -> its agreement, of the subsets in which it is poor."""
        by_subset = {subset: _agreement(counts) for subset, counts in self._counts.items()}
        return {subset: agreed for subset, agreed in by_subset.items() if is_poor(agreed)}


def is_poor(agreed: Agreement) -> bool:
    """Whether our reading is so far from the verdicts of the harness that its numbers are not to be believed unseen:
    kappa is below .5, as it always is where we find none right, and a tenth of the replies is judged differently."""
    different = agreed.first_only + agreed.second_only >= _DIFFERENT * agreed.replies
    return agreed.replies >= FEWEST and different and agreed.kappa < _KAPPA


def at_odds(poor: Sequence[tuple[str, Mapping[str, Agreement]]]) -> list[str]:
    """A note on the subsets in which our reading and the harness are far apart, if there are any; `poor` has them by
    the titles of series."""
    said = [
        f"{', '.join(filter(None, (subset, title))) or 'all replies'} ({_share(agreed, ours=True)} % right by "
        f"our reading, {_share(agreed, ours=False)} % by the harness, of {agreed.replies:,})"
        for title, by_subset in poor
        for subset, agreed in by_subset.items()
    ]
    if not said:
        return []
    less = any(agreed.second_only > agreed.first_only for _, by_subset in poor for agreed in by_subset.values())
    part = "; where gold answers are longer texts, --answer-part REGEX takes the part that counts" if less else ""
    return [
        f"AT ODDS WITH THE HARNESS: {first_of(said, _SERIES_SHOWN)}. Look at replies that are judged "
        f"differently before you believe either. {REMEDY}{part}"
    ]


def _agreement(counts: Counter[tuple[bool, bool]]) -> Agreement:
    both, ours, theirs, neither = (counts[mine, other] for mine in (True, False) for other in (True, False))
    return agree_counts(both, ours, theirs, neither, ("wrong", "right"))


def _share(agreed: Agreement, *, ours: bool) -> str:
    right = agreed.both + (agreed.first_only if ours else agreed.second_only)
    return f"{100 * right / agreed.replies:.1f}"


_LISTED = 20
_LONG = 12
"""Words of a gold answer that no reply is likely to repeat."""
_PLACE = re.compile(r": (?:line|row|sample) ")


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
    return f"of the items that are in the numbers, these count: {first_of(said)}"


def long_golds(grid: Grid) -> list[str]:
    """A note on subsets with long gold answers to which no reply of a series is right."""
    places: dict[str, list[int]] = {}
    for place, item in enumerate(grid.items):
        if ACCEPTED in item.metadata and item.choices is None and item.answer is not None:
            places.setdefault(own_subset(item), []).append(place)
    notes = []
    for subset, own in places.items():
        words = median(min(len(gold.split()) for gold in accepted(grid.items[place])) for place in own)
        codes = grid.outcomes[own]
        asked = ((codes < MISSING).sum(axis=0) >= FEWEST).any()
        if words >= _LONG and asked and not (codes == RIGHT).any():
            notes.append(
                f"{subset or 'the items'}: no reply is right, and the gold answers are texts of {words:g} words, which "
                "no reply is likely to repeat: --answer-part REGEX takes the part that counts, and where the log has "
                f"verdicts, {REMEDY}"
            )
    return notes
