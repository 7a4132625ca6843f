"""Strategies that copy a word or number of the prompt or calculate, and which can read these texts."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal, DecimalException, localcontext
from math import prod
from typing import Literal

from hansproof.audit.tasks.open_answers.golds import Golds, quotient
from hansproof.audit.tasks.open_answers.prompt_words import Reading, rounded
from hansproof.audit.texts.sentences import function_words

__all__ = [
    "ARITHMETIC",
    "Language",
    "Strategy",
    "alternatives",
    "calculated",
    "fixed_strategies",
    "language_of",
    "question_word",
]

# Which strategies can read these texts: question words and number words are English, and words are cut at blanks.

Language = Literal["English", "other", "without blanks"]

_SAMPLE = 500
"""Prompts, evenly spaced, from which the language is known."""
_FEWEST = 2.0
"""Words per prompt below which nothing is said of a language: `12 + 30 =`."""
_LISTED = 1 / 6
"""Share of closed-class words below which a text is not English: English has 40 to 60 %."""
_JOINED = ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN")
"""Scripts that are written without blanks between words."""


def language_of(readings: Sequence[Reading]) -> Language:
    """`English` also where there are hardly any words to tell it by."""
    sample = readings[:: max(1, len(readings) // _SAMPLE)]
    words = [word for reading in sample for word in reading.words if not word.isdecimal()]
    letters = [char for word in words for char in word if char.isalpha()]
    joined = [char for char in letters if not char.isascii() and unicodedata.name(char, "").startswith(_JOINED)]
    if letters and 2 * len(joined) > len(letters):
        return "without blanks"
    if len(words) < _FEWEST * len(sample):
        return "English"
    known = function_words()
    listed = sum((folded := word.lower()) in known.kept or folded in known.dropped for word in words)
    return "English" if listed >= _LISTED * len(words) else "other"


Rule = Callable[[Sequence[Decimal]], Decimal | None]


def _larger_by_smaller(pair: Sequence[Decimal]) -> Decimal | None:
    return quotient(max(pair), min(pair))


_TWO = 2

ARITHMETIC: dict[str, tuple[str, int, Rule]] = {
    "first number": ("the first number of the prompt", 1, lambda x: x[0]),
    "second number": ("the second number of the prompt", _TWO, lambda x: x[1]),
    "last number": ("the last number of the prompt", 1, lambda x: x[-1]),
    "largest number": ("the largest number of the prompt", 1, max),
    "smallest number": ("the smallest number of the prompt", 1, min),
    "sum": ("the sum of all numbers of the prompt", 1, sum),  # type: ignore[dict-item]
    "sum of the first two": ("the sum of the first two numbers", _TWO, lambda x: x[0] + x[1]),
    "sum of the last two": ("the sum of the last two numbers", _TWO, lambda x: x[-1] + x[-2]),
    "difference of the first two": ("the first two numbers, the smaller taken from the larger", _TWO,
                                    lambda x: abs(x[0] - x[1])),
    "difference of the last two": ("the last two numbers, the smaller taken from the larger", _TWO,
                                   lambda x: abs(x[-1] - x[-2])),
    "largest minus smallest": ("the largest number minus the smallest", _TWO, lambda x: max(x) - min(x)),
    "largest minus the others": ("the largest number minus all others", _TWO, lambda x: 2 * max(x) - sum(x)),
    "product": ("the product of all numbers of the prompt", _TWO, lambda x: prod(x, start=Decimal(1))),
    "product of the first two": ("the product of the first two numbers", _TWO, lambda x: x[0] * x[1]),
    "product of the last two": ("the product of the last two numbers", _TWO, lambda x: x[-1] * x[-2]),
    "quotient of the first two": ("the first two numbers, the larger divided by the smaller", _TWO,
                                  lambda x: _larger_by_smaller(x[:2])),
    "quotient of the last two": ("the last two numbers, the larger divided by the smaller", _TWO,
                                 lambda x: _larger_by_smaller(x[-2:])),
    "mean": ("the mean of all numbers of the prompt", _TWO, lambda x: quotient(Decimal(sum(x)), Decimal(len(x)))),
    "next number": ("continues the last two numbers by their difference", _TWO, lambda x: 2 * x[-1] - x[-2]),
}  # fmt: skip
"""Name: what it gives, how many numbers the prompt must have, the rule. With fewer numbers it has no answer."""

COUNTING: dict[str, tuple[str, Callable[[Reading], Decimal]]] = {
    "count of numbers": ("how many numbers the prompt has", lambda reading: Decimal(len(reading.numbers))),
    "count of words": ("how many words the prompt has", lambda reading: Decimal(len(reading.words))),
    "count of sentences": ("how many sentences the prompt has", lambda reading: Decimal(len(reading.sentences))),
}  # fmt: skip
"""Name: what it counts, the count."""


def calculated(name: str, numbers: Sequence[Decimal], decimals: int) -> Decimal | None:
    """What one rule of `ARITHMETIC` gives; None where it has no answer.

    A result that is no multiple of the last of `decimals` decimals is rounded to them.
    """
    _, least, rule = ARITHMETIC[name]
    if len(numbers) < least:
        return None
    with localcontext() as context:
        context.prec = 40
        try:
            value = rule(numbers)
        except DecimalException:  # a product beyond all bounds
            return None
    if value is None or not value.is_finite():
        return None
    value = Decimal(value)
    exponent = value.as_tuple().exponent
    return rounded(value, decimals) if isinstance(exponent, int) and -exponent > decimals else value


_OR = re.compile(r",? or (?=\S)")
_PAUSE = re.compile(r"[,;:.?!](?:\s|$)")
_DETERMINERS = frozenset({"a", "an", "the"})
_BEGINS = frozenset({
    "is", "are", "was", "were", "will", "would", "can", "could", "should", "do", "does", "did", "has", "have", "had",
    "who", "which", "what", "when", "where", "why", "how",
})  # fmt: skip
"""First words of a clause, which is no alternative."""
_LONGEST = 4
"""Words of an alternative."""
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


def _most_repeated(reading: Reading) -> str | None:
    """The most repeated word that is not of the benchmark's own wording, if any is repeated."""
    words = [word.lower() for word in reading.words if len(word) >= _SHORTEST]
    counts = Counter(word for word in words if word not in reading.corpus.common)
    word, count = counts.most_common(1)[0] if counts else ("", 0)
    return word if count > 1 else None


