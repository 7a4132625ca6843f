"""The visible table of feature vectors: the thirteen of the published protocol, and further ones.

It holds names only and imports nothing heavy. The command line, the reports and the probes all read it;
`audit.texts.feature_table` turns a `Vector` into numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from hansproof.generators.errors import unknown

__all__ = ["FURTHER", "GRADES", "THIRTEEN", "Vector", "by_name"]

Kind = Literal["ngram", "dense", "given"]
Level = Literal["word", "gpt2", ""]
Weighting = Literal["tf", "tfidf", "presence", ""]


@dataclass(frozen=True)
class Vector:
    """One way of turning a text into numbers, after Pacchiardi et al. (2024)."""

    name: str
    """Stable name for files and options: `word-2-tfidf`."""
    label: str
    """Label in reports: `word 1-2-grams, TF-IDF`."""
    kind: Kind
    """`given`: no features at all, but predictions that were made elsewhere."""
    level: Level
    """What the n-grams are made of; empty for others."""
    n: int
    """1: unigrams; 2: unigrams and bigrams together; 0 for dense vectors."""
    weighting: Weighting
    """Empty for dense vectors."""
    table: str = "text"
    """Which table of a task it is drawn from: labels have one, of their texts; options have several."""


_LEVELS: tuple[tuple[Level, str], ...] = (("word", "word"), ("gpt2", "GPT-2"))
_WEIGHTINGS: tuple[tuple[Weighting, str], ...] = (("tf", "TF"), ("tfidf", "TF-IDF"), ("presence", "presence"))

# Fixed, because tables keep this order and it breaks ties between vectors.
THIRTEEN: tuple[Vector, ...] = (
    *(
        Vector(
            f"{level}-{n}-{weighting}",
            f"{of} {'1-grams' if n == 1 else '1-2-grams'}, {how}",
            "ngram",
            level,
            n,
            weighting,
        )
        for level, of in _LEVELS
        for n in (1, 2)
        for weighting, how in _WEIGHTINGS
    ),
    Vector("readability", "readability and diversity", "dense", "", 0, ""),
)

FURTHER: tuple[Vector, ...] = (
    Vector("length", "length", "dense", "", 0, ""),
    Vector("format", "format", "dense", "", 0, ""),
)
"""Measured in every audit of the default protocol, beside the thirteen."""

GRADES = Vector("grades", "reading grades (textstat)", "dense", "", 0, "")
"""Shown on request only: textstat loads nltk, scikit-learn and pandas. Never part of the verdict."""


def by_name(name: str) -> Vector:
    """The vector called `name`.

    Raises UsageError if there is none; the message lists all names.
    """
    vectors = {vector.name: vector for vector in (*THIRTEEN, *FURTHER, GRADES)}
    if name not in vectors:
        raise unknown("feature vector", name, vectors)
    return vectors[name]
