"""The paper's protocol as the audit computes it, for `audit_speed` to time in its own process.

The clock covers `FeatureTable.build` and `single_split` on all cores: everything from the texts to the thirteen
kappas. One thread counts while another one fits. Imports and the compilation of the solvers, once per machine, come
before.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

import numpy as np
from measured_process import Outcome, run
from numpy.typing import NDArray

from hansproof.audit.probes.crossfit import Fitting, single_split
from hansproof.audit.probes.logistic import prepare
from hansproof.audit.probes.task import LabelTask
from hansproof.audit.statistics import kappa
from hansproof.audit.texts.feature_table import FeatureTable
from hansproof.audit.texts.vectors import THIRTEEN

__all__ = ["probe"]

Ints = NDArray[np.int64]


def probe(texts: Sequence[str], y: Ints, labels: int) -> dict[str, Outcome]:
    """Each of the thirteen vectors: 39 fits on N texts with label numbers y (N,)."""
    cores = os.cpu_count() or 1
    table = FeatureTable.build(texts)
    outcomes = {}
    for scores in single_split(LabelTask.of(table, y, labels), THIRTEEN, Fitting(42, workers=cores)):
        counts = kappa.confusion(y[scores.units], scores.predicted[0].astype(np.int64), labels)
        # `rows` are ascending; the other ways keep the order of the split.
        place = {row: at for at, row in enumerate(scores.units.tolist())}
        predicted = [int(scores.predicted[0, place[row]]) for row in _test_rows(len(y))]
        outcomes[scores.vector.name] = Outcome(
            cohen=float(kappa.cohen(counts)),
            uniform=float(kappa.uniform(counts)),
            validation_accuracy=scores.validation,
            regularisation=scores.regularisation[0],
            predicted=predicted,
        )
    return outcomes


def _test_rows(n: int) -> list[int]:
    from hansproof.audit.probes.folds import paper_split

    rows: list[int] = paper_split(n)[2].tolist()
    return rows


def warm_up() -> Callable[[Sequence[str], Ints, int], dict[str, Outcome]]:
    """Load what loads on first use, compile the solvers, and return the function to time."""
    FeatureTable.build(["Nothing is counted yet.", "This only warms up."])
    prepare()
    return probe


if __name__ == "__main__":
    run(warm_up)
