"""The page of recipes is the one that the recipes give."""

import importlib
from pathlib import Path

import pytest

from hansproof.audit.reading.recipes import all_recipes

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def script(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    return importlib.import_module("recipes_page")


def test_the_page_of_recipes_is_up_to_date(script):
    assert script.PAGE.read_text(encoding="utf-8") == script.page(), "run python docs/recipes_page.py"


def test_the_page_names_every_recipe_and_every_form(script):
    text = script.page()
    for recipe in all_recipes():
        assert f"### {recipe.name}\n" in text
        assert all(f"**{layout.form}**" in text for layout in recipe.layouts)
