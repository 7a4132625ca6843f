"""Pieces: N texts are cut once, so that each tokeniser sees every distinct piece once instead of every text.

A piece is a run of white space and the run of other characters after it (`\\nContext:`, ` is`). No word and no GPT-2
token crosses from one piece into the next, so the tokens of a text are the tokens of its pieces.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from audit.features.compiled import kernel
from audit.features.tokens.folding import fold

__all__ = ["Pieces", "TokenStream", "cut"]

# Unicode's White_Space, as in GPT-2's own pattern. Python's isspace would add U+001C to U+001F.
_IS_SPACE = np.zeros(0x3001, dtype=np.bool_)
_IS_SPACE[[*range(9, 14), 0x20, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000]] = (
    True
)

_BATCH = 1 << 20
"""How many characters are cut at once, at least: enough for speed, and few enough to hold four bytes for each."""


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


def cut(texts: Sequence[str]) -> Pieces:
    """The pieces of the folded texts; an empty text has none."""
    number: dict[str, int] = {}
    ids, sizes = [np.empty(0, dtype=np.int32)], [np.zeros(1, dtype=np.int64)]
    for batch in _batches(texts):
        joined = "".join(batch)
        codes = np.frombuffer(joined.encode("utf-32-le"), dtype="<u4").astype(np.uint32, copy=False)
        ends = np.cumsum([len(text) for text in batch], dtype=np.int64)
        # Pieces that follow one another in a text have white space between them.
        most = len(codes) // 2 + len(batch)
        local, counts = np.empty(most, dtype=np.int32), np.empty(len(batch), dtype=np.int64)
        begins, stops = np.empty(most, dtype=np.int64), np.empty(most, dtype=np.int64)
        table = np.full(1 << (2 * most).bit_length(), -1, dtype=np.int32)
        pieces, distinct = _number(codes, ends, _IS_SPACE, local, counts, begins, stops, table)
        spans = zip(begins[:distinct].tolist(), stops[:distinct].tolist(), strict=True)
        numbers = [number.setdefault(joined[begin:stop], len(number)) for begin, stop in spans]
        ids.append(np.array(numbers, dtype=np.int32)[local[:pieces]])
        sizes.append(counts)
    return Pieces(list(number), np.concatenate(ids), np.cumsum(np.concatenate(sizes)))


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    """The folded texts in lists of about `_BATCH` characters."""
    batch: list[str] = []
    room = _BATCH
    for text in texts:
        batch.append(fold(text))
        room -= len(batch[-1])
        if room <= 0:
            yield batch
            batch, room = [], _BATCH
    if batch:
        yield batch


@kernel
def _number(codes, ends, is_space, ids, counts, begins, stops, table):  # type: ignore[no-untyped-def]
    """Number the different pieces of texts that end at `ends`; returns how many pieces there are, and how many differ.

    Fills the `ids` of all pieces, how many each text has (`counts`), and where the first of each kind `begins` and
    `stops`. `table` has a power of two of places, all -1, for open addressing.
    """
    used, distinct, at, mask = 0, 0, 0, np.uint64(table.shape[0] - 1)
    for text in range(ends.shape[0]):
        before = used
        while at < ends[text]:
            begin, inside, mixed = at, False, np.uint64(0)
            while at < ends[text]:
                code = codes[at]
                if code < is_space.shape[0] and is_space[code]:
                    if inside:
                        break
                else:
                    inside = True
                mixed = (mixed ^ np.uint64(code)) * np.uint64(0x9E3779B97F4A7C15)
                mixed ^= mixed >> np.uint64(29)
                at += 1
            place = (mixed >> np.uint64(20)) & mask
            while True:
                known = table[place]
                if known < 0:
                    table[place] = known = distinct
                    begins[distinct], stops[distinct] = begin, at
                    distinct += 1
                    break
                if stops[known] - begins[known] == at - begin:
                    k = 0
                    while k < at - begin and codes[begins[known] + k] == codes[begin + k]:
                        k += 1
                    if k == at - begin:
                        break
                place = (place + np.uint64(1)) & mask
            ids[used] = known
            used += 1
        counts[text] = used - before
    return used, distinct
