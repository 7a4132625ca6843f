"""The settings of a run: their permitted values and defaults, checked once before anything is read."""

from __future__ import annotations

import math
from typing import Literal, TypedDict, Unpack, get_args

from msgspec.structs import asdict, replace

from hansproof.audit.formats.table import check_sample
from hansproof.audit.result.audit_result import Settings
from hansproof.generators.errors import UsageError, unknown

__all__ = ["SLOW", "GroupMode", "Options", "ProtocolName", "SolverName", "TaskMode", "check_workers", "make_settings"]

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

_NAMES = {"protocol": ProtocolName, "groups": GroupMode, "solver": SolverName, "task": TaskMode}
_MOST_FOLDS = 20
_FEWEST_PERMUTATIONS = 19
"""However large `alpha` is."""
_FAST_PERMUTATIONS = 199
"""At most, of a fast audit, if `alpha` does not need more."""
SLOW = ("thorough", "partial", "trees", "grades")
_MOST_WORKERS = 1_024
_MOST = {"splits": 1_000, "permutations": 100_000}
"""More would fill the memory, and show nothing that fewer do not."""


class Options(TypedDict, total=False):
    """The settings that can be chosen; `audit.run.audit` describes each of them."""

    protocol: ProtocolName
    groups: GroupMode
    seed: int
    folds: int
    splits: int
    permutations: int
    threshold: float
    alpha: float
    upstream_counts: bool
    trees: bool
    grades: bool
    partial: bool
    solver: SolverName
    task: TaskMode
    split: str | None
    answer_part: str | None
    max_left_out: float
    thorough: bool
    fast: bool
    max_rows: int | None


_USUAL = Settings(
    protocol="grouped", groups="auto", seed=42, folds=5, splits=10, permutations=999, threshold=0.2, alpha=0.05,
    upstream_counts=False, trees=False, solver="compiled", task="auto", split=None, max_left_out=0.1,
)  # fmt: skip


def make_settings(**options: Unpack[Options]) -> Settings:
    """Check the settings of a run and freeze them; those that are not named are the usual ones.

    Raises UsageError for a value that is not permitted, and for settings that contradict each other.
    """
    settings = replace(_USUAL, **options)
    _check_values(settings)
    protocol, alpha = settings.protocol, settings.alpha
    if protocol != "grouped":
        settings = replace(settings, splits=1)
    if settings.fast:
        slow = [name for name in SLOW if getattr(settings, name)]
        if slow or protocol != "grouped":
            other = slow[0] if slow else f"protocol {protocol!r}"
            raise UsageError(f"fast leaves out what {other} measures; use one of them")
        permutations = min(settings.permutations, max(_FAST_PERMUTATIONS, math.floor(1 / alpha)))
        settings = replace(settings, splits=1, permutations=permutations)
    doubled = 1 if settings.splits == 1 else 2  # p is twice the median over several splits
    enough = max(_FEWEST_PERMUTATIONS, math.floor(doubled / alpha))
    if settings.permutations < enough or doubled / (settings.permutations + 1) >= alpha:
        because = f": fewer cannot show p < {alpha}" if enough > _FEWEST_PERMUTATIONS else ""
        raise UsageError(f"permutations is {settings.permutations}; it must be at least {enough}{because}")
    if settings.upstream_counts and protocol != "paper":
        raise UsageError("upstream_counts reproduces a bug in the published code; use it only with protocol 'paper'")
    if settings.partial and protocol != "grouped":
        raise UsageError(
            f"partial measures more partial inputs, which protocol {protocol!r} does not know; use 'grouped'"
        )
    check_sample(settings.max_rows)
    return settings


def _check_values(settings: Settings) -> None:
    given = asdict(settings)
    for name, known in _NAMES.items():
        if given[name] not in get_args(known):
            raise unknown("value", given[name], get_args(known), within=name)
    if not 0 <= settings.max_left_out <= 1:
        raise UsageError(f"max_left_out is {settings.max_left_out}; it must lie between 0 and 1")
    for name, least in (("folds", 3), ("splits", 1)):
        if given[name] < least:
            raise UsageError(f"{name} is {given[name]}; it must be at least {least}")
    for name, most in _MOST.items():
        if given[name] > most:
            raise UsageError(f"{name} is {given[name]}; it must be at most {most:,}")
    if settings.folds > _MOST_FOLDS:
        raise UsageError(
            f"folds is {settings.folds}; it must be at most {_MOST_FOLDS}: more folds cost time and add nothing"
        )
    for name in ("threshold", "alpha"):
        if not 0 < given[name] < 1:
            raise UsageError(f"{name} is {given[name]}; it must lie between 0 and 1")


def check_workers(workers: int) -> None:
    """Raise UsageError unless `workers` is a number of threads, or 0 for one per core."""
    if workers < 0:
        raise UsageError(f"workers is {workers}; it must be a number of threads, or 0 for one per core")
    if workers > _MOST_WORKERS:
        raise UsageError(f"workers is {workers}; it must be at most {_MOST_WORKERS:,}")
