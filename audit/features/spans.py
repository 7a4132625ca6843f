"""Spans: where n-grams occur in an original text, so that a report can highlight them.

Tokens are found in the folded text, and its characters are then traced back to the original.
"""

from __future__ import annotations

from itertools import chain

from audit.features.ngrams import LevelCounts
from audit.features.tokens.folding import fold, origins
from audit.features.tokens.words import WORD

__all__ = ["find_spans"]


def find_spans(
    text: str, level: str, counted: LevelCounts, wanted: dict[tuple[int, ...], int]
) -> list[tuple[int, int, int]]:
    """(start, end, column id) of each occurrence in `text` of an n-gram in `wanted`, sorted.

    `wanted` maps the unigram columns of an n-gram to its column id.
    """
    parts = set(chain.from_iterable(wanted))
    if level == "word":
        columns = {counted.words[part]: part for part in parts}
        tokens = [(m.start(), m.end(), columns.get(m.group(), -1)) for m in WORD.finditer(fold(text))]
    else:
        numbers = {int(counted.token_ids[part]): part for part in parts}
        tokens = [(start, end, numbers.get(token, -1)) for start, end, token in _gpt2_tokens(fold(text))]
    origin = origins(text)
    starts = set(origin)
    spans = []
    for index, (start, end, part) in enumerate(tokens):
        if (part,) in wanted:
            spans.append((start, end, wanted[part,]))
        if index + 1 < len(tokens) and (part, tokens[index + 1][2]) in wanted:
            spans.append((start, tokens[index + 1][1], wanted[part, tokens[index + 1][2]]))
    return sorted((origin[s], _grown(origin[e - 1] + 1, starts, len(text)), column) for s, e, column in spans)


def _grown(end: int, starts: set[int], length: int) -> int:
    # An accent typed as a separate character vanishes in folding, but belongs to the letter before it.
    while end < length and end not in starts:
        end += 1
    return end


def _gpt2_tokens(folded: str) -> list[tuple[int, int, int]]:
    """(start, end, token) in characters; a token that holds part of a character covers all of it."""
    from audit.features.tokens.gpt2 import encode, encoding

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
