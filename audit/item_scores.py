"""What the probe said about each item out of fold, for authors who repair their items."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from audit.assessment import Assessment

__all__ = ["ItemScore", "item_scores"]


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


def item_scores(assessment: Assessment) -> list[ItemScore]:
    """One score per item, in source order, from the vector and scheme that the verdict is about.

    The paper's protocol and a published split score only their test part.
    """
    scores = assessment.deciding.of(assessment.judgement.vector)
    labels, predicted = assessment.labels, scores.probabilities.argmax(axis=1)
    rows = scores.rows.tolist()
    shared = _shared(assessment)
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
            shares=shared.get(at, (None, None))[0],
            train=shared.get(at, (None, None))[1],
        )
        for at, row in ((at, rows[at]) for at in in_source)
    ]


def _shared(assessment: Assessment) -> dict[int, tuple[str, str]]:
    """(what is shared, id of the training item) by the place of each test item that shares something."""
    if assessment.published is None:
        return {}
    overlap, ids = assessment.published.overlap, assessment.benchmark.ids
    return {
        at: (kind, ids[other])
        for kind, others in (
            ("template", overlap.template),
            ("near-duplicate", overlap.near),
            ("duplicate", overlap.duplicate),
        )
        for at, other in enumerate(others.tolist())
        if other >= 0
    }