def _rarest_last(reading: Reading) -> str | None:
    """The last word that is not of the benchmark's own wording."""
    return _last([word for word in reading.words if word.lower() not in reading.corpus.common])


def alternatives(question: str) -> list[str]:
    """What the last `or` of a question offers, first to last; empty without one.

    >>> alternatives("Which city, Rome or New York, has more rain?"), alternatives("Is the water more or less warm?")
    (['Rome', 'New York'], ['more', 'less'])
    """
    matches = list(_OR.finditer(question))
    if not matches:
        return []
    last = matches[-1]
    second = _PAUSE.split(question[last.end() :], maxsplit=1)[0].split()
    *before, left = (piece.split() for piece in _PAUSE.split(question[: last.start()]))
    second = second[second[0].lower() in _DETERMINERS :]
    if before and _alike(left, second):
        # Between pauses: the whole piece, and the pieces of a longer list.
        pieces = [left]
        while len(before) > 1 and _alike(before[-1], second):
            pieces.insert(0, before.pop())
    else:
        # Within a clause: a word, with the names and numbers behind it.
        size = 1
        while size < len(second) and not second[size].islower():
            size += 1
        second, pieces = second[:size], [left[-size:]]
    bare = [piece[piece[0].lower() in _DETERMINERS and len(piece) > 1 :] for piece in pieces if piece]
    return [" ".join(piece) for piece in (*bare, second) if piece]


def _alike(piece: Sequence[str], second: Sequence[str]) -> bool:
    """Whether a piece of a question between pauses is an alternative to the words behind the `or`."""
    short = 1 <= len(piece) <= _LONGEST and len(second) <= _LONGEST and abs(len(piece) - len(second)) <= 1
    return short and piece[0].lower() not in _BEGINS


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
    "first name not asked about": ("the first capitalised span that is not in the question",
                                   lambda reading: _first(_names_outside(reading))),
    "last name not asked about": ("the last capitalised span that is not in the question",
                                  lambda reading: _last(_names_outside(reading))),
    "name asked about": ("the last capitalised span of the question",
                         lambda reading: _last([name for name in _names(reading) if name in reading.question])),
    "first word": ("the first word of the prompt", lambda reading: _first(reading.words)),
    "last word": ("the last word of the prompt", lambda reading: _last(reading.words)),
    "last word before the question": ("the last word before the question",
                                      lambda reading: _last_word(_before_question(reading))),
    "most repeated word": ("the most repeated word that is not part of the common wording", _most_repeated),
    "last rare word": ("the last word that is not part of the common wording", _rarest_last),
    "first alternative": ("of `X or Y` in the question, X", lambda reading: _first(alternatives(reading.question))),
    "last alternative": ("of `X or Y` in the question, Y", lambda reading: _last(alternatives(reading.question))),
    "text after the colon": ("what stands after the last colon", _after_colon),
    "whole prompt": ("the prompt itself", lambda reading: reading.text),
}  # fmt: skip
"""Name: what it gives, the rule. None where the prompt has no such text."""


@dataclass(frozen=True)
class Strategy:
    """A way to answer that learns nothing."""

    description: str
    """What it gives."""
    give: Callable[[Reading], Decimal | str | None]
    """None where the prompt has no such number or text."""


def fixed_strategies(golds: Golds) -> dict[str, Strategy]:
    """Name: the strategy, for golds that are numbers, words, or both."""
    decimals = golds.decimals

    def calculates(name: str) -> Callable[[Reading], Decimal | None]:
        return lambda reading: calculated(name, [quantity.value for quantity in reading.numbers], decimals)

    table: dict[str, Strategy] = {}
    if golds.numbers:
        table |= {name: Strategy(text, calculates(name)) for name, (text, _, _) in ARITHMETIC.items()}
        table |= {name: Strategy(*way) for name, way in COUNTING.items()}
    if golds.words:
        table |= {name: Strategy(*way) for name, way in SPANS.items()}
    return table


def question_word(question: str) -> str:
    """What a question asks with, in lower case: `how many`, `who`; its first word where it asks with none of these."""
    match = _ASKS.search(question[-1000:])
    if match:
        return match["word"].lower()
    words = question.split(maxsplit=1)
    return words[0].lower()[:30] if words else ""
