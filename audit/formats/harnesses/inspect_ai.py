"""inspect_ai: its logs as JSON, and the samples of its data sets.

A target of a sample with `choices` is the letter of an option; the gold is the option itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from audit.benchmark import LeftOut
from audit.formats.table import Row, Table, as_name, is_too_deep
from audit.notation import things
from generators.errors import InputError

__all__ = [
    "NoSamplesError",
    "is_log",
    "is_part",
    "is_sample",
    "is_unusable",
    "lettered",
    "log_table",
    "resolved",
    "samples_table",
    "shortfalls",
    "unusable",
]

_ROLES = (("prompt", "prompt"), ("answer", "answer"), ("choices", "choices"), ("id", "id"))
_FIELDS = {"input", "target", "choices", "id", "metadata", "sandbox", "files", "setup", "description", "checkpoint"}
_ATTACHED = "attachment://"
_LONGEST = 40
"""Characters of a status: those that inspect_ai writes are shorter."""
_SHARE = 0.95
"""If at least this share of the targets are letters of options, targets are letters."""


class NoSamplesError(InputError):
    """A log whose run ended before its first sample, or that was written without them."""


def is_log(value: Any) -> bool:
    """True for an object with an `eval` and a list of `samples` that have targets."""
    if not isinstance(value, dict) or not isinstance(value.get("eval"), dict):
        return False
    samples = value.get("samples")
    return isinstance(samples, list) and any(
        isinstance(sample, dict) and "target" in sample and "input" in sample for sample in samples[:5]
    )


def is_unusable(value: Any) -> bool:
    """True for a log of which nothing can be read: it has no samples, or does not say what was evaluated."""
    if not isinstance(value, dict) or not isinstance(value.get("status"), str) or is_log(value):
        return False
    evaluation = value.get("eval")
    return (isinstance(evaluation, dict) and "task" in evaluation) or is_log({**value, "eval": {}})


def unusable(log: Any, place: str) -> InputError:
    """What is wrong with a log that `is_unusable`, or an archive without samples."""
    status = _status(log)
    if isinstance(log, dict) and log.get("samples"):
        evaluation = isinstance(log.get("eval"), dict)
        lacks = "none of its first samples has an `input` and a `target`" if evaluation else "it has no `eval`"
        return InputError(f"a damaged inspect_ai log: {lacks}; fetch the log again", place)
    if status:
        return NoSamplesError(f"an inspect_ai log without samples: {status}. Run it again", place)
    return NoSamplesError("an inspect_ai log without samples; log them (log_samples=True)", place)


def shortfalls(log: Any, samples: Sequence[Any], held: int | None = None) -> list[str]:
    """What the reader of a log must know of its run, a sentence each: it did not end, or some of what it was to ask is
    not there; it was to ask only a part of its data set; samples were marked as invalid.

    `log` is the log, or its header; of the `held` samples in it, by default all are among `samples`.
    """
    held = len(samples) if held is None else held
    log = log if isinstance(log, dict) else {}
    ids, every, asked = _counts(log)
    there = f"{held:,} of the {asked:,} samples that it was to ask are in the log" if asked else ""
    said = []
    if status := _status(log):
        said.append(f"{status}; {there}" if there else status)
    elif held < asked:
        said.append(there)
    if 0 < ids < every:
        said.append(f"the run was to ask {ids:,} of the {every:,} samples of its data set")
    invalid = [
        number
        for number, sample in enumerate(samples, 1)
        if isinstance(sample, dict) and sample.get("invalidation") not in (None, False)
    ]
    if invalid:
        marked = f"{things(len(invalid), 'sample')} marked as invalid"
        said.append(f"{marked}, which nothing leaves out here; the first is sample {invalid[0]}")
    elif log.get("invalidated") is True:
        said.append("some samples are marked as invalid, which nothing leaves out here")
    return said


def is_part(log: Any, held: int) -> bool:
    """Whether a log with so many samples says that it holds only a part of its data set: its run did not end, samples
    that it was to ask are not there, or it was to ask only some."""
    log = log if isinstance(log, dict) else {}
    ids, every, asked = _counts(log)
    return bool(_status(log)) or held < asked or 0 < ids < every


def _counts(log: dict[str, Any]) -> tuple[int, int, int]:
    """How many samples of the data set a run was to ask, how many there are, and how many it was to ask in all epochs;
    0 where the log does not say."""
    evaluation = log["eval"] if isinstance(log.get("eval"), dict) else {}
    results = log["results"] if isinstance(log.get("results"), dict) else {}
    data = evaluation["dataset"] if isinstance(evaluation.get("dataset"), dict) else {}
    config = evaluation["config"] if isinstance(evaluation.get("config"), dict) else {}
    ids = len(data["sample_ids"]) if isinstance(data.get("sample_ids"), list) else 0
    every = _count(data.get("samples"))
    asked = _count(results.get("total_samples")) or (ids or every) * (_count(config.get("epochs")) or 1)
    return ids, every, asked


def _status(log: Any) -> str:
    """That the run did not end; empty where it did, or where the log does not say."""
    status = log.get("status") if isinstance(log, dict) else None
    if status in (None, "success"):
        return ""
    shown = status[:_LONGEST] if isinstance(status, str) else status
    return f"the run did not end: its status is {repr(shown)[: 2 * _LONGEST]}"


def _count(value: Any) -> int:
    return value if type(value) is int and value > 0 else 0


def is_sample(values: dict[str, Any]) -> bool:
    """True for a row of a data set in inspect's own form: nothing but its fields, and something that only it has."""
    if not {"input", "target"} <= values.keys() <= _FIELDS:
        return False
    chat = isinstance(values["input"], list)
    return chat or isinstance(values.get("choices"), list) or isinstance(values.get("metadata"), dict)


