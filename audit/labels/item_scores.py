"""What the probe said about each item out of fold, in the order of the source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from audit.records.item_score import ItemScore

if TYPE_CHECKING:
    from audit.labels.assessment import Assessment

__all__ = ["item_scores"]


def item_scores(assessment: Assessment) -> list[ItemScore]:
    """One score per item, in source order, from the vector and scheme that the verdict is about.

    The paper's protocol and a published split score only their test part.
    """
    judgement = assessment.assessed.judgement
    scores = assessment.assessed.deciding.of(judgement.vector)
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
            vector=judgement.vector,
            scheme=judgement.scheme,
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
