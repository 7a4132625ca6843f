"""What became of the replies to a source of items: `read` in the JSON of `score`, and, for each, of `analyse`."""

from __future__ import annotations

import msgspec

from hansproof.audit.result.record import Record
from hansproof.generators.errors import Fault

__all__ = ["Account", "Disagreements", "Left", "Missing", "Place"]

_LISTED = 20


class Place(Record, frozen=True, kw_only=True):
    """One reply that is not used."""

    place: str
    """File and line, row or sample."""
    reason: str

    def __str__(self) -> str:
        return str(Fault(self.reason, self.place))


class Left(msgspec.Struct, kw_only=True):
    """Replies that are not used for one reason."""

    count: int = 0
    first: list[Place] = []
    """At most 20."""

    def add(self, reason: str, place: str) -> None:
        """Count a reply, and keep it if it is one of the first."""
        self.count += 1
        if len(self.first) < _LISTED:
            self.first.append(Place(place=place, reason=reason))


class Disagreements(Left, kw_only=True):
    """Replies on which our reading and the harness differ on right and wrong."""

    causes: dict[str, int] = {}
    """Why (`judged_reply.cause`) -> replies, in order of first occurrence."""


class Missing(Record, frozen=True, kw_only=True):
    """Asked items without a reply of one series, wrong or skipped."""

    series: str
    """Its title: model, style and run."""
    count: int
    first: list[Place]
    """Ids of items, as places."""


class Account(msgspec.Struct, kw_only=True):
    """It is filled while replies are read."""

    replies: int = 0
    """Read, among them those that belong to no item."""
    items: int
    groups: int = 0
    """Of items that count together."""
    about: list[str] = []
    """What the numbers on these items rest on: groups that count together, rows that are left out (`Items.notes`), runs
    that did not end (`Reply.about`), series that were not judged."""
    empty: int = 0
    """Replies that say nothing (null, an empty cell, an empty text), which are missing, without a verdict of a harness
    that would count."""
    unmatched: Left = msgspec.field(default_factory=Left)
    """Replies to none of the items; with several sources, answers to the others are among them."""
    doubled: Left = msgspec.field(default_factory=Left)
    """Replies of a series to an item that it has answered already: the first one that says something counts."""
    unconfirmed: int = 0
    """Replies that found their item by id, although their prompt is not recognised as its."""
    unjudged: int = 0
    """Replies without a verdict of the harness, where its verdict counts; they are missing."""
    undecided: Left = msgspec.field(default_factory=Left)
    """Replies whose mark of the harness is neither right nor wrong, such as one half: in no accuracy where its verdict
    counts."""
    unclear: Left = msgspec.field(default_factory=Left)
    """Replies that give no clear answer, which is wrong: why, and how they end."""
    by_id: dict[str, int] = {}
    """Task that they name, empty for none -> replies that found their item by id alone: the name is another than that
    of the items, or the id is a mere number (`ItemIndex.placed`)."""
    ungraded: int = 0
    """Replies with a verdict of the harness, but not of ours, because no gold answer is known."""
    disagreements: Disagreements = msgspec.field(default_factory=Disagreements)
    missing: list[Missing] = []
    """One entry for each series."""
