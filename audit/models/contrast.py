"""One contrast: two sides of the same items, or two conditions of matched ones, with all that is said of the two.

Of models, prompt styles and dates the items are the same; of conditions each row is a pair of matched items. A reply
without a clear answer, or none at all, is wrong, so that a side may be behind by its format alone. Beside the
difference stands the one without such items. It is no better estimate (unclear replies may belong to the hard items),
but what only they make is no difference in ability. Where no item has a clear reply of both, there is no test.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isnan
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.models.difference import (
    FEW,
    FEWEST_GROUPS,
    MARGIN,
    UNTESTED,
    Difference,
    difference_of,
    sufficient,
)
from hansproof.audit.models.sides import Scores, Side
from hansproof.audit.notation import first_of, points, things
from hansproof.audit.statistics.permutation import holm
from hansproof.audit.statistics.power import ALPHA

__all__ = [
    "THERE",
    "UNANSWERED",
    "Compared",
    "Contrast",
    "Word",
    "between",
    "clear_notes",
    "contrast_of",
    "contrasts_of",
    "corrected",
    "direction",
    "lost_words",
    "made_by_unclear",
    "not_on_clear",
    "unclear_words",
    "word_of",
]

# The word, by the first rule that fits:
#
# 1. INCONCLUSIVE: fewer than 30 items in common, or fewer than 6 effective groups (five coins all fall alike in 1 of 16
#    tosses, so that five groups can show nothing at 5 %), or no item to which both have a clear reply.
# 2. "A better" or "B better": the exact p over groups is at most .05, after Holm's correction over subsets; before it,
#    that is so exactly where the 95 % interval leaves out 0.
# 3. "equivalent": two one-sided tests show that the difference is smaller than the margin, at 5 %.
# 4. "no difference shown": neither. It is no claim that there is none.

Word = Literal["A better", "B better", "equivalent", "no difference shown", "INCONCLUSIVE"]

UNANSWERED = "no item has a clear reply of both"
"""Such replies are wrong: where each side lacks what the other has, the difference is one of how much can be read."""

Ints = NDArray[np.int64]


def word_of(difference: Difference, p: float, equivalent_p: float) -> Word:
    """The verdict; `p` and `equivalent_p` are corrected for the other subsets, where there are any."""
    if difference.items < FEW or difference.effective_groups < FEWEST_GROUPS or isnan(difference.p):
        return "INCONCLUSIVE"
    if p <= ALPHA:
        return "A better" if difference.difference > 0 else "B better"
    if not isnan(equivalent_p) and equivalent_p <= ALPHA:
        return "equivalent"
    return "no difference shown"


@dataclass(frozen=True)
class Contrast:
    """What is compared, and what came out; shares from 0 to 1, the first less the second."""

    first: str
    """A side (model, style, and run or number of runs), or the original condition."""
    second: str
    """The other side, or the perturbed condition."""
    difference: Difference
    p_holm: float
    """p after Holm's correction (1979) over all that are corrected together: pairs of models; the subsets or the
    conditions of two sides; the perturbations of a model, and the slices of a subset."""
    equivalent_p_holm: float
    unclear: tuple[int, int]
    """Items with a reply of the first, of the second, that gives no clear answer; it counts as wrong."""
    missing: tuple[int, int]
    """Items without a reply of the first, of the second; it counts as wrong."""
    clear: Difference | None
    """The same, in brief, on the items to which both replies are clear; None where that is all of them."""
    clear_p_holm: float | None
    """p of the clear items, corrected as `p_holm` is; None where `clear` is."""
    by: str = ""
    """How the items were cut: `all`, `clear`, `subset`, `condition`, or the keys of a slice; empty for none."""
    name: str = ""
    """Which of the parts, such as `E, 4`."""
    subset: str = ""
    """Of conditions: the subset whose items are matched."""
    runs: tuple[int, int] = (1, 1)
    """How many runs of the first and of the second are averaged."""
    left_out: int = 0
    """Of conditions: groups in no pair, with an item of one of the two, but not one of each; 0 for slices."""
    guessed: bool = False
    """Of conditions: whether the original one is original only because it occurs first."""

    @property
    def title(self) -> str:
        """`gpt - llama`."""
        return f"{self.first} - {self.second}"

    @property
    def verdict(self) -> Word:
        """In a word, with A for the first."""
        return word_of(self.difference, self.p_holm, self.equivalent_p_holm)


class Compared(NamedTuple):
    """Two sides that are to be contrasted, row by row the same item or a pair."""

    first: Scores
    second: Scores
    groups: Ints
    """(n,): the number of what each row belongs to, from 0."""
    about: dict[str, Any]
    """Further fields of the record."""


def between(first: Side, second: Side) -> dict[str, Any]:
    """What a contrast says of two sides."""
    return {"first": first.title, "second": second.title, "runs": (len(first.columns), len(second.columns))}


def contrast_of(sides: Compared, margin: float = MARGIN, tests: int = 1, *, brief: bool = False) -> Contrast:
    """The contrast of two sides on the same items, all of which both were asked, or on pairs of items, row by row.

    `margin`, `tests` and `brief` are those of `difference_of`. The p are not corrected yet (`corrected`).
    """
    first, second, groups, about = sides
    made = difference_of(first.right, second.right, groups, margin, max(tests, 1), brief=brief)
    if made.items and not _both_read(sides):
        made = replace(made, **UNTESTED, aside="", note=f"INCONCLUSIVE: {UNANSWERED}, so no test and no interval")
    not_clear = first.not_clear | second.not_clear
    clear = None
    if not_clear.any():
        rows = np.flatnonzero(~not_clear)
        clear = difference_of(first.right[rows], second.right[rows], groups[rows], brief=True)
    return Contrast(
        difference=made,
        p_holm=made.p,
        equivalent_p_holm=made.equivalent_p,
        unclear=(int(first.unclear.sum()), int(second.unclear.sum())),
        missing=(int(first.missing.sum()), int(second.missing.sum())),
        clear=clear,
        clear_p_holm=None if clear is None else clear.p,
        **about,
    )


def contrasts_of(every: Sequence[Compared], margin: float = MARGIN) -> list[Contrast]:
    """The contrasts of several that are corrected together."""
    tests = sum(sufficient(each.groups) and _both_read(each) for each in every)
    return corrected([contrast_of(each, margin, tests) for each in every])


def corrected(every: Sequence[Contrast]) -> list[Contrast]:
    """The same with Holm's correction over all of them, of each kind of p by itself."""
    p, equivalent = (
        holm(np.array([getattr(each, name) for each in every])).tolist() for name in ("p_holm", "equivalent_p_holm")
    )
    clear = iter(holm(np.array([each.clear_p_holm for each in every if each.clear_p_holm is not None])).tolist())
    return [
        replace(each, p_holm=own, equivalent_p_holm=q, clear_p_holm=None if each.clear is None else next(clear))
        for each, own, q in zip(every, p, equivalent, strict=True)
    ]


