"""OpenAI evals and batches: samples, the registry of evals, run logs and the output of a batch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from hansproof.audit.benchmark import LeftOut
from hansproof.audit.formats.json_rows import Entry
from hansproof.audit.formats.table import Row, Table, as_name
from hansproof.audit.harnesses.log_shape import first_text, inner, typed
from hansproof.audit.harnesses.log_values import as_golds, as_label, verdict
from hansproof.audit.harnesses.reply import ROLES, Reply, as_asked, entries_of_table, run_of_sample
from hansproof.audit.notation import first_of
from hansproof.generators.errors import InputError
from hansproof.generators.input import ABSENT, note

__all__ = [
    "is_registry",
    "is_run_log",
    "items_of_evals_samples",
    "items_of_run_log",
    "replies_of_batch",
    "replies_of_run_log",
    "samples_file",
]


def items_of_evals_samples(table: Table, place: str) -> Table:
    """The rows of a data set, whose inputs are messages or text."""
    kind = "chat" if isinstance(table.rows[0].values["input"], list) else "text"
    return replace(table, format=f"OpenAI evals samples ({kind})", defaults=(("prompt", "input"), ("answer", "ideal")))


def is_run_log(first: Sequence[dict[str, Any]]) -> bool:
    """True for the first lines of a run log: a `spec` of the run, or events."""
    return "run_config" in typed(dict, first[0], "spec") or any(
        {"sample_id", "type", "data"} <= values.keys() for values in first
    )


def items_of_run_log(table: Table, place: str) -> Table:
    """One row per sample: the prompt of its first `sampling` event, the gold of its first `match` event.

    Raises InputError if there are no such events.
    """
    run = _Run(entries_of_table(table, place))
    samples = {name: _Sample(events) for name, events in run.samples.items()}
    asked = {name: sample for name, sample in samples.items() if sample.prompt is not None}
    if not asked or not any("expected" in sample.match for sample in samples.values()):
        missing = "`match` events with an `expected` answer" if asked else "`sampling` events with a `prompt`"
        raise InputError(f"an OpenAI evals run log without {missing}: there are no items in it", place)
    rows, left_out = [], list(table.left_out)
    for name, sample in asked.items():
        where = sample.first.place.removeprefix(f"{place}: ")
        if "expected" in sample.match:
            rows.append(Row(where, {"prompt": sample.prompt, "answer": sample.match["expected"], "id": name}))
        else:
            left_out.append(LeftOut(where, "no match event for this sample"))
    return Table.of("OpenAI evals run log", rows, left_out, defaults=ROLES, benchmark=run.benchmark)


# The registry: `registry/evals/*.yaml`, whose evals name their `samples_jsonl` under `registry/data`.

_DEEPEST = 4
"""How many folders above the YAML may hold the `data` folder."""
_SHOWN = 3
"""Names that an error lists."""


def is_registry(value: Any) -> bool:
    """True for a mapping of evals of which one names samples or a data set."""
    return isinstance(value, dict) and bool(_named(value) or _named(value, "dataset"))


def samples_file(value: dict[Any, Any], path: Path, place: str) -> Path:
    """The one samples file that the evals of a YAML name.

    Raises InputError if they name several, a remote one, one outside the data folder, one that is missing, or a data
    set on the Hub instead.
    """
    named, sets = _named(value), list(map(_address, _named(value, "dataset")))
    if not named:
        listed = first_of(sets, _SHOWN)
        raise InputError(f"evals over data sets and not over samples; audit the data set itself: {listed}", place)
    if len(named) > 1:
        raise InputError(f"evals over {len(named)} files; audit one of them: {first_of(named, _SHOWN)}", place)
    name = named[0]
    if "://" in name:
        raise InputError(f"the samples are at {name}: download them and audit the file", place)
    if Path(name).is_absolute() or ".." in Path(name).parts:
        raise InputError(f"samples_jsonl is {name!r}, which leads out of the registry; audit the file itself", place)
    folders = [path.parent, *(folder / "data" for folder in list(path.resolve().parents)[: _DEEPEST + 1])]
    for folder in folders:
        if (folder / name).is_file():
            return folder / name
        note(str(folder / name), ABSENT)  # once it is there, it comes first
    raise InputError(f"samples_jsonl is {name!r}, but no `data` folder beside `evals` has it", place)


def _named(value: dict[Any, Any], key: str = "samples_jsonl") -> list[str]:
    """What all evals have under `key`, each once, in order."""
    names = (inner(entry, "args", key) for entry in value.values())
    return list(dict.fromkeys(name for name in names if isinstance(name, str) and name))


def _address(dataset: str) -> str:
    """`hf://name:config@split` for the registry's `hf://name?name=config&split=split`; others without a query."""
    path, _, query = dataset.partition("?")
    asked = dict(parse_qsl(query)) if path.startswith("hf://") else {}
    return path + "".join(f"{mark}{asked[key]}" for key, mark in (("name", ":"), ("split", "@")) if asked.get(key))


