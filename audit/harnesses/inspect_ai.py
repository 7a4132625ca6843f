"""inspect_ai: the samples of its data sets and of its logs, as items and as replies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from hansproof.audit.benchmark import LeftOut
from hansproof.audit.formats.table import Row, Table, as_name, is_too_deep
from hansproof.audit.harnesses.log_values import (
    as_golds,
    as_label,
    as_options,
    as_verdict,
    inner,
    list_in,
    no_verdict_in,
    object_in,
    text_in,
)
from hansproof.audit.harnesses.reply import Reply, as_asked
from hansproof.audit.notation import things
from hansproof.generators.errors import InputError

__all__ = [
    "NoSamplesError",
    "is_log",
    "is_sample",
    "is_unusable",
    "log_table",
    "replies_of_log",
    "replies_of_samples",
    "samples_table",
    "unusable",
]

# A target of a sample with `choices` is the letter of an option; the gold is the option itself.

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
    first = list_in(value, "samples")[:5]
    return isinstance(inner(value, "eval"), dict) and any({"target", "input"} <= object_in(of).keys() for of in first)


def is_unusable(value: Any) -> bool:
    """True for a log of which nothing can be read: it has no samples, or does not say what was evaluated."""
    if not isinstance(inner(value, "status"), str) or is_log(value):
        return False
    return "task" in object_in(value, "eval") or is_log({**value, "eval": {}})


def unusable(log: Any, place: str) -> InputError:
    """What is wrong with a log that `is_unusable`, or an archive without samples."""
    status = _status(log)
    if inner(log, "samples"):
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
    ids, every, asked = _counts(log)
    there = f"{held:,} of the {asked:,} samples that it was to ask are in the log" if asked else ""
    said = []
    if status := _status(log):
        said.append(f"{status}; {there}" if there else status)
    elif held < asked:
        said.append(there)
    if 0 < ids < every:
        said.append(f"the run was to ask {ids:,} of the {every:,} samples of its data set")
    invalid = [number for number, of in enumerate(samples, 1) if inner(of, "invalidation") not in (None, False)]
    if invalid:
        marked = f"{things(len(invalid), 'sample')} marked as invalid"
        said.append(f"{marked}, which nothing leaves out here; the first is sample {invalid[0]}")
    elif inner(log, "invalidated") is True:
        said.append("some samples are marked as invalid, which nothing leaves out here")
    return said


def is_part(log: Any, held: int) -> bool:
    """Whether a log with so many samples says that it holds only a part of its data set: its run did not end, samples
    that it was to ask are not there, or it was to ask only some."""
    ids, every, asked = _counts(log)
    return bool(_status(log)) or held < asked or 0 < ids < every


def _counts(log: Any) -> tuple[int, int, int]:
    """How many samples of the data set a run was to ask, how many there are, and how many it was to ask in all epochs;
    0 where the log does not say."""
    ids = len(list_in(log, "eval", "dataset", "sample_ids"))
    every = _count(inner(log, "eval", "dataset", "samples"))
    epochs = _count(inner(log, "eval", "config", "epochs")) or 1
    asked = _count(inner(log, "results", "total_samples")) or (ids or every) * epochs
    return ids, every, asked


def _status(log: Any) -> str:
    """That the run did not end; empty where it did, or where the log does not say."""
    status = inner(log, "status")
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
    name = text_in(log, "eval", "task")
    notes = tuple(shortfalls(log, samples, held))
    return Table.of("inspect_ai log", _with_golds(rows), left_out, notes=notes, defaults=_ROLES, benchmark=name)


def samples_table(table: Table) -> Table:
    """The samples of a data set in inspect's own form."""
    rows = _with_golds([Row(row.place, _values(row.values)) for row in table.rows])
    present = _ROLES if any(row.values.get("id") is not None for row in rows) else _ROLES[:-1]
    return Table.of("inspect_ai samples", rows, table.left_out, notes=table.notes, defaults=present)


