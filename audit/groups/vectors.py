"""Texts as vectors of the word sequences that some of them share: the ground on which `similarity` compares them.

Works for any script: a word is a run of letters, or a single character in scripts that are written without spaces.
Every number is the same word, and each punctuation mark is a word, so that code and tables have a shape too.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections.abc import Iterator, Sequence
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
    flat, lengths, vocabulary = _numbered(texts)
    row = np.repeat(np.arange(n, dtype=np.int32), lengths)
    spread = _spread(row, flat, vocabulary)
    known = [_repeated(keys, row, size, rare) for size, (keys, rare) in enumerate(_grams(flat, row, spread), 1)]
    keys = np.concatenate([gram.keys for gram in known])
    order = np.argsort(keys)  # columns are in the order of the keys, whatever the lengths of the sequences
    place = np.empty(len(order), dtype=np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    before = np.cumsum([0, *(len(gram.keys) for gram in known)])
    column = np.concatenate([place[gram.column + start] for gram, start in zip(known, before)])
    rows = np.concatenate([gram.row for gram in known])
    rarest = np.concatenate([gram.rarest for gram in known])[order]
    size_of = np.repeat(np.arange(1, GRAM + 1), np.diff(before))[order]
    del known, flat, row
    counts = sparse.csr_matrix((np.ones(len(column), dtype=np.float32), (rows, column)), shape=(n, len(order)))
    del rows, column
    counts.sum_duplicates()
    shared_by = np.bincount(counts.indices, minlength=len(order))
    longest = sparse.csr_matrix(counts[:, np.flatnonzero((shared_by > FRAME * n) & (size_of == GRAM))])
    lengths -= np.asarray(longest.sum(axis=1)).ravel().astype(np.int64)
    kept = np.flatnonzero((shared_by >= 2) & (shared_by <= FRAME * n))
    counts = counts[:, kept]
    counts.data = 1 + np.log(counts.data)
    spread_of = shared_by[kept]
    weight = np.log(spread_of) * np.log(n / np.maximum(spread_of, 1))
    weight = weight / weight.mean() if len(weight) else weight
    weighted = counts @ sparse.diags_array(weight.astype(np.float32))
    del counts
    norm = np.sqrt(np.asarray(weighted.multiply(weighted).sum(axis=1)).ravel() + RESERVE)
    unit = sparse.csr_matrix(sparse.diags_array((1 / norm).astype(np.float32)) @ weighted)
    return Vectors(unit, rarest[kept], lengths, size_of[kept])


@dataclass(frozen=True)
class _Repeated:
    """The word sequences of one length that occur more than once, and where: m of them, e entries."""

    keys: NDArray[np.uint64]
    """(m,) ascending."""
    rarest: NDArray[np.int64]
    """(m,)"""
    column: NDArray[np.int32]
    """(e,) places in `keys`."""
    row: NDArray[np.int32]
    """(e,) the text of each entry."""


def _numbered(texts: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.int64], int]:
    """The words of all texts as numbers, how many each text has, and how many different ones there are."""
    numbers: dict[str, int] = {}
    flat = array("i")
    lengths = np.zeros(len(texts), dtype=np.int64)
    for at, text in enumerate(texts):
        words = tokens(text)
        flat.extend([numbers.setdefault(word, len(numbers)) for word in words])
        lengths[at] = len(words)
    return np.asarray(flat, dtype=np.int32), lengths, len(numbers)


def _spread(row: NDArray[np.int32], flat: NDArray[np.int32], vocabulary: int) -> NDArray[np.int64]:
    """(vocabulary,) in how many texts each word occurs."""
    pairs = row * np.int64(max(vocabulary, 1)) + flat
    pairs.sort()
    new = np.ones(len(pairs), dtype=np.bool_)
    new[1:] = pairs[1:] != pairs[:-1]
    return np.bincount(pairs[new] % max(vocabulary, 1), minlength=vocabulary)


def _grams(
    flat: NDArray[np.int32], row: NDArray[np.int32], spread: NDArray[np.int64]
) -> Iterator[tuple[NDArray[np.uint64], NDArray[np.int32]]]:
    """For each length up to `GRAM`, the key of the sequence that begins at each word, and its rarest word."""
    mixed, rare = flat.astype(np.uint64), flat
    yield mixed, rare
    for size in range(2, GRAM + 1):
        last = flat[size - 1 :]
        mixed = mixed[:-1] * np.uint64(0x9E3779B97F4A7C15)
        mixed += (last.astype(np.uint64) + np.uint64(size)) * np.uint64(0xC2B2AE3D27D4EB4F)
        mixed ^= mixed >> np.uint64(31)
        rare = np.where(spread[last] < spread[rare[:-1]], last, rare[:-1])
        yield mixed, rare


def _repeated(keys: NDArray[np.uint64], row: NDArray[np.int32], size: int, rare: NDArray[np.int32]) -> _Repeated:
    """Those of the sequences of `size` words that lie within one text and occur more than once."""
    within = row[: len(keys)] == row[size - 1 :]
    ordered = np.sort(keys[within])
    again = np.ones(len(ordered), dtype=np.bool_)
    again[1:] = ordered[1:] == ordered[:-1]
    several = np.unique(ordered[1:][again[1:]])
    del ordered, again
    column = np.searchsorted(several, keys)
    column[column == len(several)] = 0
    held = np.flatnonzero(within & (several[column] == keys)) if len(several) else np.empty(0, dtype=np.int64)
    places: NDArray[np.int32] = column[held].astype(np.int32)
    rarest = np.zeros(len(several), dtype=np.int64)
    rarest[places] = rare[held]  # equal keys have equal words
    return _Repeated(several, rarest, places, row[held])