def _both_read(sides: Compared) -> bool:
    """Whether there is an item to which both have a clear reply, of one run at least."""
    return bool((sides.first.read & sides.second.read).any())


# Whether a contrast says the same on the items to which both replies are clear, in words. A difference that is not
# shown on the clear items may only have lost items: fewer of them find less. That unclear replies make it is said where
# arithmetic says so. The difference is a sum over items, and where those with clear replies add nothing to it, or take
# from it, all of it stands in the others.

THERE = "the items with clear replies only"
_NOTHING = 1e-12
"""Differences up to this are rounding errors of means of runs."""


def direction(difference: float, p: float | None) -> int:
    """Which side is shown to be better: 1 for the first, -1 for the second, 0 for neither, also without a test."""
    return 0 if p is None or isnan(p) or p > ALPHA else 1 if difference > 0 else -1


def _on_all(contrast: Contrast) -> int:
    return direction(contrast.difference.difference, contrast.p_holm)


def _on_clear(contrast: Contrast) -> int:
    return 0 if contrast.clear is None else direction(contrast.clear.difference, contrast.clear_p_holm)


def not_on_clear(contrast: Contrast) -> bool:
    """Whether a side is shown to be better, and not on the items to which both replies are clear."""
    shown = _on_all(contrast)
    return bool(shown) and contrast.clear is not None and _on_clear(contrast) != shown


def made_by_unclear(contrast: Contrast) -> bool:
    """Whether a side is shown to be better, but not a bit ahead on the items to which both replies are clear, so that
    the whole difference stands in the others."""
    if contrast.clear is None or not not_on_clear(contrast):
        return False
    ahead = contrast.clear.difference if contrast.difference.difference > 0 else -contrast.clear.difference
    return ahead <= _NOTHING


def unclear_words(every: Sequence[Contrast]) -> str:
    """`unclear replies`, `missing replies` or `unclear and missing replies`: what there is of them."""
    unclear = ["unclear"] if any(any(each.unclear) for each in every) else []
    missing = ["missing"] if any(any(each.missing) for each in every) else []
    return f"{' and '.join(unclear + missing)} replies"


def lost_words(contrast: Contrast, names: tuple[str, str] = ("", "")) -> str:
    """`unclear: A 5, B 11; missing: A 0, B 2`, without what there is none of; `unclear: 5/11` without names."""
    said = []
    for what, (first, second) in (("unclear", contrast.unclear), ("missing", contrast.missing)):
        if first or second:
            numbers = f"{names[0]} {first:,}, {names[1]} {second:,}" if any(names) else f"{first:,}/{second:,}"
            said.append(f"{what}: {numbers}")
    return "; ".join(said)


def clear_notes(every: Sequence[tuple[str, Contrast]]) -> list[str]:
    """Which contrasts, by their names, say something else on clear replies: a difference is no longer shown, is made by
    unclear ones, or is only shown then, or it only points the other way."""
    kinds: dict[str, list[tuple[str, Contrast]]] = {kind: [] for kind in ("made", "without", "hidden", "turned")}
    for name, each in every:
        if (clear := each.clear) is None:
            continue
        if not_on_clear(each):
            kinds["made" if made_by_unclear(each) else "without"].append((name, each))
        elif _on_all(each) == 0 != _on_clear(each):
            kinds["hidden"].append((name, each))
        elif each.difference.difference * clear.difference < 0:  # NaN is not
            kinds["turned"].append((name, each))
    replies = {kind: unclear_words([each for _, each in some]) for kind, some in kinds.items()}
    words = {
        "made": f"shown, but {replies['made']} make the difference: it is gone, or turned, on {THERE}",
        "without": f"shown, but not on {THERE}",
        "hidden": f"shown on {THERE}, but not on all, where {replies['hidden']} count as wrong",
        "turned": f"the other way round on {THERE}, though neither is shown",
    }
    return [
        f"{words[kind]}: {first_of([_detail(name, each) for name, each in some])}"
        for kind, some in kinds.items()
        if some
    ]


def _detail(name: str, each: Contrast) -> str:
    """`gpt - ada (-23.1 on all, +8.8 on 239 clear items; unclear: 285/0)`."""
    there = "no item is clear"
    if each.clear is not None and each.clear.items:
        there = f"{points(each.clear.difference, '+')} on {things(each.clear.items, 'clear item')}"
    return f"{name} ({points(each.difference.difference, '+')} on all, {there}; {lost_words(each)})"
