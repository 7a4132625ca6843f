"""The recipe in the terminal: which benchmark this is, and what is published about its shortcuts."""

from __future__ import annotations

from audit import notation
from audit.report.terminal.ink import Ink
from audit.result.audit_result import RecipeUsed

__all__ = ["show_recipe"]


def show_recipe(used: RecipeUsed, ink: Ink) -> None:
    """Print the benchmark with its citation and licence, published figures, and what a reader should know."""
    what, whose = f"{used.title} ({used.citation})", ""
    if used.confirmed:
        ink.fact("recipe", f"{what}, read as: {used.form}; licence: {used.licence}")
    else:
        whose = f"of {used.title}, if this file is it: "
        ink.fact("recipe", f"asked for: {what}; nothing shows that this file is it. Read as: {used.form}")
    for expected in used.expected:
        ink.fact("published", f"{whose}{expected.figure}: {expected.what} ({expected.source})")
    if used.peculiarities:
        ink.fact("known", notation.one_line(" ".join(used.peculiarities), 600))
