"""Made-up numbers of feature vectors under a fold scheme."""

from __future__ import annotations

from typing import Any

from audit.result import SchemeResult, VectorResult

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
    cohen = round(base + WIGGLES[index] * min(1.0, abs(base) + 0.2), 4)
    return VectorResult(
        vector=name, label=label, counted=counted, cohen=cohen, uniform=round(cohen + 0.013, 4),
        cohen_low=None if paper else round(cohen - half, 4),
        cohen_high=None if paper else round(cohen + 0.9 * half, 4),
        accuracy=round(0.5 + cohen / 2, 4), balanced_accuracy=round(0.497 + cohen / 2, 4),
        p=None if paper else (0.001 if cohen > 0.1 else 0.231 + index / 100),
        p_holm=None if paper or not counted else (0.013 if cohen > 0.1 else 1.0),
        validation_accuracy=round(0.503 + cohen / 2 + index / 1000, 4),
        regularisation=["L1 C=1"] if paper else ["L2 C=1", "L1 C=1", "L1 C=1", "L1 C=0.1", "L2 C=1"],
        features=9 if index == 12 else 1200 + 311 * index,
    )  # fmt: skip


def scheme(name: Any, base: float, half: float = 0.055, **changes: Any) -> SchemeResult:
    paper = name == "paper"
    vectors = [vector(index, base, half, paper) for index in range(len(VECTORS))]
    best = max((entry for entry in vectors if entry.counted), key=lambda entry: entry.validation_accuracy or 0)
    fields: dict[str, Any] = {
        "scheme": name, "folds": 1 if paper else 5, "scored": 320 if paper else 1600, "vectors": vectors,
        "headline": best.vector, "tied": [], "majority_accuracy": 0.534, "majority_uniform": 0.068,
        "detectable": None if paper else 0.081,
    }  # fmt: skip
    return SchemeResult(**(fields | changes))
