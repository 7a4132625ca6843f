"""One value of a row in its role: the text of a prompt, a gold answer."""

from __future__ import annotations

import math
from typing import Any

from audit.formats.table import as_plain, bare, is_missing, is_too_deep

__all__ = ["UnusableError", "as_answer", "as_answers", "as_prompt"]


class UnusableError(Exception):
    """A value cannot play its role. Never leaves this package."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        """Why, in a few words: `empty prompt`."""
        self.detail = detail
        """What is peculiar to this value."""


def as_prompt(value: Any) -> str:
    """The text that a model is shown. Chat messages are joined by newlines and lose their roles.

    Raises UnusableError for a value that is empty, not text, or not valid Unicode.
    """
    _check_depth(value, "prompt")
    text = _joined(value)
    if text is None:
        if is_missing(value):
            raise UnusableError("no prompt")
        raise UnusableError(f"prompt is {_type_of(value)}, not text")
    if not text.strip():
        raise UnusableError("empty prompt")
    _check_unicode(text, "prompt")
    return text


def as_answer(value: Any) -> tuple[str, bool]:
    """The gold answer as canonical text, stripped, and whether other, different answers were dropped.

    The first of `as_answers`, and raises UnusableError where it does.
    """
    answers = as_answers(value)
    return answers[0], len(answers) > 1


def as_answers(value: Any) -> tuple[str, ...]:
    """The acceptable gold answers as canonical texts, stripped and different, the one that stands first first.

    A list holds several of them, and so does an object of question answering: `{"text": [...]}` (SQuAD), `{"spans":
    [...]}` and `{"number": ..., "date": {...}, "spans": [...]}` (DROP), `{"value": ..., "aliases": [...]}` (TriviaQA).
    True and false are lower case, and numbers are as written. Raises UnusableError for a value that is missing, empty,
    not finite or of another type.
    """
    _check_depth(value, "answer")
    if isinstance(value, dict):
        value = _accepted(value)
    if isinstance(value, (list, tuple)):
        if not value:
            raise UnusableError("no answer")
        answers = dict.fromkeys(as_answers(value[0])[:1])
        for other in value[1:]:
            try:
                answers.update(dict.fromkeys(as_answers(other)[:1]))
            except UnusableError:  # only the first must be usable
                continue
        return tuple(answers)
    return (_answer_text(value),)


def _accepted(value: dict[str, Any]) -> Any:
    """The list of acceptable answers that an object of question answering holds; the object itself if it is another."""
    if isinstance(value.get("text"), list):
        return value["text"]
    if isinstance(value.get("aliases"), list) and isinstance(value.get("value"), str):
        return [value["value"], *value["aliases"]]
    if not isinstance(value.get("spans"), list):
        return value
    if not is_missing(value.get("number")) and str(value["number"]).strip():
        return [value["number"]]
    date = value.get("date")
    parts = [date.get(part) for part in ("day", "month", "year")] if isinstance(date, dict) else []
    written = " ".join(str(part).strip() for part in parts if not is_missing(part) and str(part).strip())
    return value["spans"] or ([written] if written else [])


def _answer_text(value: Any) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        raise UnusableError("answer is not finite" + (" (NaN, or missing)" if math.isnan(value) else ""))
    if is_missing(value):
        raise UnusableError("no answer")
    text = as_plain(value)
    if text is None:
        raise UnusableError(f"answer is {_type_of(value)}, not a label", "--answer-part takes a part of it")
    text = text.strip()
    if not text:
        raise UnusableError("empty answer")
    _check_unicode(text, "answer")
    return text


def _check_depth(value: Any, role: str) -> None:
    """Raise UnusableError for a value that is nested deeper than anything meaningful."""
    if not isinstance(value, str) and is_too_deep(value):  # nearly all are texts
        raise UnusableError(f"{role} is nested too deeply")


def _joined(value: Any) -> str | None:
    """Text, message, part of a message, or a list of these; None for anything else."""
    value = bare(value)
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        for key in ("content", "text"):
            if key in value:
                return "" if value[key] is None else _joined(value[key])
        return "" if value.get("type") in ("image", "image_url", "audio", "input_audio") else None
    if isinstance(value, (list, tuple)) and value:
        parts = [_joined(part) for part in value]
        texts = [part for part in parts if part is not None]
        return "\n".join(text for text in texts if text) if len(texts) == len(parts) else None
    return None


def _check_unicode(text: str, role: str) -> None:
    """Raise UnusableError for half a surrogate pair or a NUL, which no benchmark contains on purpose."""
    if "\0" in text:
        raise UnusableError(f"NUL character in the {role}")
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise UnusableError(f"{role} is not valid Unicode") from error


def _type_of(value: Any) -> str:
    """The type in words that a reader of the data would use."""
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, (int, float)):
        return "a number"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, (list, tuple)):
        return "a list" if value else "an empty list"
    return f"of type {type(value).__name__}"
