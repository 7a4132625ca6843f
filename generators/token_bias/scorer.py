"""How replies are scored: the option, the yes or no, or the number that they give."""

from __future__ import annotations

from collections.abc import Sequence

from hansproof.generators.answering.plain_scorer import PlainScorer
from hansproof.generators.answering.scorer import BlindStrategy
from hansproof.generators.token_bias.blind import BLIND

__all__ = ["SCORER"]


class TokenBiasScorer(PlainScorer):
    """Replies are read by the form of the answer; the blind strategies know how items are made."""

    @property
    def blind(self) -> Sequence[BlindStrategy]:
        """See `blind.BLIND`."""
        return BLIND


SCORER = TokenBiasScorer()
"""The only instance; it has no state."""
