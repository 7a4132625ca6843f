"""What could not be used: how much of it, and the first of it with its place."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from generators.errors import Fault

__all__ = ["Left", "file_of", "no_verdict"]

_LISTED = 20
_PLACE = re.compile(r": (?:line|row|sample) ")


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


def file_of(place: str) -> str:
    """The file of the place of a reply."""
    return _PLACE.split(place, maxsplit=1)[0]


def no_verdict(title: str = "") -> str:
    """That the replies of a series, or all, lack what `judged="harness"` needs."""
    return f"no reply{f' of model {title}' if title else ''} has a verdict of a harness"
