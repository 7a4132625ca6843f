"""How replies are read: the option, the yes or no, or the number that they give."""

from __future__ import annotations

from collections.abc import Sequence

from generators.answering.blind import BlindStrategy
from generators.answering.plain_scorer import PlainScorer
from generators.token_bias.blind import BLIND

__all__ = ["SCORER", "TokenBiasScorer"]


class TokenBiasScorer(PlainScorer):
    """Options are read as everywhere; the blind strategies know how the items are made."""

    @property
    def blind(self) -> Sequence[BlindStrategy]:
        """See `blind.BLIND`."""
        return BLIND


SCORER = TokenBiasScorer()
"""The only instance; it has no state."""
