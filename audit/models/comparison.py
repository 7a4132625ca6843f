"""A comparison: two sides on all items that both were asked, by subset and condition, and its verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from math import isnan
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.models.clear_replies import Clear, Compared, clear_of, with_holm
from hansproof.audit.models.difference import (
    FEW,
    FEWEST_GROUPS,
    MARGIN,
    UNTESTED,
    Difference,
    difference_of,
    sufficient,
)
from hansproof.audit.models.sides import Common, Scores, Side, in_common
from hansproof.audit.replies.grid import NOT_ASKED, SKIPPED, Grid
from hansproof.audit.replies.judged_reply import NO_REPLY, Read
from hansproof.audit.replies.scorers import accepted, subset_of
from hansproof.audit.statistics.permutation import holm
from hansproof.audit.statistics.power import ALPHA
from hansproof.generators.item import Item

__all__ = ["MARGIN", "UNANSWERED", "Change", "Comparison", "Part", "Word", "compare_sides", "difference_on", "word_of"]

# The word, by the first rule that fits:
#
# 1. INCONCLUSIVE: fewer than 30 items in common, or fewer than 6 effective groups (five coins all fall alike in 1 of 16
#    tosses, so that five groups can show nothing at 5 %), or no item to which both have a reply.
# 2. "A better" or "B better": the exact p over groups is at most .05, after Holm's correction over subsets; before it,
#    that is so exactly where the 95 % interval leaves out 0.
# 3. "equivalent": two one-sided tests show that the difference is smaller than the margin, at 5 %.
# 4. "no difference shown": neither. It is no claim that there is none.

Word = Literal["A better", "B better", "equivalent", "no difference shown", "INCONCLUSIVE"]


def word_of(difference: Difference, p: float, equivalent_p: float) -> Word:
    """The verdict; `p` and `equivalent_p` are corrected for the other subsets, where there are any."""
    if difference.items < FEW or difference.effective_groups < FEWEST_GROUPS or isnan(difference.p):
        return "INCONCLUSIVE"
    if p <= ALPHA:
        return "A better" if difference.difference > 0 else "B better"
    if not isnan(equivalent_p) and equivalent_p <= ALPHA:
        return "equivalent"
    return "no difference shown"


UNANSWERED = "no item has a reply of both"
"""Missing replies are wrong: where each side lacks what the other has, the difference is one of how much was asked."""


@dataclass(frozen=True)
class Part:
    """The comparison on some of the items."""

    by: str
    """`all`, `clear`, `subset` or `condition`."""
    name: str
    """Which of them; empty for all, and for those to which both replies are clear."""
    verdict: Word
    difference: Difference
    p_holm: float
    """`p` after Holm's correction over the subsets, or over the conditions; for all items it is `p`."""
    equivalent_p_holm: float
    unclear: tuple[int, int]
    """Items with a reply of A, of B, that gives no clear answer; it counts as wrong."""
    missing: tuple[int, int]
    """Items without a reply of A, of B; it counts as wrong."""
    clear: Clear | None
    """The difference on the items to which both replies are clear; None where that is all of them."""

    def compared(self) -> Compared:
        """It beside that of clear replies, to say where they differ."""
        return Compared(self.name, self.difference.difference, self.p_holm, self.unclear, self.missing, self.clear)


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
    parts: tuple[Part, ...]
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
    def whole(self) -> Part:
        """All items."""
        return self.parts[0]

    def record(self) -> dict[str, Any]:
        """As a JSON object in which undefined numbers are still NaN."""
        return asdict(self)


def compare_sides(grid: Grid, a: Side, b: Side, *, margin: float = MARGIN, skip_missing: bool = False) -> Comparison:
    """Compare sides `a` and `b` of `grid`; a `margin` is a share.

    Missing replies are wrong, as in every grid, unless `skip_missing` leaves out the items that lack one. Raises
    InputError where the two have no item in common.
    """
    common = in_common(grid, a, b, skip_missing=skip_missing)
    first, second = common.a.values, common.b.values
    parts: list[Part] = []
    clear = np.flatnonzero(~(common.a.not_clear | common.b.not_clear))
    for by, cut in _cuts(common.items):
        parts += _parts(by, cut, common, margin)
        if by == "all" and 0 < len(clear) < len(common.items):
            parts += _parts("clear", {"": clear}, common, margin)
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


def _parts(by: str, cut: dict[str, NDArray[np.int64]], common: Common, margin: float) -> Iterator[Part]:
    a, b, groups = common.a, common.b, common.groups
    sides = [(a.on(rows), b.on(rows)) for rows in cut.values()]
    tests = sum(  # as many as Holm corrects together
        sufficient(groups[rows]) and _both_replied(*pair) for rows, pair in zip(cut.values(), sides, strict=True)
    )
    differences = [
        difference_on(*pair, groups[rows], margin, tests) for rows, pair in zip(cut.values(), sides, strict=True)
    ]
    corrected = holm(np.array([difference.p for difference in differences]))
    equivalent = holm(np.array([difference.equivalent_p for difference in differences]))
    clear = with_holm(
        [clear_of(x.right, y.right, groups[rows], x.not_clear | y.not_clear)
         for rows, (x, y) in zip(cut.values(), sides, strict=True)]
    )  # fmt: skip
    for (name, rows), difference, p, q, own in zip(cut.items(), differences, corrected, equivalent, clear, strict=True):
        yield Part(
            by=by,
            name=name,
            verdict=word_of(difference, float(p), float(q)),
            difference=difference,
            p_holm=float(p),
            equivalent_p_holm=float(q),
            unclear=(int(a.unclear[rows].sum()), int(b.unclear[rows].sum())),
            missing=(int(a.missing[rows].sum()), int(b.missing[rows].sum())),
            clear=own,
        )


def _cuts(items: Sequence[Item]) -> Iterator[tuple[str, dict[str, NDArray[np.int64]]]]:
    """(`subset`, name -> places of its items), ...; one part is no cut, and nor is one like that before it."""
    yield "all", {"": np.arange(len(items))}
    seen: list[list[tuple[int, ...]]] = []
    keys: tuple[tuple[str, Callable[[Item], str]], ...] = (("subset", subset_of), ("condition", lambda i: i.condition))
    for by, key in keys:
        cut: dict[str, list[int]] = {}
        for place, item in enumerate(items):
            cut.setdefault(key(item), []).append(place)
        parts = sorted(map(tuple, cut.values()))
        if len(parts) > 1 and parts not in seen:
            seen.append(parts)
            yield by, {name: np.array(rows) for name, rows in cut.items()}


def _both_replied(a: Scores, b: Scores) -> bool:
    """Whether there is an item to which both have a reply, of one run at least."""
    return bool((a.replied & b.replied).any())


def difference_on(
    a: Scores, b: Scores, groups: NDArray[np.int64], margin: float = MARGIN, tests: int = 1, *, brief: bool = False
) -> Difference:
    """`difference_of` the scores of two sides on the same items, all of which both were asked.

    Where no item has a reply of both there are only the two shares and their difference, and a note that says why.
    """
    made = difference_of(a.right, b.right, groups, margin, max(tests, 1), brief=brief)
    if not made.items or _both_replied(a, b):
        return made
    return replace(made, **UNTESTED, aside="", note=f"INCONCLUSIVE: {UNANSWERED}, so no test and no interval")
