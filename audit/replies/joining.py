"""Answers to items, step by step: each reply finds its item, gets into the column of its model and is scored.

An answer leaves one small number behind. What cannot be used is counted and listed with its place (`Account`). A subset
of the benchmark itself of which a series has no reply was not asked, and stays out of every mean; so do items that a
log does not name whose run broke off or was to ask only a part.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

import msgspec
import numpy as np

from hansproof.audit.harnesses.reply import Reply, says_nothing
from hansproof.audit.replies.finding import ItemIndex, Placed, is_of, other_items, watched
from hansproof.audit.replies.foreign_items import PLACE, Items
from hansproof.audit.replies.grid import (
    MISSING,
    NONE,
    NOT_ASKED,
    SKIPPED,
    UNCLEAR,
    Grid,
    Series,
    Tally,
    at_odds,
    code_of,
    column_of,
    file_of,
    groups_left,
    long_golds,
    no_verdict,
    shortfalls,
)
from hansproof.audit.replies.judged_reply import (
    Judged,
    Outcome,
    Read,
    by_harness,
    cause,
    difference,
    judged_outcome,
    outcome,
    unclear_reply,
)
from hansproof.audit.replies.scorers import accepted, own_subset, scorer_of
from hansproof.audit.result.record import Record
from hansproof.audit.statistics.kappa import Agreement
from hansproof.generators.errors import Fault, InputError, Progress, unwatched
from hansproof.generators.item import Item

__all__ = ["Account", "Disagreements", "Joined", "Keep", "Left", "Missing", "Place", "join"]

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


Keep = Literal["codes", "readings", "outcomes"]
"""What is kept of a reply: a byte; what was read from it too; or all of the reply as it was read and scored."""


@dataclass(kw_only=True)
class Joined:
    """Replies that have found their items."""

    grid: Grid
    read: Account
    """What became of all of them."""
    agreements: tuple[Agreement | None, ...]
    """By series: how far our reading agrees with the harness; None where the log has no verdicts."""
    kept: tuple[tuple[Outcome | None, ...], ...]
    """By series and item: the reply read and scored, None without one; empty unless it was asked for."""
    not_judged: tuple[tuple[Series, str], ...]
    """Series that are not in the grid since none of their replies has a verdict where it counts, and their files."""

    def not_asked(self, series: int) -> dict[str, int]:
        """Subset -> its items that a series was not asked."""
        codes = zip(self.grid.items, self.grid.outcomes[:, series].tolist(), strict=True)
        return dict(Counter(own_subset(item) for item, code in codes if code == NOT_ASKED))

    def skipped(self, series: int) -> int:
        """How many items are in no number of a series because it has no reply to them, on request."""
        return int((self.grid.outcomes[:, series] == SKIPPED).sum())


@dataclass
class _Column:
    """What is kept of one series while replies are read."""

    codes: array[int]
    kept: list[Outcome | None]
    read: list[Read | None]
    family: str = ""
    tally: Tally = field(default_factory=Tally)
    verdicts: int = 0
    """Replies with a verdict of a harness."""
    files: dict[str, None] = field(default_factory=dict)
    """Where its replies stand, as long as none has a verdict."""
    partial: set[str] = field(default_factory=set)
    """Subsets of which its logs hold only a part."""
    unjudged: int = 0

    def note(self, reply: Reply, subset: str) -> None:
        """Keep what a reply says of its series, whatever becomes of it."""
        self.family = self.family or reply.family
        if reply.judged is not None:
            self.verdicts += 1
        elif not self.verdicts:
            self.files[file_of(reply.place)] = None
        if reply.partial:
            self.partial.add(subset)


_Columns = dict[tuple[str, str, str], _Column]


class _Reading:
    """Replies, read and scored one by one as they come."""

    def __init__(self, items: Items, judged: Judged, skip_missing: bool, keep: Keep) -> None:
        self._items, self._judged, self._skip_missing = items, judged, skip_missing
        self._scorer = scorer_of(items)
        self._keep = keep
        self._same: dict[Read, Read] = {}
        """An answer that many replies give stands in memory once."""
        self.account = Account(items=len(items))
        self.columns: _Columns = {}
        self.others: list[str] = []
        """Where replies to other items with the same ids stand."""
        self.of_runs: dict[int, Sequence[str]] = {}

    def take(self, reply: Reply, placed: Placed) -> None:
        """Read a reply that has been placed: find its series, and score it unless it is empty or a second one."""
        self.account.replies += 1
        if placed.place < 0:
            self.account.unmatched.add(placed.reason, reply.place)
            return
        item = self._items[placed.place]
        if reply.digest and not is_of(reply.digest, item):
            self.others.append(reply.place)
            return
        self.of_runs.setdefault(id(reply.about), reply.about)
        name, size = (reply.model, reply.style, reply.run), len(self._items)
        if name not in self.columns:
            kept, read = size * (self._keep == "outcomes"), size * (self._keep == "readings")
            self.columns[name] = _Column(array("b", [NONE]) * size, [None] * kept, [None] * read)
        column = self.columns[name]
        column.note(reply, own_subset(item))
        if reply.undecided:
            self.account.undecided.add(f"{reply.undecided} is neither right nor wrong", reply.place)
        if self._counts(reply, placed.place, column):
            self.account.unconfirmed += not placed.confirmed
            self._score(reply, placed.place, column)

    def _counts(self, reply: Reply, place: int, column: _Column) -> bool:
        """Whether a reply is the first of its series to an item that says something."""
        before = column.codes[place]
        # A verdict on nothing would leave out the wrong ones of them, and keep the right ones.
        if says_nothing(reply.reply) and (reply.judged is None or self._skip_missing):
            self.account.empty += 1
            column.codes[place] = MISSING if before == NONE else before
            return False
        if before in (NONE, MISSING):  # a harness that asks again after a failure writes a null first
            return True
        again = f"another reply to {self._items[place].id!r}; the first one counts"
        self.account.doubled.add(again, reply.place)
        return False

    def _score(self, reply: Reply, place: int, column: _Column) -> None:
        item = self._items[place]
        scored = outcome(item, reply.reply, self._scorer)
        theirs = by_harness(item)
        if reply.judged is not None and not theirs:
            self._compare(scored, reply, reply.judged, column)
        if theirs or self._judged == "harness":
            if reply.judged is None and not reply.undecided:
                column.unjudged += 1
                column.codes[place] = MISSING
                return
            scored = judged_outcome(scored, reply.judged)
        column.codes[place] = code_of(scored)
        if column.codes[place] == UNCLEAR:
            self.account.unclear.add(unclear_reply(scored, reply.reply or ""), reply.place)
        if column.kept:
            column.kept[place] = scored
        if column.read and scored.reading is not None:
            read = Read(scored.reading.said, scored.reading.reason)
            column.read[place] = self._same.setdefault(read, read)

    def refuse_others(self, source: str) -> None:
        """Raise InputError where replies are to other items with the same ids, or none is to any item of `source`."""
        if self.others:
            raise other_items(len(self.others), self.others[0], source)
        if not self.columns:
            raise _nothing(self.account.unmatched, source, self._items)

    def _compare(self, scored: Outcome, reply: Reply, verdict: bool, column: _Column) -> None:
        """Count how our score of a reply stands to the verdict of the harness."""
        if scored.score.right is None:
            self.account.ungraded += self._judged == "reply"
            return
        column.tally.add(own_subset(scored.item), scored.right, verdict)
        if scored.right != verdict:
            why, differing = cause(reply.reply, accepted(scored.item), scored.right), self.account.disagreements
            differing.causes[why] = differing.causes.get(why, 0) + 1
            differing.add(f"{difference(scored, verdict)}: {why}", reply.place)


def join(
    replies: Iterable[Reply],
    items: Sequence[Item],
    *,
    judged: Judged = "reply",
    skip_missing: bool = False,
    keep: Keep = "codes",
    source: str = "",
    about: Sequence[str] = (),
    progress: Progress = unwatched,
) -> Joined:
    """The grid of `replies` to `items`, and what was left over.

    An item is found by id, or else by prompt, which may stand within a longer text; a known id whose prompt is another
    item's is not used. Where `judged` is `harness`, and not `reply`, the verdict of the log is the outcome; a series
    without any was not judged, and is not in the grid. With `skip_missing`, an item of which a series has no reply is
    not wrong, but in none of its numbers. `keep` says what is kept of each reply; `source` is what faults
    call the items, and `about` what else is to know of the replies when the last is read (`Replies.notes`).

    Raises InputError for no items, items of several datasets or with equal ids, for replies to other items with the
    same ids (by digest), where no reply belongs to an item, and where no reply has the verdict that is asked for.
    """
    if not items:
        raise InputError("there are no items to score")
    asked = items if isinstance(items, Items) else Items(items)
    index = ItemIndex(asked)
    reading = _Reading(asked, judged, skip_missing, keep)
    for reply, placed in index.placed(asked.judged(watched(replies, progress)), progress):
        reading.take(reply, placed)
    reading.refuse_others(source)
    columns, not_judged = _judged(reading.columns, judged)
    grid = Grid(
        ", ".join(dict.fromkeys(str(item.metadata["dataset"]) for item in items)),
        tuple(asked),
        tuple(Series(*name, column.family) for name, column in columns.items()),
        np.stack([column_of(column.codes, asked, skip_missing, column.partial) for column in columns.values()], axis=1),
        read=tuple(tuple(column.read) for column in columns.values() if column.read),
    )
    if skip_missing and not grid.counted().any():
        what = f"no item has a {'verdict' if judged == 'harness' else 'reply'}, so nothing is left"
        raise InputError(f"{what}; where missing replies are not left out, they count as wrong", source)
    account = reading.account
    account.groups, account.by_id = len(set(grid.groups().tolist())), index.by_id
    account.unjudged = sum(column.unjudged for column in columns.values())
    account.missing = [_missing(grid, at) for at in range(len(grid.series))]
    poor = [(each.title, column.tally.poor()) for each, column in zip(grid.series, columns.values(), strict=True)]
    account.about = [
        *([*at_odds(poor), *long_golds(grid)] if judged == "reply" else ()),
        *asked.notes,
        *about,
        *shortfalls(reading.of_runs.values()),
        *(f"{files}: {no_verdict(series.title)}: not judged, and in no number" for series, files in not_judged),
        # Beside the note on the groups of all items, which those that are ours do not have.
        *filter(None, [groups_left(grid)] if asked.notes else ()),
    ]
    return Joined(
        grid=grid,
        read=account,
        agreements=tuple(column.tally.agreement() for column in columns.values()),
        kept=tuple(tuple(column.kept) for column in columns.values() if column.kept),
        not_judged=not_judged,
    )


def _judged(columns: _Columns, judged: Judged) -> tuple[_Columns, tuple[tuple[Series, str], ...]]:
    """The columns with the verdicts that count, and the series and files of the others; InputError without any."""
    without = {name: column for name, column in columns.items() if judged == "harness" and not column.verdicts}
    if len(without) == len(columns):
        files = dict.fromkeys(file for column in without.values() for file in column.files)
        raise InputError(f"{no_verdict()}; leave out --judged harness to have the replies read", ", ".join(files))
    left = {name: column for name, column in columns.items() if name not in without}
    return left, tuple((Series(*name, column.family), ", ".join(column.files)) for name, column in without.items())


def _missing(grid: Grid, at: int) -> Missing:
    """The asked items without a reply of a series; the first of them by id."""
    left = Left()
    for row in np.flatnonzero(np.isin(grid.outcomes[:, at], (MISSING, SKIPPED))).tolist():
        left.add("no reply", grid.items[row].id)
    return Missing(series=grid.series[at].title, count=left.count, first=left.first)


def _nothing(unmatched: Left, source: str, items: Items) -> InputError:
    """The error where no reply belongs to an item."""
    if not unmatched.count:
        return InputError("there are no replies")
    first = unmatched.first[0]
    why = f"; {items.without_ids}" if items.without_ids else ""
    if items[0].metadata.get(PLACE) and not why:
        why = f"; its items have no ids, and are called such as {items[0].id[:80]!r}: name a column of ids with --id"
    elif "no item has the id" in first.reason and not why:
        why = f"; its items have ids such as {items[0].id[:80]!r}"
    of = f" of {source}" if source else ""
    said = f"none of the {unmatched.count:,} replies belongs to an item{of}; of the first, {first.reason}{why}"
    return InputError(said, first.place)
