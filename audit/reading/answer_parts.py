"""Parts of open answers that are labels, and what `--answer-part` is given for each.

Where whole answers hardly recur, a probe may still predict their parts: who of three islanders lies, the operation of a
sum, each of a row of truth values.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

import msgspec

from hansproof.audit.formats.table import UnusableError, as_name
from hansproof.audit.reading.roles import parse_answer_part

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
_BETWEEN = r"\s,;:|"
"""What parts the words of an answer, for a regular expression."""


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

    A part is an entry of JSON, else a character of a string, else a word at its place. It is there in nine answers of
    ten and has two to ten values that are not rare.
    """
    if sum(len(answer) > _LONGEST for answer in answers) > (1 - _SHARE) * len(answers):
        return []
    for kind in (_keys, _characters, _words):
        parts = [LabelPart(name, option, _taken(answers, option)) for name, option in kind(answers)]
        if parts := [part for part in parts if _is_label(part.labels)]:
            return parts[:_MOST_PARTS]
    return []


def _taken(answers: Sequence[str], option: str) -> list[str | None]:
    """What `--answer-part` takes of each answer; None where it has no such part."""
    part_of = parse_answer_part(option)
    labels: list[str | None] = []
    for answer in answers:
        try:
            labels.append(as_name(part_of(answer)))
        except UnusableError:
            labels.append(None)
    return labels


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


def _keys(answers: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Entries of JSON in words, and what --answer-part is given for them."""
    first: dict[str, None] = {}
    for answer in answers[:200]:
        if answer.lstrip()[:1] in ("{", "["):
            with suppress(msgspec.DecodeError, RecursionError):
                value = msgspec.json.decode(answer)
                first.update(dict.fromkeys(value if isinstance(value, dict) else map(str, range(len(value)))))
    for key in list(first)[: 2 * _MOST_PARTS]:
        if key and "." not in key:
            yield (f"entry {int(key) + 1}" if key.isdecimal() else f"the value of {key!r}"), f"key:{key}"


def _characters(answers: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The same of characters of strings of one length, such as truth values."""
    (length, count), used = Counter(map(len, answers)).most_common(1)[0], set("".join(answers))
    if count >= _SHARE * len(answers) and 2 <= length <= 5 * _MOST_PARTS and len(used) <= _ALPHABET:
        yield from ((f"character {place + 1}", f"^.{{{place}}}(.)") for place in range(length))


def _words(answers: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The same of words, if nearly all answers have as many: by the word before (`A: knight`) or their place."""
    words = [re.findall(f"[^{_BETWEEN}]+", answer) for answer in answers]
    length, count = Counter(map(len, words)).most_common(1)[0]
    places = range(length) if count >= _SHARE * len(answers) and length <= 2 * _MOST_PARTS else (0,)
    for place in places:
        heads = Counter(row[place - 1] for row in words if len(row) > place > 0)
        head, count = max(heads.items(), key=lambda pair: pair[1], default=("", 0))
        if count >= _SHARE * len(answers):
            yield f"what follows {head!r}", f"(?:^|[{_BETWEEN}]){re.escape(head)}[{_BETWEEN}]+([^{_BETWEEN}]+)"
        else:
            skipped = f"(?:[^{_BETWEEN}]+[{_BETWEEN}]+){{{place}}}" if place else ""
            yield f"word {place + 1}", f"^[{_BETWEEN}]*{skipped}([^{_BETWEEN}]+)"
