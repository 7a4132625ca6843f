"""Label-like parts of structured answers: one character of a string, one entry of a list, one key of an object.

Where whole answers hardly recur, their parts may still be labels that a probe predicts: who of three islanders lies,
the operation of a sum, each of a row of truth values. What is found here can be audited with `--answer-part`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

__all__ = ["LabelPart", "label_parts"]

_SHARE = 0.9
"""Share of the answers that must have a part."""
_RARE = 0.05
"""A label counts if at least this share of the answers with the part has it."""
_MOST_LABELS = 10
_MOST_PARTS = 12
_LONGEST = 400
"""Characters of an answer that is searched for parts; a longer one is prose."""
_ALPHABET = 6
"""Different characters of a string whose single characters are labels."""
_SEPARATORS = (";", ",", "|", "\n", " ")
_OPERATION = r"\d\s*([-+*/×÷])\s*\d"
_FIRST_WORD = r"^(\w+)\b"


@dataclass(frozen=True)
class LabelPart:
    """A part of the answers that is a label."""

    name: str
    """In words: `character 1`."""
    option: str
    """What --answer-part is given for it."""
    labels: list[str | None]
    """(n,) its value in each answer; None where an answer has no such part."""


def label_parts(answers: Sequence[str]) -> list[LabelPart]:
    """The parts of open-ended answers that are labels, at most twelve; empty if they have no common structure.

    A part is there in nine answers of ten and has two to ten values that are not rare. The first kind of structure that
    fits is taken: JSON, strings of one length over a few characters, lists of one length, an operation, a first word.
    """
    if sum(len(answer) > _LONGEST for answer in answers) > (1 - _SHARE) * len(answers):
        return []
    answers = [answer if len(answer) <= _LONGEST else "" for answer in answers]
    for kind in (_json, _strings, _lists, _by_pattern):
        parts = [part for part in kind(answers) if _is_label(part.labels)]
        if parts:
            return parts[:_MOST_PARTS]
    return []


def _is_label(labels: Sequence[str | None]) -> bool:
    counts = Counter(label for label in labels if label)
    total = counts.total()
    common = [count for count in counts.values() if count >= _RARE * total]
    return (
        total >= _SHARE * len(labels)
        and 2 <= len(common) <= _MOST_LABELS
        and sum(common) >= _SHARE * total
        and max(common) <= (1 - _RARE) * total
    )


def _json(answers: Sequence[str]) -> Iterator[LabelPart]:
    if not all(answer.lstrip()[:1] in ("{", "[") for answer in answers[:20] if answer):
        return
    values = [_decoded(answer) for answer in answers]
    first: dict[str, None] = {}
    for value in values[:200]:
        first.update(dict.fromkeys(_members(value)))
    for key in list(first)[: 2 * _MOST_PARTS]:
        name = f"entry {int(key) + 1}" if key.isdecimal() else f"the value of {key!r}"
        yield LabelPart(name, f"key:{key}", [_members(value).get(key) for value in values])


def _decoded(answer: str) -> Any:
    try:
        return msgspec.json.decode(answer)
    except (msgspec.DecodeError, RecursionError):
        return None


def _members(value: Any) -> dict[str, str]:
    """The plain members of an object or a list, as texts."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    texts: dict[str, str] = {}
    for key, member in list(pairs)[: 2 * _MOST_PARTS]:
        if isinstance(member, bool):
            texts[str(key)] = "true" if member else "false"
        elif isinstance(member, (str, int)) and "." not in str(key):
            texts[str(key)] = str(member)
    return texts


def _strings(answers: Sequence[str]) -> Iterator[LabelPart]:
    length, count = Counter(map(len, answers)).most_common(1)[0]
    same = [answer for answer in answers if len(answer) == length]
    if count < _SHARE * len(answers) or not 2 <= length <= 60 or len(set("".join(same))) > _ALPHABET:
        return
    for place in range(length):
        labels = [answer[place] if len(answer) == length else None for answer in answers]
        pattern = f"^{'.' * place}(.)" if place < 6 else f"^.{{{place}}}(.)"
        yield LabelPart(f"character {place + 1}", pattern, labels)


def _lists(answers: Sequence[str]) -> Iterator[LabelPart]:
    for separator in _SEPARATORS:
        split = [[entry.strip() for entry in answer.split(separator)] for answer in answers]
        length, count = Counter(map(len, split)).most_common(1)[0]
        if length < 2 or length > 2 * _MOST_PARTS or count < _SHARE * len(answers):
            continue
        parts = [_entry(split, place, length, separator) for place in range(length)]
        if any(_is_label(part.labels) for part in parts):
            yield from parts
            return


def _entry(split: Sequence[Sequence[str]], place: int, length: int, separator: str) -> LabelPart:
    entries = [row[place] if len(row) == length else None for row in split]
    shown = "\\n" if separator == "\n" else re.escape(separator) if separator == "|" else separator
    rest = f"[^{shown}]*"
    heads = Counter(entry.partition(":")[0] for entry in entries if entry and ":" in entry)
    head, count = heads.most_common(1)[0] if heads else ("", 0)
    if count >= _SHARE * len(entries):
        labels = [
            entry.partition(":")[2].strip() if entry and entry.startswith(f"{head}:") else None for entry in entries
        ]
        return LabelPart(f"what follows {head!r}", f"{re.escape(head)}:\\s*({rest})", labels)
    before = f"(?:{rest}{shown}){{{place}}}" if place else ""
    return LabelPart(f"entry {place + 1}", f"^{before}\\s*({rest})", entries)


def _by_pattern(answers: Sequence[str]) -> Iterator[LabelPart]:
    operations = [re.search(_OPERATION, answer) for answer in answers]
    yield LabelPart("the operation", _OPERATION, [match[1] if match else None for match in operations])
    words = [re.match(_FIRST_WORD, answer) for answer in answers]
    yield LabelPart("the first word", _FIRST_WORD, [match[1] if match else None for match in words])
