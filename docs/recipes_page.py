"""The page of recipes in `docs/`, written from the recipes themselves.

    python docs/recipes_page.py

A test compares the page with what this writes, so it cannot go stale.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from hansproof.audit.reading.recipes import Layout, Recipe, all_recipes

__all__ = ["PAGE", "main", "page"]

PAGE: Final = Path(__file__).with_name("recipes.md")

_HEAD: Final = """\
# Recipes

Written by `python docs/recipes_page.py` from the files in `audit/reading/recipe_files`; do not edit it by hand.

A recipe knows how a published benchmark is written: which columns are the prompt, the options, the gold and the group,
under which licence it is, and what has been published about its shortcuts.

    hansproof audit snli.jsonl --recipe snli

Columns that you name win over the recipe. A file in another form than those below is refused with the columns that are
missing and those that are there. What has a format of its own is read by that, with a recipe or without:

- of harnesses: `task.json` of BIG-bench, LegalBench folders with a base prompt, and the samples, logs and task files of
  OpenAI evals, inspect_ai, lm-evaluation-harness and HELM;
- as authors release them: the nested JSON of SQuAD, DROP, RACE, DREAM, ReCoRD, ProofWriter, RuleTaker and
  PrOntoQA; COPA's XML; CoLA, MMLU and CODAH without a header line; ARCT; and JSONL whose labels are in a file beside it
  (`train-labels.lst` for `train.jsonl`: PIQA, alpha-NLI, Social IQa, WinoGrande).

*Checked against* says what we have compared the columns with: a published file, the data card, or only code that reads
such files. A licence is what the card or repository states; follow the link before you rely on it. The benchmarks
themselves are not part of this project.

*Published* are figures of others to compare with: what is reached without the question, or by n-grams. Where there is
none, we know of none that we could name with its source; that says nothing about the benchmark.
"""


def page() -> str:
    """The whole page as Markdown."""
    recipes = all_recipes()
    paper = [recipe for recipe in recipes if recipe.of_paper]
    others = [recipe for recipe in recipes if not recipe.of_paper]
    parts = [
        _HEAD,
        "## The nineteen benchmarks of Pacchiardi et al. (2024)\n\n" + _table(paper),
        "## The most used others\n\n" + _table(others),
        "## Forms and columns\n",
        *(_section(recipe) for recipe in recipes),
    ]
    return "\n".join(parts)


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


def _table(recipes: Iterable[Recipe]) -> str:
    rows = [
        "| recipe | benchmark | what an item asks | licence | on the Hub | published |",
        "|---|---|---|---|---|---|",
    ]
    for recipe in recipes:
        published = "; ".join(f"{entry.figure}: {entry.what} ({entry.source})" for entry in recipe.expected)
        cells = (
            f"[`{recipe.name}`](#{recipe.name})", f"[{recipe.title}]({recipe.homepage}) ({recipe.citation})",
            recipe.task, recipe.licence, f"`{recipe.hub}`" if recipe.hub else "", published,
        )  # fmt: skip
        rows.append("| " + " | ".join(_cell(text) for text in cells) + " |")
    return "\n".join(rows) + "\n"


def _section(recipe: Recipe) -> str:
    lines = [f"### {recipe.name}", ""]
    lines += [f"- {_form(layout)}" for layout in recipe.layouts] or ["- Its columns are found by their names."]
    lines += [f"- {sentence}" for sentence in recipe.peculiarities]
    if recipe.aliases:
        lines.append(f"- Also called {', '.join(f'`{alias}`' for alias in recipe.aliases)}.")
    return "\n".join(lines) + "\n"


def _form(layout: Layout) -> str:
    roles = (
        ("prompt", layout.prompt), ("template", layout.template), ("choices", layout.choices),
        ("answer", layout.answer), ("part of the answer", layout.answer_part), ("group", layout.group),
        ("id", layout.id),
    )  # fmt: skip
    columns = ", ".join(f"{role} `{_inline(column)}`" for role, column in roles if column)
    only = "".join(f", only rows with `{column}` = `{value}`" for column, value in layout.rows.items())
    return f"**{layout.form}**: {columns}{only}; gold: {layout.gold}. Checked against: {layout.checked}."


def _inline(text: str) -> str:
    return text.replace("\n", "\\n")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    main()
