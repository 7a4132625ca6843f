"""The boundary of the public functions: arguments of the type that their signatures say, and errors of one base class.

What a wrong type does further down is anybody's guess: a text is a sequence of letters, True is 1. And a library that
panics would pass every `except Exception`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from inspect import Parameter, signature
from typing import Any, ParamSpec, TypeVar

from hansproof.generators.errors import HansproofError, UsageError, told, unknown

__all__ = ["checked"]

P = ParamSpec("P")
R = TypeVar("R")


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """`function`, which raises UsageError for an argument that its signature does not have or wants of another type,
    and InputError for what the system or a library underneath refuses where nobody foresaw it
    (`generators.errors.told`).

    Types that this module does not know are left to the function. Scalars of NumPy count as Python's own, and become
    them. A whole number is also a fraction; True is neither.
    """
    shape = signature(function)
    closed = all(parameter.kind is not Parameter.VAR_KEYWORD for parameter in shape.parameters.values())
    wanted = {name: _members(str(parameter.annotation)) for name, parameter in shape.parameters.items()}

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        for name in kwargs if closed else ():
            if name not in shape.parameters:
                raise unknown("argument", name, shape.parameters, within=f"{function.__name__}()")
        try:
            bound = shape.bind(*args, **kwargs)
        except TypeError as error:  # too many arguments, or too few
            raise UsageError(str(error), f"{function.__name__}()") from error
        for name, value in bound.arguments.items():
            of_numpy = any((kind.__module__, kind.__name__) == ("numpy", "generic") for kind in type(value).__mro__)
            plain = value.item() if of_numpy else value
            if wanted[name] and not any(_is(plain, member) for member in wanted[name]):
                shown = repr(plain)
                shown = shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}..."
                kinds = ", or ".join(dict.fromkeys(_WORDS[member] for member in wanted[name] if member in _WORDS))
                raise UsageError(
                    f"{name} is {shown} ({type(plain).__name__}); it must be {kinds}", f"{function.__name__}()"
                )
            bound.arguments[name] = plain
        try:
            return function(*bound.args, **bound.kwargs)
        except (HansproofError, MemoryError):
            raise
        except BaseException as error:
            known = told(error)
            if known is None:
                raise
            raise known from error

    return call


_LONGEST = 60
"""Characters of a wrong argument that are shown."""

_WORDS = {
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "True or False",
    "None": "None",
    "Path": "a path",
    "PathLike": "a path",
    "Sequence": "a list of texts",
    "Iterable": "a list",
    "Mapping": "a dict",
    "Callable": "a function",
    "Progress": "a function",
    "Recall": "a function",
    "_Place": "a path, or None",
}


def _members(annotation: str) -> tuple[str, ...]:
    """`str | Sequence[str] | None` as (str, Sequence, None); empty where a member is of a type that is not known."""
    bare = annotation
    while "[" in bare:
        inner = re.sub(r"\[[^\[\]]*\]", "", bare)
        if inner == bare:
            return ()
        bare = inner
    members = tuple(member.strip() for member in bare.split("|"))
    return members if all(member in _WORDS for member in members) else ()


def _is(value: Any, member: str) -> bool:
    if member == "int":
        return isinstance(value, int) and not isinstance(value, bool)
    if member == "float":
        return isinstance(value, int | float) and not isinstance(value, bool)
    if member in ("Path", "PathLike"):
        return isinstance(value, os.PathLike)
    if member == "_Place":
        return value is None or isinstance(value, str | os.PathLike)
    if member == "Sequence":
        is_list = isinstance(value, Sequence) and not isinstance(value, str)
        return is_list and all(isinstance(part, str) for part in value)
    if member == "Iterable":
        return isinstance(value, Iterable) and not isinstance(value, str | bytes)
    if member in ("Callable", "Progress", "Recall"):
        return callable(value)
    kinds: dict[str, type] = {"str": str, "bool": bool, "Mapping": Mapping, "None": type(None)}
    return isinstance(value, kinds[member])
