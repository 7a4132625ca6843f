"""Answers to items: each reply finds its item and is scored; and the account of what became of all.

An answer leaves one small number behind. What cannot be used is counted and listed with its place: answers to no item,
second answers, disagreements with the harness. A subset of the benchmark itself of which a series has no reply was not
asked, and stays out of every mean; so do items that a log does not name whose run broke off or was to ask only a part.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from hansproof.audit.harnesses.reply import Reply, says_nothing
from hansproof.audit.replies.finding import ItemIndex, is_of, other_items
from hansproof.audit.replies.foreign_items import PLACE, Items
from hansproof.audit.replies.grid import (
    MISSING,
    NONE,
    NOT_ASKED,
    SKIPPED,
    UNCLEAR,
    Grid,
    Left,
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
from hansproof.audit.replies.scorers import accepted, scorer_of
from hansproof.audit.result.record import Record
from hansproof.audit.statistics.kappa import Agreement
from hansproof.generators.errors import Fault, InputError
from hansproof.generators.item import Item

__all__ = ["Account", "Joined", "UnusedReplies", "account", "join"]


@dataclass(kw_only=True)
class Counted:
    """What is counted while replies are read."""

    replies: int = 0
    """Replies read, those among them that are not used."""
    unmatched: Left = field(default_factory=Left)
    """Replies to none of the items."""
    doubled: Left = field(default_factory=Left)
    """Replies of a series to an item that it has answered already: the first one that says something counts."""
    empty: int = 0
    """Replies that say nothing (`says_nothing`), without a verdict of a harness that would count."""
    unconfirmed: int = 0
    """Replies that found their item by id, although their prompt is not recognised as its."""
    disagreements: Left = field(default_factory=Left)
    """Replies on which our reading and the harness differ on right and wrong."""
    causes: dict[str, int] = field(default_factory=dict)
    """Why they differ (`judged_reply.cause`) -> replies, in order of first occurrence."""
    ungraded: int = 0
    """Replies that have a verdict of the harness, but not of ours, because no gold answer is known."""
    undecided: Left = field(default_factory=Left)
    """Replies whose mark of the harness is neither right nor wrong, such as one half: in no accuracy where its verdict
    counts."""
    unclear: Left = field(default_factory=Left)
    """Replies that give no clear answer, which is wrong: why, and how they end."""


@dataclass(kw_only=True)
class Joined(Counted):
    """Replies that have found their items."""

    grid: Grid
    agreements: tuple[Agreement | None, ...]
    """By series: how far our reading agrees with the harness; None where the log has no verdicts."""
    unjudged: int
    """Replies without a verdict of the harness, where its verdict counts; they are missing."""
    kept: tuple[tuple[Outcome | None, ...], ...]
    """By series and item: the reply read and scored, None without one; empty unless it was asked for."""
    about: tuple[str, ...]
    """What the numbers on these items rest on, in words (`Items.notes`): runs that did not end (`Reply.about`), and
    series that were not judged."""
    by_id: dict[str, int]
    """Task that they name, empty where they name none -> replies that found their item by id alone, so that nothing
    confirms that it is the same item (`ItemIndex.placed`)."""
    not_judged: tuple[tuple[Series, str], ...]
    """Series that are not in the grid since none of their replies has a verdict where it counts, and their files."""

    def not_asked(self, series: int) -> dict[str, int]:
        """Subset -> its items that a series was not asked."""
        codes = zip(self.grid.items, self.grid.outcomes[:, series].tolist(), strict=True)
        return dict(Counter(str(item.metadata["subset"]) for item, code in codes if code == NOT_ASKED))

    def skipped(self, series: int) -> int:
        """How many items are in no number of a series because it has no reply to them, on request."""
        return int((self.grid.outcomes[:, series] == SKIPPED).sum())

    def missing(self, series: int) -> Left:
        """The asked items without a reply of a series, wrong or skipped; the first of them by id."""
        left = Left()
        for item, code in zip(self.grid.items, self.grid.outcomes[:, series].tolist(), strict=True):
            if code in (MISSING, SKIPPED):
                left.add("no reply", item.id)
        return left


@dataclass
class _Column:
    """What is kept of one series while replies are read."""

    codes: array[int]
    kept: list[Outcome | None] | None
    read: list[Read | None] | None
    family: str = ""
    tally: Tally = field(default_factory=Tally)
    verdicts: int = 0
    """Replies with a verdict of a harness, and those without one."""
    unjudged: int = 0
    files: dict[str, None] = field(default_factory=dict)
    """Where its replies stand, as long as none has a verdict."""
    partial: set[str] = field(default_factory=set)
    """Subsets of which its logs hold only a part."""

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

    def __init__(self, items: Sequence[Item], judged: Judged, skip_missing: bool, keep: bool, readings: bool) -> None:
        self._items, self._judged, self._skip_missing = items, judged, skip_missing
        self._scorer = scorer_of(items)
        self._keep, self._readings = keep, readings
        self._same: dict[Read, Read] = {}
        """An answer that many replies give stands in memory once."""
        self.counted = Counted()
        self.columns: _Columns = {}
        self.others: list[str] = []
        """Where replies to other items with the same ids stand."""
        self.of_runs: dict[int, Sequence[str]] = {}

    def take(self, reply: Reply, place: int, reason: str, confirmed: bool) -> None:
        """Read a reply to the item at `place`, below 0 for a `reason`."""
        counted = self.counted
        counted.replies += 1
        if place < 0:
            counted.unmatched.add(reason, reply.place)
            return
        item = self._items[place]
        if reply.digest and not is_of(reply.digest, item):
            self.others.append(reply.place)
            return
        self.of_runs.setdefault(id(reply.about), reply.about)
        name = reply.model, reply.style, reply.run
        if name not in self.columns:
            size = len(self._items)
            read: list[Read | None] | None = [None] * size if self._readings else None
            self.columns[name] = _Column(array("b", [NONE]) * size, [None] * size if self._keep else None, read)
        column = self.columns[name]
        column.note(reply, str(item.metadata["subset"]))
        if reply.undecided:
            counted.undecided.add(f"{reply.undecided} is neither right nor wrong", reply.place)
        before = column.codes[place]
        # A verdict on nothing would leave out the wrong ones of them, and keep the right ones.
        if says_nothing(reply.reply) and (reply.judged is None or self._skip_missing):
            counted.empty += 1
            column.codes[place] = MISSING if before == NONE else before
        elif before not in (NONE, MISSING):  # a harness that asks again after a failure writes a null first
            counted.doubled.add(f"another reply to {item.id!r}; the first one counts", reply.place)
        else:
            counted.unconfirmed += not confirmed
            self._score(reply, place, column)

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
            self.counted.unclear.add(unclear_reply(scored, reply.reply or ""), reply.place)
        if column.kept is not None:
            column.kept[place] = scored
        if column.read is not None and scored.reading is not None:
            read = Read(scored.reading.said, scored.reading.reason)
            column.read[place] = self._same.setdefault(read, read)

    def _compare(self, scored: Outcome, reply: Reply, verdict: bool, column: _Column) -> None:
        """Count how our score of a reply stands to the verdict of the harness."""
        counted = self.counted
        if scored.score.right is None:
            counted.ungraded += self._judged == "reply"
            return
        column.tally.add(str(scored.item.metadata["subset"]), scored.right, verdict)
        if scored.right != verdict:
            why = cause(reply.reply, accepted(scored.item), scored.right)
            counted.causes[why] = counted.causes.get(why, 0) + 1
            counted.disagreements.add(f"{difference(scored, verdict)}: {why}", reply.place)


def join(
    replies: Iterable[Reply],
    items: Sequence[Item],
    *,
    judged: Judged = "reply",
    skip_missing: bool = False,
    keep: bool = False,
    readings: bool = False,
    source: str = "",
    about: Sequence[str] = (),
) -> Joined:
    """The grid of `replies` to `items`, and what was left over.

    An item is found by id, or else by prompt, which may stand within a longer text; a known id whose prompt is another
    item's is not used. Where `judged` is `harness`, and not `reply`, the verdict of the log is the outcome; a series
    without any was not judged, and is not in the grid. With `skip_missing`, an item of which a series has no reply is
    not wrong, but in none of its numbers. With `keep` every reply that was read and scored is kept, which needs memory;
    otherwise it is a byte per item and series, and with `readings` what was read from each. `source` is what faults
    call the items, and `about` what else is to know of the replies when the last is read (`Replies.notes`).

    Raises InputError for no items, items of several datasets or with equal ids, for replies to other items with the
    same ids (by digest), where no reply belongs to an item, and where no reply has the verdict that is asked for.
    """
    if not items:
        raise InputError("there are no items to score")
    foreign = items if isinstance(items, Items) else None
    known = ItemIndex(items)
    reading = _Reading(items, judged, skip_missing, keep, readings)
    for reply, placed in known.placed(foreign.judged(replies) if foreign else replies):
        reading.take(reply, *placed)
    if reading.others:
        raise other_items(len(reading.others), reading.others[0], source)
    if not reading.columns:
        raise _nothing(reading.counted.unmatched, source, items)
    columns, not_judged = _judged(reading.columns, judged)
    grid = Grid(
        ", ".join(dict.fromkeys(str(item.metadata["dataset"]) for item in items)),
        tuple(items),
        tuple(Series(*name, column.family) for name, column in columns.items()),
        np.stack([column_of(column.codes, items, skip_missing, column.partial) for column in columns.values()], axis=1),
        read=tuple(tuple(column.read) for column in columns.values() if column.read is not None),
    )
    if skip_missing and not grid.counted().any():
        what = f"no item has a {'verdict' if judged == 'harness' else 'reply'}, so nothing is left"
        raise InputError(f"{what}; without --skip-missing they count as wrong", source)
    told = [*(foreign.notes if foreign else ()), *about, *shortfalls(reading.of_runs.values())]
    told += [f"{files}: {no_verdict(series.title)}: not judged, and in no number" for series, files in not_judged]
    if judged == "reply":
        poor = [(each.title, column.tally.poor()) for each, column in zip(grid.series, columns.values(), strict=True)]
        told = [*at_odds(poor), *(long_golds(grid) if foreign else ()), *told]
    # Beside the note on the groups of all items, which those that are ours do not have.
    told += filter(None, [groups_left(grid)] if foreign and foreign.notes else ())
    return Joined(
        **vars(reading.counted),
        grid=grid,
        agreements=tuple(column.tally.agreement() for column in columns.values()),
        unjudged=sum(column.unjudged for column in columns.values()),
        kept=tuple(tuple(column.kept) for column in columns.values() if column.kept is not None),
        about=tuple(told),
        by_id=known.by_id,
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


def _nothing(unmatched: Left, source: str, items: Sequence[Item]) -> InputError:
    if not unmatched.count:
        return InputError("there are no replies")
    first = unmatched.first[0].reason
    of = f" of {source}" if source else ""
    why = f"; {items.without_ids}" if isinstance(items, Items) and items.without_ids else ""
    if items and items[0].metadata.get(PLACE) and not why:
        why = f"; its items have no ids, and are called such as {items[0].id[:80]!r}: name a column of ids with --id"
    elif items and "no item has the id" in first and not why:
        why = f"; its items have ids such as {items[0].id[:80]!r}"
    said = f"none of the {unmatched.count:,} replies belongs to an item{of}; of the first, {first}{why}"
    return InputError(said, unmatched.first[0].place)


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
        unmatched=_unused(joined.unmatched),
        doubled=_unused(joined.doubled),
        unconfirmed=joined.unconfirmed,
        unjudged=joined.unjudged,
        undecided=_unused(joined.undecided),
        unclear=_unused(joined.unclear),
        by_id=dict(joined.by_id),
        ungraded=joined.ungraded,
        disagreements=Disagreements(
            count=joined.disagreements.count, first=_first(joined.disagreements), causes=joined.causes
        ),
        missing=[Missing(series=series, count=left.count, first=_first(left)) for series, left in missing],
    )


def _unused(left: Left) -> UnusedReplies:
    return UnusedReplies(count=left.count, first=_first(left))


def _first(left: Left) -> list[Place]:
    return [Place(place=fault.place, reason=fault.reason) for fault in left.first]
