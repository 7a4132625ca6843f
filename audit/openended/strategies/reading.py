"""What a blind strategy sees of a prompt: its words, numbers, capitalised spans, sentences. Nothing is understood."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from audit.openended.strategies.quantities import Quantity, quantities

__all__ = ["CUT", "Corpus", "Reading", "read"]

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
_QUOTED = re.compile(
    r"[\"“]([^\"“”\n]{1,200})[\"”]|(?<!\w)['‘]([^'‘’\n]{1,200})['’](?!\w)|[„«「『]([^„“”«»「」『』\n]{1,200})[“”»」』]"
)
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

    @cached_property
    def quoted(self) -> list[str]:
        """What stands in quotes."""
        return [double or single or other for double, single, other in _QUOTED.findall(self.text)]


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
