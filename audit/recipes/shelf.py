"""All recipes: one TOML file each, checked against the record when it is read."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

import msgspec

from audit.recipes.recipe import Recipe
from generators.errors import unknown

__all__ = ["all_recipes", "find_recipe"]


@cache
def all_recipes() -> tuple[Recipe, ...]:
    """Every recipe, the nineteen of the paper first, each part by name."""
    folder = files("audit.recipes").joinpath("files")
    recipes = [
        msgspec.convert(tomllib.loads(file.read_text(encoding="utf-8")), Recipe)
        for file in folder.iterdir()
        if file.name.endswith(".toml")
    ]
    return tuple(sorted(recipes, key=lambda recipe: (not recipe.of_paper, recipe.name)))


def find_recipe(name: str) -> Recipe:
    """The recipe called `name`, whatever its case and with spaces or underscores for hyphens, or by an alias.

    Raises UsageError for any other name.
    """
    wanted = name.strip().casefold().replace("_", "-").replace(" ", "-")
    for recipe in all_recipes():
        if wanted in (recipe.name, *recipe.aliases):
            return recipe
    names = [recipe.name for recipe in all_recipes()]
    error = unknown("recipe", name, names)
    raise type(error)(f"{error.reason}. `hansproof audit --list-recipes` shows them")
