"""What was read from each reply of a series: the answer alone, which is little enough to be kept of every reply."""

from __future__ import annotations

from dataclasses import dataclass

from audit.answers.judging.outcome import MISSING, Outcome

__all__ = ["NO_REPLY", "Read", "Readings"]


@dataclass(frozen=True)
class Read:
    """What was read from one reply."""

    said: str | None
    """The answer that the reply gives, whole; None where it gives no clear one."""
    reason: str
    """Why there is no clear answer; empty where there is one."""

    def __str__(self) -> str:
        """`yes`, `unclear (names several options)` or `missing`."""
        if self == NO_REPLY:
            return "missing"
        return f"unclear ({self.reason})" if self.said is None else self.said


NO_REPLY = Read(None, MISSING)
"""Of an item without a reply."""


class Readings:
    """What was read from the replies of one series to `items` items. A label that many give stands in memory once."""

    def __init__(self, items: int, same: dict[Read, Read]) -> None:
        """`same` is shared by all series."""
        self._read: list[Read | None] = [None] * items
        self._same = same

    def keep(self, place: int, outcome: Outcome) -> None:
        """Keep what was read from the reply to the item at `place`."""
        reading = outcome.reading
        if reading is None:
            return
        read = Read(reading.said, reading.reason)
        self._read[place] = self._same.setdefault(read, read)

    def all(self) -> tuple[Read | None, ...]:
        """By item; None without a reply."""
        return tuple(self._read)
