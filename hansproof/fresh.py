"""Fresh items, one at a time, for a script that uses them as they are made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from generators.item import Item

__all__ = ["generate"]


def generate(
    name: str, *, count: int, subset: str | Sequence[str] | None = None, seed: int | None = None, start: int = 0
) -> Iterator[Item]:
    """Generate items of the dataset `name`, as `hansproof generate` does.

    Args:
        name: A dataset, such as `knights-knaves`; `hansproof list` shows them all.
        count: How many items of each subset.
        subset: One subset, or several; None for all of them, in release order.
        seed: Any 64-bit integer. None draws a private seed, which every item carries as `metadata["seed"]`.
        start: The index of the first item of each subset. Item i does not depend on `start` or `count`.

    Raises:
        UsageError: At once, for a name that does not exist, a number out of range, or more items of a named subset
            than there are. Of a small subset that you did not name, you get all there are.
    """
    from generators.production import items, plan, private_seed
    from generators.registry import dataset

    family = dataset(name)
    chosen = private_seed() if seed is None else seed
    subsets = [] if subset is None else [subset] if isinstance(subset, str) else list(subset)
    stretches = plan(family, subsets, chosen, count, start)
    return (item for stretch in stretches for item in items(family, stretch, chosen))
