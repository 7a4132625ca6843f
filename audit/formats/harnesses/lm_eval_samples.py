"""lm-evaluation-harness: the `samples_*.jsonl` that a run with `--log_samples` writes."""

from __future__ import annotations

from typing import Any

import msgspec

from audit.formats.table import Row, Table, as_name

__all__ = ["gold_option", "is_harness", "pairs_of", "prompt_of", "samples_of_harness"]

_ROLES = (("prompt", "prompt"), ("answer", "answer"), ("id", "id"), ("choices", "choices"))
_FORMAT = "lm-evaluation-harness samples"
_PER_OPTION = (
    "this task asks with one prompt per option, and its log does not say which is right: its documents are read instead"
)
_SHOTS = (
    "many prompts share earlier blocks of text, perhaps worked examples: log the samples with --num_fewshot 0, "
    "or name a field of the document with --prompt doc.FIELD"
)


def is_harness(values: dict[str, Any]) -> bool:
    """True for a row with the document, its target and the arguments of its requests."""
    return {"doc", "target", "arguments"} <= values.keys()


def samples_of_harness(table: Table) -> Table:
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
