"""What a blind strategy sees of a prompt: words, exact numbers, capitalised spans, sentences."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cached_property
from typing import NamedTuple

from hansproof.audit.tasks.open_answers.golds import quotient

__all__ = ["CUT", "Reading", "read", "rounded"]

_MOST_DIGITS = 30
"""Longer runs of digits are codes, not quantities."""
_MOST = 200
"""Numbers read in one text: a longer list is a table."""
_WORDY = r"[^\W\u3040-\u9fff\uac00-\ud7af]"
"""A character that a number may not touch: Chinese, Japanese and Korean are written without blanks."""
_NUMBER = re.compile(
    rf"(?<!{_WORDY})(?<![.,/])(?P<sign>[-−](?=[\d.$€£]))?[$€£¥]?\s?"
    rf"(?P<whole>\d{{1,3}}(?:,\d{{3}})+|\d+)(?P<part>\.\d+|/\d+(?![\d/]))?(?!st\b|nd\b|rd\b|th\b|/|{_WORDY})|"
    rf"(?<!{_WORDY})(?<![.,/])[$€£¥]?(?P<attached>\d+(?:\.\d+)?)"
    r"(?=(?:k?g|k?m|cm|mm|ml|l|lb|oz|h|s|am|pm|ft|mph|°)\b)"
)
_SPELT = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|fou?rty|fifty|sixty|"
    r"seventy|eighty|ninety|hundred|thousand|million|billion)\b",
    re.I,
)
_DOZEN = re.compile(r"\b(?:(?P<half>half a)|(?P<count>\d+)|a)?\s?dozens?\b", re.I)
_FACTOR = re.compile(r"\b(?:twice|double|thrice|triple|half|quarter|a couple)\b", re.I)
_FACTORS = {
    "twice": "2", "double": "2", "thrice": "3", "triple": "3", "half": "0.5", "quarter": "0.25", "a couple": "2",
}  # fmt: skip
_PIECE = re.compile(r"[^.!?\n]+[.!?\n]*|[.!?\n]+")
_WORD = re.compile(r"[^\W\d_]+(?:'\w+)?")
_LONGEST_PIECE = 2_000
"""Characters of a sentence whose number words are read; the reader's time grows faster than the text."""


class Quantity(NamedTuple):
    """A number of a text, with the words beside it."""

    value: Decimal
    before: str
    """The two words before it, lower case; empty at the start."""
    after: str
    """The word after it: what is counted."""


def quantities(text: str) -> list[Quantity]:
    """The numbers of a text in their order, at most 200. Number words are English; digits are read in any language.

    `one` by itself is mostly a pronoun and `second` an ordinal or a time, so neither counts. A dozen is 12, twice
    is 2, half is .5.
    """
    text = _in_digits(text)
    result = []
    end = 0
    for match in _NUMBER.finditer(text):
        value = _value(match)
        if value is None:
            continue
        before = _WORD.findall(text[max(end, match.start() - 60) : match.start()])
        after = _WORD.search(text, match.end(), match.end() + 40)
        result.append(Quantity(value, " ".join(before[-2:]).lower(), after[0].lower() if after else ""))
        end = match.end()
        if len(result) == _MOST:
            break
    return result


def _value(match: re.Match[str]) -> Decimal | None:
    whole = (match["whole"] or match["attached"]).replace(",", "")
    part = match["part"] or ""
    if len(whole) + len(part) > _MOST_DIGITS:
        return None
    if part.startswith("/"):
        return quotient(Decimal(whole), Decimal(part[1:]))
    value = Decimal(whole + part)
    return -value if match["sign"] else value


def rounded(value: Decimal, places: int) -> Decimal:
    """`value` with so many decimals, halves away from zero as in arithmetic at school; itself where it is too large."""
    try:
        return value.quantize(Decimal(1).scaleb(-places), rounding="ROUND_HALF_UP")
    except InvalidOperation:
        return value


def _in_digits(text: str) -> str:
    """The text with number words in digits."""
    if _SPELT.search(text):
        text = "".join(_spelt_out(piece) for piece in _PIECE.findall(text))
    lowered = text.lower()
    if "dozen" in lowered:
        text = _DOZEN.sub(_dozens, text)
    return _FACTOR.sub(lambda match: _FACTORS[match[0].lower()], text)


def _spelt_out(piece: str) -> str:
    if len(piece) > _LONGEST_PIECE or not _SPELT.search(piece):
        return piece
    from text_to_num import alpha2digit  # type: ignore[import-untyped]

    return str(alpha2digit(piece, "en", threshold=1.0))


def _dozens(match: re.Match[str]) -> str:
    start = " " if match[0][:1] == " " else ""
    if match["half"]:
        return f"{start}6"
    return f"{start}{12 * int(match['count'] or 1)}" if len(match["count"] or "") < _MOST_DIGITS else match[0]


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
