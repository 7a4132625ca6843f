"""Finding n-grams again in an original text, so that a report can highlight them.

Tokens are found in the folded text, whose characters are then followed back to where they came from.
"""

from __future__ import annotations

from itertools import chain

from audit.features.folding import fold, origins
from audit.features.ngrams import LevelCounts
from audit.features.words import WORD

__all__ = ["find_spans"]


def find_spans(
    text: str, level: str, counted: LevelCounts, words: list[str], wanted: dict[tuple[int, ...], int]
) -> list[tuple[int, int, int]]:
    """(start, end, column id) of the n-grams of `wanted` in `text`, by start, end and column.

    `wanted` maps the unigram columns that make up an n-gram to its column id.
    """
    parts = set(chain.from_iterable(wanted))
    if level == "word":
        columns = {words[part]: part for part in parts}
        tokens = [(m.start(), m.end(), columns.get(m.group(), -1)) for m in WORD.finditer(fold(text))]
    else:
        numbers = {int(counted.token_ids[part]): part for part in parts}
        tokens = [(start, end, numbers.get(token, -1)) for start, end, token in _gpt2_tokens(fold(text))]
    origin = origins(text)
    starts = set(origin)
    found = []
    for index, (start, end, part) in enumerate(tokens):
        if (part,) in wanted:
            found.append((start, end, wanted[part,]))
        if index + 1 < len(tokens) and (part, tokens[index + 1][2]) in wanted:
            found.append((start, tokens[index + 1][1], wanted[part, tokens[index + 1][2]]))
    return sorted((origin[s], _grown(origin[e - 1] + 1, starts, len(text)), column) for s, e, column in found)


def _grown(end: int, starts: set[int], length: int) -> int:
    # Accents typed as characters of their own vanish in folding; they belong to the letter before them.
    while end < length and end not in starts:
        end += 1
    return end


def _gpt2_tokens(folded: str) -> list[tuple[int, int, int]]:
    """(start, end, token) in characters; a token that holds part of a character covers the whole of it."""
    from audit.features.gpt2 import encoding

    tokeniser = encoding()
    # The character that each byte belongs to.
    owner = [index for index, letter in enumerate(folded) for _ in letter.encode("utf-8")]
    tokens = []
    start = 0
    for token in tokeniser.encode_ordinary(folded):
        end = start + len(tokeniser.decode_single_token_bytes(token))
        tokens.append((owner[start], owner[end - 1] + 1, token))
        start = end
    return tokens
