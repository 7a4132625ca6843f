"""Values of strangers' logs as the fields of a reply: names, golds, options, verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from hansproof.audit.formats.table import UnusableError, as_answers, as_plain, bare, is_blank
from hansproof.audit.harnesses.log_shape import first_in

__all__ = [
    "LONGEST_NAME",
    "as_golds",
    "as_label",
    "as_number",
    "as_options",
    "as_verdict",
    "gold_option",
    "likeliest",
    "name_fault",
    "no_verdict_in",
    "ordered_marks",
    "verdict",
]
_RIGHT = ("c", "correct", "right", "true", "yes", "pass", "passed", "1", "1.0", 1)
_WRONG = ("i", "n", "incorrect", "wrong", "false", "no", "fail", "failed", "0", "0.0", 0)
_VERDICTS: dict[Any, bool] = dict.fromkeys(_RIGHT, True) | dict.fromkeys(_WRONG, False)
_SHOWN = 40
"""Characters of a value that is no verdict."""

LONGEST_NAME = 200
"""Characters of the name of a model, a style or a run: they stand in tables and titles."""


def name_fault(value: Any) -> str:
    """What keeps a value from being a name in a table, as `is not ...`; empty for None and where nothing does."""
    # Names of models reach a terminal: no escape sequences, no half surrogate pairs.
    if value is not None and not (isinstance(value, str) and value.isprintable()):
        return "is not printable text"
    if value is not None and len(value) > LONGEST_NAME:
        return f"has {len(value):,} characters; a name has at most {LONGEST_NAME}"
    return ""


def as_golds(value: Any) -> tuple[str, ...]:
    """The gold answers that a log states; none where it states nothing that can be an answer."""
    try:
        return as_answers(value)
    except UnusableError:
        return ()


def as_label(value: Any) -> str:
    """A name for a table: printable and short. Empty for what is no text or number."""
    text = as_plain(value)
    if text is None:
        return ""
    text = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())[:LONGEST_NAME]
    return "" if name_fault(text) else text


def as_number(value: Any) -> float | None:
    """A number, also an infinite one; None for NaN, for an integer that no float holds, and for what is no number."""
    value = bare(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value:
        return None
    try:
        return float(value)
    except OverflowError:
        return None


def as_options(value: Any) -> tuple[str, ...]:
    """The texts of a list of options; none where they are not different texts."""
    if not isinstance(value, list | tuple):
        return ()
    texts = [as_plain(member) for member in value]
    kept = [text.strip() for text in texts if text is not None and text.strip()]
    return tuple(kept) if len(set(kept)) == len(value) and kept else ()


def as_verdict(value: Any) -> bool | None:
    """Right or wrong: true, 1, `C` of inspect_ai and the like, or false, 0, `I`, `N`. None for partial marks and else.

    A mark of one half is neither: whoever wants it as right or wrong must say so in the log.
    """
    value = bare(value)
    value = value.strip().lower() if isinstance(value, str) else value
    return _VERDICTS.get(value) if isinstance(value, (str, int, float)) else None


def no_verdict_in(value: Any) -> str:
    """A value that is neither right nor wrong, as it is written; empty for a verdict, for nothing and for lists."""
    text = None if is_blank(value) or as_verdict(value) is not None else as_plain(value)
    return "" if text is None else repr(text[:_SHOWN])


def verdict(*marks: Any) -> dict[str, Any]:
    """The fields `judged` and `undecided` of a reply: by the first mark that says right or wrong, or else the first
    that is none."""
    for mark in marks:
        if (right := as_verdict(mark)) is not None:
            return {"judged": right, "undecided": ""}
    return {"judged": None, "undecided": next(filter(None, map(no_verdict_in, marks)), "")}


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
    response = first_in(response)
    if isinstance(response, str):
        try:
            response = float(response)
        except ValueError:
            return None
    return as_number(response)


_METRICS = ("acc", "exact_match", "em", "extractive_match", "acc_norm", "pass@1", "correct", "score")
"""Names of metrics that mark a single answer, where the log does not list its own; earlier ones first."""


def ordered_marks(row: Mapping[str, Any], listed: Sequence[Any] | None = None) -> list[Any]:
    """The values of the metrics: of those that are `listed`, or all, first those that are known to mark a single
    answer, so that a graded mark that happens to be 0 or 1 is not taken for the verdict."""
    names = [name for name in (row if listed is None else listed) if isinstance(name, str)]
    known = [name for name in names if name.partition(":")[0] in _METRICS]
    return [row[name] for name in dict.fromkeys((*known, *names, *_METRICS)) if name in row]
