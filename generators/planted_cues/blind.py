"""Strategies that read a planted cue: one per kind of cue, beside those that apply to any yes-no question."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hansproof.generators.answering.plain_scorer import PLAIN, PlainScorer
from hansproof.generators.answering.scorer import BlindStrategy, rule
from hansproof.generators.item import Item
from hansproof.generators.planted_cues.chinese import CHINESE_CUES
from hansproof.generators.planted_cues.sentence_parts import CALM, LIVELY

__all__ = ["FIRST_SCORER", "SCORER", "CueScorer"]


_HABITS = ("usually", "often")
_PAIRS = ("old bridge", "new mill", "new bridge", "old mill")
_LIVELY, _CALM = frozenset(LIVELY), frozenset(CALM)


def _habit(item: Item) -> str:
    return " ".join(word for word in _HABITS if word in item.prompt)


def _pair(item: Item) -> str:
    return " ".join(pair for pair in _PAIRS if pair in item.prompt)


def _sentences(item: Item) -> str:
    return str(item.prompt.count(". "))


def _long_words(item: Item) -> str:
    """The share of words of eight letters or more, in tenths; empty where no word is in the Latin alphabet."""
    words = re.findall(r"[A-Za-z]+", item.prompt)
    return str(10 * sum(len(word) >= 8 for word in words) // len(words)) if words else ""


def _chinese(item: Item) -> str:
    return " ".join(word for word in CHINESE_CUES.values() if word in item.prompt)


def _manner(item: Item) -> str:
    """The side of the first adverb of manner, which stands for its synonyms."""
    words = set(re.findall("[a-z]+", item.prompt))
    return "lively" if words & _LIVELY else "calm" if words & _CALM else ""


def _capitals(item: Item) -> str:
    return str(bool(re.search(r"\b[A-Z]{2,}\b", item.prompt)))


def _white_space(item: Item) -> str:
    """The widest white space of the prompt."""
    return max(re.findall(r"\s+", item.prompt), key=lambda space: (len(space), space), default="")


class CueScorer(PlainScorer):
    """Replies are read like those of any question with options; the blind strategies know what was planted."""

    def __init__(self, cues: Sequence[BlindStrategy]) -> None:
        self._blind = (*cues, *PLAIN.blind)

    @property
    def blind(self) -> Sequence[BlindStrategy]:
        """The cues, then what applies to any question."""
        return self._blind


_FIRST_CUES = (
    rule("habit-word", "answers by which of `usually` and `often` occurs", _habit),
    rule("word-pair", "answers by which of `old bridge`, `new mill`, `new bridge`, `old mill` occur", _pair),
    rule("sentences", "answers by the number of sentences", _sentences),
    rule("long-words", "answers by the share of long words", _long_words),
)
_CUES = (
    *_FIRST_CUES,
    rule("chinese-word", "answers by which of `总是` and `偶尔` occurs", _chinese),
    rule("manner", "answers by whether a lively or a calm adverb of manner occurs", _manner),
    rule("capitals", "answers by whether a word is in capitals", _capitals),
    rule("white-space", "answers by the widest white space", _white_space),
    rule("same-text", "gives the answer of the same text among those it learned from", lambda item: item.prompt),
)

FIRST_SCORER = CueScorer(_FIRST_CUES)
"""With the strategies of version 1.0.0."""

SCORER = CueScorer(_CUES)
"""With a strategy for every cue."""
