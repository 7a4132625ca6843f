"""What a reader of the numbers of labels must know besides: saved effort, stray answers, trees."""

from __future__ import annotations

import numpy as np

from audit.labels.assessment import Assessment
from audit.probes.crossfit import Scores
from audit.probes.kappas import STRAY
from audit.probes.logistic import Regularisation
from audit.verdict.reasons import saved_effort, scheme_notes

__all__ = ["notes_on"]


def notes_on(assessment: Assessment, scores: Scores, shown: Regularisation, *, ungrouped: bool = False) -> list[str]:
    """Notes on what was measured; `scores` are those of the evidence, `shown` the model behind its n-gram weights.

    `ungrouped` says that the user switched groups off.
    """
    done = assessment.assessed
    notes = scheme_notes([scheme.result for scheme in done.schemes], done.one_run, ungrouped=ungrouped)
    saved = saved_effort(
        assessment.effort,
        len(assessment.y),
        "refitting, injected cues and clean texts",
        labels=len(assessment.labels),
    )
    return notes + saved + _trees(scores, shown) + _stray(assessment)


def _trees(scores: Scores, shown: Regularisation) -> list[str]:
    """Trees have no weight per n-gram and answer, so their evidence comes from a regression."""
    trees = scores.regularisation.count("trees")
    if not trees:
        return []
    times = len(scores.regularisation)
    folds = "the single split" if times == 1 else f"{trees} of {times} folds"
    return [
        f"gradient-boosted trees scored {scores.vector.label} on {folds}. Trees have no weight per n-gram, so the "
        f"n-grams shown are those of the linear probe {shown.name} on the same feature vector; the probabilities of "
        f"the items are those of the models that scored them"
    ]


def _stray(assessment: Assessment) -> list[str]:
    counts = np.bincount(assessment.y)
    stray = [assessment.labels[c] for c in np.flatnonzero(counts < STRAY * len(assessment.y)).tolist()]
    if not stray:
        return []
    return [
        f"fewer than {100 * STRAY:.0f} % of the items have the answer {' or '.join(map(repr, stray[:5]))}; the "
        f"uniform-chance kappa of the most common answer does not count such rare answers"
    ]
