"""Strategies for answers that are words: copy a name, a quote, a word or a sentence of the prompt."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

from audit.openended.strategies.reading import Reading

__all__ = ["SPANS", "asks", "question_word"]

_OR = re.compile(r"(?P<first>[\w'-]+(?: [\w'-]+)?),? or (?:an? |the )?(?P<second>[\w'-]+(?: [\w'-]+)?)")
_YEAR = re.compile(r"(?<![\d.,])(?:1[0-9]|20)\d\d(?![\d,]|\.\d)")
_ASKS = re.compile(
    r"\b(?P<word>how (?:many|much|long|old|far|often|tall|big|fast|large)|"
    r"who|whom|whose|when|where|why|which|what|how)\b",
    re.I,
)
_SHORTEST = 3
"""Characters of a word that may be the most repeated."""


def _first(texts: Sequence[str]) -> str | None:
    return texts[0] if texts else None


def _last(texts: Sequence[str]) -> str | None:
    return texts[-1] if texts else None


def _names(reading: Reading) -> list[str]:
    return [name for name, _ in reading.names]


def _most_frequent(texts: Sequence[str]) -> str | None:
    """The text that occurs most often; of equals the first."""
    return Counter(texts).most_common(1)[0][0] if texts else None


def _names_outside(reading: Reading) -> list[str]:
    """The names that the question does not mention."""
    return [name for name in _names(reading) if name not in reading.question]


def _names_asked(reading: Reading) -> list[str]:
    return [name for name in _names(reading) if name in reading.question]


def _most_repeated(reading: Reading) -> str | None:
    """The most repeated word that is not of the benchmark's own wording, if any is repeated."""
    words = [word.lower() for word in reading.words if len(word) >= _SHORTEST]
    counts = Counter(word for word in words if word not in reading.corpus.common)
    word, count = counts.most_common(1)[0] if counts else ("", 0)
    return word if count > 1 else None


def _rarest_last(reading: Reading) -> str | None:
    """The last word that is not of the benchmark's own wording."""
    return _last([word for word in reading.words if word.lower() not in reading.corpus.common])


def _alternative(which: str) -> Callable[[Reading], str | None]:
    def pick(reading: Reading) -> str | None:
        matches = list(_OR.finditer(reading.question[-500:]))
        return matches[-1][which] if matches else None

    return pick


def _before_question(reading: Reading) -> list[str]:
    return [sentence for sentence in reading.sentences if sentence != reading.question]


def _last_word(sentences: Sequence[str]) -> str | None:
    words = sentences[-1].rstrip(".!?\"' ").split() if sentences else []
    return words[-1] if words else None


def _after_colon(reading: Reading) -> str | None:
    return reading.text.rpartition(":")[2].strip() or None if ":" in reading.text else None


SPANS: dict[str, tuple[str, Callable[[Reading], str | None]]] = {
    "first name": ("the first capitalised span of the prompt", lambda reading: _first(_names(reading))),
    "last name": ("the last capitalised span of the prompt", lambda reading: _last(_names(reading))),
    "most frequent name": ("the most frequent capitalised span", lambda reading: _most_frequent(_names(reading))),
    "longest name": ("the longest capitalised span", lambda reading: max(_names(reading), key=len, default=None)),
    "first name not asked about": ("the first capitalised span that is not in the question",
                                   lambda reading: _first(_names_outside(reading))),
    "last name not asked about": ("the last capitalised span that is not in the question",
                                  lambda reading: _last(_names_outside(reading))),
    "most frequent name not asked about": ("the most frequent capitalised span that is not in the question",
                                           lambda reading: _most_frequent(_names_outside(reading))),
    "name asked about": ("the last capitalised span of the question", lambda reading: _last(_names_asked(reading))),
    "first word": ("the first word of the prompt", lambda reading: _first(reading.words)),
    "last word": ("the last word of the prompt", lambda reading: _last(reading.words)),
    "last word before the question": ("the last word before the question",
                                      lambda reading: _last_word(_before_question(reading))),
    "last word of the first sentence": ("the last word of the first sentence",
                                        lambda reading: _last_word(reading.sentences[:1])),
    "most repeated word": ("the most repeated word that is not part of the common wording", _most_repeated),
    "last rare word": ("the last word that is not part of the common wording", _rarest_last),
    "first sentence": ("the first sentence of the prompt", lambda reading: _first(reading.sentences)),
    "last sentence": ("the last sentence before the question", lambda reading: _last(_before_question(reading))),
    "first quote": ("the first text in quotes", lambda reading: _first(reading.quoted)),
    "last quote": ("the last text in quotes", lambda reading: _last(reading.quoted)),
    "first alternative": ("of `X or Y` in the question, X", _alternative("first")),
    "second alternative": ("of `X or Y` in the question, Y", _alternative("second")),
    "text after the colon": ("what stands after the last colon", _after_colon),
    "whole prompt": ("the prompt itself", lambda reading: reading.text),
    "first year": ("the first year of the prompt", lambda reading: _first(_YEAR.findall(reading.text))),
    "last year": ("the last year of the prompt", lambda reading: _last(_YEAR.findall(reading.text))),
}  # fmt: skip
"""Name: what it gives, the rule. None where the prompt has no such text."""


def asks(question: str) -> bool:
    """Whether a text has an English question word."""
    return _ASKS.search(question[-1000:]) is not None


def question_word(question: str) -> str:
    """What a question asks with, in lower case: `how many`, `who`; its first word where it asks with none of these."""
    match = _ASKS.search(question[-1000:])
    if match:
        return match["word"].lower()
    words = question.split(maxsplit=1)
    return words[0].lower()[:30] if words else ""
