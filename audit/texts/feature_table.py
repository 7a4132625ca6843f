"""The feature table: N texts counted once; each training set draws its own columns from it.

The probes use `parts`; the evidence uses `counts` and `spans`; single n-grams and repairs use `presence`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack

from hansproof.audit.texts.ngrams import LevelCounts, choose, count
from hansproof.audit.texts.tokens import WORD, Pieces, cut, encode, encoding, fold, origins
from hansproof.audit.texts.vectors import Vector
from hansproof.generators.errors import unknown

__all__ = ["FeatureTable"]

_LEVELS = ("word", "gpt2")
_DENSE = ("readability", "grades", "length", "format")


@dataclass(frozen=True)
class Parts:
    """One vector as one training set sees it: the rows to train on and those to predict."""

    train: csr_matrix
    """(n, p) float64, sorted int32 indices; dense vectors are standardised by these rows (`_Numbers`)."""
    held: csr_matrix
    """(m, p), likewise."""
    columns: NDArray[np.int32]
    """(p,) column ids in the table, or in the dense vector."""


@dataclass(frozen=True)
class FeatureTable:
    """N texts as counts of word and GPT-2 n-grams and as dense vectors. Call `build` to make one."""

    texts: Sequence[str]
    """The texts themselves, as given."""
    levels: Mapping[str, LevelCounts]
    """Counts by level: `word`, `gpt2`."""
    numbers: Mapping[str, NDArray[np.float64]]
    """Dense vectors by name: (N, p) each, not standardised."""

    @classmethod
    def build(
        cls, texts: Sequence[str], *, levels: Sequence[str] = _LEVELS, dense: Sequence[str] = ("readability",)
    ) -> FeatureTable:
        """Count the n-grams of `levels` and the numbers of `dense` for all texts.

        Nothing here depends on answers or on a split. Columns are sorted by word (code points) or by GPT-2 token id,
        so the order of the texts does not matter.

        Raises ValueError for a level or dense vector that does not exist.
        """
        for kind, names, known in (("level", levels, _LEVELS), ("dense vector", dense, _DENSE)):
            for name in names:
                if name not in known:
                    raise ValueError(unknown(kind, name, known).reason)
        pieces = cut(texts)
        counted = {level: _count(level, pieces) for level in levels}
        return cls(texts, counted, {name: _measure(name, texts, pieces) for name in dense})

    def of(self, rows: NDArray[np.int64]) -> FeatureTable:
        """The table of these texts alone, in this order, with all columns of this one."""
        levels = {name: replace(level, counts=level.counts[rows]) for name, level in self.levels.items()}
        texts = [self.texts[row] for row in rows.tolist()]
        return FeatureTable(texts, levels, {name: values[rows] for name, values in self.numbers.items()})

    @cached_property
    def bare(self) -> FeatureTable:
        """The same counts and numbers without texts and words, for `parts`: what is sent to other machines."""
        levels = {name: replace(level, words=()) for name, level in self.levels.items()}
        return replace(self, texts=(), levels=levels)

    def parts(
        self,
        vector: Vector,
        train: NDArray[np.int64],
        held: NDArray[np.int64],
        y: NDArray[np.int64],
        *,
        max_features: int = 20_000,
        upstream_counts: bool = False,
    ) -> Parts:
        """The training rows and the held-out rows as `vector`, in the order given.

        Vocabulary, weights, selection and scale come from the training rows alone; `ngrams.choose` has the formulas.
        `y` holds the answers of `train`, in the same order. Of a dense vector, columns that most texts lack come last.

        Raises ValueError if `y` and `train` differ in length, or if the table was built without the vector.
        """
        if len(train) != len(y):
            raise ValueError(f"{len(train)} training rows, but {len(y)} answers: give one answer per row")
        if vector.kind == "dense":
            if vector.name not in self.numbers:
                raise ValueError(f"the table was built without the dense vector {vector.name!r}")
            return self._scaled[vector.name].parts(train, held)
        level = self._level(vector.level)
        width = level.unigrams if vector.n == 1 else level.counts.shape[1]
        chosen = choose(
            level.counts, width, vector.weighting, train, y, max_features=max_features, upstream_counts=upstream_counts
        )
        return Parts(chosen.rows(train), chosen.rows(held), chosen.kept)

    def counts(self, level: str) -> csr_matrix:
        """(N, U + B) int32: how often each n-gram occurs in each text, unigrams first. Do not modify it."""
        return self._level(level).counts

    def presence(self, level: str) -> csr_matrix:
        """(N, U + B) int32: 1 if an n-gram occurs in a text."""
        counts = self._level(level).counts
        return csr_matrix((np.ones_like(counts.data), counts.indices, counts.indptr), shape=counts.shape)

    def unigrams(self, level: str) -> int:
        """U, the number of unigram columns of `level`; they come first."""
        return self._level(level).unigrams

    def ngram_text(self, level: str, column_id: int) -> str:
        """The n-gram of a column as text: `more than`. GPT-2 tokens are decoded and joined.

        A GPT-2 token that holds only part of a character becomes U+FFFD.
        """
        counted = self._level(level)
        parts = counted.parts(column_id)
        if level == "word":
            return " ".join(counted.words[part] for part in parts)
        return encoding().decode([int(counted.token_ids[part]) for part in parts])

    def spans(self, level: str, row: int, column_ids: Sequence[int]) -> list[tuple[int, int, int]]:
        """Occurrences of n-grams in the original text of `row`: (start, end, column id), ascending.

        Characters [start, end). A bigram extends from its first token to its second, whatever lies between. A GPT-2
        token that holds part of a character covers all of it. Each call computes them anew, which suits the few rows
        that a report highlights.
        """
        counted, text = self._level(level), self.texts[row]
        wanted = {counted.parts(column): int(column) for column in column_ids}
        parts = set(chain.from_iterable(wanted))
        if level == "word":
            columns = {counted.words[part]: part for part in parts}
            tokens = [(m.start(), m.end(), columns.get(m.group(), -1)) for m in WORD.finditer(fold(text))]
        else:
            numbers = {int(counted.token_ids[part]): part for part in parts}
            tokens = [(start, end, numbers.get(token, -1)) for start, end, token in _gpt2_tokens(fold(text))]
        spans = []
        for index, (start, end, part) in enumerate(tokens):
            if (part,) in wanted:
                spans.append((start, end, wanted[part,]))
            if index + 1 < len(tokens) and (part, tokens[index + 1][2]) in wanted:
                spans.append((start, tokens[index + 1][1], wanted[part, tokens[index + 1][2]]))
        # Tokens are found in the folded text, and its characters are then traced back to the original.
        origin = origins(text)
        starts = set(origin)
        return sorted((origin[s], _grown(origin[e - 1] + 1, starts, len(text)), column) for s, e, column in spans)

    def _level(self, level: str) -> LevelCounts:
        if level not in self.levels:
            raise ValueError(f"the table was built without the level {level!r}")
        return self.levels[level]

    @cached_property
    def _scaled(self) -> dict[str, _Numbers]:
        return {name: _Numbers(values) for name, values in self.numbers.items()}


def _grown(end: int, starts: set[int], length: int) -> int:
    # An accent typed as a separate character vanishes in folding, but belongs to the letter before it.
    while end < length and end not in starts:
        end += 1
    return end


def _gpt2_tokens(folded: str) -> list[tuple[int, int, int]]:
    """(start, end, token) in characters; a token that holds part of a character covers all of it."""
    tokeniser = encoding()
    # The index of the character that each byte belongs to.
    owner = [index for index, letter in enumerate(folded) for _ in letter.encode("utf-8")]
    tokens = []
    start = 0
    for token in encode(folded):
        end = start + len(tokeniser.decode_single_token_bytes(token))
        tokens.append((owner[start], owner[end - 1] + 1, token))
        start = end
    return tokens


class _Numbers:
    """A dense vector (N, p) as the probes see it: columns that are 0 in most texts are scaled, but keep their zeros.

    Which ones these are is seen from all texts, whatever their answers.
    """

    def __init__(self, values: NDArray[np.float64]) -> None:
        rare = 2 * np.count_nonzero(values, axis=0) < len(values)
        self.columns = np.argsort(rare, kind="stable").astype(np.int32)  # the rare ones come last
        self.common, self.rare = values[:, ~rare], csr_matrix(values[:, rare])

    def parts(self, train: NDArray[np.int64], held: NDArray[np.int64]) -> Parts:
        """Both by the mean and deviation of the rows of `train`; a column that is constant there is empty."""
        first, few = self.common[train], self.rare[train]
        mean = first.mean(axis=0)
        first -= mean
        deviation = np.sqrt(np.einsum("ij,ij->j", first, first) / len(train))
        # Rounding gives a constant column a deviation in proportion to its mean.
        varying = np.flatnonzero(deviation > 1e-9 * np.maximum(np.abs(mean), 1e-300))
        shares, squares = (np.bincount(few.indices, few.data**k, few.shape[1]) / len(train) for k in (1, 2))
        variance = squares - shares**2
        factors = np.where(variance > 1e-12 * squares, 1 / np.sqrt(np.maximum(variance, 1e-300)), 0.0)

        def scaled(centred: NDArray[np.float64], few: csr_matrix) -> csr_matrix:
            n, width = len(centred), len(varying)
            numbers, indices = centred[:, varying] / deviation[varying], np.tile(varying.astype(np.int32), n)
            wide = csr_matrix((numbers.ravel(), indices, np.arange(n + 1) * width), (n, len(mean)))
            rare = csr_matrix((few.data * factors[few.indices], few.indices, few.indptr), few.shape)
            return csr_matrix(hstack([wide, rare], format="csr"))

        return Parts(scaled(first, few), scaled(self.common[held] - mean, self.rare[held]), self.columns)


def _count(level: str, pieces: Pieces) -> LevelCounts:
    if level == "gpt2":
        return count(pieces.tokens(encode), np.arange(encoding().n_vocab, dtype=np.int32))
    ids: dict[str, int] = {}
    stream = pieces.tokens(lambda piece: [ids.setdefault(word, len(ids)) for word in WORD.findall(piece)])
    words = list(ids)
    counted = count(stream, sorted(range(len(words)), key=words.__getitem__))
    return replace(counted, words=[words[token] for token in counted.token_ids])


def _measure(name: str, texts: Sequence[str], pieces: Pieces) -> NDArray[np.float64]:
    if name == "format":
        from hansproof.audit.texts.formatting import format_numbers

        return format_numbers(texts)
    from hansproof.audit.texts.readability import grades, length, readability

    if name == "readability":
        return readability(texts, pieces)
    return grades(texts) if name == "grades" else length(texts)
