"""What the probe said about each item out of fold, for authors who repair their items."""

from __future__ import annotations

import msgspec

__all__ = ["ItemScore"]


class ItemScore(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One item as seen by a probe that was fitted without it and without its group."""

    id: str
    answer: str
    """The gold answer."""
    predicted: str
    """The most probable answer, averaged over the splits."""
    correct: bool
    probability: float | None
    """Probability of the gold answer; 0 if the probe never saw that answer in training."""
    probabilities: dict[str, float]
    """Probability of every answer, in the order of the labels; empty where a strategy guesses open-ended answers."""
    group: int
    """Items with the same number always stay in the same fold."""
    vector: str
    """The feature vector's stable name, `word-2-tfidf`, or the strategy's."""
    scheme: str
    """`grouped`, `random`, `paper` or `published`."""
    shares: str | None = None
    """Under `published`, what the item shares with the training part: `duplicate`, `near-duplicate` or `template`."""
    train: str | None = None
    """Id of the training item that it shares it with."""
