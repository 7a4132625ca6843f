"""Made-up numbers of feature vectors under a fold scheme."""

from __future__ import annotations

from typing import Any

from hansproof.audit.result.audit_result import SchemeResult, VectorResult

__all__ = ["VECTORS", "scheme"]

VECTORS = [
    (f"{level}-{size}-{weighting}", f"{name} {grams}, {shown}", True)
    for level, name in (("word", "word"), ("gpt2", "GPT-2"))
    for size, grams in ((1, "1-grams"), (2, "1-2-grams"))
    for weighting, shown in (("tf", "TF"), ("tfidf", "TF-IDF"), ("presence", "presence"))
] + [("readability", "readability and diversity", True), ("grades", "readability grades (textstat)", False)]

WIGGLES = [
    0.011, 0.034, -0.023, 0.072, 0.093, 0.058, -0.011, 0.041, 0.017, 0.063, 0.087, 0.029, -0.176, -0.195,
]  # fmt: skip


def vector(index: int, base: float, half: float, paper: bool = False) -> VectorResult:
    name, label, counted = VECTORS[index]
    kappa = round(base + WIGGLES[index] * min(1.0, abs(base) + 0.2), 4)
    cohen = kappa if paper else round(kappa - 0.004, 4)
    low, high = round(kappa - half, 4), round(kappa + half, 4)
    return VectorResult(
        vector=name, label=label, counted=counted,
        matched=kappa, matched_low=low, matched_high=high, upper=high,
        bound=round(kappa - 1.7 * half, 4) if counted else None, split_sd=None if paper else 0.0123,
        cohen=cohen, cohen_low=round(cohen - half, 4), cohen_high=round(cohen + half, 4),
        uniform=round(kappa + 0.013, 4),
        accuracy=round(0.5 + kappa / 2, 4), balanced_accuracy=round(0.497 + kappa / 2, 4),
        p=0.001 if kappa > 0.1 else 0.231 + index / 100,
        p_corrected=None if not counted else (0.013 if kappa > 0.1 else 1.0),
        validation=round(kappa - 0.006 + index / 1000, 4),
        regularisation={"L1 C=1": 1} if paper else {"L1 C=0.1": 10, "L1 C=1": 20, "L2 C=1": 20},
        features=9 if index == 12 else 1200 + 311 * index,
    )  # fmt: skip


def scheme(name: Any, base: float, half: float = 0.055, **changes: Any) -> SchemeResult:
    paper = name == "paper"
    vectors = [vector(index, base, half, paper) for index in range(len(VECTORS))]
    best = max((entry for entry in vectors if entry.counted), key=lambda entry: entry.validation or 0)
    fields: dict[str, Any] = {
        "scheme": name, "splits": 1 if paper else 10, "scored": 320 if paper else 1600, "vectors": vectors,
        "headline": best.vector, "tied": [], "majority_accuracy": 0.534, "majority_uniform": 0.068,
        "p_floor": 0.001 if paper else 0.002, "sampling_stretch": 1.0 if paper else 1.21,
        "null_stretch": 1.0 if paper else 1.04,
    }  # fmt: skip
    return SchemeResult(**(fields | changes))
