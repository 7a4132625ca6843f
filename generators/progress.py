"""Progress: how long work says what it is doing, without knowing who watches."""

from __future__ import annotations

from typing import Protocol

__all__ = ["Progress", "unwatched"]


class Progress(Protocol):
    """What long work calls from time to time; `hansproof.terminal.progress` draws it as a bar."""

    def __call__(self, stage: str, done: int, total: int, /) -> None:
        """`done` of `total` units of `stage` are finished; the stage is a phrase such as `finding groups`."""
        ...


def unwatched(stage: str, done: int, total: int, /) -> None:
    """A Progress that nobody watches."""
