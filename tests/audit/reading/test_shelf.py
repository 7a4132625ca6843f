"""The shelf of recipes: complete, well formed, honest about what was checked."""

import re

import pytest

from hansproof.audit.reading.recipes import all_recipes, find_recipe
from hansproof.generators.errors import UsageError

PAPER = {
    "fantasy-reasoning", "neubaroco", "space-nli", "babi-task-16", "corporate-lobbying",
    "function-of-decision-section", "international-citizenship-questions", "proa", "prontoqa", "cladder", "anli",
    "art", "causal-judgment", "commonsense-qa-2", "formal-fallacies", "abercrombie", "metaphor-boolean",
    "moral-permissibility", "wanli",
}  # fmt: skip
OTHERS = {
    "mmlu", "mmlu-pro", "arc", "hellaswag", "winogrande", "piqa", "siqa", "copa", "boolq", "openbookqa",
    "commonsenseqa", "truthfulqa-mc", "gsm8k", "math", "drop", "squad-2", "snli", "mnli", "rte", "gpqa", "cosmosqa",
    "race", "strategyqa", "logiqa", "bbh",
}  # fmt: skip
RECIPES = all_recipes()


def test_the_paper_s_nineteen_and_the_most_used_others_are_there():
    assert {recipe.name for recipe in RECIPES if recipe.of_paper} == PAPER
    assert {recipe.name for recipe in RECIPES if not recipe.of_paper} == OTHERS
    assert [recipe.of_paper for recipe in RECIPES] == [True] * 19 + [False] * 25


def test_what_the_paper_found_is_said_of_each_of_its_benchmarks():
    # Nine of the nineteen exceeded a uniform-chance kappa of .2 (Pacchiardi et al. 2024).
    said = [recipe.expected[-1] for recipe in RECIPES if recipe.of_paper]
    assert {figure.source for figure in said} == {"Pacchiardi et al. 2024"}
    assert sum(figure.figure == "above .2" for figure in said) == 9
    assert sum(figure.figure == "at most .2" for figure in said) == 10


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
def test_a_recipe_is_whole(recipe):
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", recipe.name)
    assert re.fullmatch(r"https?://\S+", recipe.homepage)
    assert recipe.hub is None or re.fullmatch(r"[\w.-]+/[\w.-]+(:[\w.-]+)?", recipe.hub)
    assert 2000 < recipe.year < 2030
    for layout in recipe.layouts:
        assert (layout.prompt is None) != (layout.template is None)
        assert layout.checked
        assert (layout.choices is None) == (layout.gold in ("labels", "open answer"))
    assert len({layout.form for layout in recipe.layouts}) == len(recipe.layouts)
    for sentence in recipe.peculiarities:
        assert sentence[-1] in ".'", sentence


def test_every_form_says_against_what_its_columns_were_checked():
    kinds = (
        "a published file",
        "its data card",
        "code that reads it",
        "nothing: neither a file nor code that reads it",
    )
    said = [layout.checked for recipe in RECIPES for layout in recipe.layouts]
    assert [text for text in said if not text.startswith(kinds)] == []
    counts = [sum(text.startswith(kind) for text in said) for kind in kinds]
    assert counts[0] >= len(said) / 3  # files that were read, not only what others say of them
    assert counts[3] <= 4


def test_a_licence_that_was_not_seen_is_not_claimed():
    assert all(recipe.licence for recipe in RECIPES)
    assert not [recipe.name for recipe in RECIPES if "not known" in recipe.licence]


def test_names_and_aliases_are_found_however_they_are_written_and_never_twice():
    assert find_recipe("space-nli") is find_recipe("SpaceNLI") is find_recipe(" Space_NLI ")
    names = [name for recipe in RECIPES for name in (recipe.name, *recipe.aliases)]
    assert len(names) == len(set(names))
    with pytest.raises(UsageError, match=r"there is no recipe 'spacenl'. Did you mean 'space-nli'\?.*--list-recipes"):
        find_recipe("spacenl")