def log_table(samples: Sequence[Any], log: Any = None, held: int | None = None) -> Table:
    """One row per sample, from the first of its epochs that is there. `log` and `held` are those of `shortfalls`."""
    chosen: dict[str, tuple[float, int, dict[str, Any]]] = {}
    left_out: list[LeftOut] = []
    for number, sample in enumerate(samples, 1):
        if not isinstance(sample, dict):
            left_out.append(LeftOut(f"row {number}", "not a JSON object"))
            continue
        name = as_name(sample.get("id")) or f"row {number}"
        epoch = sample.get("epoch", 1)
        at = epoch if isinstance(epoch, int) else 1
        if name not in chosen or at < chosen[name][0]:
            chosen[name] = (at, number, sample)
    rows = [Row(f"row {number}", _values(sample)) for _, number, sample in chosen.values()]
    evaluation = log.get("eval") if isinstance(log, dict) else None
    task = evaluation.get("task") if isinstance(evaluation, dict) else None
    name = task if isinstance(task, str) else ""
    notes = tuple(shortfalls(log, samples, held))
    return Table.of("inspect_ai log", _with_golds(rows), left_out, notes=notes, defaults=_ROLES, benchmark=name)


def samples_table(table: Table) -> Table:
    """The samples of a data set in inspect's own form."""
    rows = _with_golds([Row(row.place, _values(row.values)) for row in table.rows])
    present = _ROLES if any(row.values.get("id") is not None for row in rows) else _ROLES[:-1]
    return Table.of("inspect_ai samples", rows, table.left_out, notes=table.notes, defaults=present)


def _values(sample: dict[str, Any]) -> dict[str, Any]:
    """Prompt, answer, id, choices and metadata of one sample, with long texts put back where they belong."""
    attached = sample.get("attachments")
    prompt = sample.get("input")
    if isinstance(attached, dict) and attached and not is_too_deep(prompt):
        prompt = resolved(prompt, attached)
    values = {"prompt": prompt, "answer": sample.get("target"), "id": sample.get("id")}
    if isinstance(sample.get("choices"), list) and sample["choices"]:
        values["choices"] = sample["choices"]
    if isinstance(sample.get("metadata"), dict) and sample["metadata"]:
        values["metadata"] = sample["metadata"]
    return values


def resolved(value: Any, attached: dict[str, Any]) -> Any:
    """The value with each reference to an attachment replaced by its text."""
    if isinstance(value, str) and value.startswith(_ATTACHED):
        return attached.get(value.removeprefix(_ATTACHED), value)
    if isinstance(value, list):
        return [resolved(member, attached) for member in value]
    if isinstance(value, dict):
        return {key: resolved(member, attached) for key, member in value.items()}
    return value


def _with_golds(rows: list[Row]) -> list[Row]:
    """Letters of options replaced by the options, unless the targets may as well be the texts of options."""
    golds = [lettered(row.values) for row in rows]
    asked = [(row, gold) for row, gold in zip(rows, golds) if "choices" in row.values]
    if not asked or sum(gold is not None for _, gold in asked) < _SHARE * len(asked):
        return rows
    if all(_is_text_of_option(row.values) for row, _ in asked):
        return rows
    return [row if gold is None else Row(row.place, {**row.values, "answer": gold}) for row, gold in zip(rows, golds)]


def lettered(values: dict[str, Any]) -> list[Any] | None:
    """The options at the letters of the target; None if it is not made of letters of options."""
    options, target = values.get("choices"), values["answer"]
    if options is None:
        return None
    letters = target if isinstance(target, list) else [target]
    places = [ord(letter) - 65 if isinstance(letter, str) and len(letter) == 1 else -1 for letter in letters]
    return [options[at] for at in places] if places and all(0 <= at < len(options) for at in places) else None


def _is_text_of_option(values: dict[str, Any]) -> bool:
    target = values["answer"]
    return all(each in values["choices"] for each in (target if isinstance(target, list) else [target]))
