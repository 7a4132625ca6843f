"""What is named twice, in linear time: counting each name anew takes minutes where there are tens of thousands."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["first_repeated"]


def first_repeated(names: Iterable[str]) -> str | None:
    """The first name that is there a second time; None where each is there once."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None
