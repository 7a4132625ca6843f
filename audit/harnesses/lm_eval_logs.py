"""lm-evaluation-harness: `samples_*.jsonl` as items and as replies, with the results beside them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from hansproof.audit.formats.content import read, utf8
from hansproof.audit.formats.json_rows import Entry, decode
from hansproof.audit.formats.table import Row, Table, as_name
from hansproof.audit.harnesses.log_values import as_golds, as_label, as_number, as_verdict, no_verdict_in, typed
from hansproof.audit.harnesses.reply import Reply, as_asked
from hansproof.generators.errors import InputError

__all__ = ["FirstFilter", "gold_option", "items_of_sample_log", "likeliest", "ordered_marks", "replies_of_sample_log"]

_ROLES = (("prompt", "prompt"), ("answer", "answer"), ("id", "id"), ("choices", "choices"))
_FORMAT = "lm-evaluation-harness samples"
_PER_OPTION = (
    "this task asks with one prompt per option, and its log does not say which is right: its documents are read instead"
)
_SHOTS = (
    "many prompts share earlier blocks of text, perhaps worked examples: log the samples with --num_fewshot 0, "
    "or name a field of the document with --prompt doc.FIELD"
)


def items_of_sample_log(table: Table, place: str) -> Table:
    """One row per document: the text that was sent, the target, and the continuations as options.

    A document occurs once per filter, and several times where the logs of several models were joined. Where options
    are scored, the target is their index, and the gold is the option itself. Where each option has a prompt of its own,
    the rows are the documents.
    """
    rows: list[Row] = []
    documents: list[Row] = []
    seen: set[tuple[str | None, str | None]] = set()
    for row in table.rows:
        name, digest = as_name(row.values.get("doc_id")) or row.place, as_name(row.values.get("doc_hash"))
        if (name, digest) in seen:
            continue
        seen.add((name, digest))
        pairs, target = pairs_of(row.values.get("arguments")), row.values.get("target")
        document = row.values.get("doc")
        options = [pair[1].strip() for pair in pairs if len(pair) > 1 and isinstance(pair[1], str)]
        values = {"prompt": prompt_of(pairs[0][0]) if pairs else None, "answer": target, "id": name, "doc": document}
        if len(options) == len(pairs) > 1:
            if len({as_name(pair[0]) for pair in pairs}) > 1 and isinstance(document, dict):
                documents.append(Row(row.place, document))
            values["choices"] = options
            values["answer"] = gold_option(target, options)
        rows.append(Row(row.place, values))
    if 2 * len(documents) > len(rows):
        return Table.of(f"{_FORMAT} (documents)", documents, table.left_out, notes=(_PER_OPTION,))
    notes = (_SHOTS,) if _has_shots(rows) else ()
    return Table.of(_FORMAT, rows, table.left_out, notes=notes, defaults=_ROLES)


def gold_option(target: Any, options: list[str]) -> Any:
    """The option that `target` points at: an index, an index as text, or several of them. Anything else is itself.

    A number always counts as an index, even if an option has the same text: the harness reads it so.
    """
    if isinstance(target, str) and target.strip()[:1] == "[":
        try:
            target = msgspec.json.decode(target)
        except (msgspec.DecodeError, RecursionError):
            return target
    if isinstance(target, list):
        return [gold_option(each, options) for each in target if not isinstance(each, list)]
    text = target.strip() if isinstance(target, str) else target
    if isinstance(text, str) and text.isdecimal() and len(text) <= 3:
        text = int(text)
    if isinstance(text, int) and not isinstance(text, bool) and 0 <= text < len(options):
        return options[text]
    return target


def pairs_of(requests: Any) -> list[list[Any]]:
    """(context, continuation or settings) of each request; older logs have lists, newer ones numbered objects."""
    requests = list(requests.values()) if isinstance(requests, dict) else requests
    if not isinstance(requests, list):
        return []
    pairs = [list(request.values()) if isinstance(request, dict) else request for request in requests]
    return [pair for pair in pairs if isinstance(pair, list) and pair]


def prompt_of(context: Any) -> Any:
    """The text of a context, or its messages: behind an API of chats they are logged as JSON in a list of one text."""
    if not (isinstance(context, list) and len(context) == 1 and isinstance(context[0], str)):
        return context
    try:
        messages = msgspec.json.decode(context[0])
    except (msgspec.DecodeError, RecursionError):
        return context
    chat = isinstance(messages, list) and bool(messages) and all(isinstance(each, dict) for each in messages)
    return messages if chat and all("role" in each and "content" in each for each in messages) else context


def _has_shots(rows: list[Row]) -> bool:
    """True if most prompts have at least two blocks before their last, and share one of them with another prompt."""
    earlier = [
        set(prompt.split("\n\n")[:-1]) if isinstance(prompt := row.values["prompt"], str) else set() for row in rows
    ]
    times: dict[str, int] = {}
    for blocks in earlier:
        for block in blocks:
            times[block] = times.get(block, 0) + 1
    shared = sum(len(blocks) > 1 and any(times[block] > 1 for block in blocks) for blocks in earlier)
    return len(rows) > 1 and 2 * shared > len(rows)


# A run that writes into a folder has `results_DATE.json` in the folder of the model; one that writes into a file has
# `FILE_DATE.json`, which may stand beside that folder.

_IN_ARGUMENTS = ("pretrained", "model", "path", "engine")
"""Where the arguments of a run name the model."""
_SANITISED = "__"
"""What the harness writes for `/` in the name of a model's folder."""