def _values(sample: dict[str, Any]) -> dict[str, Any]:
    """Prompt, answer, id, choices and metadata of one sample, with long texts put back where they belong."""
    values = {"prompt": _input(sample), "answer": sample.get("target"), "id": sample.get("id")}
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
    targets = [(as_list(row.values["answer"]), row.values["choices"]) for row, _ in asked]
    if all(each in options for target, options in targets for each in target):
        return rows
    return [row if gold is None else Row(row.place, {**row.values, "answer": gold}) for row, gold in zip(rows, golds)]


def as_list(target: Any) -> list[Any]:
    """A target, which may be several, as a list."""
    return target if isinstance(target, list) else [target]


def lettered(values: dict[str, Any]) -> list[Any] | None:
    """The options at the letters of the target; None if it is not made of letters of options."""
    options, target = values.get("choices"), values["answer"]
    if options is None:
        return None
    letters = as_list(target)
    places = [ord(letter) - 65 if isinstance(letter, str) and len(letter) == 1 else -1 for letter in letters]
    return [options[at] for at in places] if places and all(0 <= at < len(options) for at in places) else None


# The replies: the samples of a log, as JSON or out of its zip, with what the model replied and how it was scored.

_CHOICE = "choice"
"""The scorer of inspect_ai that compares the letters of a reply with those of the target."""
_SETS = "its answers are sets of options, which are not read"


def replies_of_log(log: dict[str, Any], path: str) -> Iterator[Reply]:
    """The replies of a log that is one JSON document. Raises InputError as `replies_of_samples`, and without any."""
    if is_unusable(log):
        raise unusable(log, path)
    yield from replies_of_samples(log["samples"], log, path)


def replies_of_samples(samples: Sequence[Any], log: Any, path: str) -> Iterator[Reply]:
    """One reply per sample and epoch; a sample that ended with an error has none.

    With several epochs each is a run of its own. The verdict is that of one scorer (`_scorers`). Targets that are
    letters of options become the options; where an answer is a set of them, no gold is given. `log` is the log, or its
    header. Raises InputError where a sample is not a JSON object.
    """
    evaluation = object_in(log, "eval")
    model, task = as_label(evaluation.get("model")), as_label(evaluation.get("task"))
    run = as_label(evaluation.get("run_id") or evaluation.get("created"))
    wrong = next((number for number, sample in enumerate(samples, 1) if not isinstance(sample, dict)), 0)
    if wrong:
        raise InputError("is not a JSON object", f"{path}: sample {wrong}")
    epochs = {sample.get("epoch", 1) for sample in samples if isinstance(sample.get("epoch", 1), int)}
    by_letter = _are_letters(samples)
    about = [f"{path}: {said}" for said in shortfalls(log, samples)]
    partial = is_part(log, len(samples))
    sets = _asks_for_sets(log, samples)
    scorers = _scorers(evaluation, samples)
    about += [f"{path}: {said}" for said in (*([_SETS] if sets else ()), *_told(scorers))]
    for number, sample in enumerate(samples, 1):
        epoch, prompt = sample.get("epoch", 1), _input(sample)
        options = () if sets else as_options(sample.get("choices"))
        golds = lettered({"choices": list(options), "answer": sample.get("target")}) if by_letter and options else None
        output = object_in(sample, "output")
        said = _said(output, object_in(sample, "attachments"))
        yield Reply(
            place=f"{path}: sample {number}",
            line=number,
            reply=None if sample.get("error") and not said else said,  # the output is empty until there is one
            id=as_name(sample.get("id")),
            prompt=None if is_too_deep(prompt) else as_asked(prompt),
            model=model or as_label(output.get("model")),
            benchmark=task,
            harness="inspect_ai",
            run=f"epoch {epoch}" if len(epochs) > 1 else "",
            log=run,
            about=about,
            partial=partial,
            golds=() if sets else as_golds(sample.get("target") if golds is None else golds),
            choices=options,
            judged=as_verdict(mark := _marks(sample).get(scorers[0])),
            undecided=no_verdict_in(mark),
        )


