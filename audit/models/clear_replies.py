"""The same difference on the items to which both replies are clear, and whether it still says what it says of all.

A reply without a clear answer, or none at all, is wrong, so that a side may be behind by its format alone. Beside each
difference of right and wrong, of models as of matched conditions, stands the one without such items. It is no better
estimate (unclear replies may belong to the hard items), but what only they make is no difference in ability.

A difference that is not shown on the clear items may only have lost items: fewer of them find less. That unclear
replies make it is said where arithmetic says so. The difference is a sum over items, and where those with clear replies
add nothing to it, or take from it, all of it stands in the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isnan
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.models.difference import difference_of
from hansproof.audit.notation import points, things
from hansproof.audit.statistics.permutation import holm
from hansproof.audit.statistics.power import ALPHA

__all__ = [
    "THERE",
    "Clear",
    "Compared",
    "clear_notes",
    "clear_of",
    "direction",
    "lost_words",
    "made_by_unclear",
    "not_on_clear",
    "unclear_words",
    "with_holm",
]

THERE = "the items with clear replies only"
_NOTHING = 1e-12
"""Differences up to this are rounding errors of means of runs."""

_NAMED = 3
"""Comparisons that a note names."""


@dataclass(frozen=True)
class Clear:
    """A difference on the items to which both replies are clear; shares from 0 to 1."""

    items: int
    groups: int
    """Groups of items that belong together."""
    difference: float
    """NaN without such items."""
    se: float
    """This and what follows is as in `difference.Difference`; NaN with too few items or groups."""
    low: float
    high: float
    p: float
    p_holm: float
    """p after Holm's correction (1979) over the same comparisons, each on its clear items, as that of all items."""


class Compared(NamedTuple):
    """A difference of two sides on all items, and the same on the clear ones."""

    name: str
    difference: float
    p: float
    """Corrected, where there are several."""
    unclear: tuple[int, int]
    """Replies of the first side, and of the second, that give no clear answer."""
    missing: tuple[int, int]
    """Items without a reply of the first side, and of the second."""
    clear: Clear | None
    """None where every reply of both is clear."""


def clear_of(
    a: NDArray[np.float64], b: NDArray[np.float64], groups: NDArray[np.int64], not_clear: NDArray[np.bool_]
) -> Clear | None:
    """The difference between `a` and `b` (as in `difference_of`) without the items that are `not_clear` (n,): a
    reply to them is unclear or missing. None where all are clear."""
    if not not_clear.any():
        return None
    rows = np.flatnonzero(~not_clear)
    apart = difference_of(a[rows], b[rows], groups[rows], brief=True)
    return Clear(apart.items, apart.groups, apart.difference, apart.se, apart.low, apart.high, apart.p, apart.p)


def with_holm(every: Sequence[Clear | None]) -> list[Clear | None]:
    """The same with p corrected over all of them."""
    some = [each for each in every if each is not None]
    adjusted = iter(holm(np.array([each.p for each in some])))
    return [None if each is None else replace(each, p_holm=float(next(adjusted))) for each in every]


def direction(difference: float, p: float) -> int:
    """Which side is shown to be better: 1 for the first, -1 for the second, 0 for neither, also without a test."""
    return 0 if isnan(p) or p > ALPHA else 1 if difference > 0 else -1


def not_on_clear(compared: Compared) -> bool:
    """Whether a side is shown to be better, and not on the items to which both replies are clear."""
    shown = direction(compared.difference, compared.p)
    clear = compared.clear
    return bool(shown) and clear is not None and direction(clear.difference, clear.p_holm) != shown


def made_by_unclear(compared: Compared) -> bool:
    """Whether a side is shown to be better, but not a bit ahead on the items to which both replies are clear, so that
    the whole difference stands in the others; False where no item is clear, and nothing can be said of them."""
    clear = compared.clear
    if clear is None or not clear.items:
        return False
    ahead = clear.difference if compared.difference > 0 else -clear.difference
    return not_on_clear(compared) and ahead <= _NOTHING


def unclear_words(every: Sequence[Compared]) -> str:
    """`unclear replies`, `missing replies` or `unclear and missing replies`: what there is of them."""
    unclear = ["unclear"] if any(any(each.unclear) for each in every) else []
    missing = ["missing"] if any(any(each.missing) for each in every) else []
    return f"{' and '.join(unclear + missing)} replies"


def lost_words(compared: Compared, names: tuple[str, str] = ("", "")) -> str:
    """`unclear: A 5, B 11; missing: A 0, B 2`, without what there is none of; `unclear: 5/11` without names."""
    said = []
    for what, (first, second) in (("unclear", compared.unclear), ("missing", compared.missing)):
        if first or second:
            numbers = f"{names[0]} {first:,}, {names[1]} {second:,}" if any(names) else f"{first:,}/{second:,}"
            said.append(f"{what}: {numbers}")
    return "; ".join(said)


def clear_notes(every: Sequence[Compared]) -> list[str]:
    """Which comparisons say something else on clear replies: a difference is no longer shown, is made by unclear ones,
    or is only shown then, or it only points the other way."""
    made: list[Compared] = []
    without: list[Compared] = []
    hidden: list[Compared] = []
    turned: list[Compared] = []
    for each in every:
        if (clear := each.clear) is None:
            continue
        if not_on_clear(each):
            (made if made_by_unclear(each) else without).append(each)
        elif direction(each.difference, each.p) == 0 != direction(clear.difference, clear.p_holm):
            hidden.append(each)
        elif each.difference * clear.difference < 0:  # NaN is not
            turned.append(each)
    kinds = (
        (made, f"shown, but {unclear_words(made)} make the difference: it is gone, or turned, on {THERE}"),
        (without, f"shown, but not on {THERE}"),
        (hidden, f"shown on {THERE}, but not on all, where {unclear_words(hidden)} count as wrong"),
        (turned, f"the other way round on {THERE}, though neither is shown"),
    )
    return [f"{what}: {_named(some)}" for some, what in kinds if some]


def _named(some: Sequence[Compared]) -> str:
    more = f"; and {len(some) - _NAMED:,} more" if len(some) > _NAMED else ""
    return "; ".join(map(_detail, some[:_NAMED])) + more


def _detail(compared: Compared) -> str:
    """`gpt - ada (-23.1 on all, +8.8 on 239 clear items; unclear: 285/0)`."""
    clear = compared.clear
    there = "no item is clear"
    if clear is not None and clear.items:
        there = f"{points(clear.difference, '+')} on {things(clear.items, 'clear item')}"
    return f"{compared.name} ({points(compared.difference, '+')} on all, {there}; {lost_words(compared)})"
