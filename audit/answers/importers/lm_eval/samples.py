"""lm-evaluation-harness: the `samples_*.jsonl` of a run with `--log_samples`.

A document is logged once per filter: several filters are several ways to cut one answer out of what the model said. The
first of a log counts, and the others stand aside until somebody asks for them (`audit.answers.files.filters`). Where
options are scored by their likelihood, the reply is the option that got the highest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from audit.answers.asked import as_asked
from audit.answers.importers.lm_eval.results import documents_asked, model_of, results_of
from audit.answers.importers.lm_eval.targets import target_of
from audit.answers.importers.values import as_golds, as_label, as_number, as_verdict, no_verdict_in
from audit.answers.reply import Reply
from audit.formats.harnesses.lm_eval_samples import gold_option, is_harness, pairs_of, prompt_of
from audit.formats.json_rows import decode
from audit.formats.table import as_name
from generators.errors import InputError, not_utf8

__all__ = ["replies_of_samples_log"]

_NAME = re.compile(r"samples_(?P<task>.+?)(?:_(?P<date>\d{4}-\d{2}-\d{2}T[\d.:-]+))?\Z")
_METRICS = ("acc", "exact_match", "em", "acc_norm", "pass@1", "correct", "score")
"""Names of metrics that mark a single answer, where the log does not list its own; earlier ones first."""
_UNCUT = "none"
"""The filter that changes nothing."""


def replies_of_samples_log(numbered: Iterable[tuple[int, bytes]], path: str) -> Iterator[Reply]:
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
        held[reply.filter] = held.get(reply.filter, 0) + 1
        first = next(iter(held))
        if reply.filter != first:
            reply = msgspec.structs.replace(reply, filter=reply.filter or _UNCUT, aside=first or _UNCUT)
        elif first == _UNCUT:
            reply = msgspec.structs.replace(reply, filter="")
        yield msgspec.structs.replace(reply, log=log, about=about, partial=asked < every)
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
    # One text whose likelihood is measured is no reply: whether the model would say it, only the verdict tells.
    measured = len(options) == len(pairs) == 1
    target = target_of(row)
    said = row.get("filtered_resps", row.get("resps"))
    likeliest = _likeliest(said, row.get("resps"), [str(place) for place in range(len(options))] if alike else options)
    reply = likeliest if by_option else _text(said)
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
    return as_number(response)


def _verdict(row: dict[str, Any]) -> bool | None:
    """By the first metric that says right or wrong: those that the row lists, or else the usual names."""
    return next((verdict for mark in _marks(row) if (verdict := as_verdict(mark)) is not None), None)


def _marks(row: dict[str, Any]) -> list[Any]:
    """The values of the metrics: of those that the row lists, first those that are known to mark a single answer, so
    that a graded mark that happens to be 0 or 1 is not taken for the verdict."""
    listed = row.get("metrics")
    names = [name for name in listed if isinstance(name, str)] if isinstance(listed, list) else []
    known = [name for name in names if name in _METRICS]
    return [row[name] for name in dict.fromkeys((*known, *names, *_METRICS)) if name in row]
