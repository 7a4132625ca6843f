"""The scorer of families without their own: which option does a reply name, or is its open answer the gold answer?

The reading is plain on purpose: a reply that does not clearly name one option is unparsed, so it is wrong and is
counted separately.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from unicodedata import normalize

from hansproof.generators.answering.scorer import (
    ANSWER,
    FIRST_OPTION,
    LAST_OPTION,
    PROMPT_LENGTH,
    BlindStrategy,
    MeasureKind,
    Reading,
    Score,
    constant,
    option,
)
from hansproof.generators.item import Item

__all__ = ["PLAIN", "PlainScorer", "choices_named", "mentions_in", "written_names"]

_NEGATION = re.compile(r"(?:\bnot|\bnever|n't|n’t)(?: an?| the)?[ \"'*_`“‘]*$", re.IGNORECASE)


class PlainScorer:
    """Options are matched as whole words, open answers as the whole reply or its last line."""

    measures: Mapping[str, MeasureKind] = {}
    readings: Mapping[str, str] = {}

    @property
    def blind(self) -> Sequence[BlindStrategy]:
        """Strategies that apply to items of any kind."""
        return _BLIND

    def read(self, item: Item, reply: str) -> Reading:
        """The option that the reply names; of an open answer its last line or all of it, whichever is the gold.

        A longer reply that is not the gold is unclear. Upper and lower case and the amount of white space do not count.
        """
        if item.choices is not None:
            choice, reason = read_choice(reply, item.choices)
            return Reading(choice or None, reason)
        lines = [line for line in re.split(r"[\r\n]+", reply) if line.strip()]
        if not lines:
            return Reading(None, "is empty")
        gold = item.answer or reply
        if _folded(lines[-1]) == _folded(gold):
            return Reading(_plain(lines[-1]))
        if len(reply.split()) > len(gold.split()):
            return Reading(None, "says more than an answer, and does not end in a line with the gold answer")
        return Reading(_plain(reply))

    def score(self, item: Item, reading: Reading) -> Score:
        """Right where the reading is the gold answer; not applicable where the item has none."""
        if item.answer is None:
            return Score(None)
        if reading.said is None:
            return Score(False, reading.reason)
        if item.choices is not None:
            right = reading.said == item.answer
            return Score(right, "" if right else f"says {reading.said!r}")
        right = _folded(reading.said) == _folded(item.answer)
        return Score(right, "" if right else "neither the reply nor its last line is the answer")

    def chance(self, item: Item) -> Mapping[str, float]:
        """1 / number of options; nothing for an open answer."""
        return {ANSWER: 1 / len(item.choices)} if item.choices and item.answer is not None else {}


def choices_named(line: str, choices: Sequence[str]) -> list[str]:
    """The choices that a line names as whole words, in order of first occurrence; case counts as in `read_choice`."""
    names, folds = written_names(tuple(choices))
    return list(dict.fromkeys(choice for _, choice in mentions_in(_folded(line) if folds else _plain(line), names)))


def read_choice(text: str, choices: Sequence[str]) -> tuple[str, str]:
    """(the choice that a reply names, "") or ("", why there is none).

    The last line that names a choice as a whole word decides; it must name one alone, and not deny it. A longer
    choice hides a shorter one inside it. Upper and lower case are the same, unless a choice is one character (`a` is
    a word, `A` an option) or two choices differ in nothing else. Linear in the length of the text.
    """
    names, folds = written_names(tuple(choices))
    for raw in reversed(re.split(r"[\r\n]+", text)):
        line = _folded(raw) if folds else _plain(raw)
        mentions = mentions_in(line, names)
        if not mentions:
            continue
        named = list(dict.fromkeys(choice for _, choice in mentions))
        if len(named) > 1:
            return "", f"one line names several choices: {', '.join(map(repr, named[:4]))}"
        if any(_NEGATION.search(line[max(0, start - 20) : start]) for start, _ in mentions):
            return "", f"says not {named[0]!r}"
        return named[0], ""
    return "", "names no choice" if text.strip() else "is empty"


PLAIN = PlainScorer()
"""The one instance: it has no state."""

_BLIND: Sequence[BlindStrategy] = (
    constant(),
    FIRST_OPTION,
    LAST_OPTION,
    option(
        "longest-option",
        "chooses the longest option (ties: the first)",
        lambda choices: max(range(len(choices)), key=lambda place: len(choices[place])),
    ),
    PROMPT_LENGTH,
)


@lru_cache(maxsize=1024)
def written_names(choices: tuple[str, ...]) -> tuple[dict[str, str], bool]:
    """The choices as a line writes them, the longest first, -> choice; and whether case is folded."""
    folded = {_folded(choice): choice for choice in choices}
    folds = len(folded) == len(choices) and all(len(choice) > 1 for choice in choices)
    names = folded if folds else {_plain(choice): choice for choice in choices}
    return {name: names[name] for name in sorted(names, key=lambda name: (-len(name), name))}, folds


def mentions_in(line: str, names: Mapping[str, str]) -> list[tuple[int, str]]:
    """(start, choice) of each name that stands in the line as a whole word, without overlaps, from left to right.

    What one pattern of all names finds; but compiling a pattern for each item takes far longer than reading a reply.
    """
    mentions: list[tuple[int, str]] = []
    ahead = {name: start for name in names if (start := _whole(line, name, 0)) >= 0}
    while ahead:
        # Of names that start at the same place, the longest: `min` keeps the first.
        name = min(ahead, key=ahead.__getitem__)
        mentions.append((ahead[name], names[name]))
        # An empty choice takes up no room, and would stand at the same place for ever.
        end = ahead[name] + max(len(name), 1)
        ahead = {
            name: later
            for name, start in ahead.items()
            if (later := start if start >= end else _whole(line, name, end)) >= 0
        }
    return mentions


def _whole(line: str, name: str, start: int) -> int:
    """Where the name next stands as a whole word: `5` is not in `-5`, `0.5` or `5.2`, `entailed` not in
    `non-entailed`; -1 where it does not."""
    before, after = _BEFORE[name[:1].isdigit()], _AFTER[name[-1:].isdigit()]
    place = line.find(name, start)
    while place >= 0 and not (before.match(line, place) and after.match(line, place + len(name))):
        place = line.find(name, place + 1)
    return place


_BEFORE = re.compile(r"(?<!\w)(?<!\w-)"), re.compile(r"(?<!\w)(?<!\w-)(?<![-−+])(?<!\d[.,])")
_AFTER = re.compile(r"(?!\w)(?!-\w)"), re.compile(r"(?!\w)(?!-\w)(?![.,]\d)")
"""In front of and behind a whole word, and a number."""


def _plain(text: str) -> str:
    return " ".join(normalize("NFC", text).split())


def _folded(text: str) -> str:
    return _plain(text.casefold())
