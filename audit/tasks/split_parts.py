"""Two parts of a published split as one benchmark: from a column that names them, or two sources."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import msgspec
import numpy as np

from hansproof.audit.benchmark import Benchmark, LeftOut, Options, PromptPart
from hansproof.audit.notation import things
from hansproof.audit.reading.loading import Columns, load, read_table
from hansproof.audit.reading.task_kind import kind
from hansproof.audit.result.audit_result import Settings
from hansproof.generators.errors import InputError, UsageError

__all__ = ["TEST", "TRAIN", "VALIDATION", "learning_from", "not_learnable", "with_parts"]

TRAIN, VALIDATION, TEST = "train", "validation", "test"

_NAMES: Final = (
    (TRAIN, re.compile(r"(train|training|trn)(?![a-z])")),
    (VALIDATION, re.compile(r"(validation|validate|valid|val|dev|development)(?![a-z])")),
    (TEST, re.compile(r"(test|testing|tst|held[ _-]?out|eval|evaluation)(?![a-z])")),
)


def part_of(value: str) -> str | None:
    """`train`, `validation` or `test` for what such parts are called: `Training`, `dev`, `test_matched`; else None."""
    folded = value.strip().casefold()
    return next((part for part, name in _NAMES if name.match(folded)), None)


def from_column(benchmark: Benchmark) -> Benchmark:
    """The items of the parts that the split column names, with `splits` as `part_of` says.

    A validation part serves as the test part where there is no other. Raises InputError without a split column, without
    a training part, and without anything to test.
    """
    if benchmark.splits is None:
        raise InputError(
            "the published protocol needs a split: name its column with --split, or the training file with --train",
            benchmark.source,
        )
    column = repr(benchmark.mapping.split)
    parts = [part_of(value) for value in benchmark.splits]
    for needed, accepted in (("training", (TRAIN,)), (TEST, (TEST, VALIDATION))):
        if not any(part in accepted for part in parts):
            known = ", ".join(repr(value[:40]) for value in sorted(set(benchmark.splits))[:8])
            raise InputError(
                f"column {column} has no {needed} part: its values are {known}; parts are recognised by names such as "
                "train, validation (or dev) and test",
                benchmark.source,
            )
    notes = list(benchmark.notes)
    if TEST not in parts:
        notes.append(f"column {column} has no test part; the validation part is tested instead")
        parts = [TEST if part == VALIDATION else part for part in parts]
    kept = [row for row, part in enumerate(parts) if part is not None]
    if len(kept) < len(parts):
        others = sorted({value for value, part in zip(benchmark.splits, parts, strict=True) if part is None})
        named = ", ".join(repr(value[:40]) for value in others[:5])
        gone = things(len(parts) - len(kept), "item")
        notes.append(f"not used: {gone} of parts whose names are not recognised ({named})")
    return replace(benchmark.taken(kept), splits=[part for part in parts if part is not None], notes=tuple(notes))


def from_two(test: Benchmark, train: Benchmark) -> Benchmark:
    """Both as one, under the name of `test`. Items of `train` whose split column says so are for validation.

    Raises InputError if both are the same data, and if their prompts or answers come from different columns.
    """
    if train.sha256 == test.sha256 or _items(train) == _items(test):
        raise InputError(
            f"the training part has the same items as the test part {test.source}: name two different files",
            train.source,
        )
    for role in ("prompt", "answer"):
        ours, theirs = getattr(test.mapping, role), getattr(train.mapping, role)
        if ours != theirs:
            raise InputError(
                f"the {role} comes from {theirs!r} here, but from {ours!r} in {test.source}: name a column that both "
                f"have with --{role}{' or --template' if role == 'prompt' else ''}",
                train.source,
            )
    n = len(train.prompts)
    theirs_split = train.splits or [""] * n
    parts = [VALIDATION if part_of(value) == VALIDATION else TRAIN for value in theirs_split]
    prefix = "train: " if set(train.ids) & set(test.ids) else ""
    same_groups = test.groups is not None and train.groups is not None and test.mapping.group == train.mapping.group
    mapping = test.mapping if same_groups else replace(test.mapping, group=None, sources=())
    left_out = [LeftOut(f"train: {row.place}", row.reason, row.detail) for row in train.left_out]
    notes = [f"training part: {note}" for note in train.notes]
    if not same_groups and (test.groups is not None or train.groups is not None):
        notes.append("the two files have no group column in common, so groups are detected in the texts")
    names = {part.name for part in train.parts} & {part.name for part in test.parts}
    parted = [[part for part in of.parts if part.name in names] for of in (train, test)]
    return replace(
        test,
        prompts=train.prompts + test.prompts,
        answers=train.answers + test.answers,
        ids=[prefix + name for name in train.ids] + test.ids,
        places=None,
        mapping=mapping,
        groups=_apart(train.groups or [], "train: ") + (test.groups or []) if same_groups else None,
        splits=parts + [TEST] * len(test.prompts),
        left_out=(*left_out, *test.left_out),
        notes=(*test.notes, *notes),
        train_sha256=train.sha256,
        choices=None if test.choices is None or train.choices is None else train.choices + test.choices,
        accepted=None,
        options=None if test.options is None or train.options is None else _both(train.options, test.options),
        parts=tuple(PromptPart(of.name, of.texts + more.texts) for of, more in zip(*parted, strict=True)),
    )


def _both(train: Options, test: Options) -> Options:
    return Options(
        texts=train.texts + test.texts,
        gold=train.gold + test.gold,
        questions=train.questions + test.questions,
        faults=train.faults + test.faults,
        how=test.how,
        ordered=train.ordered and test.ordered,
        refusal=test.refusal or (f"Of the training part: {train.refusal}" if train.refusal else ""),
        pairs=train.pairs and test.pairs,
    )


def _no_options(test: Benchmark, train: str) -> InputError:
    options = ", ".join(map(repr, test.mapping.choices)) or "printed in the prompt"
    return InputError(
        f"the items of {test.source} have options of their own ({options}), those of the training part have none: a "
        "probe learns to tell right options from wrong ones, so name a part that has both, such as the validation part",
        train,
    )


def _items(benchmark: Benchmark) -> Counter[tuple[str, str]]:
    return Counter(zip(benchmark.prompts, benchmark.answers, strict=True))


def _apart(groups: Sequence[str], prefix: str) -> list[str]:
    """Rows without a group are named by their place, which the two files have in common."""
    return [f"{prefix}{name}" if name.startswith("alone: ") else name for name in groups]


def _checked(benchmark: Benchmark) -> Benchmark:
    """The items as labels, which both parts must have in common."""
    parts = np.array(benchmark.splits)
    learnt, tested = ({benchmark.answers[row] for row in np.flatnonzero(parts == part)} for part in (TRAIN, TEST))
    if learnt & tested:
        return replace(benchmark, choices=None, accepted=None, options=None)
    shown = [", ".join(map(repr, sorted(answers)[:4])) for answers in (learnt, tested)]
    raise InputError(
        f"the two parts have no answer in common: the training part has {shown[0]}, the test part {shown[1]}; "
        "give both the same answers",
        benchmark.source,
    )


def learning_from(train: Any, settings: Settings) -> Settings:
    """The settings of an audit that learns from the source `train`, which implies the published protocol.

    Raises UsageError under the paper's protocol, which draws a split of its own.
    """
    if settings.protocol == "paper":
        raise UsageError("protocol 'paper' draws a split of its own; name a training part only with 'published'")
    return msgspec.structs.replace(settings, protocol="published", splits=1, train=_named(train))


def _named(train: Any) -> str:
    """What messages call a source: its path, or the type of a frame."""
    return os.fsdecode(train) if isinstance(train, (str, os.PathLike)) else type(train).__name__


def not_learnable(benchmark: Benchmark, settings: Settings) -> str:
    """Why this protocol cannot judge the benchmark; empty if its items share one set of answers, or have options."""
    task = kind(benchmark)
    if task.name in ("fixed", "per-item") or (settings.task == "fixed" and task.name != "too-few"):
        return ""
    if task.name == "too-few":
        return task.reason
    return f"{task.reason} The published protocol judges labels and options, not open answers."


def with_parts(benchmark: Benchmark, train: Any, columns: Columns | None, settings: Settings) -> Benchmark:
    """`benchmark` with its parts marked; with `train`, it is the test part, and `train` is read in the same way.

    Raises InputError if a part is missing, if both are the same items, and if they have no answer in common, or, where
    items have options of their own, if only those under test have them.
    """
    own = settings.task == "auto" and kind(benchmark).name == "per-item"
    if train is None:
        made = from_column(benchmark)
    else:
        how, most = columns or Columns(), settings.max_left_out
        try:
            learnt = load(train, how, max_left_out=most, max_rows=settings.max_rows, seed=settings.seed)
        except InputError as error:
            # As in the stories of Story Cloze, which have their right endings only: nothing looks like a gold.
            if own and benchmark.mapping.choices and not {*benchmark.mapping.choices} & {*read_table(train).columns}:
                raise _no_options(benchmark, _named(train)) from error
            raise
        if own and learnt.options is None:
            raise _no_options(benchmark, learnt.source)
        made = from_two(benchmark, learnt)
    return made if own else _checked(made)
