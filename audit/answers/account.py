"""What became of all replies: how many were read, and what was not used. JSON has it in one shape."""

from __future__ import annotations

from audit.answers.joining import Joined
from audit.answers.left import Left
from audit.result.record import Record
from generators.errors import Fault

__all__ = ["Account", "Place", "UnusedReplies", "account"]


class Place(Record, frozen=True, kw_only=True):
    """One reply that is not used."""

    place: str
    """File and line, row or sample."""
    reason: str

    def __str__(self) -> str:
        return str(Fault(self.reason, self.place))


class UnusedReplies(Record, frozen=True, kw_only=True):
    """Replies that are not used for one reason."""

    count: int
    first: list[Place]
    """At most 20."""


class Disagreements(UnusedReplies, frozen=True, kw_only=True):
    """Replies on which our reading and the harness differ."""

    causes: dict[str, int]
    """Why -> replies."""


class Missing(Record, frozen=True, kw_only=True):
    """Asked items without a reply of one series."""

    series: str
    """Its title: model, style and run."""
    count: int
    first: list[Place]
    """Ids of items, as places."""


class Account(Record, frozen=True, kw_only=True):
    """What became of the replies to one source of items: `read` in the JSON of `score`, and, for each source, of
    `analyse`."""

    replies: int
    """Read, among them those that belong to no item."""
    items: int
    groups: int
    """Of items that count together."""
    about: list[str]
    """What the numbers on these items rest on: groups that count together, rows that are left out."""
    empty: int
    """Replies that say nothing (null, an empty cell, an empty text), which are missing."""
    unmatched: UnusedReplies
    """Replies to none of the items; with several sources, answers to the others are among them."""
    doubled: UnusedReplies
    """Replies of a series to an item that it has answered already."""
    unconfirmed: int
    """Replies that found their item by id, although their prompt is not recognised as its."""
    unjudged: int
    """Replies without a verdict of the harness, where its verdict counts."""
    undecided: UnusedReplies
    """Replies whose mark of the harness is neither right nor wrong: in no accuracy where its verdict counts."""
    unclear: UnusedReplies
    """Replies that give no clear answer, which is wrong: why, and how they end."""
    by_id: dict[str, int]
    """Task that they name, empty for none -> replies that found their item by id alone: the name is another than that
    of the items, or the id is a mere number."""
    ungraded: int
    """Replies with a verdict of the harness, but not of ours, because no gold answer is known."""
    disagreements: Disagreements
    missing: list[Missing]
    """One entry for each series."""


def account(joined: Joined) -> Account:
    """The counts of `Joined`, with at most 20 places of each kind."""
    missing = [(series.title, joined.missing(at)) for at, series in enumerate(joined.grid.series)]
    return Account(
        replies=joined.replies,
        items=len(joined.grid.items),
        groups=len(set(joined.grid.groups().tolist())),
        about=list(joined.about),
        empty=joined.empty,
        unmatched=UnusedReplies(count=joined.unmatched.count, first=_first(joined.unmatched)),
        doubled=UnusedReplies(count=joined.doubled.count, first=_first(joined.doubled)),
        unconfirmed=joined.unconfirmed,
        unjudged=joined.unjudged,
        undecided=UnusedReplies(count=joined.undecided.count, first=_first(joined.undecided)),
        unclear=UnusedReplies(count=joined.unclear.count, first=_first(joined.unclear)),
        by_id=dict(joined.by_id),
        ungraded=joined.ungraded,
        disagreements=Disagreements(
            count=joined.disagreements.count, first=_first(joined.disagreements), causes=joined.causes
        ),
        missing=[Missing(series=series, count=left.count, first=_first(left)) for series, left in missing],
    )


def _first(left: Left) -> list[Place]:
    return [Place(place=fault.place, reason=fault.reason) for fault in left.first]
