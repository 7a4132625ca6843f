"""What could not be used: how much of it, and the first of it with its place."""

from __future__ import annotations

from dataclasses import dataclass, field

from generators.errors import Fault

__all__ = ["Left"]

_LISTED = 20


@dataclass
class Left:
    """Answers that are not used for one reason."""

    count: int = 0
    first: list[Fault] = field(default_factory=list)
    """At most 20."""

    def add(self, reason: str, place: str) -> None:
        """Count an answer, and keep it if it is one of the first."""
        self.count += 1
        if len(self.first) < _LISTED:
            self.first.append(Fault(reason, place))
