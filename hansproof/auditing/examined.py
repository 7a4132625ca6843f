"""Benchmarks that models answered, audited one after the other; phenotypes where they were played."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from hansproof.audit.formats.content import Content, bare_name
from hansproof.audit.formats.given import Given, called, is_whole
from hansproof.audit.harnesses.reply import Reply
from hansproof.audit.models.reliance.parts import grids_of, rows_of, says_more
from hansproof.audit.models.study import Answered, Played, answered
from hansproof.audit.notation import NAMELESS, things
from hansproof.audit.phenotype.measuring import MOST, differences
from hansproof.audit.reading.roles import Columns
from hansproof.audit.replies.asking import Asking, items_of_logs
from hansproof.audit.replies.grid import Grid
from hansproof.audit.replies.joining import Joined, join
from hansproof.audit.replies.judged_reply import Judged
from hansproof.audit.replies.reply_files import Replies
from hansproof.audit.replies.scorers import ACCEPTED
from hansproof.audit.report.study_reading import by_id_notes
from hansproof.audit.result.audit_result import Settings
from hansproof.audit.run import Examination, examine
from hansproof.generators.dataset import Dataset
from hansproof.generators.errors import HansproofError, InputError, Progress, UsageError, unwatched
from hansproof.generators.item import Item
from hansproof.generators.registry import find
from hansproof.release.frozen import held_items, items_from
from hansproof.runs.participants import Measuring, gather_outcomes
from hansproof.scoring import resolved

__all__ = ["Course", "examined", "sources_of"]


def is_played(items: Sequence[Item]) -> bool:
    """Whether the items are tasks that are played turn by turn, and leave records of choices."""
    return bool(items) and _family(items[0]) is not None


def phenotypes_of(joined: Joined, progress: Progress = unwatched) -> Played:
    """The phenotype of every model, prompt style and run of a grid whose outcomes were kept, in standard stories.

    A model without a finished run has none, and a note says why.
    """
    how = Measuring()
    samples, notes = [], []
    for series, outcomes in zip(joined.grid.series, joined.kept, strict=True):
        name = series.title or NAMELESS
        try:
            samples.append(how.sample(gather_outcomes(name, outcomes)))
        except HansproofError as error:
            notes.append(f"{name} has no phenotype: {error}")
    return Played(
        phenotypes=[how.of(sample, progress) for sample in samples],
        differences=differences(samples, progress=progress) if len(samples) <= MOST else [],
        notes=notes,
    )


def _family(item: Item) -> Dataset | None:
    family = find(str(item.metadata["dataset"]))
    return family if family is not None and family.records is not None else None


_TABLES = (".csv", ".tsv", ".tab", ".parquet")

Source = str | Content | list[Item]


class _Plan(NamedTuple):
    """A benchmark that is to be audited."""

    named: str
    """In the line that says so."""
    benchmark: str
    items: int
    source: Source | list[dict[str, Any]]
    """A file, or the items as rows."""
    columns: Columns | None
    name: str | None
    """What the audit is to call it; None leaves it to the file."""
    answers: Grid | Joined
    """Of a file, those to all of its items, which the audit gives a name."""


def _time(seconds: float) -> str:
    return f"{seconds / 60:.0f} min" if seconds > 90 else f"{seconds:.0f} s"


@dataclass
class Course:
    """How benchmarks are audited, and what is noted on the way."""

    judged: Judged
    settings: Settings
    workers: int
    progress: Progress | None
    asking: Asking
    """How benchmarks of items are read and grouped."""
    skip_missing: bool = False
    begun: Callable[[str], None] | None = None
    """Called with a line when an audit begins."""
    accounts: list[Answered] = field(default_factory=list)
    """One for each source of items."""
    unassessed: list[str] = field(default_factory=list)
    """A sentence for each benchmark that the audit cannot read or assess."""
    played: list[Played] = field(default_factory=list)
    """One for each source of items that are played turn by turn."""

    def audited(self, plans: Sequence[_Plan]) -> Iterator[tuple[Grid, Examination]]:
        """The audits, one after the other, each of which may take minutes: how many there are is said, and how long the
        rest may take, by the items so far. Those that the audit cannot read are noted."""
        since, done, total = monotonic(), 0, sum(plan.items for plan in plans)
        for number, plan in enumerate(plans, 1):
            if self.begun is not None:
                left = f", about {_time((monotonic() - since) / done * (total - done))} left" if done else ""
                place = f" ({number} of {len(plans)}{left})" if len(plans) > 1 else ""
                self.begun(f"auditing {plan.named}, {things(plan.items, 'item')}{place} ...")
            done += plan.items
            try:
                # Options are for reading replies; as labels the answers have none.
                columns = plan.columns
                if columns is not None and self.settings.task == "fixed":
                    columns = replace(columns, choices=None)
                examination = examine(
                    plan.source, columns, self.settings, name=plan.name, workers=self.workers, progress=self.progress
                )
            except InputError as error:
                self.unassessed.append(f"{plan.benchmark} is not assessed: {error}")
                continue
            of = plan.answers
            yield of if isinstance(of, Grid) else grids_of(of, examination.benchmark.name)[0], examination

    def unused(self) -> list[str]:
        """What the numbers rest on, how many replies belong to none of the sources, and how many came too late."""
        read = self.accounts[0].read.replies
        matched = sum(part.read.replies - part.read.unmatched.count for part in self.accounts)
        again = sum(part.read.doubled.count for part in self.accounts)
        late = f"{things(again, 'reply', 'replies')} given again for an item, model, style and run; the first counts"
        nobody = f"{read - matched:,} of {read:,} replies belong to no item and are left out"
        about = dict.fromkeys(note for part in self.accounts for note in part.read.about)
        return [
            *about,
            *([nobody] if matched < read else []),
            *([late] if again else []),
            *(note for part in self.accounts for note in by_id_notes(part.read.by_id)),
        ]


def sources_of(items: Given | None) -> list[Source]:
    """The sources of items, one by one; items themselves, and a list of dicts, are one source."""
    if items is None:
        return []
    members = [items] if is_whole(items) else list(items)
    if members and all(isinstance(member, Item | Mapping) for member in members):
        return [held_items(items if is_whole(items) else members)]
    return [held_items(each, f"items {at}" if len(members) > 1 else "items") for at, each in enumerate(members, 1)]


def examined(
    replies: Replies | Sequence[Reply], sources: Sequence[Source], course: Course
) -> Iterator[tuple[Grid, Examination]]:
    """A grid with its audit for each benchmark.

    Without `sources`, for each that the logs themselves hold.
    """
    about = replies.notes if isinstance(replies, Replies) else []  # filled as they are read
    if not sources:
        held = list(replies)
        own = items_of_logs(held, course.asking, course.progress or unwatched)
        joined = _joined(held, own, course, "the logs", about)
        yield from course.audited([*_own(grids_of(joined), course)])
        return
    _refuse_twice(sources)
    # What a table is called, its name tells before it is read.
    paths = [source for source in sources if isinstance(source, str)]
    _refuse_twins((stem, path) for path in paths for stem, ending in [bare_name(Path(path))] if ending in _TABLES)
    # All of them first, and items before replies: an audit takes long, and what is wrong with either is told before it.
    every = []
    for source in sources:
        rows, named = items_from(source, course.asking, course.progress or unwatched), called(source)
        read = source if rows and ACCEPTED in rows[0].metadata else None
        every.append((rows, named, read))
    _refuse_twins((name, named) for rows, named, read in every for name in _names(rows, read is not None))
    joins = [(_joined(replies, rows, course, named, about), read) for rows, named, read in every]
    plans: list[_Plan] = []
    for joined, read in joins:
        if read is None:
            plans += _own(grids_of(joined), course)
            continue
        name, items = joined.grid.benchmark, len(joined.grid.items)
        plans.append(_Plan(called(read), name, items, read, course.asking.columns, None, joined))
    yield from course.audited(plans)


def _refuse_twice(sources: Sequence[Source]) -> None:
    """Raise UsageError for a benchmark that is named twice."""
    known: set[str] = set()
    for source in sources:
        if isinstance(source, str):
            if (place := resolved(source)) in known:
                raise UsageError("is named twice; name it once", source)
            known.add(place)


def _refuse_twins(names: Iterable[tuple[str, str]]) -> None:
    """Raise UsageError for a benchmark of one source that is called as one of another; `names` are (name, source)."""
    known: dict[str, str] = {}
    for name, source in names:
        if known.setdefault(name, source) != source:
            raise UsageError(
                f"two benchmarks are called {name!r}: rename one of the files, or analyse them one at a time",
                f"{known[name]}, {source}",
            )


def _names(items: Sequence[Item], whole: bool) -> list[str]:
    """What the benchmarks in some items are called, as `grids_of` does."""
    if whole:
        return [str(item.metadata["dataset"]) for item in items[:1]]
    return list(dict.fromkeys(str(item.metadata["subset"] or item.metadata["dataset"]) for item in items))


def _joined(
    replies: Iterable[Reply], items: Sequence[Item], course: Course, source: str, about: Sequence[str]
) -> Joined:
    """The replies to some items, of which the course gets an account."""
    plays = is_played(items)
    joined = join(
        replies, items, judged=course.judged, skip_missing=course.skip_missing, source=source, about=about,
        keep="outcomes" if plays or says_more(items) else "codes", progress=course.progress or unwatched,
    )  # fmt: skip
    course.accounts.append(answered(joined, course.judged, progress=course.progress or unwatched))
    if plays:
        course.played.append(phenotypes_of(joined, course.progress or unwatched))
    return joined


def _own(grids: Iterable[Grid], course: Course) -> Iterator[_Plan]:
    """Grids whose items are audited as they are; those without a gold answer are noted."""
    for grid in grids:
        if not grid.counted().any():
            continue
        if rows := rows_of(grid):
            name = grid.benchmark
            yield _Plan(name, name, len(rows), rows, None, name, grid)
        else:
            course.unassessed.append(f"{grid.benchmark} is not assessed: none of its items has a gold answer")
