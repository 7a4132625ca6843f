"""The whole audit on one screen: load, group, count, probe, measure, judge, explain.

`audit` is the front door, also reached as `hansproof.audit`: it spells out every option and puts them into two records.
`examine` takes these records and also keeps what the result was made from.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hansproof.audit.probes.spreading import connected
from hansproof.audit.reading.loading import Columns, Source, check_source, load
from hansproof.audit.reading.predictions import joined_predictions, read_predictions
from hansproof.audit.result.audit_result import AuditResult, Settings
from hansproof.audit.result_cache import ResultCache
from hansproof.audit.settings import GroupMode, ProtocolName, SolverName, TaskMode, check_workers, make_settings
from hansproof.audit.tasks.split_parts import learning_from, not_learnable, with_parts
from hansproof.generators.errors import NotAssessedError, Progress, UsageError, unwatched
from hansproof.generators.input import recording

if TYPE_CHECKING:
    from hansproof.audit.benchmark import Benchmark
    from hansproof.audit.probes.spreading import Cluster
    from hansproof.audit.reading.predictions import GivenRows
    from hansproof.audit.result.explanation import ItemScore
    from hansproof.audit.tasks.shape import Shape

__all__ = ["Examination", "audit", "examine", "examine_loaded"]


@dataclass(frozen=True)
class Examination:
    """A result, with the benchmark and the measurements behind it."""

    result: AuditResult
    benchmark: Benchmark
    measured: Shape | None = None
    """None if nothing was assessed."""

    def item_scores(self) -> list[ItemScore]:
        """One out-of-fold score per item, from what the verdict is about, in source order; empty if not assessed."""
        return [] if self.measured is None else self.measured.item_scores()


def audit(
    source: Any,
    *,
    train: Source | None = None,
    predictions: Source | Mapping[str, Source] | None = None,
    prompt: str | None = None,
    answer: str | None = None,
    group: str | None = None,
    split: str | None = None,
    template: str | None = None,
    id: str | None = None,
    answer_part: str | None = None,
    choices: str | None = None,
    recipe: str | None = None,
    name: str | None = None,
    max_left_out: float = 0.1,
    max_rows: int | None = None,
    task: TaskMode = "auto",
    workers: int = 0,
    dask: str | None = None,
    cache: bool = True,
    progress: Progress | None = None,
    protocol: ProtocolName = "grouped",
    groups: GroupMode = "auto",
    seed: int = 42,
    folds: int = 5,
    splits: int = 10,
    permutations: int = 999,
    threshold: float = 0.2,
    alpha: float = 0.05,
    upstream_counts: bool = False,
    trees: bool = False,
    grades: bool = False,
    partial: bool = False,
    solver: SolverName = "compiled",
    thorough: bool = False,
    fast: bool = False,
) -> AuditResult:
    """Audit a benchmark: can its answers be predicted without the ability that it claims to test?

    `source` is a path, `hf://org/name[:config][@split]`, `-` (JSONL on standard input), a pandas or polars frame,
    a list of dicts or a Hugging Face Dataset.

    What to read:
      prompt, answer      columns, or dotted paths into nested objects; guessed from common names if not given
      template            composes the prompt from several columns: "{premise} {hypothesis}"
      group               column that names each item's group: a pair, a template, a story
      split               column with the published split; COLUMN=VALUE keeps only that part
      id                  column with the item's id
      answer_part         audit this part of each answer: a regular expression (its first group), or "key:FIELD" for a
                          key or place of an object or list
      choices             column that lists each item's options, or one column per option: "option1,option2"
      recipe              name of a published benchmark whose columns are known; what you name above wins
      name                what to call the benchmark in reports
      train               the training part of a published split, where it is a source of its own: learn on it, test on
                          `source`
      predictions         what a probe of your own said of each item, out of fold: a source with the columns `id` and
                          `predicted` or `probabilities`, or {name: source}; one more feature vector for each
      max_left_out        largest share of unusable rows to accept, 0 to 1
      max_rows            of a larger source, audit a sample of so many rows, chosen by their content and `seed`
      task                "fixed" treats the answers as one shared set, even if they look like per-item options; "open"
                          tries copying and arithmetic, even if there are few answers

    How to measure:
      protocol            "grouped": cross-fitting over groups; "paper": one random 60/20/20 split; "published":
                          learn on the training part of a published split and test on its test part
      groups              "auto": the group column, otherwise inferred; "found": always inferred; "none": no groups
      seed, folds         of the cross-fitting; the seed also drives the resampling
      splits              how often the items are divided into folds anew; what is reported are medians
      permutations        permutations behind each p-value
      solver              "scikit-learn" fits as the published code does (slow)
      trees               let gradient-boosted trees compete with the logistic regressions (slow); where they win, the
                          n-grams shown are weighted by a regression, and a note says so
      partial             measure more partial inputs (each part left out, sentences), with more feature vectors and
                          on all splits
      grades              also show textstat's reading grades, which never decide; textstat takes about 150 MB
      upstream_counts     reproduce a bug in the published code; only with protocol="paper"

      thorough            measure very many items, or items times answers, in full too: all splits, refits on all items
      fast                one split, at most 199 permutations and the usual widening by refits; no simpler shortcuts

    How to judge:
      threshold           smallest Cohen's kappa that counts as a leak, between 0 and 1
      alpha               level of the corrected p-values, between 0 and 1

    `workers` is the number of threads, 0 for one per core; it never changes a number. `dask` is the address of a dask
    scheduler, whose workers fit the vectors and splits in their place. `cache` keeps the result of a file, and
    takes that of an earlier audit of the same bytes with the same settings. `progress` is called with the name of a
    stage, the steps done and their total. Raises UsageError for options that are not permitted, InputError
    if the source cannot be read.
    """
    settings = make_settings(
        protocol=protocol, groups=groups, seed=seed, folds=folds, splits=splits, permutations=permutations,
        threshold=threshold, alpha=alpha, upstream_counts=upstream_counts, trees=trees, grades=grades, partial=partial,
        solver=solver, task=task, split=split, answer_part=answer_part, max_left_out=max_left_out, thorough=thorough,
        fast=fast, max_rows=max_rows,
    )  # fmt: skip
    columns = Columns(
        prompt=prompt, answer=answer, group=group, split=split, template=template, id=id, answer_part=answer_part,
        choices=choices, recipe=recipe,
    )  # fmt: skip
    check_workers(workers)  # before a kept result is given
    file = os.fspath(source) if isinstance(source, str | os.PathLike) else ""
    kept = ResultCache(columns, settings) if cache and file and train is None and predictions is None else None
    result = kept.recall(file, name) if kept else None
    if result is None:
        with recording() as journal, connected(dask) as spread:
            result = examine(
                source, columns, settings, train=train, predictions=predictions, name=name, workers=workers,
                progress=progress, spread=spread,
            ).result  # fmt: skip
        if kept:
            kept.keep(file, name, result, journal.digests)
    return result


def examine(
    source: Any,
    columns: Columns | None = None,
    settings: Settings | None = None,
    *,
    train: Source | None = None,
    predictions: Source | Mapping[str, Source] | None = None,
    name: str | None = None,
    workers: int = 0,
    progress: Progress | None = None,
    spread: Cluster | None = None,
) -> Examination:
    """Audit a benchmark as `audit` does, with its options in two records, and keep what the result was made from.

    Raises UsageError for a negative number of workers, InputError if the source cannot be read.
    """
    check_workers(workers)
    settings = settings or make_settings()
    if columns is not None and columns.choices and settings.task == "fixed":
        raise UsageError("--task fixed audits the answers as labels, without options: leave it or --choices out")
    if train is not None:
        if columns is not None and columns.split:
            raise UsageError("the training file and the column of --split both name the parts; leave one of them out")
        settings = learning_from(train, settings)
        check_source(train)
    if predictions is not None and settings.protocol != "grouped":
        raise UsageError(
            f"predictions are judged by groups, which protocol {settings.protocol!r} does not; use 'grouped'"
        )
    report = progress or unwatched
    report("reading", 0, 1)
    given = {} if predictions is None else read_predictions(predictions)
    benchmark = load(
        source, columns, name=name, max_left_out=settings.max_left_out, max_rows=settings.max_rows, seed=settings.seed
    )
    if settings.protocol == "published":
        reason = not_learnable(benchmark, settings)
        if reason:
            from hansproof.audit.tasks.shape import not_assessed

            return Examination(not_assessed(benchmark, reason, settings), benchmark)
        benchmark = with_parts(benchmark, train, columns, settings)
    return examine_loaded(benchmark, settings, given, workers=workers, progress=report, spread=spread)


def examine_loaded(
    benchmark: Benchmark,
    settings: Settings,
    predictions: Mapping[str, GivenRows] | None = None,
    *,
    workers: int = 0,
    progress: Progress = unwatched,
    spread: Cluster | None = None,
) -> Examination:
    """The same for a benchmark that has been read, and `predictions` by their names; `spread` fits its vectors and
    splits on other machines."""
    from hansproof.audit.reading.task_kind import kind
    from hansproof.audit.tasks.shape import Running, assess, not_assessed, result_of

    task = kind(benchmark)
    if task.name == "too-few":
        return Examination(not_assessed(benchmark, task.reason, settings), benchmark)
    named = {"auto": task.name, "open": "open-ended"}.get(settings.task, "fixed")
    shape = _shape(named)
    if predictions:
        if named == "open-ended":
            raise UsageError(
                "predictions are of labels or options, and these answers are open; audit a part of each with "
                "--answer-part, or all of them as labels with --task fixed", benchmark.source,
            )  # fmt: skip
        given = joined_predictions(benchmark, predictions, per_item=named == "per-item")
        benchmark = replace(benchmark, predictions=tuple(given))
    benchmark = shape.noted(benchmark, settings)
    try:
        measured = assess(shape, benchmark, settings, Running(workers, progress, spread))
        return Examination(result_of(measured), benchmark, measured)
    except NotAssessedError as error:
        return Examination(not_assessed(benchmark, error.reason, settings), benchmark)


def _shape(name: str) -> type[Shape]:
    """The shape of a kind of task (`audit.reading.task_kind`); only what is needed is loaded."""
    if name == "open-ended":
        from hansproof.audit.tasks.open_answers.examination import OpenAnswers

        return OpenAnswers
    if name == "per-item":
        from hansproof.audit.tasks.options.multiple_choice import MultipleChoice

        return MultipleChoice
    from hansproof.audit.tasks.labels import Labels

    return Labels
