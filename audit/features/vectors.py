"""The visible table of feature vectors: the thirteen that decide a verdict, and further ones beside them.

Names only, nothing heavy is imported: the command line, the reports and the probes all read from here, and
`audit.features.table` turns a `Vector` into numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

from generators.errors import UsageError

__all__ = ["FURTHER", "THIRTEEN", "Kind", "Level", "Vector", "Weighting", "by_name"]

Kind = Literal["ngram", "dense"]
Level = Literal["word", "gpt2", ""]
Weighting = Literal["tf", "tfidf", "presence", ""]

_LEVEL_LABELS: tuple[tuple[Level, str], ...] = (("word", "word"), ("gpt2", "GPT-2"))
_WEIGHTING_LABELS: tuple[tuple[Weighting, str], ...] = (
    ("tf", "TF"),
    ("tfidf", "TF-IDF"),
    ("presence", "presence"),
)


@dataclass(frozen=True)
class Vector:
    """One way of turning a text into numbers, after Pacchiardi et al. (2024)."""

    name: str
    """Stable name for files and options: `word-2-tfidf`."""
    label: str
    """For people: `word 1-2-grams, TF-IDF`."""
    kind: Kind
    level: Level
    """What the n-grams are made of; empty for dense vectors."""
    n: int
    """1: unigrams; 2: unigrams and bigrams together; 0 for dense vectors."""
    weighting: Weighting
    """Empty for dense vectors."""


def _ngram_vectors() -> tuple[Vector, ...]:
    return tuple(
        Vector(
            name=f"{level}-{n}-{weighting}",
            label=f"{level_label} {'1-grams' if n == 1 else '1-2-grams'}, {weighting_label}",
            kind="ngram",
            level=level,
            n=n,
            weighting=weighting,
        )
        for level, level_label in _LEVEL_LABELS
        for n in (1, 2)
        for weighting, weighting_label in _WEIGHTING_LABELS
    )


# The order is fixed: it is the order of tables, and it breaks ties between vectors.
THIRTEEN: tuple[Vector, ...] = (
    *_ngram_vectors(),
    Vector("readability", "readability and diversity", "dense", "", 0, ""),
)

FURTHER: tuple[Vector, ...] = (
    Vector("grades", "reading grades (textstat)", "dense", "", 0, ""),
    Vector("length", "length", "dense", "", 0, ""),
)


def by_name(name: str) -> Vector:
    """The vector called `name`.

    Raises UsageError where there is none; the message lists all names.
    """
    table = {one.name: one for one in (*THIRTEEN, *FURTHER)}
    if name in table:
        return table[name]
    near = get_close_matches(name, table, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    raise UsageError(f"no feature vector is called {name!r}.{hint} Known: {', '.join(table)}")