# The replies of a run log: a `spec` and then events, which come in any order because samples run side by side.


class _Run:
    """What a log says of its run, and the events of each sample, in the order in which they stand there."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.spec: dict[str, Any] = {}
        self.ended = False
        """Whether it has a final report, which is written last."""
        self.samples: dict[str, list[Entry]] = {}
        for entry in entries:
            event = entry.values
            self.spec = typed(dict, event, "spec") or self.spec
            self.ended = self.ended or "final_report" in event
            data, name, kind = typed(dict, event, "data"), as_name(event.get("sample_id")), event.get("type")
            told = kind in ("sampling", "match") or (kind == "metrics" and "choice" in data)
            if data and name is not None and told:
                self.samples.setdefault(name, []).append(entry)
        self.benchmark = as_label(self.spec.get("base_eval") or self.spec.get("eval_name"))

    def shortfalls(self) -> Iterator[str]:
        """That the run did not end, and that it may have asked only a part of its samples."""
        held, most = len(self.samples), typed(int, self.spec, "run_config", "max_samples")
        if not self.ended:
            of = f" of at most {most:,}" if held < most else ""
            yield f"the run did not end: its log has no final report; {held:,} samples{of} are in the log"
        if 0 < most <= held:
            yield f"the run was to ask at most {most:,} samples (max_samples), perhaps not all of its data set"


class _Sample:
    """What the events of a sample say: what was asked first, the reply, the golds and the mark."""

    def __init__(self, events: Sequence[Entry]) -> None:
        asked, matched, graded = (
            [event.values["data"] for event in events if event.values["type"] == kind]
            for kind in ("sampling", "match", "metrics")
        )
        self.first = next((event for event in events if event.values["type"] == "sampling"), events[0])
        self.prompt = asked[0].get("prompt") if asked else None
        self.match: dict[str, Any] = matched[0] if matched else {}
        self.mark = self.match.get("correct") if matched else graded[-1].get("score") if graded else None
        said = [first_text(data.get("sampled")) for data in asked]
        said = said[:-1] if graded and len(said) > 1 else said  # where a model has graded, the last is its choice
        self.reply = next((text for text in reversed(said) if text is not None), first_text(self.match.get("sampled")))


def replies_of_run_log(entries: Iterable[Entry], path: str) -> Iterator[Reply]:
    """One reply per sample, in the order in which they were first asked.

    The prompt is that of the first `sampling` event, the reply what was sampled last (a run may ask twice), golds and
    verdict those of the first `match` event. Where a model has graded the reply, the last sample is the grader's, and
    the verdict the score of the `metrics` event with its `choice`. Reports (`final_report`) may stand anywhere. Raises
    InputError for a log without `sampling` events.
    """
    run = _Run(entries)
    samples = {name: _Sample(events) for name, events in run.samples.items()}
    if not any(sample.reply is not None for sample in samples.values()):
        raise InputError("an OpenAI evals run log without `sampling` events: there are no answers in it", path)
    about = [f"{path}: {said}" for said in run.shortfalls()]
    asked = run.spec.get("completion_fns")
    for name, sample in samples.items():
        yield Reply(
            place=sample.first.place,
            line=sample.first.number,
            reply=sample.reply,
            id=name,
            prompt=as_asked(sample.prompt),
            model=as_label(asked[0] if isinstance(asked, list) and asked else asked),
            benchmark=run.benchmark,
            harness="OpenAI evals",
            log=as_label(run.spec.get("run_id")),
            golds=as_golds(sample.match.get("expected")),
            **verdict(sample.mark),
            about=about,
            partial=bool(about),
        )


# The replies of a batch: a line per request with its `custom_id`, which is the id of the item.


def replies_of_batch(entries: Iterable[Entry], path: str) -> Iterator[Reply]:
    """The reply of each request, of chat, text and `responses` endpoints; several choices are so many runs, and a
    request that failed has none. Raises InputError for a line whose `custom_id` is empty."""
    for number, place, row in entries:
        name = as_name(row.get("custom_id"))
        if name is None:
            raise InputError("has no `custom_id`, as the lines of the output of a batch have", place)
        body = typed(dict, row, "response", "body")
        for sample, said in enumerate(_said(body), 1):
            yield Reply(
                place=place,
                line=number,
                reply=said,
                id=name,
                model=as_label(body.get("model")),
                run=run_of_sample("", sample),
                harness="OpenAI batch",
            )


def _said(body: dict[str, Any]) -> list[str | None]:
    """The text of each choice, or of the one response; a single None where there is no text."""
    choices = body.get("choices")
    if not isinstance(choices, list):
        messages = [part for part in typed(list, body, "output") if inner(part, "type") == "message"]
        return [as_asked(messages) if messages else None]
    texts = []
    for choice in choices:
        given = inner(choice, "message", "content")
        texts.append(as_asked(given if given is not None else inner(choice, "text")))
    return texts or [None]
