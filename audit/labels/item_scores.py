"""What the probe said about each item out of fold, in the order of the source."""

from __future__ import annotations

from collections.abc import Sequence

from audit.assessing.assessed import Assessed
from audit.benchmark import Benchmark
from audit.probes.crossfit import Ints, Scores
from audit.published.overlap import Overlap
from audit.result.explanation import ItemScore
from audit.texts.grouping import Groups

__all__ = ["item_scores"]


def item_scores(
    benchmark: Benchmark,
    order: Sequence[int],
    y: Ints,
    labels: Sequence[str],
    groups: Groups,
    assessed: Assessed[Scores],
    overlap: Overlap | None,
) -> list[ItemScore]:
    """One score per item, in source order, from the vector and scheme that the verdict is about.

    `order` (N,) is the place in the source of each item of `benchmark`, `y` (N,) the number of its answer among the
    `labels`. The paper's protocol and a published split score only their test part; `overlap` is what the parts of a
    published split share.
    """
    judgement = assessed.judgement
    scores = assessed.deciding.of(judgement.vector)
    predicted = scores.probabilities.argmax(axis=1)
    rows = scores.rows.tolist()
    shared = {} if overlap is None else _shared(overlap, benchmark.ids)
    in_source = sorted(range(len(rows)), key=lambda at: order[rows[at]])
    return [
        ItemScore(
            id=benchmark.ids[row],
            answer=labels[y[row]],
            predicted=labels[predicted[at]],
            correct=bool(predicted[at] == y[row]),
            probability=float(scores.probabilities[at, y[row]]),
            probabilities=dict(zip(labels, map(float, scores.probabilities[at]), strict=True)),
            group=int(groups.index[row]),
            vector=judgement.vector,
            scheme=judgement.scheme,
            shares=shared.get(at, (None, None))[0],
            train=shared.get(at, (None, None))[1],
        )
        for at, row in ((at, rows[at]) for at in in_source)
    ]


def _shared(overlap: Overlap, ids: Sequence[str]) -> dict[int, tuple[str, str]]:
    """(what is shared, id of the training item) by the place of each test item that shares something."""
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
