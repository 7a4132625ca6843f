"""The scorer of families without one of their own: which choice does a reply name, or is the open answer the gold?

A plain reading on purpose: what is not clearly one choice is unparsed, hence wrong, and counted apart. Items and
replies come from `scoring`, which adds the rates.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import nan
from unicodedata import normalize

from generators.item import Item

__all__ = ["Baselines", "Score", "baselines", "read_choice", "score", "score_all"]

_NEGATION = re.compile(r"(?:\bnot|\bnever|n't|n’t)(?: an?| the)?[ \"'*_`“‘]*$", re.IGNORECASE)


@dataclass(frozen=True)
class Score:
    """One reply against one item."""

    id: str
    right: bool
    parsed: bool
    """Whether the reply names exactly one choice; for open answers, whether there is any text."""
    reason: str
    """Why it is unparsed or how it is wrong, in words; empty where it is right."""


@dataclass(frozen=True)
class Baselines:
    """What answers without reading reach."""

    items: int
    random: float
    """Mean of 1 / number of choices; NaN where an answer is open."""
    majority: float
    """Share of the most frequent gold answer."""


def score(item: Item, reply: str | None) -> Score:
    """The score of one reply; None is a missing one, which is unparsed.

    Open answers must be the gold answer, as the whole reply or as its last line, upper and lower case and the amount
    of white space aside.
    """
    if reply is None:
        return Score(item.id, False, False, "there is no reply")
    if item.choices is None:
        return _open(item, reply)
    said, reason = read_choice(reply, item.choices)
    right = said == item.answer
    return Score(item.id, right, bool(said), "" if right else f"says {said!r}" if said else reason)


def score_all(items: Sequence[Item], replies: Mapping[str, str | None]) -> list[Score]:
    """The scores of replies keyed by item id, in the order of `items`."""
    return [score(item, replies.get(item.id)) for item in items]


def read_choice(text: str, choices: Sequence[str]) -> tuple[str, str]:
    """(the choice that a reply names, "") or ("", why there is none).

    The last line that names a choice as a whole word decides; it must name one alone, and not deny it. A longer
    choice hides a shorter one inside it. Upper and lower case are the same, unless a choice is one character (`a` is
    a word, `A` an option) or two choices differ in nothing else. Linear in the length of the text.
    """
    pattern, names, folds = _pattern(tuple(choices))
    for raw in reversed(re.split(r"[\r\n]+", text)):
        line = _folded(raw) if folds else _plain(raw)
        matches = list(pattern.finditer(line))
        if not matches:
            continue
        named = list(dict.fromkeys(names[match[0]] for match in matches))
        if len(named) > 1:
            return "", f"one line names several choices: {', '.join(map(repr, named[:4]))}"
        if any(_NEGATION.search(line[max(0, match.start() - 20) : match.start()]) for match in matches):
            return "", f"says not {named[0]!r}"
        return named[0], ""
    return "", "names no choice" if text.strip() else "is empty"


def baselines(items: Sequence[Item]) -> list[Baselines]:
    """What guessing and the most frequent gold answer reach, from the golds alone; [] for no items."""
    if not items:
        return []
    closed = all(item.choices for item in items)
    chances = [1 / len(item.choices) for item in items if item.choices]
    most = max(Counter(item.answer for item in items).values())
    return [Baselines(len(items), sum(chances) / len(items) if closed else nan, most / len(items))]


def _open(item: Item, reply: str) -> Score:
    lines = [line for line in re.split(r"[\r\n]+", reply) if line.strip()]
    if not lines:
        return Score(item.id, False, False, "is empty")
    right = _folded(item.answer) in (_folded(reply), _folded(lines[-1]))
    return Score(item.id, right, True, "" if right else "is not the answer, nor is its last line")


@lru_cache(maxsize=1024)
def _pattern(choices: tuple[str, ...]) -> tuple[re.Pattern[str], dict[str, str], bool]:
    """Pattern of all choices, as written in it -> choice, and whether case is folded."""
    folded = {_folded(choice): choice for choice in choices}
    folds = len(folded) == len(choices) and all(len(choice) > 1 for choice in choices)
    names = folded if folds else {_plain(choice): choice for choice in choices}
    parts = [_word(one) for one in sorted(names, key=lambda one: (-len(one), one))]
    return re.compile("|".join(parts)), names, folds


def _word(choice: str) -> str:
    """A choice as a whole word: `5` is not in `-5`, `0.5` or `5.2`, `entailed` not in `non-entailed`."""
    before = r"(?<!\w)(?<!\w-)" + (r"(?<![-−+])(?<!\d[.,])" if choice[:1].isdigit() else "")
    after = r"(?!\w)(?!-\w)" + (r"(?![.,]\d)" if choice[-1:].isdigit() else "")
    return before + re.escape(choice) + after


def _plain(text: str) -> str:
    return " ".join(normalize("NFC", text).split())


def _folded(text: str) -> str:
    return _plain(text.casefold())
