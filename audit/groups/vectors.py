"""Texts as vectors of the word sequences that some of them share: the ground on which `similarity` compares them.

Works for any script: a word is a run of letters, or a single character in scripts that are written without spaces.
Every number is the same word, and each punctuation mark is a word, so that code and tables have a shape too.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["FRAME", "LONGEST", "Vectors", "tokens", "vectors"]

FRAME = 0.6
"""A word sequence in more than this share of the texts is the wording of the whole benchmark, and does not count."""

LONGEST = 2000
"""Words read per text: a longer text shares enough of its beginning."""

GRAM = 3
"""Longest word sequence that is counted."""

RESERVE = 6.0
"""Squared weight that every text has to itself: texts that share two or three words are not similar, however short."""

# Thai to Khmer, kana, Han: written without spaces.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_TOKEN = re.compile(rf"[^\W\d_{_UNSPACED}]+(?:'[^\W\d_{_UNSPACED}]+)*|\d+(?:[.,]\d+)*|\S")


@dataclass(frozen=True)
class Vectors:
    """n texts over the m word sequences that at least two of them share and that are not the frame."""

    unit: Any
    """(n, m) float32 CSR; the dot product of two rows is their similarity, from 0 to 1."""
    keys: NDArray[np.int64]
    """(m,) the rarest word of each sequence, by which the evidence of a sequence is counted."""
    lengths: NDArray[np.int64]
    """(n,) words in each text, less those of the frame."""
    grams: NDArray[np.int64]
    """(m,) words in each sequence."""


def tokens(text: str) -> list[str]:
    """Return the first `LONGEST` words and marks of a text, folded; `0` for every number."""
    # A word that is longer than any real one is cut: a text of a megabyte without a space is one such word.
    folded = text if text.isascii() else unicodedata.normalize("NFKC", text)
    folded = folded.casefold().replace("’", "'")
    words = (match[0] for match in islice(_TOKEN.finditer(folded), LONGEST))
    return ["0" if word[0].isdigit() else word for word in words]


def vectors(texts: Sequence[str]) -> Vectors:
    """Return the vectors of distinct texts, given in an order that depends on their content only.

    A sequence of one to `GRAM` words counts 1 + log(times) in a text, times log(texts) * log(n / texts): both a
    coincidence of two texts and a phrase of common use weigh little, the wording of a template weighs most. What no
    other text has (names, unique fillings) and the frame drop out. No texts give a matrix without rows.
    """
    from scipy import sparse

    n = len(texts)
    numbers: dict[str, int] = {}
    coded = [[numbers.setdefault(word, len(numbers)) for word in tokens(text)] for text in texts]
    lengths = np.array([len(words) for words in coded], dtype=np.int64)
    flat = np.array([word for words in coded for word in words], dtype=np.uint64)
    row = np.repeat(np.arange(n), lengths)
    spread = np.zeros(len(numbers), dtype=np.int64)
    word_rows = np.unique(row * max(len(numbers), 1) + flat.astype(np.int64))
    np.add.at(spread, word_rows % max(len(numbers), 1), 1)
    keys, rows, rarest, grams = [], [], [], []
    mixed, rare = flat, flat.astype(np.int64)
    for size in range(1, GRAM + 1):
        if size > 1:
            last = flat[size - 1 :]
            mixed = mixed[:-1] * np.uint64(0x9E3779B97F4A7C15) + (last + np.uint64(size)) * np.uint64(
                0xC2B2AE3D27D4EB4F
            )
            mixed ^= mixed >> np.uint64(31)
            other = last.astype(np.int64)
            rare = np.where(spread[other] < spread[rare[:-1]], other, rare[:-1])
        within = row[: len(mixed)] == row[size - 1 :]
        keys.append(mixed[within])
        rows.append(row[: len(mixed)][within])
        rarest.append(rare[within])
        grams.append(np.full(int(within.sum()), size, dtype=np.int64))
    _, first, column = np.unique(np.concatenate(keys), return_index=True, return_inverse=True)
    counts = sparse.csr_matrix(
        (np.ones(len(column), dtype=np.float32), (np.concatenate(rows), column)), shape=(n, len(first))
    )
    counts.sum_duplicates()
    shared_by = np.bincount(counts.indices, minlength=len(first))
    size_of = np.concatenate(grams)[first]
    longest = sparse.csr_matrix(counts[:, np.flatnonzero((shared_by > FRAME * n) & (size_of == GRAM))])
    lengths -= np.asarray(longest.sum(axis=1)).ravel().astype(np.int64)
    kept = np.flatnonzero((shared_by >= 2) & (shared_by <= FRAME * n))
    counts = counts[:, kept]
    counts.data = 1 + np.log(counts.data)
    spread_of = shared_by[kept]
    weight = np.log(spread_of) * np.log(n / np.maximum(spread_of, 1))
    weight = weight / weight.mean() if len(weight) else weight
    weighted = counts @ sparse.diags_array(weight.astype(np.float32))
    norm = np.sqrt(np.asarray(weighted.multiply(weighted).sum(axis=1)).ravel() + RESERVE)
    unit = sparse.csr_matrix(sparse.diags_array((1 / norm).astype(np.float32)) @ weighted)
    return Vectors(unit, np.concatenate(rarest)[first][kept], lengths, size_of[kept])
