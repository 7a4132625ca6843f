"""Items that the code of their own family cannot take, because somebody changed their metadata.

A family relies on the metadata that it writes. An item that comes from a file has well-formed fields and no more, so
code that hands it to its family does so `with fitting(item)`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from generators.errors import InputError
from generators.item import Item

__all__ = ["MISFITS", "fitting"]

MISFITS = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What metadata with other keys or types than expected may raise."""


@contextmanager
def fitting(item: Item) -> Iterator[None]:
    """Run the code of a family on `item`. Raises InputError, naming the item, for each of MISFITS."""
    try:
        yield
    except MISFITS as error:
        family = item.metadata["dataset"]
        what = f"metadata lacks {error.args[0]}" if isinstance(error, KeyError) else f"metadata does not fit ({error})"
        raise InputError(f"{what}; is it an item of {family}, as released?", f"item {item.id!r}") from error
