"""What stands on the ladder, simplest first: names, what each rung sees, and which feature vectors it draws on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from audit.partial.choice import chosen_in_training
from audit.probes.crossfit import Ints, Scores
from audit.texts.vectors import THIRTEEN

__all__ = ["LABELS", "ORDER", "VECTORS", "FittedRung", "steps_of"]

LABELS = {
    "constant": "most common answer",
    "position": "position",
    "length": "length",
    "ngram": "one n-gram",
    "format": "format",
    "partial": "part of the prompt",
    "readability": "readability",
    "unigrams": "unigrams",
    "bigrams": "bigrams",
    "trees": "trees",
}
"""The rungs by stable name, simplest first, with their names in reports. Only options have a position."""

ORDER = tuple(LABELS)

VECTORS: dict[str, tuple[str, ...]] = {
    "length": ("length",),
    "format": ("format",),
    "readability": ("readability",),
    "unigrams": tuple(vector.name for vector in THIRTEEN if vector.n == 1),
    "bigrams": tuple(vector.name for vector in THIRTEEN if vector.n == 2),
}
"""The feature vectors of the rungs that share the fits of the audit; training chooses among several."""


@dataclass(frozen=True)
class FittedRung:
    """One rung with its predictions, before it is measured."""

    name: str
    sees: str
    scores: Scores
    """Its vector has the name of the rung."""


def steps_of(scores: Sequence[Scores], folds: Sequence[Ints]) -> list[FittedRung]:
    """The rungs that the cross-fitted vectors of an audit make, simplest first; those without a vector are left out."""
    known = {entry.vector.name: entry for entry in scores}
    steps = []
    for name, vectors in VECTORS.items():
        having = [known[vector] for vector in vectors if vector in known]
        if having:
            combined, often = chosen_in_training(name, LABELS[name], having, folds)
            steps.append(FittedRung(name, _sees(name, known[often].vector.label), combined))
    return steps


def _sees(name: str, label: str) -> str:
    if name in ("unigrams", "bigrams"):
        return f"{label} most often"
    return {"length": "characters, words, sentences, digits", "format": "case, lines, blanks, punctuation"}.get(
        name, "readability and diversity of the words"
    )
