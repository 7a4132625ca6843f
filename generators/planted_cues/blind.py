"""Strategies that read a planted cue: one per kind of cue, beside those that apply to any yes-no question."""

from __future__ import annotations

import re
from collections.abc import Sequence

from generators.answering.blind import BlindStrategy, rule
from generators.answering.plain_scorer import PLAIN, PlainScorer
from generators.item import Item

__all__ = ["SCORER", "CueScorer"]

_HABITS = ("usually", "often")
_PAIRS = ("old bridge", "new mill", "new bridge", "old mill")


def _habit(item: Item) -> str:
    return " ".join(word for word in _HABITS if word in item.prompt)


def _pair(item: Item) -> str:
    return " ".join(pair for pair in _PAIRS if pair in item.prompt)


def _sentences(item: Item) -> str:
    return str(item.prompt.count(". "))


def _long_words(item: Item) -> str:
    """The share of words of eight letters or more, in tenths."""
    words = re.findall(r"[A-Za-z]+", item.prompt)
    return str(10 * sum(len(word) >= 8 for word in words) // len(words))


class CueScorer(PlainScorer):
    """Replies are read like those of any question with options; the blind strategies know what was planted."""

    @property
    def blind(self) -> Sequence[BlindStrategy]:
        """The cues, then what applies to any question."""
        return _BLIND


SCORER = CueScorer()
"""The one instance: it has no state."""

_BLIND = (
    rule("habit-word", "answers by which of `usually` and `often` occurs", _habit),
    rule("word-pair", "answers by which of `old bridge`, `new mill`, `new bridge`, `old mill` occur", _pair),
    rule("sentences", "answers by the number of sentences", _sentences),
    rule("long-words", "answers by the share of long words", _long_words),
    *PLAIN.blind,
)
