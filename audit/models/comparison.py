"""A comparison: two sides on all items that both were asked, by subset and condition, and its verdict."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.models.contrast import Compared, Contrast, between, contrasts_of
from hansproof.audit.models.difference import MARGIN
from hansproof.audit.models.matching import cuts_by, slice_name
from hansproof.audit.models.sides import Side, in_common
from hansproof.audit.replies.grid import NOT_ASKED, SKIPPED, Grid
from hansproof.audit.replies.judged_reply import NO_REPLY, Read
from hansproof.audit.replies.scorers import accepted, subset_of

__all__ = ["MARGIN", "Change", "Comparison", "compare_sides"]


@dataclass(frozen=True)
class Change:
    """An item on which the two differ."""

    id: str
    subset: str
    condition: str
    group: str
    prompt: str
    answer: str
    """Every gold answer that counts, with ` | ` between two."""
    a: float
    """The score of A; 1 for right and 0 for wrong where A has one run."""
    b: float
    a_read: tuple[Read, ...]
    """What was read from the reply of A, run by run of those that were asked; empty where only right and wrong are
    known."""
    b_read: tuple[Read, ...]


@dataclass(frozen=True)
class Comparison:
    """Two sides of one benchmark."""

    benchmark: str
    a: str
    b: str
    runs: tuple[int, int]
    margin: float
    parts: tuple[Contrast, ...]
    """All items first, then those with a clear reply of both if some have none, then subsets, then conditions; a cut
    into one part, or like an earlier one, is left out."""
    a_better: tuple[Change, ...]
    """Items that A gets right and B wrong (of several runs, right more often), in the order of the items."""
    b_better: tuple[Change, ...]
    left_out: tuple[int, int]
    """Items that only A, only B was asked."""
    skipped: int
    """Items that were left out on request because a reply is missing."""

    @property
    def whole(self) -> Contrast:
        """All items."""
        return self.parts[0]

    def record(self) -> dict[str, Any]:
        """As a JSON object in which undefined numbers are still NaN."""
        return asdict(self) | {"parts": [asdict(part) | {"verdict": part.verdict} for part in self.parts]}


def compare_sides(grid: Grid, a: Side, b: Side, *, margin: float = MARGIN, skip_missing: bool = False) -> Comparison:
    """Compare sides `a` and `b` of `grid`; a `margin` is a share.

    Missing replies are wrong, as in every grid, unless `skip_missing` leaves out the items that lack one. Raises
    InputError where the two have no item in common.
    """
    common = in_common(grid, a, b, skip_missing=skip_missing)
    first, second = common.a.values, common.b.values

    def contrasts(by: str, cut: dict[str, NDArray[np.int64]]) -> list[Contrast]:
        """The parts of one cut, corrected together."""
        parts = [(rows, between(a, b) | {"by": by, "name": name}) for name, rows in cut.items()]
        return contrasts_of(
            [Compared(common.a.on(rows), common.b.on(rows), common.groups[rows], about) for rows, about in parts],
            margin,
        )

    parts = contrasts("all", {"": np.arange(len(common.items))})
    clear = np.flatnonzero(~(common.a.not_clear | common.b.not_clear))
    if 0 < len(clear) < len(common.items):
        parts += contrasts("clear", {"": clear})
    seen: list[list[list[int]]] = []
    for by, key in cuts_by().items():
        cut: dict[str, list[int]] = {}
        for place, item in enumerate(common.items):
            cut.setdefault(slice_name(key(item) or ()), []).append(place)
        if len(cut) > 1 and sorted(cut.values()) not in seen:
            seen.append(sorted(cut.values()))
            parts += contrasts(by, {name: np.array(places) for name, places in cut.items()})
    rows = {item.id: row for row, item in enumerate(grid.items)}

    def change(place: int) -> Change:
        item = common.items[place]
        row = rows[item.id]
        return Change(
            id=item.id,
            subset=subset_of(item),
            condition=item.condition,
            group=item.group,
            prompt=item.prompt,
            answer=" | ".join(accepted(item)),
            a=float(first[place]),
            b=float(second[place]),
            a_read=_read(grid, a, row),
            b_read=_read(grid, b, row),
        )

    return Comparison(
        benchmark=grid.benchmark,
        a=a.title,
        b=b.title,
        runs=(len(a.columns), len(b.columns)),
        margin=margin,
        parts=tuple(parts),
        a_better=tuple(map(change, np.flatnonzero(first > second).tolist())),
        b_better=tuple(map(change, np.flatnonzero(first < second).tolist())),
        left_out=common.left_out,
        skipped=common.skipped,
    )


def _read(grid: Grid, side: Side, row: int) -> tuple[Read, ...]:
    """What was read from the replies of a side to the item in `row`, run by run."""
    if not grid.read:
        return ()
    asked = (column for column in side.columns if grid.outcomes[row, column] not in (NOT_ASKED, SKIPPED))
    return tuple(grid.read[column][row] or NO_REPLY for column in asked)
