"""Pieces: N texts are cut once, so that each tokeniser sees every distinct piece once instead of every text.

A piece is a run of white space and the run of other characters after it (`\\nContext:`, ` is`). No word and no GPT-2
token crosses from one piece into the next, so the tokens of a text are the tokens of its pieces.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from audit.features.folding import fold

__all__ = ["Pieces", "TokenStream", "cut"]

# Unicode's White_Space, as in GPT-2's own pattern. Python's \s would add U+001C to U+001F.
_SPACE = r"\t\n\x0b\x0c\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_PIECE = re.compile(rf"[{_SPACE}]*[^{_SPACE}]+|[{_SPACE}]+")


@dataclass(frozen=True)
class TokenStream:
    """The tokens of N texts, one text after the other."""

    tokens: NDArray[np.int32]
    """(T,) token ids."""
    starts: NDArray[np.int64]
    """(N + 1,): text i has tokens[starts[i]:starts[i + 1]]."""


@dataclass(frozen=True)
class Pieces:
    """N folded texts as ids of distinct pieces."""

    distinct: list[str]
    """Every piece, by first occurrence."""
    ids: NDArray[np.int32]
    """(P,) the pieces of all texts, one text after the other."""
    starts: NDArray[np.int64]
    """(N + 1,): text i has ids[starts[i]:starts[i + 1]]."""

    def tokens(self, tokenise: Callable[[str], Iterable[int]]) -> TokenStream:
        """All texts as token ids. `tokenise` is called once per distinct piece, in order."""
        flat = array("i")
        ends = [0]
        for piece in self.distinct:
            flat.extend(tokenise(piece))
            ends.append(len(flat))
        offsets = np.asarray(ends, dtype=np.int64)
        sizes = np.diff(offsets)[self.ids]
        ends_of_pieces = np.concatenate(([0], np.cumsum(sizes)))
        # int32 halves the memory where it suffices: no other array is as large.
        index = np.int32 if ends_of_pieces[-1] < 2**31 else np.int64
        # The index in `flat` of each token: the offset of its piece, less all tokens before the piece, plus its own.
        source = np.repeat((offsets[self.ids] - ends_of_pieces[:-1]).astype(index), sizes)
        source += np.arange(ends_of_pieces[-1], dtype=index)
        return TokenStream(np.asarray(flat, dtype=np.int32)[source], ends_of_pieces[self.starts])


class _Ids(dict[str, int]):
    """Numbers each new key in order of first occurrence."""

    def __missing__(self, key: str) -> int:
        number = self[key] = len(self)
        return number


def cut(texts: Sequence[str]) -> Pieces:
    """The pieces of the folded texts; an empty text has none."""
    ids = _Ids()
    flat = array("i")
    ends = [0]
    for text in texts:
        flat.extend(map(ids.__getitem__, _PIECE.findall(fold(text))))
        ends.append(len(flat))
    return Pieces(list(ids), np.asarray(flat, dtype=np.int32), np.asarray(ends, dtype=np.int64))
