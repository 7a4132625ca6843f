"""One value of a row: as the text of a prompt, as a gold answer, as a list of options, as a name."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import msgspec

from audit.table import MISSING

__all__ = ["DEEPEST", "UnusableError", "as_answer", "as_choices", "as_name", "as_prompt", "is_blank", "is_too_deep"]

DEEPEST = 50
"""Lists and objects inside one another that are still read; chat messages with parts are 4 deep."""

_DECODER = msgspec.json.Decoder()


class UnusableError(Exception):
    """A value cannot play its role; the message is the reason in a few words. Never leaves this folder."""


def as_prompt(value: Any) -> str:
    """The text a model is shown. Chat messages are joined by newlines and lose their roles.

    Raises UnusableError for what is empty, of another type or no valid Unicode.
    """
    _check_depth(value, "prompt")
    text = _joined(value)
    if text is None:
        if _is_missing(value):
            raise UnusableError("no prompt")
        raise UnusableError(f"prompt is {_type_of(value)}, not text")
    if not text.strip():
        raise UnusableError("empty prompt")
    _check_unicode(text, "prompt")
    return text


def as_answer(value: Any) -> tuple[str, bool]:
    """The gold answer in canonical text, stripped, and whether further, different ones were set aside.

    A list (or `{"text": [...]}`) stands for several acceptable answers, of which the first is taken; true and
    false are lower case and numbers are as written. Raises UnusableError for what is missing, empty or of
    another type, and for numbers that are not finite.
    """
    _check_depth(value, "answer")
    if isinstance(value, dict) and isinstance(value.get("text"), list):
        value = value["text"]
    if isinstance(value, (list, tuple)):
        if not value:
            raise UnusableError("no answer")
        first, _ = as_answer(value[0])
        return first, any(one != value[0] for one in value[1:])
    if isinstance(value, float) and not math.isfinite(value):
        raise UnusableError("answer is not finite" + (" (NaN, or missing)" if math.isnan(value) else ""))
    if _is_missing(value):
        raise UnusableError("no answer")
    text = _scalar(value)
    if text is None:
        raise UnusableError(f"answer is {_type_of(value)}, not a label")
    text = text.strip()
    if not text:
        raise UnusableError("empty answer")
    _check_unicode(text, "answer")
    return text, False


def as_name(value: Any) -> str | None:
    """A group, split or id as text; None where there is none, or one nested too deeply.

    Objects and lists become their JSON.
    """
    if _is_missing(value) or is_too_deep(value):
        return None
    text = _scalar(value)
    if text is None:
        text = msgspec.json.encode(value, order="deterministic", enc_hook=str).decode()
    return text.strip().encode("utf-8", "replace").decode() or None


def as_choices(value: Any) -> list[str]:
    """The options of one item; empty where the field holds none that can be read.

    Lists of texts, `{"text": [...], "label": [...]}`, letters to texts (`{"A": ...}`), texts to scores
    (`{"yes": 1, "no": 0}`), lists of `{"text": ...}`, and any of these written as JSON in a text.
    """
    if isinstance(value, str) and value.lstrip()[:1] in ("[", "{"):
        try:
            value = _DECODER.decode(value)
        except (msgspec.DecodeError, RecursionError):
            return []
    if isinstance(value, dict):
        for key in ("text", "texts", "choices", "options"):
            if isinstance(value.get(key), Sequence) and not isinstance(value[key], str):
                return as_choices(value[key])
        if value and all(isinstance(one, str) for one in value.values()):
            return list(value.values())
        if value and all(isinstance(one, (int, float)) for one in value.values()):
            return [str(one) for one in value]
        return []
    if not isinstance(value, (list, tuple)):
        return []
    texts: list[str] = []
    for one in value:
        inner = one.get("text", one.get("content")) if isinstance(one, dict) else one
        text = _scalar(inner)
        if text is None:
            return []
        texts.append(text.strip())
    return texts


def is_blank(value: Any) -> bool:
    """True for what holds nothing: missing, white space, or an empty list or object."""
    return (
        _is_missing(value)
        or (isinstance(value, (list, tuple, dict)) and not value)
        or (isinstance(value, str) and not value.strip())
    )


def is_too_deep(value: Any) -> bool:
    """True for lists and objects more than `DEEPEST` deep; no recursion, so that any depth can be asked about."""
    level = [value] if isinstance(value, (list, tuple, dict)) else []
    for _ in range(DEEPEST):
        if not level:
            return False
        inner = (one.values() if isinstance(one, dict) else one for one in level)
        level = [one for many in inner for one in many if isinstance(one, (list, tuple, dict))]
    return bool(level)


def _check_depth(value: Any, role: str) -> None:
    """Raise UnusableError for what is nested more deeply than anything means."""
    if not isinstance(value, str) and is_too_deep(value):  # nearly all are texts
        raise UnusableError(f"{role} is nested too deeply")


def _joined(value: Any) -> str | None:
    """Text, message, part of a message, or a list of these; None for anything else."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        for key in ("content", "text"):
            if key in value:
                return "" if value[key] is None else _joined(value[key])
        return "" if value.get("type") in ("image", "image_url", "audio", "input_audio") else None
    if isinstance(value, (list, tuple)) and value:
        parts = [_joined(one) for one in value]
        known = [one for one in parts if one is not None]
        return "\n".join(one for one in known if one) if len(known) == len(parts) else None
    return None


def _scalar(value: Any) -> str | None:
    """The canonical text of one plain value; None for containers."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value) if type(value) in (int, float) else str(value)
    item = getattr(value, "item", None)  # numpy's scalars
    if callable(item):
        return _scalar(item())
    if isinstance(value, (dict, list, tuple, set, bytes, bytearray)) or value is None:
        return None
    return str(value)


def _is_missing(value: Any) -> bool:
    """None, an absent key, NaN, and what pandas writes for nothing."""
    if value is None or value is MISSING or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, float) and value != value


def _check_unicode(text: str, role: str) -> None:
    """Raise UnusableError for half a surrogate pair or a NUL, which no file of texts means."""
    if "\0" in text:
        raise UnusableError(f"NUL character in the {role}")
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise UnusableError(f"{role} is not valid Unicode") from error


def _type_of(value: Any) -> str:
    """The type in a reader's words."""
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, (int, float)):
        return "a number"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, (list, tuple)):
        return "a list" if value else "an empty list"
    return f"of type {type(value).__name__}"
