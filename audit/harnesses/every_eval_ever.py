"""Every Eval Ever: `UUID_samples.jsonl` beside its aggregate, as `instance_level_eval.schema.json` 0.3.0 describes it.

A sample has a row per aggregate result to which it counts (`evaluation_result_id`), with the same reply in each: the
mark that counts is that of the first result that says right or wrong, those of usual metrics first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from msgspec.structs import replace

from hansproof.audit.formats.json_rows import Entry
from hansproof.audit.formats.table import as_name
from hansproof.audit.harnesses.log_shape import inner, typed
from hansproof.audit.harnesses.log_values import as_golds, as_label, as_options, as_verdict, gold_option, no_verdict_in
from hansproof.audit.harnesses.reply import Reply, run_of_sample

__all__ = ["replies_of_samples"]

_MARKS = {"acc", "accuracy", "exact_match", "em", "quasi_exact_match", "prefix_exact_match", "correct"}
"""Metrics that mark a single answer."""


def replies_of_samples(entries: Iterable[Entry], path: str) -> Iterator[Reply]:
    """The replies of each sample, of which several outputs, or rows of one result, are so many runs; of an interaction
    of several turns, what the model said last."""
    asked: dict[tuple[str | None, str | None], int] = {}
    about, result = list[str](), ""
    for key, rows in groupby(entries, key=_sample):
        of_results: dict[str, list[Entry]] = {}
        for entry in rows:
            of_results.setdefault(as_label(entry.values.get("evaluation_result_id")), []).append(entry)
        # A graded mark may happen to be 0 or 1.
        order = sorted(of_results, key=lambda each: not _MARKS & {*re.split("[^a-z_]+", each)})
        decided = (each for each in order if _judged(of_results[each][0].values) is not None)
        own = result if result in of_results and asked else next(decided, order[0])
        result = result if asked else own
        if len(of_results) > 1 and not about:
            others = ", ".join(each for each in of_results if each != own)
            about.append(f"{path}: each sample has several results: the verdicts are those of {own}, not {others}")
        for entry in of_results[own]:
            for reply in _replies(entry, about):
                asked[key] = asked.get(key, 0) + 1
                yield replace(reply, run=run_of_sample("", asked[key]))


def _sample(entry: Entry) -> tuple[str | None, str | None]:
    return as_name(entry.values.get("evaluation_name")), as_name(entry.values.get("sample_id"))


def _judged(row: dict[str, Any]) -> bool | None:
    """The verdict; None where the score is no verdict, or contradicts `is_correct`, which some converters derive from
    any score above 0, and others leave false for graded scores."""
    score, correct = inner(row, "evaluation", "score"), as_verdict(inner(row, "evaluation", "is_correct"))
    return correct if score is None or as_verdict(score) is correct else None


def _replies(entry: Entry, about: Sequence[str]) -> Iterator[Reply]:
    row = entry.values
    name, filter = as_label(row.get("evaluation_name")), as_label(inner(row, "metadata", "filter"))
    options = as_options(inner(row, "input", "choices"))
    by_harness = "lm_eval_metrics" in typed(dict, row, "metadata")  # its choices are continuations, its target an index
    references = typed(list, row, "input", "reference")
    golds = as_golds([_option(each, options, by_harness) for each in references])
    if {*options} <= {*golds}:
        options = ()  # the converter of HELM lists all references as choices, those of open answers too
    said = typed(list, row, "output", "raw") or [_last_said(typed(list, row, "messages"))]
    judged = _judged(row) if len(said) == 1 else None
    for text in said:
        yield Reply(
            place=entry.place,
            line=entry.number,
            reply=text if isinstance(text, str) else None,
            id=as_name(row.get("sample_id")),
            prompt=typed(str, row, "input", "raw") or None,
            model=as_label(row.get("model_id")),
            benchmark=name.removesuffix(f"/{filter}") if filter else name,
            harness="Every Eval Ever",
            filter=filter,
            likeliest=by_harness and bool(options),
            log=as_label(row.get("evaluation_id")),
            golds=golds,
            choices=options,
            judged=judged,
            undecided=no_verdict_in(inner(row, "evaluation", "score")) if judged is None else "",
            about=about,
        )


def _option(reference: Any, options: Sequence[str], by_index: bool) -> Any:
    """The option that a reference means: by its place in a harness that writes places, its text, or else its letter."""
    if by_index and options:
        return gold_option(reference, list(options))
    if not isinstance(reference, str) or reference.strip() in options or len(reference) != 1:
        return reference
    place = ord(reference) - ord("A")
    return options[place] if 0 <= place < len(options) else reference


def _last_said(messages: Sequence[Any]) -> str | None:
    said = (message.get("content") for message in reversed(messages) if inner(message, "role") == "assistant")
    return next((text for text in said if isinstance(text, str) and text.strip()), None)
