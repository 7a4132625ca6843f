"""Guesses as numbers: each different text is normalised once, however many strategies and items give it."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from audit.openended.golds import Golds, key_of, tokens

__all__ = ["NOTHING", "Wordings"]

NOTHING = -1
"""The number of no guess."""
_LONGEST = 300
"""Characters of a guess that are kept: nobody's gold is a page."""
_MOST = 2_000
"""Characters of a text whose words count for F1."""


class Wordings:
    """The texts of all guesses. The first K are those of the K gold answers."""

    def __init__(self, golds: Golds) -> None:
        self.texts = list(golds.texts)
        self._any_unit = golds.any_unit
        self._keys = {key: number for number, key in enumerate(golds.keys)}
        self._gold = list(range(len(self.texts)))
        self._number = {text: number for number, text in enumerate(self.texts)}
        self._quantities: dict[Decimal, int] = {}
        self._tokens: dict[int, list[str]] = {}

    def of(self, guess: str | None) -> int:
        """The number of a text; `NOTHING` for None and for blanks."""
        guess = guess[:_LONGEST].strip() if guess else None
        if not guess:
            return NOTHING
        number = self._number.get(guess)
        if number is None:
            number = self._number[guess] = len(self.texts)
            self.texts.append(guess)
            self._gold.append(self._keys.get(key_of(guess, any_unit=self._any_unit), NOTHING))
        return number

    def of_number(self, guess: Decimal | None) -> int:
        """The number of the text of a number, without an exponent."""
        if guess is None:
            return NOTHING
        number = self._quantities.get(guess)
        if number is None:
            # Within these bounds it is written out; beyond them nobody's gold is.
            plain = abs(guess.adjusted()) < 2 * _LONGEST // 10
            number = self._quantities[guess] = self.of(f"{guess:f}" if plain else str(guess))
        return number

    @property
    def gold(self) -> NDArray[np.int64]:
        """(T,) the number of the gold answer that each text is, -1 for a text that is nobody's gold."""
        return np.array(self._gold, dtype=np.int64)

    def tokens(self, number: int) -> list[str]:
        """The words of a text, for F1."""
        known = self._tokens.get(number)
        if known is None:
            known = self._tokens[number] = tokens(self.texts[number][:_MOST])
        return known
