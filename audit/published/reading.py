"""The parts of a published split, read as the options say: a column of one source, or two sources."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

import msgspec

from audit.benchmark import Benchmark
from audit.published.parts import from_column, from_two
from audit.reading.loading import Columns, load
from audit.reading.task_kind import kind
from audit.result.audit_result import Settings
from generators.errors import UsageError

__all__ = ["learning_from", "not_learnable", "with_parts"]


def learning_from(train: Any, settings: Settings) -> Settings:
    """The settings of an audit that learns from the source `train`, which implies the published protocol.

    Raises UsageError under the paper's protocol, which draws a split of its own.
    """
    if settings.protocol == "paper":
        raise UsageError("protocol 'paper' draws a split of its own; name a training part only with 'published'")
    named = os.fspath(train) if isinstance(train, (str, os.PathLike)) else type(train).__name__
    return msgspec.structs.replace(
        settings, protocol="published", splits=1, train=named if isinstance(named, str) else os.fsdecode(named)
    )


def not_learnable(benchmark: Benchmark, settings: Settings) -> str:
    """Why this protocol cannot judge the benchmark; empty if its items share one set of answers."""
    task = kind(benchmark)
    if task.name == "fixed" or (settings.task == "fixed" and task.name != "too-few"):
        return ""
    if task.name == "too-few":
        return task.reason
    return f"{task.reason} The published protocol judges only benchmarks whose items share one set of answers."


def with_parts(benchmark: Benchmark, train: Any, columns: Columns | None, settings: Settings) -> Benchmark:
    """`benchmark` with its parts marked; with `train`, it is the test part, and `train` is read in the same way.

    Raises InputError if a part is missing, if both are the same items, or if they have no answer in common.
    """
    if train is None:
        return from_column(benchmark)
    # A split column that was named tells the parts of the source under test.
    theirs = replace(columns or Columns(), split=None)
    learnt = load(train, theirs, max_left_out=settings.max_left_out, max_rows=settings.max_rows, seed=settings.seed)
    return from_two(benchmark, learnt)
