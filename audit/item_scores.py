"""What the probe said about each item out of fold, for authors who repair their items."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from audit.assessment import Assessment

__all__ = ["ItemScore", "item_scores"]


class ItemScore(msgspec.Struct, frozen=True, kw_only=True):
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
    """Probability of every answer, in the order of the labels."""
    group: int
    """Items with the same number always stay in the same fold."""
    vector: str
    """The feature vector's stable name: `word-2-tfidf`."""
    scheme: str
    """`grouped`, `random` or `paper`."""


def item_scores(assessment: Assessment) -> list[ItemScore]:
    """One score per item, in source order, from the vector and scheme that the verdict is about.

    The paper's protocol scores only its test part, a fifth of the items.
    """
    scores = assessment.deciding.of(assessment.judgement.vector)
    labels, predicted = assessment.labels, scores.probabilities.argmax(axis=1)
    rows = scores.rows.tolist()
    in_source = sorted(range(len(rows)), key=lambda at: assessment.order[rows[at]])
    return [
        ItemScore(
            id=assessment.benchmark.ids[row],
            answer=labels[assessment.y[row]],
            predicted=labels[predicted[at]],
            correct=bool(predicted[at] == assessment.y[row]),
            probability=float(scores.probabilities[at, assessment.y[row]]),
            probabilities=dict(zip(labels, map(float, scores.probabilities[at]), strict=True)),
            group=int(assessment.groups.index[row]),
            vector=assessment.judgement.vector,
            scheme=assessment.judgement.scheme,
        )
        for at, row in ((at, rows[at]) for at in in_source)
    ]