def model_of(path: Path, results: Iterable[dict[str, Any]]) -> str:
    """The model by the results of the run, or by the folder that the harness called after it; else empty."""
    if name := next(filter(None, map(_named, results)), ""):
        return name
    folder = path.absolute().parent.name
    return as_label(folder.replace(_SANITISED, "/", 1)) if _SANITISED in folder.strip("_") else ""


def documents_asked(results: Iterable[dict[str, Any]], task: str) -> tuple[int, int]:
    """How many documents of the task the run was to ask, and how many there are; 0, 0 where no results say so."""
    for value in results:
        counts = typed(dict, value, "n-samples", task)
        asked, every = counts.get("effective"), counts.get("original")
        if type(asked) is int and type(every) is int and asked > 0:
            return asked, every
    return 0, 0


def results_of(path: Path, date: str | None) -> Iterator[dict[str, Any]]:
    """What the files of results say that belong to the log, as far as they can be read."""
    for file in _files(path, date):
        try:
            value = decode(utf8(read(str(file))), str(file))
        except (InputError, UnicodeDecodeError, OSError, ValueError):
            continue  # the log is whole without them, and the model can be named as NAME=FILE
        if isinstance(value, dict):
            yield value


def _files(path: Path, date: str | None) -> list[Path]:
    """The results of the same date, beside the log or a folder above; without a date, the only ones beside it."""
    try:
        if date:
            ends = f"_{date}.json"
            folders = (path.parent, path.absolute().parent.parent)
            return [file for folder in folders for file in sorted(folder.iterdir()) if file.name.endswith(ends)]
        beside = sorted(path.parent.glob("results*.json"))
        return beside if len(beside) == 1 else []
    except OSError:
        return []


def _named(results: dict[str, Any]) -> str:
    """The model that the results of a run name; empty where they do not."""
    config = typed(dict, results, "config")
    arguments = config.get("model_args")
    if isinstance(arguments, str):
        arguments = dict(part.partition("=")[::2] for part in arguments.split(","))
    candidates = (results.get("model_name"), *map(typed(dict, arguments).get, _IN_ARGUMENTS), config.get("model"))
    return next((label for candidate in candidates if (label := as_label(candidate))), "")


# The gold answers of a sample. The harness logs its `target` as `str()` writes it in Python.

_ESCAPED = r"\\(?:[\\'\"nrt]|x[0-9a-f]{2}|u[0-9a-f]{4}|U000[0-9a-f]{5}|U0010[0-9a-f]{4})"
_TEXT = rf"(?:'(?:[^'\\\n]|{_ESCAPED})*'|\"(?:[^\"\\\n]|{_ESCAPED})*\")"
_LIST = re.compile(rf"\[{_TEXT}(?:, {_TEXT})*\]")
"""A list of texts as `repr` writes it. Nothing else of Python is read."""
_DEEPEST = 6


def target_of(row: dict[str, Any]) -> Any:
    """The target of a sample: the texts, each of which is right, where it is a list of them written in Python.

    A text that is in the document as it stands is no list: it is the answer itself.
    """
    target = row.get("target")
    if not isinstance(target, str) or not _LIST.fullmatch(text := target.strip()) or _holds(row.get("doc"), text):
        return target
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError):
        return target


def _holds(value: Any, text: str, depth: int = 0) -> bool:
    """Whether a value of a document is this text, however deep it stands."""
    if isinstance(value, str):
        return value.strip() == text
    if depth >= _DEEPEST or not isinstance(value, dict | list):
        return False
    return any(_holds(each, text, depth + 1) for each in (value.values() if isinstance(value, dict) else value))


# A document is logged once per filter, each a way to cut one answer out of what the model said. The first of a log
# counts, and the others stand aside until somebody asks for them (`audit.replies.reply_files`).

_NAME = re.compile(r"samples_(?P<task>.+?)(?:_(?P<date>\d{4}-\d{2}-\d{2}T[\d.:-]+))?\Z")
_METRICS = ("acc", "exact_match", "em", "extractive_match", "acc_norm", "pass@1", "correct", "score")
"""Names of metrics that mark a single answer, where the log does not list its own; earlier ones first."""
_UNCUT = "none"
"""The filter that changes nothing."""


