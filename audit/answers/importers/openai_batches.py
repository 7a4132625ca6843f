"""OpenAI batches: the output of a batch, a line per request with its `custom_id`, which is the id of the item."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from audit.answers.asked import as_asked
from audit.answers.importers.values import as_label
from audit.answers.reply import Reply, run_of_sample
from audit.formats.json_rows import decode
from audit.formats.table import as_name
from generators.errors import InputError, not_utf8

__all__ = ["is_batch", "replies_of_batch"]


def is_batch(first: Sequence[dict[str, Any]]) -> bool:
    """True for lines that all have a `custom_id`, and a `response` with a body or an `error`."""
    return all("custom_id" in row and "error" in row and _is_response(row.get("response")) for row in first)


def _is_response(response: Any) -> bool:
    return response is None or (isinstance(response, dict) and "body" in response)


def replies_of_batch(numbered: Iterable[tuple[int, bytes]], path: str) -> Iterator[Reply]:
    """The reply of each request, of chat, text and `responses` endpoints; several choices are so many runs, and a
    request that failed has none. Raises InputError for a line without a `custom_id`."""
    for number, line in numbered:
        if not line.strip():
            continue
        place = f"{path}: line {number}"
        try:
            row = decode(line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line, path, number)
        except UnicodeDecodeError as error:
            raise not_utf8(error, place) from error
        name = as_name(row.get("custom_id")) if isinstance(row, dict) else None
        if name is None:
            raise InputError("has no `custom_id`, as the lines of the output of a batch have", place)
        response = row.get("response")
        body = response.get("body") if isinstance(response, dict) else None
        body = body if isinstance(body, dict) else {}
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
        parts = body.get("output")
        messages = [part for part in parts if isinstance(part, dict) and part.get("type") == "message"] if isinstance(
            parts, list
        ) else []  # fmt: skip
        return [as_asked(messages) if messages else None]
    texts = []
    for choice in choices:
        message = choice.get("message") if isinstance(choice, dict) else None
        given = message.get("content") if isinstance(message, dict) else None
        texts.append(as_asked(given if given is not None else choice.get("text") if isinstance(choice, dict) else None))
    return texts or [None]
