"""Predictions that were made elsewhere, as the scores of one more vector: the same statistics, and no refitting."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.probes.crossfit import Ints, Scores
from hansproof.audit.probes.task import Task
from hansproof.audit.statistics.kappa import shares_of
from hansproof.audit.texts.vectors import Vector

__all__ = ["divided_groups", "given_scores"]


def divided_groups(groups: Ints, folds: Sequence[Ints]) -> int:
    """How many of the `groups` (n,) lie in several folds of one of the runs, each the fold (n,) of every unit: of their
    items a probe may have learnt from others of the group."""
    divided = set[int]()
    for fold in folds:
        pairs = np.unique(np.stack([groups, fold]), axis=1)[0]
        divided.update(np.flatnonzero(np.bincount(pairs) > 1).tolist())
    return len(divided)


def given_scores(task: Task, name: str, runs: Sequence[NDArray[np.float64]], splits: int, *, named: bool) -> Scores:
    """The scores of `runs` called `name`, each the probabilities (R, k) of the labels of every row.

    They are matched to the shares of all answers, whatever the shares in a fold: folds that were made elsewhere need
    not be balanced, and a right prediction must stay right. Answers that were only `named` are matched to their own
    shares, and so stay as they are. So that the vector has as many splits as others, runs are repeated in turn, and
    those beyond are not used.
    """
    units, answers, used = np.arange(len(task.gold)), task.answers(task.gold), runs[:splits]
    picked = [run.astype(np.float32).argmax(axis=1).astype(np.int16) for run in used]
    shares = [shares_of(of if named else answers, task.k) for of in picked]
    matched = [task.matched(run, units, own).astype(task.matched_as) for run, own in zip(used, shares, strict=True)]
    turn = [split % len(used) for split in range(splits)]
    return Scores(
        vector=Vector(name, f"{name} (your predictions)", "given", "", 0, ""),
        units=units,
        predicted=np.stack([picked[run] for run in turn]),
        matched=np.stack([matched[run] for run in turn]),
        probabilities=np.mean(used, axis=0),
        validation=float("nan"),
        regularisation=[],
        features=0,
    )
