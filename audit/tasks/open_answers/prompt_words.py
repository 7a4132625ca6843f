"""What a blind strategy sees of a prompt: words, exact numbers, capitalised spans, sentences."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cached_property
from typing import NamedTuple

from hansproof.audit.tasks.open_answers.golds import in_decimals, is_code
from hansproof.generators.answering.numbers import numbers, plain

__all__ = ["CUT", "Reading", "read", "rounded"]

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


def rounded(value: Decimal, places: int) -> Decimal:
    """`value` with so many decimals, halves away from zero as in arithmetic at school; itself where it is too large."""
    try:
        return value.quantize(Decimal(1).scaleb(-places), rounding="ROUND_HALF_UP")
    except InvalidOperation:
        return value


CUT = 20_000
"""Characters read of a prompt: of a longer one the first and the last half as many."""
_SAMPLE = 2_000
"""Prompts, evenly spaced, from which the words of a corpus are known."""
_COMMON = 0.2
"""A word in a larger share of the prompts belongs to the wording of the benchmark."""
_NAMES = 60
"""Capitalised spans read in one prompt."""

_TOKEN = re.compile(r"[^\W_](?:[\w'’.-]*[^\W_])?")
_SENTENCE = re.compile(r"[^.!?。！？؟\n]+(?:[.!?]+(?=[^\s.!?。！？؟])[^.!?。！？؟\n]+)*[.!?。！？؟]*")
_BEGINS = re.compile(r"(?:[.!?:\n\"“”(]\s*)\Z")
_JOINS = frozenset({"of", "the", "de", "del", "van", "von"})


@dataclass(frozen=True)
class Corpus:
    """What the prompts of a benchmark have in common."""

    common: frozenset[str]
    """Lower-case words of the benchmark's own wording."""
    lower: frozenset[str]
    """Words that mostly stand in lower case: at the start of a sentence they are no names."""

    @classmethod
    def of(cls, prompts: Sequence[str]) -> Corpus:
        """From an evenly spaced sample of the prompts."""
        sample = prompts[:: max(1, len(prompts) // _SAMPLE)]
        small: Counter[str] = Counter()
        large: Counter[str] = Counter()
        prompts_with: Counter[str] = Counter()
        for prompt in sample:
            text = _cut(prompt)
            seen = set()
            for match in _TOKEN.finditer(text):
                word = match[0]
                folded = word.lower()
                seen.add(folded)
                if word[0].isupper():
                    large[folded] += not _begins(text, match.start())
                else:
                    small[folded] += 1
            prompts_with.update(seen)
        least = max(2.0, _COMMON * len(sample))
        return cls(
            frozenset(word for word, count in prompts_with.items() if count >= least),
            frozenset(word for word, count in small.items() if count > large[word]),
        )


@dataclass(frozen=True)
class Reading:
    """One prompt, taken apart when it is asked for."""

    text: str
    corpus: Corpus

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
    def numbers(self) -> list[Quantity]:
        """In their order."""
        return quantities(self.text)

    @cached_property
    def names(self) -> list[tuple[str, int]]:
        """Capitalised spans and where they begin, at most 60: `Bank of England`, without a capital that only begins
        a sentence."""
        spans: list[tuple[str, int]] = []
        start = end = -1
        for match in _TOKEN.finditer(self.text):
            word, begin = match[0], match.start()
            capital = word[0].isupper() and not (word.lower() in self.corpus.lower and _begins(self.text, begin))
            between = self.text[end:begin].split() if end >= 0 else []
            joined = end >= 0 and begin - end <= 12 and all(part in _JOINS for part in between)
            if not capital:
                continue
            if joined and "\n" not in self.text[end:begin]:
                end = match.end()
                continue
            if end >= 0:
                spans.append((self.text[start:end], start))
            start, end = begin, match.end()
            if len(spans) == _NAMES:
                return spans
        return [*spans, (self.text[start:end], start)] if end >= 0 else spans


def read(prompts: Sequence[str]) -> list[Reading]:
    """The prompts as blind strategies see them."""
    corpus = Corpus.of(prompts)
    return [Reading(_cut(prompt), corpus) for prompt in prompts]


def _cut(prompt: str) -> str:
    return prompt if len(prompt) <= CUT else f"{prompt[: CUT // 2]}\n{prompt[-CUT // 2 :]}"


def _begins(text: str, at: int) -> bool:
    """Whether a sentence begins at this character."""
    before = text[max(0, at - 4) : at]
    return _BEGINS.search(before) is not None or (at <= 4 and not before.strip())