def _input(sample: dict[str, Any]) -> Any:
    """The input with its long texts; one that is nested too deeply as it is, for the reader to refuse."""
    prompt = sample.get("input")
    return prompt if is_too_deep(prompt) else resolved(prompt, object_in(sample, "attachments"))


def _are_letters(samples: Iterable[dict[str, Any]]) -> bool:
    """Whether targets are letters of options throughout, and not their texts."""
    asked = [
        ({"choices": list(options), "answer": sample.get("target")}, options)
        for sample in samples
        if (options := as_options(sample.get("choices")))
    ]
    letters = all(lettered(values) is not None for values, _ in asked)
    return bool(asked) and letters and not all(set(as_golds(values["answer"])) <= set(of) for values, of in asked)


def _said(output: dict[str, Any], attached: dict[str, Any]) -> str | None:
    """The completion, or the text of the first choice's message."""
    said = output.get("completion")
    if not isinstance(said, str) or not said:
        choices = list_in(output, "choices")
        content = inner(choices[0], "message", "content") if choices else None
        # Reasoning stands in parts of its own, which have no text.
        text = None if is_too_deep(content) else as_asked(content)
        said = text if text is not None else said if isinstance(said, str) and "choices" in output else None
    said = resolved(said, attached)
    return said if isinstance(said, str) else None


def _marks(sample: dict[str, Any]) -> dict[str, Any]:
    """Scorer -> its value."""
    scores = sample.get("scores") or sample.get("score")
    if not isinstance(scores, dict):
        return {}
    single = "value" in scores and not isinstance(scores["value"], dict)
    each = {"": scores} if single else scores
    return {name: score.get("value") if isinstance(score, dict) else score for name, score in each.items()}


def _scorers(evaluation: dict[str, Any], samples: Iterable[dict[str, Any]]) -> list[str]:
    """The scorers of a run, that first whose marks are the verdicts: the first all of whose marks say right or wrong,
    or else the one with the most that do. The order is that in which the run lists them."""
    names = [inner(each, "name") for each in list_in(evaluation, "scorers")]
    given: dict[str, int] = {}
    verdicts: dict[str, int] = {}
    for sample in samples:
        for name, mark in _marks(sample).items():
            given[name] = given.get(name, 0) + 1
            verdicts[name] = verdicts.get(name, 0) + (as_verdict(mark) is not None)
    order = sorted(given, key=lambda name: names.index(name) if name in names else len(names))
    clean = (name for name in order if verdicts[name] == given[name])
    first = next(clean, max(order, key=lambda name: verdicts[name], default=""))
    return [first, *(name for name in order if name != first)]


def _told(scorers: Sequence[str]) -> Iterator[str]:
    """Where there are several scorers, whose verdicts count, and who else there is."""
    first, *others = [as_label(name) or "(unnamed)" for name in scorers]
    if others:
        left = f"{', '.join(others)} {'is' if len(others) == 1 else 'are'} not used"
        yield f"it has {len(scorers)} scorers: the verdicts are those of {first}, and {left}"


def _asks_for_sets(log: Any, samples: Iterable[dict[str, Any]]) -> bool:
    """Whether an answer is a set of options: by the solver's `multiple_correct`, or by a `choice` scorer, for which all
    letters of a target are right together."""
    if any(inner(step, "params", "multiple_correct") is True for step in list_in(log, "plan", "steps")):
        return True
    for sample in samples:
        target, options = sample.get("target"), sample.get("choices")
        letters: list[Any] = target if isinstance(target, list) else [*target] if isinstance(target, str) else []
        if _CHOICE not in _marks(sample) or not isinstance(options, list) or len(letters) < 2:
            continue
        if lettered({"choices": options, "answer": letters}) is not None and target not in options:
            return True
    return False
