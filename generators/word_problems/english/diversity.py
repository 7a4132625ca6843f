"""How varied the sentences are once names, numbers and the things that are counted are masked.

Distinct 4-grams are the share of different 4-grams among all (Li et al. 2016, for n = 1 and 2). The share falls as
texts grow, so it is always taken on samples of as many 4-grams. In samples of this size the problems of version
1.0.0 have .40.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from generators.stream import Stream
from generators.word_problems.english.vocabulary import MASSES, PLURALS, PRONOUNS, VOCABULARY

__all__ = ["distinct", "masked"]

_GRAMS = 1350
_LENGTH = 4

_WORD = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)*|\d+")
_NOUNS = dict.fromkeys((*PLURALS, *PLURALS.values(), *MASSES), "noun")
_NOUNS |= {attribute: "" for stock in VOCABULARY.stock for attribute in stock.attributes}
_LONGEST = max(noun.count(" ") for noun in _NOUNS) + 1


def masked(text: str) -> list[str]:
    """The words of a text in small letters, with `name`, `number` and `noun` for what a problem could exchange.

    All nouns of the vocabulary are masked wherever they stand, with their attributes and units as parts of them.
    """
    words = _WORD.findall(text)
    told = " ".join(_masked(words))
    return told.replace("noun of noun", "noun").split()


def _masked(words: Sequence[str]) -> Iterator[str]:
    place = 0
    while place < len(words):
        word = words[place]
        for width in range(_LONGEST, 0, -1):
            phrase = " ".join(words[place : place + width]).lower()
            if phrase in _NOUNS and word not in PRONOUNS:
                place += width
                if _NOUNS[phrase]:
                    yield "noun"
                break
        else:
            place += 1
            yield "name" if word in PRONOUNS else "number" if word.isdigit() else word.lower()


def distinct(texts: Sequence[str], stream: Stream) -> float:
    """The share of distinct masked 4-grams: the mean over all samples of 1,350 in a row, from texts in random order.

    Every text counts once. NaN where the texts have fewer than one sample.
    """
    grams: list[tuple[str, ...]] = []
    for text in stream.shuffled(texts):
        line = masked(text)
        grams += zip(*(line[at:] for at in range(_LENGTH)))
    samples = [grams[start : start + _GRAMS] for start in range(0, len(grams) - _GRAMS + 1, _GRAMS)]
    return sum(len(set(sample)) for sample in samples) / len(samples) / _GRAMS if samples else float("nan")