class FirstFilter:
    """The filters of a log, of which the first counts."""

    def __init__(self) -> None:
        self.held: dict[str, int] = {}
        """Filter -> how many replies have it."""

    def marked(self, reply: Reply, run: str = "") -> Reply:
        """The reply, which stands aside where it has another filter than the first; `run` is its run."""
        self.held[reply.filter] = self.held.get(reply.filter, 0) + 1
        first = next(iter(self.held))
        if reply.filter != first:
            return msgspec.structs.replace(reply, filter=reply.filter or _UNCUT, aside=first or _UNCUT, run=run)
        return msgspec.structs.replace(reply, filter="" if first == _UNCUT else first, run=run)


def replies_of_sample_log(entries: Iterable[Entry], path: str) -> Iterator[Reply]:
    """One reply per document and filter, as a stream. Raises InputError for a line that is no such sample."""
    stem = Path(path).name.partition(".jsonl")[0]
    named = _NAME.match(stem)
    results = list(results_of(Path(path), named["date"])) if named else []
    task, model = (as_label(named["task"]), model_of(Path(path), results)) if named else ("", "")
    log = as_label(named["date"]) if named and named["date"] else stem
    asked, every = documents_asked(results, named["task"] if named else "")
    about: list[str] = []
    if asked < every:
        about.append(f"{path}: the run was to ask {asked:,} of the {every:,} documents of its task (--limit)")
    filters = FirstFilter()
    for number, place, row in entries:
        reply = filters.marked(_reply(row, place, number, model, task))
        yield msgspec.structs.replace(reply, log=log, about=about, partial=asked < every)
    # Each document stands there once per filter.
    if (most := max(filters.held.values(), default=0)) < asked:
        about.append(f"{path}: {most:,} of the {asked:,} documents that the run asked are in the log")


def _reply(row: dict[str, Any], place: str, number: int, model: str, task: str) -> Reply:
    pairs, document = pairs_of(row.get("arguments")), typed(dict, row, "doc")
    options = [pair[1].strip() for pair in pairs if len(pair) > 1 and isinstance(pair[1], str)]
    by_option = len(options) == len(pairs) > 1
    # Contexts with one ending: the options stand in the prompts, and the log does not say which of them is right.
    alike = by_option and len(set(options)) < len(options)
    # One text whose likelihood is measured is no reply: whether the model would say it, only the verdict tells.
    measured = len(options) == len(pairs) == 1
    target, marks = target_of(row), ordered_marks(row, typed(list, row, "metrics"))
    # By the first metric that says right or wrong: those that the row lists, or else the usual names.
    judged = next((verdict for mark in marks if (verdict := as_verdict(mark)) is not None), None)
    said = row.get("filtered_resps", row.get("resps"))
    likely = likeliest(said, row.get("resps"), [str(place) for place in range(len(options))] if alike else options)
    first = _first(said)
    reply = likely if by_option else first if isinstance(first, str) else None
    return Reply(
        place=place,
        line=number,
        reply=reply,
        id=as_name(document.get("id")) or as_name(row.get("doc_id")),
        prompt=as_asked(prompt_of(pairs[0][0])) if pairs else None,
        model=model or as_label(row.get("model")),
        filter=as_label(row.get("filter")),
        likeliest=by_option or measured,
        benchmark=task,
        harness="lm-evaluation-harness",
        golds=() if alike or measured else as_golds(gold_option(target, options) if by_option else target),
        choices=tuple(options) if by_option and not alike else (),
        judged=judged,
        undecided="" if judged is not None else next(filter(None, map(no_verdict_in, marks)), ""),
    )


def _first(said: Any) -> Any:
    """The first of filtered or raw responses, which are lists of lists where a request was repeated."""
    while isinstance(said, list) and said:
        said = said[0]
    return said


def likeliest(said: Any, raw: Any, options: list[str]) -> str | None:
    """The option with the highest log likelihood, the first of equals; None without options, and where one has none."""
    for responses in (said, raw):
        if not options or not isinstance(responses, list) or len(responses) != len(options):
            continue
        values = [_likelihood(response) for response in responses]
        if all(value is not None for value in values):
            return options[max(range(len(options)), key=lambda place: values[place] or 0.0)]
    return None


def _likelihood(response: Any) -> float | None:
    response = _first(response)
    if isinstance(response, str):
        try:
            response = float(response)
        except ValueError:
            return None
    return as_number(response)


def ordered_marks(row: Mapping[str, Any], listed: Sequence[Any] | None = None) -> list[Any]:
    """The values of the metrics: of those that are `listed`, or all, first those that are known to mark a single
    answer, so that a graded mark that happens to be 0 or 1 is not taken for the verdict."""
    names = [name for name in (row if listed is None else listed) if isinstance(name, str)]
    known = [name for name in names if name.partition(":")[0] in _METRICS]
    return [row[name] for name in dict.fromkeys((*known, *names, *_METRICS)) if name in row]
