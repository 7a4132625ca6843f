"""The recipe in the terminal: which benchmark this is, and what is published about its shortcuts."""

from __future__ import annotations

from audit.records.recipe import RecipeUsed
from audit.report import plaintext
from audit.report.terminal.ink import Ink

__all__ = ["show_recipe"]


def show_recipe(used: RecipeUsed, ink: Ink) -> None:
    """Print the benchmark with its citation and licence, published figures, and what a reader should know."""
    ink.fact("recipe", f"{used.title} ({used.citation}), read as: {used.form}; licence: {used.licence}")
    for expected in used.expected:
        ink.fact("published", f"{expected.figure}: {expected.what} ({expected.source})")
    if used.peculiarities:
        ink.fact("known", plaintext.one_line(" ".join(used.peculiarities), 600))
