"""The items of a benchmark of any format, read with the columns that somebody names, and grouped."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final, cast, get_args

from hansproof.audit.benchmark import Benchmark
from hansproof.audit.formats.column_names import IDS, folded
from hansproof.audit.formats.content import Content
from hansproof.audit.formats.table import MISSING, as_name, bare, cell
from hansproof.audit.harnesses.reply import Reply
from hansproof.audit.notation import things
from hansproof.audit.reading.loading import SeveralError, hold, load, read_table
from hansproof.audit.reading.roles import Columns, parse_answer_part
from hansproof.audit.replies.foreign_items import Items, items_of, items_of_replies
from hansproof.audit.replies.scorers import BREAKDOWN, MATCHED, ORIGINAL, accepted
from hansproof.audit.settings import GroupMode
from hansproof.audit.tasks.options.option_rows import asked_together, items_together
from hansproof.audit.texts.grouping import Groups
from hansproof.generators.errors import Fault, InputError, Progress, UsageError, unknown, unwatched
from hansproof.generators.item import Item

__all__ = ["Asking", "asked_items", "items_of_logs"]

_STAGES: Final = 2
"""Items are read, and then grouped."""

NO_VALUE: Final = "(no value)"
"""The part of the items whose cell is empty, null, NaN or blank."""

_EXACT: Final = 2**53
"""Whole numbers below it are themselves as floats."""


def without_value(names: Sequence[str | None], column: str, what: str) -> tuple[list[str], str]:
    """The names with `NO_VALUE` (or, where a part is called so, that in more brackets) for None, and a note that counts
    those; no note where there is none. `what` the parts are is a singular noun."""
    none = NO_VALUE
    while none in names:
        none = f"({none})"
    count = sum(name is None for name in names)
    note = ""
    if count:
        have, their = ("has", "its") if count == 1 else ("have", "their")
        every = things(len(names), "item")
        note = f"{count:,} of {every} {have} no value in column {column!r}: {their} {what} is {none!r}"
    return [none if name is None else name for name in names], note


def _whole(value: Any) -> Any:
    """Numbers are called by their value, so that 1 and 1.0 are one part: a column of whole numbers with a gap is a
    column of floats to many programs. Texts stay as they are written."""
    value = bare(value)
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT else value


# Items that share a template, a story, a text or options are not independent: the same rule that keeps them together in
# the folds of the audit (`audit.tasks.options.option_rows`) says which of them count together in every standard error.

_FILES = 4
"""Files of a folder that an error lists."""
_OURS = ("condition", "subset")
"""Roles that an audit does not have: what is said of models by parts of the items."""
_ALWAYS = 50
"""So many subsets are taken for subsets; more must have five items each on average, or the column holds something else,
such as ids."""


@dataclass(frozen=True)
class Asking:
    """How a benchmark of items is read: the columns that somebody names, and which items belong together."""

    named: Mapping[str, str] = field(default_factory=dict)
    """Role -> column: roles as the options of `audit` are called; `condition`, how the items of a group differ
    (`original`, `perturbed`); and `subset`, by whose values numbers are also wanted: a topic, a level; of several,
    `set,n`, by their values together. By default the published split."""
    groups: GroupMode = "auto"
    original: str | None = None
    """The condition with which the others are compared."""

    @classmethod
    def of(cls, named: Mapping[str, str], groups: str = "auto", original: str | None = None) -> Asking:
        """Checked. Raises UsageError for other roles, and for an `original` condition without the column of these."""
        roles = [*(each.name for each in fields(Columns)), *_OURS]
        for role in named:
            if role not in roles:
                raise unknown("role of an item's column", role, roles)
        if groups not in get_args(GroupMode):
            raise unknown("way to group items", groups, get_args(GroupMode))
        if original is not None and "condition" not in named:
            raise UsageError("--original names a value of the column of conditions: name that with --condition")
        return cls(named, cast(GroupMode, groups), original)

    @property
    def columns(self) -> Columns:
        """The columns that an audit has, too."""
        others: dict[str, Any] = {role: column for role, column in self.named.items() if role not in _OURS}
        return Columns(**others)


def asked_items(given: str | Content, asking: Asking, progress: Progress = unwatched) -> Items:
    """The items of a benchmark, in its order.

    With a condition, the group of the benchmark says which items are matched. Raises InputError as `load` does, for a
    few ids that repeat or are empty, for a condition without such groups, for an original condition that no item has,
    and for a column of subsets that has a value of its own for nearly every item.
    """
    progress("reading items", 0, _STAGES)
    held, source = hold(given), given.place if isinstance(given, Content) else given
    try:
        benchmark = load(held, asking.columns, predicted=False)
    except SeveralError as error:
        listed = " ".join(f"--items {shlex.quote(file)}" for file in error.files[:_FILES])
        rest = " ..." if len(error.files) > _FILES else ""
        raise InputError(
            f"a folder of {len(error.files)} benchmarks: score and compare take one of its files, such as --items "
            f"{shlex.quote(error.files[0])}; `hansproof analyse` takes all: {listed}{rest}",
            source,
        ) from error
    without_ids = _without_ids(held, benchmark, source)
    progress("finding groups", 1, _STAGES)
    groups = items_together(benchmark, asking.groups)
    items = _grouped(items_of(benchmark), groups)
    notes = _said(groups)
    if benchmark.left_out:
        count, first = len(benchmark.left_out), benchmark.left_out[0]
        rows = "row is no item and is" if count == 1 else "rows are no items and are"
        notes.append(f"{source}: {count:,} {rows} left out; the first, {first.place}: {first.full_reason}")
    if "condition" in asking.named:
        conditions = _values(held, asking.named["condition"], benchmark, "condition", notes)
        items, more = _conditioned(items, benchmark, conditions, source)
        notes += more
        if (original := asking.original) is not None:
            known = list(dict.fromkeys(item.condition for item in items))
            if original not in known:
                raise InputError(unknown("condition", original, known).reason, source)
            items = [_with(item, **{ORIGINAL: original}) for item in items]
    if benchmark.splits is not None and any(benchmark.splits):
        parts = [name or None for name in benchmark.splits]
        names, note = without_value(parts, benchmark.mapping.split or "", "subset")
        notes += [f"{source}: {note}"] if note and "subset" not in asking.named else []
        items = [_with(item, subset=name) for item, name in zip(items, names, strict=True)]
    if (wanted := asking.named.get("subset")) is not None:
        columns = [column.strip() for column in wanted.split(",")]
        parts_of = [_values(held, column, benchmark, "subset", notes) for column in columns]
        names = [", ".join(parts) for parts in zip(*parts_of, strict=True)]
        if (count := len(set(names))) > max(_ALWAYS, len(items) / 5):
            what = f"{count:,} values for {len(items):,} items: these are no subsets"
            raise InputError(f"the column {wanted!r} has {what}", source)
        # By these they are shown; to what they belong stays as it is.
        items = [_with(item, **{BREAKDOWN: name}) for item, name in zip(items, names, strict=True)]
    return Items(items, notes, without_ids, benchmark=benchmark)


def _without_ids(held: Any, benchmark: Benchmark, source: str) -> str:
    """Why the column of ids, if there is one, does not tell the items apart; empty where it does.

    Where an id in ten or fewer repeats or is empty, that is a fault, which would cost the replies to all items: raises
    InputError. Where more do, they are the ids of something else, of pairs or passages.
    """
    column, places = benchmark.mapping.id, benchmark.places
    if places is None or isinstance(held, str) or (column and len(set(benchmark.ids)) == len(benchmark.ids)):
        return ""
    table = read_table(held)
    usual = {folded(name): name for name in reversed(table.columns)}
    column = column or next((usual[name] for name in IDS if name in usual), None)
    if column is None:
        return ""
    rows = {row.place: row.values for row in table.rows}
    first: dict[str | None, str] = {None: ""}
    faults: list[Fault] = []
    for place in places:
        id = as_name(cell(rows.get(place, {}), column))
        if first.setdefault(id, place) != place:
            twice = f"the id {id!r} stands twice (first in {first[id]}): give each item an id of its own"
            empty = f"has no id in column {column!r}: give it one, or name the column with --id"
            faults.append(Fault(empty if id is None else twice, f"{source}: {place}"))
    if faults and 10 * len(faults) <= len(places) and column != benchmark.mapping.group:
        raise InputError.of(faults)
    why = f"{source}: the ids in column {column!r} repeat, so items are known by their place and prompt"
    return why if faults else ""


def items_of_logs(replies: Iterable[Reply], asking: Asking, progress: Progress = unwatched) -> Items:
    """The items that logs hold, grouped within each benchmark. Raises UsageError where columns are named; which part of
    the gold answers counts may be."""
    part = asking.columns.answer_part
    if named := [role for role in asking.named if role != "answer_part"]:
        raise UsageError(
            f"--{named[0].replace('_', '-')} names a column of a benchmark, and items that logs hold have no "
            "columns: pass the benchmark itself with --items"
        )
    items = items_of_replies(replies, None if part is None else parse_answer_part(part))
    places: dict[str, list[int]] = {}
    for place, item in enumerate(items):
        places.setdefault(str(item.metadata["subset"]), []).append(place)
    notes = list(items.notes)
    for number, (name, own) in enumerate(places.items()):
        progress("finding groups", number, len(places))
        asked = [items[place] for place in own]
        groups = asked_together(
            [item.prompt for item in asked],
            [accepted(item) for item in asked],
            [item.choices or () if item.metadata["lettered"] else () for item in asked],
            asking.groups,
            # An item and its perturbed forms are of one group.
            [item.group for item in asked] if any(item.condition for item in asked) else None,
        )
        for place, item in zip(own, _grouped(asked, groups), strict=True):
            items[place] = item
        notes += [f"{name}: {note}" if len(places) > 1 and name else note for note in _said(groups)]
    return Items(items, notes, left_out=items.left_out)


def _grouped(items: Sequence[Item], groups: Groups) -> list[Item]:
    """The items with these groups, each called as the declared group or as the id of its first item."""
    names: dict[int, str] = {}
    return [
        replace(item, group=names.setdefault(number, item.group if groups.source == "column" else item.id))
        for item, number in zip(items, groups.index.tolist(), strict=True)
    ]


def _said(groups: Groups) -> list[str]:
    """What standard errors count; nothing where every item stands alone because nothing speaks against it."""
    count, items = int(groups.index.max(initial=-1)) + 1, len(groups.index)
    if count == items:
        return [groups.how] if groups.source == "none" else []
    return [f"intervals, standard errors and p count {things(count, 'group')}, not {items:,} items. {groups.how}"]


def _values(held: Any, column: str, benchmark: Benchmark, what: str, notes: list[str]) -> list[str]:
    """The name of the part that a column puts each item into, such as its subset (`what`); `notes` get one where some
    have no value.

    Raises InputError for a column that is not there, or has no value in any row of an item.
    """
    table = read_table(held)
    if column not in table.columns and not any(cell(row.values, column) is not MISSING for row in table.rows[:1]):
        raise InputError(unknown("column", column, table.columns).reason, benchmark.source)
    values = {row.place: cell(row.values, column) for row in table.rows}
    if benchmark.places is None or not values.keys() >= set(benchmark.places):
        raise InputError(
            f"its items cannot be told from its rows, so none has a value of the column {column!r}", benchmark.source
        )
    parts = [as_name(_whole(values[place])) for place in benchmark.places]
    if not any(name is not None for name in parts):
        raise InputError(f"the column {column!r} has no value in any row, so it says no {what}", benchmark.source)
    names, note = without_value(parts, column, what)
    notes += [f"{benchmark.source}: {note}"] if note else []
    return names


def _with(item: Item, **about: str) -> Item:
    """The item with more said about it."""
    return replace(item, metadata=item.metadata | about)


def _conditioned(
    items: Sequence[Item], benchmark: Benchmark, conditions: Sequence[str], source: str
) -> tuple[list[Item], list[str]]:
    """The items with their conditions and what they are matched by, and what cannot be matched."""
    matched = benchmark.groups
    if matched is None:
        raise InputError("--condition says how the items of a group differ: name the column of the groups with --group",
                         source)  # fmt: skip
    of: dict[str, list[str]] = {}
    for name, condition in zip(matched, conditions, strict=True):
        of.setdefault(name, []).append(condition)
    complete = sum(len(some) > 1 and len(set(some)) == len(some) for some in of.values())
    notes = []
    if lone := len(of) - complete:
        have, are = ("does", "is") if lone == 1 else ("do", "are")
        notes.append(
            f"{source}: {lone:,} of {things(len(of), 'group')} {have} not have several items, each of another "
            f"condition, and {are} in no pair accuracy and no flip rate"
        )
    made = [
        replace(_with(item, **{MATCHED: name}), condition=condition)
        for item, condition, name in zip(items, conditions, matched, strict=True)
    ]
    return made, notes
