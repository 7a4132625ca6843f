"""The front door of repair: hold groups out, choose rules on the others, audit both, write the bytes."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args

import msgspec
import numpy as np

from hansproof.audit.benchmark import Benchmark
from hansproof.audit.formats.content import STDIN, Content, utf8
from hansproof.audit.formats.given import as_json
from hansproof.audit.formats.table import Table
from hansproof.audit.reading.files import is_pointer
from hansproof.audit.reading.loading import Columns, hold, load, read_table
from hansproof.audit.reading.task_kind import kind
from hansproof.audit.repair.dropping import dropped
from hansproof.audit.repair.goals import Audits, Recall, change_of, goal_of
from hansproof.audit.repair.items import Bools, Items, Look, Rule
from hansproof.audit.repair.labels import LabelItems
from hansproof.audit.repair.options import OptionItems
from hansproof.audit.repair.records import CAUTION, SCHEMA, HardenResult, Removal, RepairStep, StepKind
from hansproof.audit.result.audit_result import Settings
from hansproof.audit.settings import GroupMode, TaskMode, check_workers, make_settings
from hansproof.generators.errors import NotAssessedError, Progress, UsageError, unknown, unwatched

__all__ = ["STEPS", "check_ending", "harden"]

_TEXT = {"CSV": ".csv", "CSV (semicolons)": ".csv", "CSV (bars)": ".csv", "TSV": ".tsv"}
_DELIMITERS = {"CSV": ",", "CSV (semicolons)": ";", "CSV (bars)": "|", "TSV": "\t"}
_LINES = ("JSONL", "OpenAI evals samples")
_ENDINGS = {".csv": (".csv", ".txt"), ".tsv": (".tsv", ".tab", ".txt"), ".jsonl": (".jsonl", ".ndjson")}
_KNOWN = {".csv", ".tsv", ".tab", ".txt", ".jsonl", ".ndjson", ".json", ".parquet", ".gz", ".zst", ".zstd"}


def check_ending(source: Any, out: str) -> None:
    """Raise UsageError if the name of the file to write promises another format than that of the rows in it.

    `source` may be held (`audit.reading.loading.hold`), here as in `kept_rows`.
    """
    source = hold(source)
    ending = Path(out).suffix.lower()
    wanted = _written(source, read_table(source))
    if ending in _KNOWN and ending not in _ENDINGS[wanted]:
        raise UsageError(f"the rows are written as {wanted[1:].upper()}; name a file that ends in {wanted}", out)


def kept_rows(source: Any, places: Collection[str]) -> bytes:
    """The rows of `source` at `places` (`line 812`, `row 812`), in its order, with the header of a table.

    Lines keep their bytes and their endings, and a byte-order mark stays; UTF-16 becomes UTF-8, and packed files are
    unpacked. JSON, Parquet, frames and the Hub become JSON Lines.
    """
    content = hold(source)
    table, kept = read_table(content), set(places)
    if not _has_lines(content, table):
        return b"".join(as_json(row.values) + b"\n" for row in table.rows if row.place in kept)
    mark = codecs.BOM_UTF8 if content.data.startswith(codecs.BOM_UTF8) else b""
    data = utf8(content)
    lines = _text_lines(data) if table.format in _TEXT else _byte_lines(data)
    starts = [int(row.place.removeprefix("line ")) - 1 for row in table.rows]
    if table.format not in _TEXT:
        pairs = zip(starts, table.rows, strict=True)
        return mark + b"".join(lines[start] for start, row in pairs if row.place in kept)
    pieces = lines[: starts[0]]
    for row, start, end in zip(table.rows, starts, [*starts[1:], len(lines)], strict=True):
        if row.place in kept:
            pieces += lines[start:end]
    return mark + b"".join(pieces)


def item_rows(source: Any, items: Benchmark) -> bytes:
    """Items with options as rows of their own: id, prompt, list of options, letter of the right one, group and split.

    A table where `source` is one, else JSON Lines. Other columns are left out: they may name options by letters that
    no longer are theirs.
    """
    options = items.options
    assert options is not None
    rows: list[dict[str, Any]] = [
        {"id": id, "prompt": prompt, "choices": texts, "answer": chr(ord("A") + gold)}
        for id, prompt, texts, gold in zip(items.ids, items.prompts, options.texts, options.gold, strict=True)
    ]
    for column, values in (("group", items.groups), ("split", items.splits)):
        for row, value in zip(rows, values or ()):
            row[column] = value
    source = hold(source)
    table = read_table(source)
    if _written(source, table) == ".jsonl":
        return b"".join(as_json(row) + b"\n" for row in rows)
    out = io.StringIO()
    written = csv.DictWriter(out, rows[0], delimiter=_DELIMITERS[table.format], lineterminator="\n")
    written.writeheader()
    written.writerows(row | {"choices": as_json(row["choices"]).decode()} for row in rows)
    return out.getvalue().encode()


def _has_lines(source: Any, table: Table) -> bool:
    """Whether the rows are lines of one file that can be copied."""
    is_file = isinstance(source, Content) and (source.place == STDIN or not is_pointer(source))
    numbered = all(row.place.startswith("line ") for row in table.rows)
    return is_file and numbered and (table.format in _TEXT or table.format.startswith(_LINES))


def _written(source: Any, table: Table) -> str:
    """The ending of the format in which the rows are written."""
    return _TEXT.get(table.format, ".jsonl") if _has_lines(source, table) else ".jsonl"


def _byte_lines(data: bytes) -> list[bytes]:
    """Lines with their endings, as `audit.formats.json_rows.lines` numbers them."""
    end = b"\r" if b"\n" not in data else b"\n"
    lines = data.split(end)
    return [line + end for line in lines[:-1]] + lines[-1:]


def _text_lines(data: bytes) -> list[bytes]:
    """Lines with their endings, as the reader of tables numbers them."""
    return [line.encode() for line in io.StringIO(data.decode(), newline="")]


# The search never reads the answers of held-out items; rules are applied to them, but what becomes of them
# decides nothing here, except that all items count towards the floor.

STEPS: tuple[StepKind, ...] = get_args(StepKind)
"""The kinds of steps, in the order in which they are tried."""

_MOST = {"positions": 3, "answers": 1, "cue": 12, "match": 8, "templates": 2}


@dataclass(frozen=True)
class Choice:
    """A rule and what it leaves; the first choice has no rule."""

    items: Items
    """As the rule leaves them: removed ones are still there, but reordered options are reordered."""
    rule: Rule | None
    kept: Bools
    look: Look
    """At the chosen items that are left."""


@dataclass(frozen=True)
class Search:
    """The rules that were applied, and how it ended."""

    choices: list[Choice]
    """The state before, then one per rule."""
    floor: Rule | None
    """The rule that would have gone below the floor; None if none would."""
    satisfied: bool
    """Whether nothing is wrong with the chosen items that are left, as far as they can show."""


def choose_rules(items: Items, kinds: Sequence[str], keep_at_least: float, progress: Progress) -> Search:
    """Choose and apply rules until no cue is seen among the chosen items, no rule is left, or the floor is reached."""
    kept = np.ones(len(items.order), dtype=np.bool_)
    progress("choosing rules", 0, 1)
    last = Choice(items, None, kept, items.look(kept & items.chosen))
    choices = [last]
    used = dict.fromkeys(STEPS, 0)

    def may(kind: StepKind) -> bool:
        return kind in kinds and used[kind] < _MOST[kind]

    while True:
        rejected, satisfied = None, True
        for rule in last.items.candidates(last.kept & items.chosen, last.look, may):
            satisfied = False
            kept = rule.kept(last.kept, len(choices))
            used[rule.kind] += 1
            if kept.sum() < keep_at_least * len(kept) or not items.is_enough(last.kept, kept):
                rejected = rejected or rule
                continue
            if kept.sum() == last.kept.sum() and rule.reordered is None:
                continue
            progress(f"choosing rules: {len(choices)}", 0, 1)
            now = rule.reordered or last.items
            last = Choice(now, rule, kept, now.look(kept & items.chosen))
            choices.append(last)
            break
        else:
            return Search(choices, rejected, satisfied and last.look.suspect(items.settings) is None)


def steps_of(choices: Sequence[Choice]) -> list[RepairStep]:
    """One record per rule. The held-out items are looked at only now that nothing is chosen any more."""
    steps = []
    for old, new in pairwise(choices):
        assert new.rule is not None
        gone = old.kept & ~new.kept
        strongest, chosen = new.look.strongest, new.items.chosen
        steps.append(
            RepairStep(
                kind=new.rule.kind,
                rule=new.rule.words,
                removed_chosen=int((gone & chosen).sum()),
                removed_held_out=int((gone & ~chosen).sum()),
                kept=int(new.kept.sum()),
                vector=strongest.vector,
                label=strongest.label,
                kappa_chosen=strongest.matched,
                kappa_held_out=new.items.kappa_of(new.kept & ~chosen, strongest.vector),
            )
        )
    return steps


def removals(benchmark: Benchmark, choices: Sequence[Choice]) -> list[Removal]:
    """One record per item that a rule removed, or left with another order of options, in the order of the source; then
    one per row that could not be read.
    """
    rows: dict[int, Removal] = {}
    for number, (old, new) in enumerate(pairwise(choices), 1):
        assert new.rule is not None
        items, turned = new.items, new.kept & choices[-1].kept & (new.items is not old.items)
        for row in np.flatnonzero(old.kept & (~new.kept | turned)).tolist():
            order = items.moved(row) if turned[row] else None
            if turned[row] and order is None:
                continue
            place = items.order[row]
            rows[place] = Removal(
                id=benchmark.ids[place],
                place=None if benchmark.places is None else benchmark.places[place],
                part="chosen" if items.chosen[row] else "held out",
                step=number,
                why=new.rule.words,
                order=order,
            )
    unusable = [
        Removal(id=row.place, place=row.place, part="unusable", step=None, why=row.full_reason)
        for row in benchmark.left_out
    ]
    return [*(rows[place] for place in sorted(rows)), *unusable]


# Whoever removes the items that a probe predicts, and then audits what is left, audits the choice. So the rules are
# chosen without a part of the groups, applied to that part by models that never saw it, and judged there.


@dataclass(frozen=True)
class Hardened:
    """What hardening found, and what it would write."""

    result: HardenResult
    rows: bytes
    """The rows that are left, those of the source, or items in other orders of their options."""
    removed: list[Removal]
    """Every other row, and every item whose options were reordered, in the order of the source."""


def harden(
    source: Any,
    *,
    prompt: str | None = None,
    answer: str | None = None,
    answer_part: str | None = None,
    choices: str | None = None,
    group: str | None = None,
    split: str | None = None,
    template: str | None = None,
    id: str | None = None,
    recipe: str | None = None,
    name: str | None = None,
    max_left_out: float = 0.1,
    task: TaskMode = "auto",
    workers: int = 0,
    progress: Progress | None = None,
    groups: GroupMode = "auto",
    seed: int = 42,
    folds: int = 5,
    splits: int = 10,
    permutations: int = 999,
    threshold: float = 0.2,
    alpha: float = 0.05,
    keep_at_least: float = 0.3,
    held_out: float = 0.4,
    steps: Sequence[str] = STEPS,
    drop: Any = None,
    recall: Recall = lambda columns, settings: None,
) -> Hardened:
    """Find the smallest change after which an audit shows no fault: CLEAN, or INCONCLUSIVE if too few are left.

    `source` and the options that are not listed here are those of `audit.run.audit`.

      keep_at_least   share of the items that must be left, 0 to 1: no step goes below it
      held_out        share of the items, by group, that have no say in the choice of the steps, .1 to .9
      steps           kinds of steps to use: positions, answers, cue, match, templates
      drop            a table with the column `id`, such as the CSV of `analyse --by items`: these items are left out
                      first; where it has a column `flags`, only those with a flag
      recall          gives the result of an audit of this source with these columns and settings if one is known, which
                      saves the first audit

    Options of items are reordered where their position tells the right one; all other steps remove items. A step
    removes whole cues, never just enough for them to go unnoticed. Nothing is written; `Hardened.rows` are the
    bytes to write. It does not show that what is left tests the ability. Raises UsageError for options that are not
    permitted, InputError if the source cannot be read or has too few groups, NotAssessedError if it cannot be audited.
    """
    settings = make_settings(
        groups=groups, seed=seed, folds=folds, splits=splits, permutations=permutations, threshold=threshold,
        alpha=alpha, task=task, split=split, max_left_out=max_left_out, answer_part=answer_part,
    )  # fmt: skip
    check_workers(workers)
    for option, share, low, high in (("keep_at_least", keep_at_least, 0.0, 1.0), ("held_out", held_out, 0.1, 0.9)):
        if not low <= share <= high:
            raise UsageError(f"{option} is {share}; it must lie between {low:g} and {high:g}")
    for step in steps:
        if step not in STEPS:
            raise unknown("step", step, STEPS)
    columns = Columns(
        prompt=prompt, answer=answer, group=group, split=split, template=template, id=id, answer_part=answer_part,
        choices=choices, recipe=recipe,
    )  # fmt: skip
    held = hold(source)
    benchmark = load(held, columns, name=name, max_left_out=max_left_out)
    benchmark, gone = (benchmark, []) if drop is None else dropped(benchmark, drop)
    made = _kind_of(benchmark, settings)
    if not set(steps) & set(made.steps):
        raise UsageError(f"none of these steps helps here; name some of {', '.join(made.steps)}")
    benchmark = made.usable(benchmark, settings)
    audits = Audits(benchmark, settings, made.assess, workers, progress or unwatched)
    before, about = audits.first(None if gone else recall(columns, settings))
    result = HardenResult(
        goal="nothing to repair",
        reason=f"The verdict is {before.verdict}, and no feature vector is significant: every item is kept.",
        caution=CAUTION,
        schema=SCHEMA,
        name=benchmark.name,
        source=benchmark.source,
        sha256=benchmark.sha256,
        items=len(benchmark.prompts),
        kept=len(benchmark.prompts),
        keep_at_least=keep_at_least,
        held_out=held_out,
        dropped=len(gone),
        before=before,
        steps=[],
        settings=settings,
    )
    places = benchmark.places or []
    if not before.is_faulty:
        return Hardened(result, kept_rows(held, places), [*gone, *removals(benchmark, [])])
    items = made(benchmark, settings, held_out, workers)
    search = choose_rules(items, steps, keep_at_least, audits.named("choosing"))
    last, others = search.choices[-1], ~items.chosen
    reordered = sum(last.items.moved(row) is not None for row in np.flatnonzero(last.kept).tolist())
    kept, done = np.flatnonzero(last.kept).tolist(), steps_of(search.choices)
    old = audits.quick(items.part(others), about, "held-out items")
    new = audits.quick(last.items.part(last.kept & others), about, "held-out items left") if done else old
    whole = audits.whole(last.items.left(last.kept), about, "items left") if done else before
    floor = "" if search.floor is None else search.floor.words
    goal, reason = goal_of(before, whole, new, floor, satisfied=search.satisfied)
    change, change_low, change_high = change_of(old, new)
    result = msgspec.structs.replace(
        result,
        goal=goal,
        reason=reason,
        kept=len(kept),
        after=whole,
        held_out_before=old,
        held_out_after=new,
        change=change,
        change_low=change_low,
        change_high=change_high,
        steps=done,
        reordered=reordered,
        not_reordered=items.not_reordered,
    )
    in_source = sorted(range(len(kept)), key=lambda at: items.order[kept[at]])
    rows = (
        item_rows(held, last.items.left(last.kept).taken(in_source))
        if reordered
        else kept_rows(held, [places[items.order[kept[at]]] for at in in_source])
    )
    return Hardened(result, rows, [*gone, *removals(benchmark, search.choices)])


def _kind_of(benchmark: Benchmark, settings: Settings) -> type[LabelItems] | type[OptionItems]:
    """Labels or options; raises NotAssessedError for all else."""
    task = kind(benchmark)
    known: dict[str, type[LabelItems] | type[OptionItems]] = {"fixed": LabelItems, "per-item": OptionItems}
    items = known.get(task.name) if settings.task == "auto" or task.name == "too-few" else LabelItems
    if items is None:
        raise NotAssessedError(
            f"harden works on benchmarks whose items share one set of answers or have options of their own, and on at "
            f"least 30 items. {task.reason}",
            benchmark.source,
        )
    return items
