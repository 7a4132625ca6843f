"""Strategies that read a planted cue: one per kind of cue, beside those that apply to any yes-no question."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from hansproof.generators.answering.plain_scorer import PLAIN, PlainScorer
from hansproof.generators.answering.scorer import BlindStrategy, rule
from hansproof.generators.item import Item
from hansproof.generators.planted_cues.english import CALM, LIVELY
from hansproof.generators.planted_cues.templates import CHINESE_CUES

__all__ = ["SCORER"]

_LIVELY, _CALM = frozenset(LIVELY), frozenset(CALM)


def _which(*words: str) -> Callable[[Item], str]:
    return lambda item: " ".join(word for word in words if word in item.prompt)


def _long_words(item: Item) -> str:
    """The share of words of eight letters or more, in tenths; empty where no word is in the Latin alphabet."""
    words = re.findall(r"[A-Za-z]+", item.prompt)
    return str(10 * sum(len(word) >= 8 for word in words) // len(words)) if words else ""


def _manner(item: Item) -> str:
    """The side of the first adverb of manner, which stands for its synonyms."""
    words = set(re.findall("[a-z]+", item.prompt))
    return "lively" if words & _LIVELY else "calm" if words & _CALM else ""


class CueScorer(PlainScorer):
    """Replies are read like those of any question with options; the blind strategies know what was planted."""

    @property
    def blind(self) -> Sequence[BlindStrategy]:
        """The cues, then what applies to any question."""
        return *_CUES, *PLAIN.blind


_CUES = (
    rule("habit-word", "answers by which of `usually` and `often` occurs", _which("usually", "often")),
    rule(
        "word-pair",
        "answers by which of `old bridge`, `new mill`, `new bridge`, `old mill` occur",
        _which("old bridge", "new mill", "new bridge", "old mill"),
    ),
    rule("sentences", "answers by the number of sentences", lambda item: str(item.prompt.count(". "))),
    rule("long-words", "answers by the share of long words", _long_words),
    rule("chinese-word", "answers by which of `总是` and `偶尔` occurs", _which(*CHINESE_CUES.values())),
    rule("manner", "answers by whether a lively or a calm adverb of manner occurs", _manner),
    rule(
        "capitals",
        "answers by whether a word is in capitals",
        lambda item: str(bool(re.search(r"\b[A-Z]{2,}\b", item.prompt))),
    ),
    rule(
        "white-space",
        "answers by the widest white space",
        lambda item: max(re.findall(r"\s+", item.prompt), key=lambda space: (len(space), space), default=""),
    ),
    rule("same-text", "gives the answer of the same text among those it learned from", lambda item: item.prompt),
)

SCORER = CueScorer()
"""The only instance; it has no state."""
