"""Word tokens: runs of at least two word characters in the folded text, as in scikit-learn's CountVectorizer."""

from __future__ import annotations

import re

__all__ = ["WORD", "WordIds"]

WORD = re.compile(r"\b\w\w+\b")


class WordIds:
    """Gives each word a number, in order of first occurrence."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}

    def tokenise(self, piece: str) -> list[int]:
        """The ids of the words of one piece."""
        ids = self._ids
        return [ids.setdefault(word, len(ids)) for word in WORD.findall(piece)]

    @property
    def words(self) -> list[str]:
        """All words so far, by id."""
        return list(self._ids)
