"""The figures that a release of word problems promises: `texts` measures its English, `numbers` its numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from generators.answering.figure import Figure
from generators.item import Item
from generators.word_problems.figures.numbers import number_figures
from generators.word_problems.figures.texts import text_figures

__all__ = ["figures"]


def figures(items: Mapping[str, Sequence[Item]]) -> list[Figure]:
    """All figures, first those of the texts; `items` are those of each subset."""
    return [*text_figures(items), *number_figures(items)]
