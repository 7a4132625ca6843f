"""The settings of a run: their permitted values and defaults, checked once before anything is read."""

from __future__ import annotations

import math
from typing import Literal, get_args

from audit.formats.budget import check_sample
from audit.result import Settings
from generators.errors import UsageError, unknown

__all__ = ["GroupMode", "ProtocolName", "SolverName", "TaskMode", "check_workers", "make_settings"]

ProtocolName = Literal["grouped", "paper", "published"]
"""`grouped`: cross-fitting over groups; `paper`: one random 60/20/20 split (Pacchiardi et al. 2024); `published`: learn
on the training part of a published split, test on its test part."""

GroupMode = Literal["auto", "found", "none"]
"""`auto`: the group column if there is one, otherwise inferred groups; `found`: inferred groups even if there is a
column; `none`: every item is its own group."""

SolverName = Literal["compiled", "scikit-learn"]
"""`compiled`: our own solvers; `scikit-learn`: the fits of the published code, which are slower."""

TaskMode = Literal["auto", "fixed", "open"]
"""`auto`: assess only benchmarks whose items share one set of answers; `fixed`: treat the answers as such a set;
`open`: treat them as open-ended."""

_MOST_FOLDS = 20
_FEWEST_PERMUTATIONS = 19
"""However large `alpha` is."""
_MOST_WORKERS = 1_024
_MOST = {"splits": 1_000, "permutations": 100_000}
"""More would fill the memory, and show nothing that fewer do not."""


def make_settings(
    *,
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
    task: TaskMode = "auto",
    split: str | None = None,
    answer_part: str | None = None,
    max_left_out: float = 0.1,
    thorough: bool = False,
    max_rows: int | None = None,
) -> Settings:
    """Check the settings of a run and freeze them; `audit.run.audit` describes each of them.

    Raises UsageError for a value that is not permitted, and for settings that contradict each other.
    """
    for name, value, known in (
        ("protocol", protocol, ProtocolName),
        ("groups", groups, GroupMode),
        ("solver", solver, SolverName),
        ("task", task, TaskMode),
    ):
        if value not in get_args(known):
            raise unknown("value", value, get_args(known), within=name)
    if not 0 <= max_left_out <= 1:
        raise UsageError(f"max_left_out is {max_left_out}; it must lie between 0 and 1")
    for name, number, least in (("folds", folds, 3), ("splits", splits, 1)):
        if number < least:
            raise UsageError(f"{name} is {number}; it must be at least {least}")
    for name, number in (("splits", splits), ("permutations", permutations)):
        if number > _MOST[name]:
            raise UsageError(f"{name} is {number}; it must be at most {_MOST[name]:,}")
    if folds > _MOST_FOLDS:
        raise UsageError(f"folds is {folds}; it must be at most {_MOST_FOLDS}: more folds cost time and add nothing")
    for name, share in (("threshold", threshold), ("alpha", alpha)):
        if not 0 < share < 1:
            raise UsageError(f"{name} is {share}; it must lie between 0 and 1")
    splits = splits if protocol == "grouped" else 1
    doubled = 1 if splits == 1 else 2  # p is twice the median over several splits
    enough = max(_FEWEST_PERMUTATIONS, math.floor(doubled / alpha))
    if permutations < enough or doubled / (permutations + 1) >= alpha:
        because = f": fewer cannot show p < {alpha}" if enough > _FEWEST_PERMUTATIONS else ""
        raise UsageError(f"permutations is {permutations}; it must be at least {enough}{because}")
    if upstream_counts and protocol != "paper":
        raise UsageError("upstream_counts reproduces a bug in the published code; use it only with protocol 'paper'")
    if partial and protocol != "grouped":
        raise UsageError(
            f"partial measures more partial inputs, which protocol {protocol!r} does not know; use 'grouped'"
        )
    return Settings(
        protocol=protocol,
        seed=seed,
        folds=folds,
        splits=splits,
        permutations=permutations,
        threshold=threshold,
        alpha=alpha,
        groups=groups,
        upstream_counts=upstream_counts,
        trees=trees,
        grades=grades,
        partial=partial,
        solver=solver,
        task=task,
        split=split,
        answer_part=answer_part,
        max_left_out=max_left_out,
        thorough=thorough,
        max_rows=check_sample(max_rows),
    )


def check_workers(workers: int) -> None:
    """Raise UsageError unless `workers` is a number of threads, or 0 for one per core."""
    if workers < 0:
        raise UsageError(f"workers is {workers}; it must be a number of threads, or 0 for one per core")
    if workers > _MOST_WORKERS:
        raise UsageError(f"workers is {workers}; it must be at most {_MOST_WORKERS:,}")
