"""The recipe by which a benchmark was read, as the result has it."""

from __future__ import annotations

from audit.records.record import Record

__all__ = ["Expected", "RecipeUsed"]


class Expected(Record, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A published figure of what a model reaches that sees only part of an item, or too little of it."""

    what: str
    """What was measured: `accuracy from the hypothesis alone, test set`."""
    figure: str
    """As published: `67 %`."""
    source: str
    """Author and year."""


class RecipeUsed(Record, frozen=True, kw_only=True):
    """Which recipe was used, and what it says about the benchmark."""

    name: str
    title: str
    citation: str
    licence: str
    form: str
    """The published form of the benchmark that the file has."""
    checked: str
    """Against what the names of the columns were checked."""
    expected: list[Expected]
    """Published figures to compare with; empty where none is known to us."""
    peculiarities: list[str]
    confirmed: bool = True
    """False where the file was read by its own format, and nothing in it shows that it is this benchmark."""
