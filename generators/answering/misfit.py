"""Items that the code of their own family cannot take, because somebody changed their metadata.

A family relies on the metadata that it writes. An item that comes from a file has well-formed fields and no more, so
code that hands it to its family does so `with fitting(item)`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from generators.errors import InputError
from generators.item import Item

__all__ = ["MISFITS", "check_shape", "fitting"]

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


def check_shape(item: Item, made: Mapping[str, Any]) -> None:
    """Raise InputError, naming the item, unless its metadata has the keys and, at every depth, the types of `made`."""
    for key, value in made.items():
        if key not in item.metadata:
            wrong = f"metadata lacks {key}"
        elif (there := _shape(item.metadata[key])) == (wanted := _shape(value)):
            continue
        else:
            wrong = f"metadata.{key} is {there}, not {wanted}"
        family = item.metadata["dataset"]
        raise InputError(f"{wrong}; is it an item of {family}, as released?", f"item {item.id!r}")


def _shape(value: Any) -> str:
    """The type of a JSON value in words, with those of the entries of a list: `list of (list of (integer))`."""
    if isinstance(value, list | tuple):
        return f"list of ({' and '.join(sorted({*map(_shape, value)})) or 'nothing'})"
    return _NAMES.get(type(value), "object")


_NAMES = {str: "text", bool: "boolean", int: "integer", float: "fraction", type(None): "null"}
