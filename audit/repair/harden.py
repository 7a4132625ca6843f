"""The front door of repair: options into records, the repair, and the bytes to write."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from audit.reading.loading import Columns, hold, load
from audit.repair.audits import Recall
from audit.repair.hardening import Wanted, harden_benchmark
from audit.repair.options.reordering import SourceRows
from audit.repair.records import HardenResult, Removal
from audit.repair.search import STEPS
from audit.settings import GroupMode, TaskMode, make_settings
from generators.errors import Progress

__all__ = ["Hardened", "harden"]


@dataclass(frozen=True)
class Hardened:
    """What hardening found, and what it would write."""

    result: HardenResult
    rows: bytes
    """The rows that are left, as `audit.repair.rows` writes them."""
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
    recall: Recall = lambda columns, settings: None,
) -> Hardened:
    """Find the smallest change after which an audit shows no fault: CLEAN, or INCONCLUSIVE if too few are left.

    `source` and the options that are not listed here are those of `audit.run.audit`.

      keep_at_least   share of the items that must be left, 0 to 1: no step goes below it
      held_out        share of the items, by group, that have no say in the choice of the steps, .1 to .9
      steps           kinds of steps to use: positions, answers, cue, match, templates, filter
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
    columns = Columns(
        prompt=prompt, answer=answer, group=group, split=split, template=template, id=id, answer_part=answer_part,
        choices=choices, recipe=recipe,
    )  # fmt: skip
    held = hold(source)
    benchmark = load(held, columns, name=name, max_left_out=max_left_out)
    source_rows = SourceRows(held, columns)
    done = harden_benchmark(
        benchmark, settings, Wanted(keep_at_least, held_out, steps), workers=workers, progress=progress,
        known=recall(columns, settings), rewrite=source_rows.refusal,
    )  # fmt: skip
    return Hardened(done.result, source_rows.written(done.places, done.removed), done.removed)
