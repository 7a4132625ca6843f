"""Whether a contrast says the same on the items to which both replies are clear, in words.

A difference that is not shown on the clear items may only have lost items: fewer of them find less. That unclear
replies make it is said where arithmetic says so. The difference is a sum over items, and where those with clear replies
add nothing to it, or take from it, all of it stands in the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

from hansproof.audit.models.contrast import Contrast
from hansproof.audit.notation import first_of, points, things
from hansproof.audit.statistics.power import ALPHA

__all__ = ["THERE", "clear_notes", "direction", "lost_words", "made_by_unclear", "not_on_clear", "unclear_words"]

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
    made: list[tuple[str, Contrast]] = []
    without: list[tuple[str, Contrast]] = []
    hidden: list[tuple[str, Contrast]] = []
    turned: list[tuple[str, Contrast]] = []
    for name, each in every:
        if (clear := each.clear) is None:
            continue
        if not_on_clear(each):
            (made if made_by_unclear(each) else without).append((name, each))
        elif _on_all(each) == 0 != _on_clear(each):
            hidden.append((name, each))
        elif each.difference.difference * clear.difference < 0:  # NaN is not
            turned.append((name, each))

    def replies(some: Sequence[tuple[str, Contrast]]) -> str:
        return unclear_words([each for _, each in some])

    kinds = (
        (made, f"shown, but {replies(made)} make the difference: it is gone, or turned, on {THERE}"),
        (without, f"shown, but not on {THERE}"),
        (hidden, f"shown on {THERE}, but not on all, where {replies(hidden)} count as wrong"),
        (turned, f"the other way round on {THERE}, though neither is shown"),
    )
    return [f"{what}: {first_of([_detail(name, each) for name, each in some])}" for some, what in kinds if some]


def _detail(name: str, each: Contrast) -> str:
    """`gpt - ada (-23.1 on all, +8.8 on 239 clear items; unclear: 285/0)`."""
    there = "no item is clear"
    if each.clear is not None and each.clear.items:
        there = f"{points(each.clear.difference, '+')} on {things(each.clear.items, 'clear item')}"
    return f"{name} ({points(each.difference.difference, '+')} on all, {there}; {lost_words(each)})"
