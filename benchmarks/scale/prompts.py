"""Made-up short prompts for timing: any number of them, with the word frequencies and phrases of real text.

Words follow Zipf's law with Mandelbrot's shift (1953); half of them are drawn from the few that tend to follow the
word before, so that bigrams recur as they do in language. The answer shows in one adverb, weakly: kappa near .1.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

__all__ = ["WORDS", "made_up_words", "write_prompts"]

WORDS = 30
"""Words per prompt."""

_VOCABULARY = 60_000
_FOLLOWERS = 12
_FUNCTION = [
    "the", "of", "and", "to", "a", "in", "is", "that", "it", "was", "for", "on", "with", "as", "at", "by", "this",
    "which", "from", "be", "not", "are", "or", "an", "were", "their", "has", "had", "but", "his", "her", "they", "we",
    "you", "all", "there", "been", "if", "more", "when", "will", "would", "who", "so", "no", "out", "up", "into",
    "than", "them", "some", "could",
]  # fmt: skip
_ADVERBS = ("rarely", "often")
_CUE = 0.1
_BLOCK = 10_000


def write_prompts(path: Path, n: int, seed: int = 1) -> None:
    """Write `n` items as JSON lines; the first m of them do not depend on `n` if both are multiples of 10,000."""
    words = np.array(made_up_words(np.random.Generator(np.random.PCG64(0))))
    followers = _draw(np.random.Generator(np.random.PCG64(2)), _VOCABULARY * _FOLLOWERS).reshape(-1, _FOLLOWERS)
    with path.open("w", encoding="utf-8") as lines:
        for block in range(0, n, _BLOCK):
            size = min(_BLOCK, n - block)
            random = np.random.Generator(np.random.PCG64([seed, block]))
            for text, answer in zip(*_items(random, words, followers, size), strict=True):
                lines.write(json.dumps({"prompt": text, "answer": answer}) + "\n")


def _items(
    random: np.random.Generator, words: NDArray[np.str_], followers: NDArray[np.int64], size: int
) -> tuple[list[str], list[str]]:
    ids = _draw(random, size * WORDS).reshape(size, WORDS)
    for place in range(1, WORDS):
        follows = random.random(size) < 0.5
        chosen = followers[ids[:, place - 1], random.integers(_FOLLOWERS, size=size)]
        ids[follows, place] = chosen[follows]
    yes = random.random(size) < 0.5
    told = np.where(random.random(size) < _CUE, yes, random.random(size) < 0.5)
    cut = random.integers(10, 20, size=size)
    texts = []
    for row, adverb, middle in zip(words[ids].tolist(), told.tolist(), cut.tolist(), strict=True):
        row[middle + 3] = _ADVERBS[adverb]
        texts.append(f"{' '.join(row[:middle]).capitalize()}. {' '.join(row[middle:]).capitalize()}.")
    return texts, ["yes" if right else "no" for right in yes.tolist()]


def _draw(random: np.random.Generator, size: int) -> NDArray[np.int64]:
    """Ranks from 0 with probability proportional to 1 / (rank + 3.7)."""
    mass = np.cumsum(1 / (np.arange(_VOCABULARY) + 3.7))
    return np.searchsorted(mass / mass[-1], random.random(size))


def made_up_words(random: np.random.Generator) -> list[str]:
    """Function words first, then pronounceable made-up ones, all different; the frequent ones are short."""
    onsets, nuclei, codas = (
        ["b", "c", "d", "f", "g", "h", "l", "m", "n", "p", "r", "s", "t", "v", "w", "st", "tr", "ch"],
        ["a", "e", "i", "o", "u", "ea", "ou"],
        ["n", "r", "s", "t", "l"],
    )
    known = dict.fromkeys((*_FUNCTION, *_ADVERBS))
    while len(known) < _VOCABULARY:
        parts = 1 + int(len(known) > 800) + int(random.integers(2))
        word = "".join(
            onsets[random.integers(len(onsets))] + nuclei[random.integers(len(nuclei))] for _ in range(parts)
        )
        known[word + codas[random.integers(len(codas))]] = None
    return list(known)
