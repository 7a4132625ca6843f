"""The interval of the difference of two kappas, from the interval of each."""

from __future__ import annotations

import math

__all__ = ["interval_of_difference"]

Ends = tuple[float | None, float | None, float | None]
"""(low, estimate, high)."""


def interval_of_difference(old: Ends, new: Ends) -> tuple[float, float] | None:
    """The 95 % interval of new - old for independent samples; each with its own interval.

    low = d - sqrt((new - new_low)^2 + (old_high - old)^2), and high likewise: the method of variance estimates recovery
    (Zou & Donner 2008), which needs no symmetric intervals. For samples that share items, and so have a positive
    covariance, it is too wide. None if a number is undefined.
    """
    numbers = [number for number in (*old, *new) if number is not None]
    if len(numbers) < 6:
        return None
    old_low, was, old_high, new_low, now, new_high = numbers
    change = now - was
    return change - math.hypot(now - new_low, old_high - was), change + math.hypot(new_high - now, was - old_low)
