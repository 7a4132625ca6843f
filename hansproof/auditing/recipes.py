"""What `hansproof audit --list-recipes` prints: all recipes, or everything about one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from audit.recipes.recipe import Layout, Recipe

__all__ = ["list_recipes"]


def list_recipes(name: str | None, json: str | None = None, *, force: bool = False) -> None:
    """Print a table of all recipes, or one recipe in full; or write them as JSON to the file `json`, `-` for a print.

    Raises UsageError for an unknown recipe, and for a file that exists (unless `force`) or cannot be written.
    """
    from audit.recipes.shelf import all_recipes, find_recipe

    if json is not None:
        import msgspec

        _write(json, msgspec.to_builtins(all_recipes() if name is None else find_recipe(name)), force=force)
    elif name is None:
        _print_table(all_recipes())
    else:
        _print_recipe(find_recipe(name))


def _write(file: str, value: Any, *, force: bool) -> None:
    from audit.documents.strict_json import json_bytes
    from hansproof.terminal.outputs import check_output, write_output

    check_output(file, force=force)
    write_output(file, json_bytes(value), force=force)


def _print_table(recipes: Sequence[Recipe]) -> None:
    from audit.report.terminal.ink import Ink, console_on
    from audit.report.terminal.table import Column, TextTable

    table = TextTable(Column("recipe", "words"), Column("benchmark", "phrases"), Column("on the Hub", "words"))
    for recipe in recipes:
        table.row(recipe.name, f"{recipe.title} ({recipe.citation}): {recipe.task}", recipe.hub or "")
    Ink(console_on()).table(table)


def _print_recipe(recipe: Recipe) -> None:
    from audit.report.terminal.ink import Ink, console_on

    ink = Ink(console_on())
    ink.line(f"{recipe.name}: {recipe.title} ({recipe.citation})", "bold")
    ink.fact("asks", recipe.task)
    ink.fact("licence", recipe.licence)
    ink.fact("home", recipe.homepage)
    if recipe.hub:
        ink.fact("Hub", f"hf://{recipe.hub}")
    for layout in recipe.layouts:
        ink.fact("form", f"{layout.form}: {'; '.join(_columns(layout))}. Checked against: {layout.checked}")
    for expected in recipe.expected:
        ink.fact("published", f"{expected.figure}: {expected.what} ({expected.source})")
    for sentence in recipe.peculiarities:
        ink.fact("known", sentence)


def _columns(layout: Layout) -> list[str]:
    """The roles of a layout, as `role = column`."""
    roles = (
        ("prompt", layout.prompt or layout.template), ("answer", layout.answer), ("part", layout.answer_part),
        ("choices", layout.choices), ("group", layout.group), ("split", layout.split), ("id", layout.id),
    )  # fmt: skip
    return [f"{role} = {' '.join(column.split())}" for role, column in roles if column]
