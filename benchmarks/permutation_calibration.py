"""Are the permutation p-values honest? Relabels texts at random and counts how often p falls below its level.

The audit permutes answers against fixed out-of-fold predictions and does not refit the probes. Folds share training
items, so such a p could be too small. Here every relabelling is cross-fitted again, and its p is recorded.

    python benchmarks/permutation_calibration.py [--times 150] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from audit.features.table import FeatureTable
from audit.features.vectors import by_name
from audit.probe.crossfit import Fitting, crossfit
from audit.probe.logistic import prepare
from audit.statistics.resampling import permutation_p, permuted_labels, seeded

SAMPLE = Path(__file__).resolve().parents[1] / "datasets" / "planted-cues" / "1.0.0"
CASES = (("none", 200), ("none", 600), ("template-only", 600))
VECTORS = ("word-1-presence", "gpt2-2-tfidf")
LEVELS = (0.01, 0.05, 0.2)


def calibrate(subset: str, items: int, times: int) -> dict[str, dict[str, float]]:
    """Share of p-values at or below each level, by vector, over `times` relabellings of the first `items`."""
    lines = (SAMPLE / f"{subset}.jsonl").read_text(encoding="utf-8").splitlines()[:items]
    rows = [json.loads(line) for line in lines]
    gold = np.array([row["answer"] == "yes" for row in rows]).astype(np.int64)
    groups = np.unique([row["group"] for row in rows], return_inverse=True)[1]
    table = FeatureTable.build([row["prompt"] for row in rows], dense=())
    vectors = [by_name(name) for name in VECTORS]
    p_values = []
    for number, y in enumerate(permuted_labels(gold, groups, times, seeded(5, "relabel", subset, items))):
        scores = crossfit(table, y.copy(), groups, vectors, Fitting(2, number), scheme="grouped")
        predicted = np.stack([vector.predicted for vector in scores])
        p_values.append(permutation_p(y, predicted, groups, 199, seeded(number, "p"))[0])
    share = {level: (np.array(p_values) <= level).mean(axis=0) for level in LEVELS}
    return {name: {str(level): float(share[level][v]) for level in LEVELS} for v, name in enumerate(VECTORS)}


def main() -> None:
    """Run every case, print the shares, and write them with --json."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--times", type=int, default=150, help="relabellings per case (default: 150)")
    parser.add_argument("--json", metavar="FILE", help="also write the shares to FILE")
    options = parser.parse_args()
    prepare()
    result = {f"{subset}, {items} items": calibrate(subset, items, options.times) for subset, items in CASES}
    for case, vectors in result.items():
        for name, shares in vectors.items():
            shown = "  ".join(f"p <= {level}: {share:.3f}" for level, share in shares.items())
            print(f"{case:26s} {name:16s} {shown}")
    if options.json:
        Path(options.json).write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
