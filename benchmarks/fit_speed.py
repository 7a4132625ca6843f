"""One fit at a time: our solvers beside scikit-learn's, on the same sparse matrices and one thread.

    python benchmarks/fit_speed.py [FOLDER_OR_FILE ...] [--repeat N] [--json FILE]

The matrices are the training rows of the twelve n-gram vectors under the `paper` protocol. L2 is fitted by newton-cg
and by lbfgs (which stops at 100 iterations, converged or not), L1 by liblinear, one label against the rest. Each
figure is the fastest of N fits, because other work on the machine only ever adds time.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the checkout, installed or not

from measured_process import ONE_THREAD, ROOT, numbered

os.environ.update(ONE_THREAD)  # before NumPy is imported

import numpy as np
from suite import collect

from audit.features.table import FeatureTable
from audit.features.vectors import THIRTEEN
from audit.loading import load
from audit.probe.folds import paper_split
from audit.probe.logistic import REGULARISATIONS, fit, prepare
from audit.probe.training import Training

__all__ = ["ratios"]


def ratios(path: str, repeat: int) -> dict[str, list[float]]:
    """Solver and penalty -> scikit-learn's seconds per second of ours, for each of the twelve n-gram vectors."""
    from ways.plain_way import classifiers

    benchmark = load(path)
    codes, labels = numbered(benchmark.answers)
    y = np.array(codes, dtype=np.int64)
    train = paper_split(len(y))[0]
    table = FeatureTable.build(benchmark.prompts, dense=())
    newton, published = dict(classifiers(labels, "newton-cg")), dict(classifiers(labels))
    slower: dict[str, list[float]] = {}
    for vector in THIRTEEN:
        if vector.kind != "ngram":
            continue
        X = table.design(vector, train, y[train]).X
        assert X is not None  # an n-gram vector is sparse
        X = X[train]
        for how in REGULARISATIONS:
            # `Training` prepares a matrix once for its three fits; here each fit pays for it.
            ours = _fastest(lambda X=X, how=how: fit(Training(X, y[train]), how), repeat)
            solvers = {"newton-cg": newton, "lbfgs": published} if how.penalty == "l2" else {"liblinear": newton}
            for solver, models in solvers.items():
                seconds = _fastest(lambda X=X, model=models[how.name]: model.fit(X, y[train]), repeat)
                slower.setdefault(f"{how.name}, {solver}", []).append(seconds / ours)
    return slower


def _fastest(call: Callable[[], object], repeat: int) -> float:
    seconds = []
    for _ in range(repeat):
        start = time.process_time()  # of one thread; what else the machine does hardly matters
        call()
        seconds.append(time.process_time() - start)
    return min(seconds)


def main() -> int:
    """Measure every benchmark and print one Markdown row each: median, lowest and highest ratio."""
    parser = argparse.ArgumentParser(description="Seconds per fit: scikit-learn's sparse solvers over ours.")
    shipped = str(ROOT / "datasets" / "planted-cues" / "1.0.0" / "unigram.jsonl")
    parser.add_argument("sources", nargs="*", default=[shipped], metavar="FOLDER_OR_FILE")
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="fits per figure (default: 3)")
    parser.add_argument("--json", metavar="FILE", help="write all ratios to FILE")
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # lbfgs says at every fit that it has not converged
    prepare()
    document = {entry.name: ratios(entry.path, options.repeat) for entry in collect(options.sources).entries}
    for number, (name, by_solver) in enumerate(document.items()):
        if number == 0:
            print(f"| benchmark | {' | '.join(by_solver)} |\n|---|{'--:|' * len(by_solver)}")
        cells = (f"{statistics.median(r):.1f} ({min(r):.1f} to {max(r):.1f})" for r in by_solver.values())
        print(f"| {name} | {' | '.join(cells)} |", flush=True)
    if options.json:
        Path(options.json).write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    return 0 if document else 2


if __name__ == "__main__":
    sys.exit(main())
