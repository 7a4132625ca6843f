"""Sentences: counted by nupunkt, which splits each distinct line once. Texts are not folded: case matters here.

Prompts repeat their sentences in ever new orders, so lines are cut first where that changes nothing, and each part is
split once.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["count_sentences"]

_LETTER = re.compile(r"[^\W\d_]")
_END = re.compile(r"[.?!\u2026]")
"""What nupunkt takes for a possible end of a sentence."""
_NUMBERED = re.compile(r"\d{1,3}\. (?=[^\W_])(?=[^\s.?!\u2026]*(?:\s|$))")
"""The number of an item, which nupunkt leaves with its sentence if the next word holds no possible end."""
_LAST_WORD = re.compile(r"[^\s.?!\u2026]*[^\W_]")
_NEXT_WORD = re.compile(r"[^\W_][^\s.?!\u2026]*")

_REMEMBERED = 1 << 17
"""The most parts of lines to remember: texts that never repeat a sentence would only fill memory."""


def count_sentences(texts: Sequence[str]) -> NDArray[np.int32]:
    """(N,) int32: number of sentences in each text; 0 for a text without letters.

    A line end always ends a sentence, because prompts are often lists of lines that nupunkt alone would join. A run
    without letters (dashes, the number of an item) is not a sentence.
    """
    counter = _Counter()
    known: dict[str, int] = {}
    totals = np.zeros(len(texts), dtype=np.int32)
    for row, text in enumerate(texts):
        total = 0
        for line in text.splitlines():
            number = known.get(line)
            if number is None:
                known[line] = number = counter.line(line)
            total += number
        totals[row] = total
    return totals


class _Counter:
    """Counts the sentences of lines, and remembers parts of them."""

    def __init__(self) -> None:
        import nupunkt

        self._split = nupunkt.sent_tokenize
        self._parts: dict[str, int] = {}
        self._ends: dict[tuple[str, str], bool] = {}

    def line(self, line: str) -> int:
        """Sentences with letters in one line.

        nupunkt decides about a full stop by the word that it closes and the word that follows, unless that is the first
        word of the line (`1.`) or one of them has other marks that may end a sentence. Where those two words end a
        sentence wherever they stand, what comes before and what comes after can be counted apart.
        """
        begin = 0
        if numbered := _NUMBERED.match(line):
            begin = numbered.end()
        total, pieces = 0, line[begin:].split(". ")
        part = pieces[0]
        for piece in pieces[1:]:
            if self._is_end(part, piece):
                total += self._part(part + ".")
                part = piece
            else:
                part = f"{part}. {piece}"
        return total + self._part(part)

    def _is_end(self, before: str, after: str) -> bool:
        earlier, _, last = before.rpartition(" ")
        following, more, _ = after.partition(" ")
        if not more or not earlier.strip():  # a first word may be the number of an item
            return False
        end = self._ends.get((last, following))
        if end is None:
            clear = _LAST_WORD.fullmatch(last) and _NEXT_WORD.fullmatch(following)
            end = clear is not None and len(self._split(f"a {last}. {following}")) == 2
            self._ends[last, following] = end
        return end

    def _part(self, part: str) -> int:
        number = self._parts.get(part)
        if number is None:
            end = _END.search(part)
            if end is None or _LETTER.search(part, end.end()) is None:  # nothing follows that could be a second one
                number = int(_LETTER.search(part) is not None)
            else:
                number = sum(_LETTER.search(sentence) is not None for sentence in self._split(part))
            if len(self._parts) < _REMEMBERED:
                self._parts[part] = number
        return number
