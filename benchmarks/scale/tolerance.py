"""How far loose L1 fits move kappa: the written reason of `audit.probes.folds.LOOSE`.

    python benchmarks/scale/tolerance.py FILE ... [--vectors NAME ...] [--tolerance T]

For each file and vector, L1 is fitted on three fifths of the items to the usual tolerance and to the loose one, and the
kappas of matched predictions of the rest are compared, beside the standard error that so many items leave.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from hansproof.audit.probes.folds import LOOSE, fold_numbers
from hansproof.audit.probes.logistic import REGULARISATIONS, Model, Training, fit
from hansproof.audit.reading.loading import load
from hansproof.audit.statistics import kappa
from hansproof.audit.statistics.kappa import matched
from hansproof.audit.statistics.permutation import seeded
from hansproof.audit.texts.feature_table import FeatureTable
from hansproof.audit.texts.vectors import FURTHER, THIRTEEN, by_name

__all__ = ["main"]

Ints = NDArray[np.int64]


def main(arguments: list[str] | None = None) -> int:
    """Print one line per file, vector and regularisation, and the largest and mean difference."""
    parser = argparse.ArgumentParser(description="Kappa of loose L1 fits beside that of converged ones.")
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--vectors", nargs="*", default=[vector.name for vector in (*THIRTEEN, *FURTHER)])
    parser.add_argument("--tolerance", type=float, default=LOOSE, help="of the loose fits (default: the audit's)")
    options = parser.parse_args(arguments)
    differences = [
        difference for file in options.files for difference in _differences(file, [*options.vectors], options.tolerance)
    ]
    size = np.abs(differences)
    print(f"{len(size)} pairs of fits: kappa differs by {size.max():.4f} at most, by {size.mean():.5f} on average")
    return 0


def _differences(file: str, vectors: list[str], loose: float) -> list[float]:
    benchmark = load(file, max_left_out=1)
    number = {label: c for c, label in enumerate(dict.fromkeys(benchmark.answers))}
    y = np.array([number[answer] for answer in benchmark.answers], dtype=np.int64)
    fold = fold_numbers(y, np.arange(len(y)), 5, seeded(42, "tolerance"))
    train, test = np.flatnonzero(fold < 3), np.flatnonzero(fold >= 3)
    table = FeatureTable.build(benchmark.prompts, dense=("readability", "length", "format"))
    differences = []
    for name in vectors:
        parts = table.parts(by_name(name), train, test, y[train])
        training = Training(parts.train, y[train])
        for how in REGULARISATIONS[1:]:
            values, seconds = [], []
            for tolerance in (how.tolerance, loose):
                begun = time.process_time()
                model = fit(training, replace(how, tolerance=tolerance))
                seconds.append(time.process_time() - begun)
                values.append(_kappa(model, parts.held, y[train], y[test], len(number)))
            differences.append(values[1] - values[0])
            print(
                f"{Path(file).stem:24} {name:18} {how.name:9} {values[0]:7.4f} {values[1] - values[0]:+.4f} "
                f"{seconds[0]:7.2f} s {seconds[1]:6.2f} s  standard error {1 / np.sqrt(len(test)):.4f}"
            )
    return differences


def _kappa(model: Model, held: object, seen: Ints, gold: Ints, labels: int) -> float:
    shares = np.bincount(seen, minlength=labels) / len(seen)
    predicted = matched(model.probabilities(held, labels), shares)  # type: ignore[arg-type]
    return float(np.nan_to_num(kappa.cohen(kappa.confusion(gold, predicted, labels))))


if __name__ == "__main__":
    sys.exit(main())
