"""lm-evaluation-harness: the `samples_*.jsonl` of a run with `--log_samples`, and the `results_*.json` beside it.

A document is logged once per filter: several filters are several styles of reading one answer, so each becomes a style
of its own. Where options are scored by their likelihood, the reply is the option that got the highest. The results of a
run that writes into a folder are `results_DATE.json` in the folder of the model; those of one that writes into a file
are `FILE_DATE.json`, which may stand beside that folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from math import isnan
from pathlib import Path
from typing import Any

import msgspec

from audit.answers.asked import as_asked
from audit.answers.importers.values import as_golds, as_label, as_verdict, no_verdict_in
from audit.answers.reply import Reply
from audit.formats.harnesses.lm_eval_samples import gold_option, is_harness, pairs_of, prompt_of
from audit.formats.json_rows import decode
from audit.formats.table import as_name, bare
from audit.sources.content import read, utf8
from generators.errors import InputError, not_utf8

__all__ = ["replies_of_samples_log"]

_NAME = re.compile(r"samples_(?P<task>.+?)(?:_(?P<date>\d{4}-\d{2}-\d{2}T[\d.:-]+))?\Z")
_METRICS = ("acc", "exact_match", "em", "acc_norm", "pass@1", "correct", "score")
"""Names of metrics that mark a single answer, where the log does not list its own; earlier ones first."""
_IN_ARGUMENTS = ("pretrained", "model", "path", "engine")
"""Where the arguments of a run name the model."""
_SANITISED = "__"
"""What the harness writes for `/` in the name of a model's folder."""
_KEPT = {"none", ""}
"""Filters that change nothing."""


def replies_of_samples_log(numbered: Iterable[tuple[int, bytes]], path: str) -> Iterator[Reply]:
    """One reply per document and filter, as a stream. Raises InputError for a line that is no such sample."""
    stem = Path(path).name.partition(".jsonl")[0]
    named = _NAME.match(stem)
    results = list(_results(Path(path), named["date"])) if named else []
    task, model = (as_label(named["task"]), _model(Path(path), results)) if named else ("", "")
    log = as_label(named["date"]) if named and named["date"] else stem
    asked, every = _asked(results, named["task"] if named else "")
    about: list[str] = []
    if asked < every:
        about.append(f"{path}: the run was to ask {asked:,} of the {every:,} documents of its task (--limit)")
    held: dict[str, int] = {}
    for number, line in numbered:
        if not line.strip():
            continue
        place = f"{path}: line {number}"
        try:
            row = decode(line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line, path, number)
        except UnicodeDecodeError as error:
            raise not_utf8(error, place) from error
        if not isinstance(row, dict) or not is_harness(row):
            raise InputError("is not a sample of lm-evaluation-harness, as the lines before it are", place)
        reply = _reply(row, place, number, model, task)
        held[reply.style] = held.get(reply.style, 0) + 1
        yield msgspec.structs.replace(reply, log=log, about=about)
    # Each document stands there once per filter.
    if (most := max(held.values(), default=0)) < asked:
        about.append(f"{path}: {most:,} of the {asked:,} documents that the run asked are in the log")


def _reply(row: dict[str, Any], place: str, number: int, model: str, task: str) -> Reply:
    pairs, document = pairs_of(row.get("arguments")), row.get("doc")
    document = document if isinstance(document, dict) else {}
    options = [pair[1].strip() for pair in pairs if len(pair) > 1 and isinstance(pair[1], str)]
    by_option = len(options) == len(pairs) > 1
    # Contexts with one ending: the options stand in the prompts, and the log does not say which of them is right.
    alike = by_option and len(set(options)) < len(options)
    target = row.get("target")
    said = row.get("filtered_resps", row.get("resps"))
    likeliest = _likeliest(said, row.get("resps"), [str(place) for place in range(len(options))] if alike else options)
    reply = likeliest if by_option else _text(said)
    style = as_label(row.get("filter"))
    return Reply(
        place=place,
        line=number,
        reply=reply,
        id=as_name(document.get("id")) or as_name(row.get("doc_id")),
        prompt=as_asked(prompt_of(pairs[0][0])) if pairs else None,
        model=model or as_label(row.get("model")),
        style="" if style in _KEPT else style,
        benchmark=task,
        harness="lm-evaluation-harness",
        golds=() if alike else as_golds(gold_option(target, options) if by_option else target),
        choices=tuple(options) if by_option and not alike else (),
        judged=(judged := _verdict(row)),
        undecided="" if judged is not None else next(filter(None, map(no_verdict_in, _marks(row))), ""),
    )


def _text(said: Any) -> str | None:
    """The first text of filtered or raw responses, which are lists of lists where a request was repeated."""
    while isinstance(said, list) and said:
        said = said[0]
    return said if isinstance(said, str) else None


def _likeliest(said: Any, raw: Any, options: list[str]) -> str | None:
    """The option with the highest log likelihood, the first of equals; None without options, and where one has none."""
    for responses in (said, raw):
        if not options or not isinstance(responses, list) or len(responses) != len(options):
            continue
        values = [_likelihood(response) for response in responses]
        if all(value is not None for value in values):
            return options[max(range(len(options)), key=lambda place: values[place] or 0.0)]
    return None


def _likelihood(response: Any) -> float | None:
    while isinstance(response, list) and response:
        response = response[0]
    if isinstance(response, str):
        try:
            response = float(response)
        except ValueError:
            return None
    value = bare(response)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) and not isnan(value) else None


def _verdict(row: dict[str, Any]) -> bool | None:
    """By the first metric that says right or wrong: those that the row lists, or else the usual names."""
    return next((verdict for mark in _marks(row) if (verdict := as_verdict(mark)) is not None), None)


def _marks(row: dict[str, Any]) -> list[Any]:
    """The values of the metrics, those that the row lists first."""
    listed = row.get("metrics")
    names = [name for name in listed if isinstance(name, str)] if isinstance(listed, list) else []
    return [row[name] for name in (*names, *_METRICS) if name in row]


def _model(path: Path, results: Iterable[dict[str, Any]]) -> str:
    """The model by the results of the run, or by the folder that the harness called after it; else empty."""
    if name := next(filter(None, map(_named, results)), ""):
        return name
    folder = path.absolute().parent.name
    return as_label(folder.replace(_SANITISED, "/", 1)) if _SANITISED in folder.strip("_") else ""


def _asked(results: Iterable[dict[str, Any]], task: str) -> tuple[int, int]:
    """How many documents of the task the run was to ask, and how many there are; 0, 0 where no results say so."""
    for value in results:
        counts = value.get("n-samples")
        counts = counts.get(task) if isinstance(counts, dict) else None
        if isinstance(counts, dict):
            asked, every = counts.get("effective"), counts.get("original")
            if type(asked) is int and type(every) is int and asked > 0:
                return asked, every
    return 0, 0


def _results(path: Path, date: str | None) -> Iterator[dict[str, Any]]:
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
    config = results.get("config")
    config = config if isinstance(config, dict) else {}
    arguments = config.get("model_args")
    if isinstance(arguments, str):
        arguments = dict(part.partition("=")[::2] for part in arguments.split(","))
    arguments = arguments if isinstance(arguments, dict) else {}
    candidates = (results.get("model_name"), *map(arguments.get, _IN_ARGUMENTS), config.get("model"))
    return next((label for candidate in candidates if (label := as_label(candidate))), "")
