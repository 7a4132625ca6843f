"""Participants: finished runs become the records of each model, its phenotype, and what features explain."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isnan, nan
from pathlib import Path
from typing import Any

from hansproof.audit.formats.given import Given, called
from hansproof.audit.harnesses.reply import Reply
from hansproof.audit.notation import series_title
from hansproof.audit.phenotype.measuring import RESAMPLES, Sample, phenotype_of, sample
from hansproof.audit.phenotype.model_table import ModelTable, Regression, regress
from hansproof.audit.phenotype.record_files import read_records
from hansproof.audit.phenotype.result import OTHER_STORIES, UNFINISHED, Phenotype
from hansproof.audit.phenotype.task_records import make_records
from hansproof.audit.replies.by_model import Answers, read_answers
from hansproof.audit.replies.judged_reply import Outcome
from hansproof.audit.replies.reply_files import read_replies
from hansproof.audit.statistics.permutation import holm
from hansproof.generators.dataset import Dataset
from hansproof.generators.errors import InputError, Progress, UsageError, unknown, unwatched
from hansproof.generators.item import Item
from hansproof.generators.registry import dataset, find
from hansproof.runs.turn import Run

__all__ = ["Measuring", "gather", "gather_outcomes", "regress_all", "samples"]


@dataclass
class Gathered:
    """What one participant did."""

    name: str
    """The model that the runs are filed under, with its style where several were asked for; empty where their lines
    name none."""
    model: str = ""
    rows: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    """Task -> its records, each with the name of its `run`."""
    notes: dict[str, list[str]] = field(default_factory=dict)
    """Task -> what was left out of it, a sentence each."""


@dataclass(frozen=True)
class _Played:
    """One run that may be used."""

    item: Item
    reply: str
    """The JSON list of its actions."""
    place: str
    style: str = ""
    """The prompt style; empty where the line names none."""
    unfinished: str = ""
    """Why the run ended before its time; empty where it did not, as far as the line says."""


def gather(runs: Iterable[Run], name: str, subsets: Sequence[str] = ()) -> Gathered:
    """The records of `runs`; those of `subsets` where any is named. See `gather_files`."""
    played = []
    for place, run in enumerate(runs, start=1):
        if not isinstance(run, Run):
            raise UsageError(f"the runs must be a file or what `hansproof.run` returns, not {type(run).__name__}")
        played.append(_Played(run.item, json.dumps(run.actions), f"run {place}", unfinished=run.unfinished))
    return _gathered(name, played, subsets)


def gather_outcomes(name: str, outcomes: Iterable[Outcome | None]) -> Gathered:
    """The records of runs that were read already, in their standard stories; see `gather_files`. None is no run."""
    played = []
    for each in outcomes:
        if each is not None and each.reading is not None:
            said = each.reading.said
            why = "" if said is not None else each.reading.reason or "not finished"
            played.append(_Played(each.item, said or "", each.item.id, unfinished=why))
    return _gathered(name, played, ())


def gather_files(
    paths: Sequence[Given], items: Iterable[Item] | None = None, subsets: Sequence[str] = (), styles: Sequence[str] = ()
) -> list[Gathered]:
    """The records of each model in some files of runs, in order of first occurrence.

    Runs of one model in several files belong together, and so do those in several prompt styles, unless `styles` are
    named: then only these are read, and each is measured by itself. The items are `items`, or else made again from the
    seed that each line gives, and held against its digest. By default a task is measured in its standard story, or in
    the only one that was played; `subsets` names others. Unfinished runs are left out, and a note counts them.
    Raises InputError with the place of each fault: lines that are no runs, items that are others or unknown, an item
    that one model played twice, a whole run that is said to be unfinished; UsageError for unknown subsets and styles,
    and for several stories of a task.
    """
    known = None if items is None else {item.id: item for item in items}
    made: dict[tuple[str, int], Item] = {}
    models: dict[tuple[str, str], list[_Played]] = {}
    for path in paths:
        for answers in read_answers(path, styles):
            models.setdefault((answers.model, answers.style), []).extend(_of(answers, known, made))
    for style in styles:
        if all(style != of for _, of in models):
            raise unknown(
                "style", style, dict.fromkeys(reply.style for reply in read_replies(paths)), within=called(paths[0])
            )
    several = len(set(styles)) > 1
    gathered = []
    for (model, style), played in models.items():
        name = series_title(model, style if several else "")
        gathered.append(replace(_gathered(name, played, subsets), model=model))
    return gathered


def _of(answers: Answers, known: Mapping[str, Item] | None, made: dict[tuple[str, int], Item]) -> Iterable[_Played]:
    for id, reply in answers.given.items():
        if reply.reply is not None:
            item = _item(id, reply, known, made)
            yield _Played(item, reply.reply, reply.place, reply.style, reply.unfinished)


def _item(id: str, reply: Reply, known: Mapping[str, Item] | None, made: dict[tuple[str, int], Item]) -> Item:
    if known is not None:
        if id not in known:
            raise InputError(f"has the id {id[:80]!r}, which none of the items has", reply.place)
        item = known[id]
    else:
        if reply.seed is None or not reply.digest:
            told = "does not say which item was played (seed, item_digest); pass the items: --items"
            raise InputError(told, reply.place)
        key = id, reply.seed
        if key not in made:
            made[key] = _made(*key, reply.place)
        item = made[key]
    if reply.digest and reply.digest != item.line_digest():
        raise InputError(f"was played on another item than this {id!r}; pass the very items: --items", reply.place)
    return item


def _made(id: str, seed: int, place: str) -> Item:
    """The item of an id and a seed, made again."""
    name, version, subset, index = (*id.split("/"), "", "", "", "")[:4]
    family = find(name)
    known = family is not None and family.version == version and family.find(subset) is not None
    if family is None or not known or not (index.isascii() and index.isdigit() and len(index) < 10):
        raise InputError(f"has the id {id[:80]!r}, which is no item that can be made again; pass --items", place)
    return family.item(subset, seed, int(index))


def _gathered(name: str, played: Sequence[_Played], subsets: Sequence[str]) -> Gathered:
    gathered = Gathered(name, name)
    chosen = _stories(played, subsets, gathered.notes)
    unusable: dict[str, list[str]] = {}
    counts, seen = Counter[str](), dict[tuple[str, int], str]()
    styles: dict[str, Counter[str]] = {}
    for each in played:
        metadata = each.item.metadata
        if metadata["subset"] not in chosen:
            continue
        task = chosen[metadata["subset"]]
        counts[task] += 1
        key = each.item.id, metadata["seed"]
        if key in seen:
            raise InputError(f"{name or 'the model'} played {each.item.id!r} on {seen[key]}, too; keep one", each.place)
        seen[key] = each.place
        try:
            rows = _records(each)
        except InputError as error:
            said = f"{each.item.id}: {each.unfinished}" if each.unfinished else error.reason
            unusable.setdefault(task, []).append(said)
            continue
        if each.unfinished:
            raise InputError("says that the run is unfinished, but its reply is whole; mend or remove it", each.place)
        if each.style:
            styles.setdefault(task, Counter())[each.style] += 1
        run = f"{metadata['seed']}/{each.item.id.rpartition('/')[2]}"
        gathered.rows.setdefault(task, []).extend({**row, "run": run} for row in rows)
    for task, asked in styles.items():
        if len(asked) > 1:
            listed = ", ".join(f"{style} ({asked[style]:,})" for style in sorted(asked))
            gathered.notes.setdefault(task, []).append(f"runs in several prompt styles are measured together: {listed}")
    for task, reasons in unusable.items():
        many = f"{UNFINISHED}: {len(reasons):,} of {counts[task]:,} of {task}"
        gathered.notes.setdefault(task, []).append(f"{many}, the first: {reasons[0]}")
    return gathered


def _stories(played: Sequence[_Played], subsets: Sequence[str], notes: dict[str, list[str]]) -> dict[str, str]:
    """Subset to be measured -> its task."""
    tasks: dict[str, list[str]] = {}
    for each in played:
        family, metadata = dataset(each.item.metadata["dataset"]), each.item.metadata
        if family.records is None or "task" not in metadata:
            raise InputError(f"{family.name} has no phenotype: its items are no recorded tasks", each.place)
        stories = tasks.setdefault(metadata["task"], [])
        if metadata["subset"] not in stories:
            stories.append(metadata["subset"])
    known = [subset for stories in tasks.values() for subset in stories]
    for subset in subsets:
        if subset not in known:
            raise unknown("subset", subset, known, within="the file of runs")
    chosen: dict[str, str] = {}
    for task, stories in tasks.items():
        wanted = [subset for subset in stories if subset in subsets] if subsets else stories
        if not subsets and task in stories:
            wanted = [task]
        if len(wanted) > 1:
            raise UsageError(f"{task} was played as {' and as '.join(wanted)}; measure one of them: --subset")
        for subset in wanted:
            chosen[subset] = task
        if not subsets and (others := [subset for subset in stories if subset not in wanted]):
            notes.setdefault(task, []).append(f"{OTHER_STORIES}: {', '.join(others)}")
    return chosen


def _records(played: _Played) -> list[dict[str, Any]]:
    """The trials of one run. Raises InputError for one that is not finished."""
    family: Dataset = dataset(played.item.metadata["dataset"])
    reading = family.scorer.read(played.item, played.reply)
    if reading.said is None or family.records is None:
        raise InputError(f"{played.item.id}: {reading.reason}")
    return list(family.records(played.item, json.loads(reading.said)))


@dataclass(frozen=True)
class Measuring:
    """How phenotypes are made, and of whom."""

    subsets: Sequence[str] = ()
    """The stories to measure; the standard story of each task where none is named."""
    models: Sequence[str] = ()
    """The models to measure; all of them where none is named."""
    styles: Sequence[str] = ()
    """The prompt styles to measure, each by itself; all of them together where none is named."""
    seed: int = 0
    resamples: int | None = None
    as_published: bool = False

    def sample(self, gathered: Gathered) -> Sample:
        """What one participant did. Raises InputError where there is nothing to measure."""
        if not gathered.rows:
            why = "".join(f"; {said[-1].removeprefix(UNFINISHED + ': ')}" for said in gathered.notes.values())
            raise InputError(f"{gathered.name or 'the model'} has no finished runs{why}")
        records = make_records(gathered.rows, gathered.name)
        tables = {
            task: replace(table, notes=(*table.notes, *gathered.notes.get(task, ())))
            for task, table in records.tables.items()
        }
        return sample(replace(records, tables=tables), as_published=self.as_published)

    def recorded(self, path: str) -> list[Sample]:
        """Recorded choices: of a folder all models that are named, else one participant."""
        names = self.models if len(self.models) == 1 or Path(path).is_dir() else ()
        return [self._recorded(path, name) for name in names or ("",)]

    def _recorded(self, path: str, model: str) -> Sample:
        records = read_records(Path(path), model=model, as_published=self.as_published)
        return sample(records, as_published=self.as_published)

    def of(self, taken: Sample, progress: Progress = unwatched) -> Phenotype:
        """The phenotype of a participant."""
        many = RESAMPLES if self.resamples is None else self.resamples
        return phenotype_of(taken, seed=self.seed, resamples=many, progress=progress)


def samples(
    how: Measuring, runs: Sequence[Given], recorded: Sequence[str], items: Sequence[Item] | None, progress: Progress
) -> list[Sample]:
    """The participants, of `recorded` choices after those of `runs`.

    Raises UsageError where there is nothing to measure, and for a model or a style that does not occur; InputError as
    `gather_files` and `read_records` do.
    """
    if not runs and not recorded:
        raise UsageError("there is nothing to measure; name files of runs, or recorded choices with --records")
    if how.styles and not runs:
        raise UsageError("recorded choices have no prompt style", "--style")
    gathered = gather_files(runs, items, how.subsets, how.styles) if runs else []
    for model in how.models if gathered else ():
        names = dict.fromkeys(each.model for each in gathered)
        if model not in names:
            raise unknown("model", model, names, within=called(runs[0]))
    if how.models:
        gathered = [each for each in gathered if each.model in how.models]
    total = len(gathered) + len(recorded)
    taken: list[Sample] = []
    for each in gathered:
        progress("measuring choices", len(taken), total)
        taken.append(how.sample(replace(each, name=each.name or Path(called(runs[0])).stem)))
    for path in recorded:
        progress("measuring choices", len(taken), total)
        taken += how.recorded(path)
    return taken


def regress_all(
    table: ModelTable, metrics: Sequence[str], features: Sequence[str]
) -> tuple[list[Regression], list[str]]:
    """A regression per metric, and why others have none; Holm's correction is over all effects of all of them.

    A metric that cannot be regressed, for example because it is blank in all models, does not stop the others. Raises
    UsageError as `audit.phenotype.model_table.regress` does, and its InputError if no metric can be regressed.
    """
    import msgspec
    import numpy as np

    regressions, skipped, faults = [], [], []
    for metric in metrics:
        try:
            regressions.append(regress(table, metric, features))
        except InputError as error:
            faults.append(error)
            skipped.append(f"{metric} left out: {error}")
    if faults and not regressions:
        raise faults[0]
    effects = [effect for regression in regressions for effect in regression.coefficients]
    corrected = iter(holm(np.array([nan if effect.p is None else effect.p for effect in effects])).tolist())
    out = []
    for regression in regressions:
        coefficients = [
            msgspec.structs.replace(effect, p_corrected=None if isnan(p) else p)
            for effect, p in zip(regression.coefficients, corrected)
        ]
        out.append(msgspec.structs.replace(regression, coefficients=coefficients))
    return out, skipped
