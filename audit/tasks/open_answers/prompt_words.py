"""What a blind strategy sees of a prompt: words, exact numbers, capitalised spans, sentences."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import NamedTuple

from hansproof.audit.tasks.open_answers.golds import in_decimals, is_code
from hansproof.generators.answering.numbers import numbers, plain

__all__ = ["CUT", "Reading", "read"]

_MOST = 200
"""Numbers read in one text: a longer list is a table."""
_FACTORS = {
    "half a dozen": "6", "half": "0.5", "quarter": "0.25", "twice": "2", "double": "2", "a couple": "2", "thrice": "3",
    "triple": "3",
}  # fmt: skip
_FACTOR = re.compile(rf"\b(?:{'|'.join(_FACTORS)})\b", re.I)
_DOZENS = re.compile(r"\b(\d{1,9}) dozens?\b")
_TOUCHING = re.compile(r"(?<=[\u3040-\u9fff\uac00-\ud7af])(?=\d)")
"""Chinese, Japanese and Korean are written without blanks."""
_NO_QUANTITY = frozenset({"one", "none"})
_WORD = re.compile(r"[^\W\d_]+(?:'\w+)?")


class Quantity(NamedTuple):
    """A number of a text, with the words beside it."""

    value: Decimal
    before: str
    """The two words before it, lower case; empty at the start."""
    after: str
    """The word after it: what is counted."""


def quantities(text: str) -> list[Quantity]:
    """The numbers of a text in their order, at most 200. Number words are English; digits are read in any language.

    `one` by itself is mostly a pronoun, so it does not count. A dozen is 12, twice is 2, half is .5.
    """
    text = _FACTOR.sub(lambda match: _FACTORS[match[0].lower()], _TOUCHING.sub(" ", text))
    text = plain(_DOZENS.sub(lambda match: str(12 * int(match[1])), text))
    result = []
    end = 0
    for mention in numbers(text)[:_MOST]:
        if text[mention.start : mention.end].lower() in _NO_QUANTITY or is_code(text, mention.end):
            continue
        before = _WORD.findall(text[max(end, mention.start - 60) : mention.start])
        after = _WORD.search(text, mention.end, mention.end + 40)
        named = after[0].lower() if after else ""
        result.append(Quantity(in_decimals(mention.value), " ".join(before[-2:]).lower(), named))
        end = mention.end
    return result


_OR = re.compile(r",? or (?=\S)")
_PAUSE = re.compile(r"[,;:.?!](?:\s|$)")
_DETERMINERS = frozenset({"a", "an", "the"})
_CLAUSE = frozenset({
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
    return short and piece[0].lower() not in _CLAUSE


CUT = 20_000
"""Characters read of a prompt: of a longer one the first and the last half as many."""
_SAMPLE = 2_000
"""Prompts, evenly spaced, from which the words of a corpus are known."""
_NAMES = 60
"""Capitalised spans read in one prompt."""

_TOKEN = re.compile(r"[^\W_](?:[\w'’.-]*[^\W_])?")
_SENTENCE = re.compile(r"[^.!?。！？؟\n]+(?:[.!?]+(?=[^\s.!?。！？؟])[^.!?。！？؟\n]+)*[.!?。！？؟]*")
_BEGINS = re.compile(r"(?:[.!?:\n\"“”(]\s*)\Z")
_JOINT = re.compile(r"[^\S\n]*(?:(?:of|the|de|del|van|von)[^\S\n]+)*")
_GAP = 12
"""Characters between two parts of a name."""


def _lower_words(prompts: Sequence[str]) -> frozenset[str]:
    """Words that mostly stand in lower case, from a sample of the prompts: at the start of a sentence no names."""
    small: Counter[str] = Counter()
    large: Counter[str] = Counter()
    for prompt in prompts[:: max(1, len(prompts) // _SAMPLE)]:
        text = _cut(prompt)
        for match in _TOKEN.finditer(text):
            word = match[0]
            if word[0].isupper():
                large[word.lower()] += not _begins(text, match.start())
            else:
                small[word.lower()] += 1
    return frozenset(word for word, count in small.items() if count > large[word])


@dataclass(frozen=True)
class Reading:
    """One prompt, taken apart when it is asked for."""

    text: str
    lower: frozenset[str]
    """Words of the benchmark that mostly stand in lower case."""

    @cached_property
    def words(self) -> list[str]:
        """In their order."""
        return _TOKEN.findall(self.text)

    @cached_property
    def sentences(self) -> list[str]:
        """Stripped, with what ends them; lines end sentences too."""
        return [piece for sentence in _SENTENCE.findall(self.text) if (piece := sentence.strip())]

    @cached_property
    def question(self) -> str:
        """The last sentence that ends with a question mark, else the last one."""
        asked = [sentence for sentence in self.sentences if sentence.endswith(("?", "？", "؟"))]
        return asked[-1] if asked else self.sentences[-1] if self.sentences else ""

    @cached_property
    def alternatives(self) -> list[str]:
        """What the question offers (`X or Y`)."""
        return alternatives(self.question)

    @property
    def asks_with(self) -> str:
        """What the question asks with, in lower case: `how many`, `who`; else its first word."""
        match = _ASKS.search(self.question[-1000:])
        return match["word"].lower() if match else "".join(self.question.split(maxsplit=1)[:1]).lower()[:30]

    @cached_property
    def numbers(self) -> list[Quantity]:
        """In their order."""
        return quantities(self.text)

    @cached_property
    def values(self) -> list[Decimal]:
        """What they are worth."""
        return [quantity.value for quantity in self.numbers]

    @cached_property
    def names(self) -> list[tuple[str, int]]:
        """Capitalised spans and where they begin, at most 60: `Bank of England`, without a capital that only begins
        a sentence."""
        spans: list[tuple[int, int]] = []
        for match in _TOKEN.finditer(self.text):
            word, start = match[0], match.start()
            if not word[0].isupper() or (word.lower() in self.lower and _begins(self.text, start)):
                continue
            first, end = spans[-1] if spans else (start, start)
            if spans and start - end <= _GAP and _JOINT.fullmatch(self.text, end, start):
                spans[-1] = first, match.end()
            else:
                spans.append((start, match.end()))
        return [(self.text[start:end], start) for start, end in spans[:_NAMES]]


def read(prompts: Sequence[str]) -> list[Reading]:
    """The prompts as blind strategies see them."""
    lower = _lower_words(prompts)
    return [Reading(_cut(prompt), lower) for prompt in prompts]


def _cut(prompt: str) -> str:
    return prompt if len(prompt) <= CUT else f"{prompt[: CUT // 2]}\n{prompt[-CUT // 2 :]}"


def _begins(text: str, at: int) -> bool:
    """Whether a sentence begins at this character."""
    before = text[max(0, at - 4) : at]
    return _BEGINS.search(before) is not None or (at <= 4 and not before.strip())
