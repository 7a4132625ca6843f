"""Error schemes: the kinds of error in reasoning that people mark in replies, and those that a program can prove."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from generators.item import Item

__all__ = ["ErrorScheme", "ProvenError"]


@dataclass(frozen=True)
class ProvenError:
    """An error that a program has proved."""

    category: str
    line: int
    """Of the reply, from 1."""
    detail: str
    """What is wrong there, in words."""


@dataclass(frozen=True)
class ErrorScheme:
    """A family's kinds of error."""

    categories: Mapping[str, str]
    """Short name -> what the error is, in the order of the form."""
    prove: Callable[[Item, str], Sequence[ProvenError]]
    """(item, reply) -> errors that are certain. It never proves that there is none."""
