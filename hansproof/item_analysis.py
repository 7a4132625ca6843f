"""Item analysis from a script: which items of a benchmark are broken, by the answers of models, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

from hansproof.audit.formats.given import Given, called, given_all
from hansproof.audit.models.items import ItemAnalysis, analyse_items
from hansproof.audit.models.reliance.parts import grids_of, rows_of
from hansproof.audit.models.study import PageContents, answered
from hansproof.audit.replies.asking import Asking
from hansproof.audit.replies.grid import Grid
from hansproof.audit.replies.joining import Joined
from hansproof.audit.replies.judged_reply import Judged, refuse_unknown_judge
from hansproof.audit.replies.reply_files import ReplyColumns, read_replies
from hansproof.audit.replies.scorers import ACCEPTED
from hansproof.audit.report.document import Document
from hansproof.audit.report.html import page
from hansproof.audit.report.study_document import study_document
from hansproof.audit.report.study_items import benchmark_sentence, item_rows
from hansproof.audit.result.audit_result import Settings
from hansproof.audit.result.shown import Rows, Shown
from hansproof.audit.run import Examination, examine
from hansproof.audit.settings import GroupMode, TaskMode, make_settings
from hansproof.generators.errors import InputError, Progress, unwatched
from hansproof.scoring import given_families, join_answers

__all__ = ["ItemStudy", "items"]


@dataclass(frozen=True, repr=False)
class ItemStudy(Shown):
    """What the answers say of the items: `hansproof analyse --by items`."""

    benchmarks: tuple[ItemAnalysis, ...]
    joined: Joined
    files: tuple[str, ...]
    """That were read."""
    answers: tuple[str, ...]
    """The sources of the answers, as they were named."""
    items: str | None
    """The source of the items; None where the logs hold them."""
    judged: Judged
    notes: tuple[str, ...]
    """Benchmarks that could not be audited, and why."""

    def headline(self) -> str:
        """How many items are flagged."""
        return "; ".join(map(benchmark_sentence, self.benchmarks))

    def rows(self) -> Rows:
        """A row per item, the worst first."""
        return item_rows(self.benchmarks)

    def record(self) -> dict[str, Any]:
        """What `hansproof analyse --by items` writes with `--json`."""
        about = {"answers": list(self.answers), "items": self.items, "judged": self.judged, "read": self.joined.read}
        return {**about, "notes": list(self.notes), "benchmarks": list(self.benchmarks)}

    def document(self) -> Document:
        """The analysis as a document."""
        part = answered(self.joined, self.judged, compared=())
        return study_document(PageContents("item-analysis", self.files, [part], item_analyses=self.benchmarks))

    def page(self) -> str:
        """The analysis as one HTML page that works from disk and runs nothing."""
        return page(self.document())


def items(
    answers: Given,
    items: Given | None = None,
    *,
    item_columns: Mapping[str, str] | None = None,
    groups: GroupMode = "auto",
    judged: Judged = "reply",
    models: Sequence[str] = (),
    styles: Sequence[str] = (),
    families: str | PathLike[str] | Mapping[str, str] | None = None,
    columns: Mapping[str, str] | None = None,
    reply_columns: Sequence[str] = (),
    no_audit: bool = False,
    task: TaskMode = "auto",
    threshold: float = 0.2,
    splits: int = 10,
    permutations: int = 999,
    seed: int = 42,
    workers: int = 0,
    progress: Progress | None = None,
) -> ItemStudy:
    """Which items have a wrong gold, are ambiguous, reversed, dead, copies, or given away by a surface cue?

    Args:
        answers: As for `score`: files or folders, frames, lists of dicts, `{id: reply}`, or a list of several.
        items: The benchmark that was answered, as for `score`; by default that which the logs hold.
        item_columns: Role -> column of a benchmark, as for `score`.
        groups: Which items of a benchmark count together, as for `score`.
        judged: `reply` has our scorers read the replies, `harness` takes the verdicts of the logs.
        models: Only these models.
        styles: Only these prompt styles.
        families: Model -> family, or a CSV file with the columns `model` and `family`. Models of one family, as styles
            and runs of one model, count as fewer than they are.
        columns: Role -> column, for tables whose columns have other names.
        reply_columns: The columns of a table with one model's replies each.
        no_audit: Do not audit the benchmark, which takes longest: nothing is then said of surface cues.
        task: As in `audit`, as are the next five.
        threshold: The smallest kappa that counts as a shortcut.
        splits: How often the audit divides the items into folds anew.
        permutations: Permutations behind each p of the audit.
        seed: Of the audit.
        workers: Threads of the audit; 0 for one per core.
        progress: Called from time to time with (stage, done, total).

    An item without a reply of a model counts as not asked: silence says nothing of the item. What so few models cannot
    say is left out, and `refused` says what it would take. `ItemStudy.to_frame()` has a row
    per item, the worst first.

    Raises:
        InputError: For files that cannot be read, with the place of each fault, and for answers to none of the items.
        UsageError: For names that do not exist, and settings that are not permitted.
    """
    refuse_unknown_judge(judged)
    asking, watched = Asking.of(item_columns or {}, groups), progress or unwatched
    settings = make_settings(
        task=task, threshold=threshold, splits=splits, permutations=permutations, seed=seed, groups=groups
    )
    sources = given_all(answers, "answers")
    replies = read_replies(
        sources, ReplyColumns.of(columns or {}, tuple(reply_columns)), given_families(families), models=models,
        styles=styles, progress=watched,
    )  # fmt: skip
    joined = join_answers(
        replies, items, asking=asking, judged=judged, skip_missing=True, keep="outcomes", progress=watched
    )
    # The subsets of a third party's benchmark are its published splits.
    whole = joined.grid.benchmark if items is not None and ACCEPTED in joined.grid.items[0].metadata else ""
    analyses, notes = [], list[str]()
    for grid in grids_of(joined, whole):
        if grid.counted().any():
            examination = None if no_audit else _examined(grid, settings, workers, watched, notes)
            analyses.append(analyse_items(grid, examination))
    if not analyses:
        raise InputError("no answer to any item can be right", joined.grid.benchmark)
    return ItemStudy(
        tuple(analyses), joined, tuple(file.path for file in replies.files), tuple(map(called, sources)),
        None if items is None else called(items), judged, tuple(notes),
    )  # fmt: skip


def _examined(grid: Grid, settings: Settings, workers: int, progress: Progress, notes: list[str]) -> Examination | None:
    """The audit of the items; None, and a note, where there is none."""
    rows = rows_of(grid)
    if len(set(grid.groups().tolist())) < len(grid.items):
        golds = (item for item in grid.items if item.answer is not None)
        rows = [row | {"group": item.group} for row, item in zip(rows, golds, strict=True)]
    why = "none of its items has a gold answer"
    if rows:
        try:
            return examine(rows, None, settings, name=grid.benchmark, workers=workers, progress=progress)
        except InputError as error:
            why = str(error)
    notes.append(f"{grid.benchmark} is not audited, and nothing is said of surface cues: {why}")
    return None
