"""Which option is gold: what an answer column of letters, numbers or texts says, decided by the data as a whole.

One reading holds for the whole benchmark. Every reading is tried on every item, and the one that names an option of
most items is taken. A reading that comes close and names other options makes the golds ambiguous: better no audit than
one of the wrong golds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from audit.columns.choices.given import Given
from audit.columns.printed import mark_of

__all__ = ["Golds", "decide_golds", "folded", "several_golds"]

_NAMED_MARK = re.compile(
    r"(?:option|choice|answer|ending|opt|op|sol|solution|hyp|hypothesis|candidate|alternative)[ _]?"
    r"(?:([a-z])|(\d{1,2}))\Z"
)
"""`option1`, `Choice B`: the gold as the name of a column or of an option."""

_READINGS = {
    "mark": "the gold is the letter or number that its options have in the source",
    "text": "the gold is the text of an option",
    "letter": "the gold is a letter: A is the first option",
    "0": "the gold is an index that starts from 0",
    "1": "the gold is an index that starts from 1",
}
"""From the most to the least explicit: a tie between readings that agree goes to the first."""

_LEAST, _LEAST_SHARE = 2, 0.005
"""By so many items, and this share of all, the best reading must beat a reading that names other options."""


@dataclass(frozen=True)
class Golds:
    """The place of the gold among the options of each item, and what decided it."""

    index: list[int]
    """-1 where the answer names no option."""
    how: str
    refusal: str = ""
    """Why no reading could be chosen, as a sentence; empty if one was."""
    reading: str = ""
    """Which of `_READINGS` was chosen; empty if scores decided."""

    @property
    def by_scores(self) -> bool:
        """Whether the options themselves say which is right."""
        return not self.reading


def decide_golds(answers: Sequence[str], items: Sequence[Given]) -> Golds:
    """Read the gold of each item from its answer; `items` are the options of the same items."""
    if 2 * sum(item.gold >= 0 for item in items) > sum(bool(item.texts) for item in items):
        return Golds([item.gold for item in items], "the gold is the option with the highest score")
    named: dict[str, list[int]] = {
        reading: [_NAMED[reading](answer, item) if item.texts else -1 for answer, item in zip(answers, items)]
        for reading in _READINGS
    }
    counts = {reading: sum(place >= 0 for place in places) for reading, places in named.items()}
    best = max(_READINGS, key=lambda reading: counts[reading])  # the first of equals
    margin = max(_LEAST, _LEAST_SHARE * len(items))
    for other, places in named.items():
        close = counts[best] - counts[other] < margin
        differ = sum(a >= 0 and b >= 0 and a != b for a, b in zip(named[best], places))
        own = best == "mark" and counts[best] >= counts[other] and other != "text"
        if close and 2 * differ > counts[best] and not own:
            return Golds(
                [-1] * len(items),
                _READINGS[best],
                f"The golds can be read in two ways that name different options: {_READINGS[best]}, or "
                f"{_READINGS[other]}. Write them as letters or as the texts of the options.",
                best,
            )
    return Golds(named[best], _READINGS[best], reading=best)


def several_golds(accepted: Sequence[Sequence[str]], items: Sequence[Given], golds: Golds) -> list[bool]:
    """Whether the accepted answers of an item name more options than one; aliases that name none count for nothing."""
    if golds.by_scores or golds.refusal:
        return [False] * len(items)
    named = _NAMED[golds.reading]
    return [
        len(answers) > 1 and len({place for answer in answers if (place := named(answer, item)) >= 0}) > 1
        for answers, item in zip(accepted, items)
    ]


def folded(text: str) -> str:
    """The key by which an answer is the text of an option: one case, single spaces."""
    return " ".join(text.casefold().split())


def _by_mark(answer: str, item: Given) -> int:
    """The option that the source calls like the answer; an answer may be a whole column name: `option1`."""
    wanted = folded(answer)
    marks = [folded(mark) for mark in item.marks]
    if wanted in marks:
        return marks.index(wanted)
    mark = _mark(answer)
    return marks.index(mark) if mark is not None and mark in marks else -1


def _by_text(answer: str, item: Given) -> int:
    """The only option with the text of the answer, which may have its letter before it: `B. fish`."""
    wanted = folded(answer)
    texts = [folded(text) for text in item.texts]
    if wanted not in texts:
        head, _, rest = wanted.partition(" ")
        if not rest or mark_of(head) is None or head == mark_of(head):
            return -1
        wanted = rest
    return texts.index(wanted) if texts.count(wanted) == 1 else -1


def _mark(answer: str) -> str | None:
    mark = mark_of(answer)
    if mark is None and len(answer) < 20 and (named := _NAMED_MARK.match(folded(answer))) is not None:
        return named[1] or named[2]
    return mark


def _by_letter(answer: str, item: Given) -> int:
    mark = _mark(answer)
    if mark is None or mark.isdigit():
        return -1
    return _at(ord(mark) - ord("a"), item)


def _by_index(start: int) -> Callable[[str, Given], int]:
    def named(answer: str, item: Given) -> int:
        number = answer[:-2] if answer.endswith(".0") else answer
        if not (number.isascii() and number.isdigit() and len(number) <= 3):
            mark = _mark(answer)
            if mark is None or not mark.isdigit():
                return -1
            number = mark
        return _at(int(number) - start, item)

    return named


def _at(place: int, item: Given) -> int:
    """The option at a place of the source, which may have left out some; -1 if there is none."""
    return item.places.index(place) if place in item.places else -1


_NAMED: dict[str, Callable[[str, Given], int]] = {
    "mark": _by_mark,
    "text": _by_text,
    "letter": _by_letter,
    "0": _by_index(0),
    "1": _by_index(1),
}
