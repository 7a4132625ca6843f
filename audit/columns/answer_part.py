"""One part of each gold answer, audited as a label: `--answer-part REGEX`, or `key:FIELD` for structured answers.

Patterns are those of RE2 (Cox 2010), which match in linear time: no pattern and no answer can keep the audit busy for
long. RE2 has no look-around and no back-references.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from audit.columns.cells import UnusableError, as_answer
from audit.formats.table import as_name, is_missing
from generators.errors import UsageError

__all__ = ["AnswerPart", "parse_answer_part"]

AnswerPart = Callable[[Any], Any]
"""From the value of the answer's column to its part. Raises UnusableError where the answer does not have it."""

_KEY = "key:"
_LONGEST = 1000
"""Characters of a pattern: a longer one is no pattern that somebody has written."""
_SHOWN = 60


def parse_answer_part(spec: str) -> AnswerPart:
    """The part that `spec` names: `key:FIELD`, a dotted path (`key:0`, `key:final.label`), else a pattern.

    A pattern is searched for in the answer; the part is its first group, or the whole match where it has none. Keys
    and places go into objects and lists, or into those that the answer has as JSON text. Raises UsageError for an empty
    part and for a pattern that RE2 does not take.
    """
    if spec.startswith(_KEY):
        path = spec[len(_KEY) :]
        if not path or "" in path.split("."):
            raise UsageError(f"answer part {spec!r}: name a key or a place after {_KEY!r}, such as key:label or key:0")
        return lambda value: _inside(value, path)
    if not spec:
        raise UsageError("the answer part is empty: give a regular expression, or key:FIELD")
    if len(spec) > _LONGEST:
        raise UsageError(f"the answer part has {len(spec):,} characters; at most {_LONGEST:,} may be")
    search = _compiled(spec)
    return lambda value: _matched(value, search)


def _compiled(pattern: str) -> Callable[[str], Any]:
    import re2

    options = re2.Options()
    options.log_errors = False  # it would write to standard error besides
    try:
        compiled = re2.compile(pattern, options)
    except (re2.error, UnicodeEncodeError) as error:
        said = error.args[0].decode("utf-8", "replace") if error.args and isinstance(error.args[0], bytes) else error
        raise UsageError(
            f"answer part {pattern!r}: {said}; patterns are those of RE2, without look-around and back-references"
        ) from error
    search: Callable[[str], Any] = compiled.search
    return search


def _matched(value: Any, search: Callable[[str], Any]) -> str:
    """The first group of the first match in an answer, or the whole match."""
    text = as_name(value) or "" if isinstance(value, dict) and not is_missing(value) else as_answer(value)[0]
    match = search(text)
    part = match and (match[1] if match.re.groups else match[0])
    if not part:
        raise UnusableError(
            "the answer lacks the part that --answer-part names",
            repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…"),
        )
    return str(part)


def _inside(value: Any, path: str) -> Any:
    """What stands at a dotted path of an object or a list."""
    if isinstance(value, str) and value.lstrip()[:1] in ("[", "{"):
        try:
            value = msgspec.json.decode(value)
        except (msgspec.DecodeError, RecursionError) as error:
            raise UnusableError("the answer lacks the part that --answer-part names", "it is not JSON") from error
    for part in path.split("."):
        if isinstance(value, dict) and part in value:
            value = value[part]
        elif (
            isinstance(value, (list, tuple)) and part.lstrip("-").isdecimal() and -len(value) <= int(part) < len(value)
        ):
            value = value[int(part)]
        else:
            raise UnusableError("the answer lacks the part that --answer-part names", f"it has no {part!r}"[:_SHOWN])
    return value
