"""How replies are scored: the option, the yes or no, or the number that they give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hansproof.generators.answering.plain_scorer import PlainScorer
from hansproof.generators.answering.scorer import ANSWER, BlindStrategy
from hansproof.generators.item import Item
from hansproof.generators.token_bias.blind import BLIND, LOGIC_BLIND

__all__ = ["SCORER"]


class TokenBiasScorer(PlainScorer):
    """Replies are read by the form of the answer; the blind strategies know how items are made."""

    @property
    def blind(self) -> Sequence[BlindStrategy]:
        """See `blind.BLIND` and `logic_blind.LOGIC_BLIND`."""
        return _ALL

    def chance(self, item: Item) -> Mapping[str, float]:
        """1 / number of options; a half where a stopwatch or a camera works, because two numbers make sense then."""
        return {ANSWER: 0.5} if "stopwatch_first" in item.metadata else super().chance(item)


_ALL = (*BLIND, *LOGIC_BLIND)

SCORER = TokenBiasScorer()
"""The only instance; it has no state."""
