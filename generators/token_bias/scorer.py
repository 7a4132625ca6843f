"""How replies are read: the option, the yes or no, or the number that they give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from generators.answering.blind import BlindStrategy
from generators.answering.plain_scorer import PlainScorer
from generators.answering.scorer import ANSWER, Reading
from generators.item import Item
from generators.token_bias.blind import BLIND
from generators.token_bias.logic_blind import LOGIC_BLIND
from generators.token_bias.reading import LAST, read_number, read_option, read_yes_no

__all__ = ["SCORER", "TokenBiasScorer"]


class TokenBiasScorer(PlainScorer):
    """Options, yes and no are graded as in the paper; the blind strategies know how items are made."""

    readings: Mapping[str, str] = {LAST: "the last answer that the reply names; of numbers, the last one of races"}

    @property
    def blind(self) -> Sequence[BlindStrategy]:
        """See `blind.BLIND` and `logic_blind.LOGIC_BLIND`."""
        return _ALL

    def read(self, item: Item, reply: str) -> Reading:
        """The single option, the single yes or no, or the whole number that the reply gives."""
        if item.choices is None:
            return read_number(reply)
        read = read_option if item.choices[0].startswith("(") else read_yes_no
        return read(reply, item.choices)

    def chance(self, item: Item) -> Mapping[str, float]:
        """1 / number of options; a half where a stopwatch or a camera works, because two numbers make sense then."""
        return {ANSWER: 0.5} if "stopwatch_first" in item.metadata else super().chance(item)


_ALL = (*BLIND, *LOGIC_BLIND)

SCORER = TokenBiasScorer()
"""The only instance; it has no state."""
