"""Recipes: how published benchmarks are read, and which form of one a file has."""

from __future__ import annotations

import string
import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import msgspec

from hansproof.audit.formats.table import MISSING, Row, Table, as_plain, cell, is_blank
from hansproof.audit.reading.roles import Columns, exists, listed
from hansproof.audit.result.audit_result import Expected, RecipeUsed
from hansproof.generators.errors import InputError, unknown

__all__ = ["Layout", "Recipe", "all_recipes", "find_recipe", "fitted"]

Gold = Literal["labels", "letter", "index from 0", "index from 1", "text of an option", "open answer"]
"""How the gold is written: as one of the same few labels, as a pointer at an option, or freely."""


class Layout(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The columns of one published form of a benchmark. Columns may be dotted paths into nested objects."""

    form: str
    """Which form: `Hugging Face`, `JSONL of the authors`, `OpenAI evals samples`."""
    answer: str
    checked: str
    """Against what the columns were checked; says so if it was not a real file."""
    gold: Gold = "labels"
    prompt: str | None = None
    template: str | None = None
    """The prompt composed from columns: `{premise} {hypothesis}`. A layout has either this or a prompt."""
    choices: str | None = None
    """The column that lists the options, or several columns with one option each, joined by commas."""
    answer_part: str | None = None
    """The part of the answer that is the gold, as `--answer-part` has it."""
    group: str | None = None
    """The column whose equal values mark items that belong together; used where the file has it."""
    id: str | None = None
    """Used where the file has it."""
    rows: dict[str, str] = {}
    """Column to value: only these rows belong to the benchmark."""
    labels: dict[str, str] = {}
    """Code in the answer column to the name of the label; other values stay."""
    blank: str | None = None
    """The gold of rows whose answer is empty on purpose, such as questions without an answer; None where none are."""


class Recipe(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One published benchmark."""

    name: str
    """As `--recipe` takes it: `space-nli`."""
    title: str
    task: str
    """What an item asks, in a few words."""
    authors: str
    """`Bowman et al.`: with the year, the citation."""
    year: int
    licence: str
    homepage: str
    hub: str | None = None
    """`org/name` on the Hugging Face Hub, with `:config` where there are several; None where it is not known to us."""
    of_paper: bool = False
    """Whether it is one of the nineteen benchmarks of Pacchiardi et al. (2024)."""
    aliases: list[str] = []
    layouts: list[Layout] = []
    """The forms whose columns, golds or groups are not found without the recipe; empty where all are."""
    expected: list[Expected] = []
    """Published figures; empty where none is known to us."""
    peculiarities: list[str] = []
    """What a reader of the audit should know, in sentences."""

    @property
    def citation(self) -> str:
        """Authors and year: `Bowman et al. 2015`."""
        return f"{self.authors} {self.year}"


@cache
def all_recipes() -> tuple[Recipe, ...]:
    """Every recipe, the nineteen of the paper first, each part by name."""
    folder = files("hansproof.audit.reading").joinpath("recipe_files")
    recipes: list[Recipe] = []
    for file in folder.iterdir():
        if file.name.endswith(".toml"):
            shared = tomllib.loads(file.read_text(encoding="utf-8"))
            tasks = shared.pop("tasks", [{"name": file.name.removesuffix(".toml")}])
            recipes += [_recipe(shared | task) for task in tasks]
    return tuple(sorted(recipes, key=lambda recipe: (not recipe.of_paper, recipe.name)))


def _recipe(fields: dict[str, Any]) -> Recipe:
    """The recipe of a file, or of one of the tasks in it; `paper` is the figure of Pacchiardi et al. (2024)."""
    figure = fields.pop("paper", None)
    if figure is not None:
        what = "uniform-chance kappa of the best n-gram or readability probe, one random split"
        of_paper = {"what": what, "figure": figure, "source": "Pacchiardi et al. 2024"}
        fields |= {"of_paper": True, "expected": [*fields.get("expected", []), of_paper]}
    return msgspec.convert(fields, Recipe)


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


# A recipe and a file: the form that the file has, and the columns that follow. What the user names always wins.

_SHOWN = 40
"""Characters of a gold that a message shows."""
_FIRST = {"index from 0": 0, "index from 1": 1}
_UNLABELLED = ("", "-", "-1")
"""What stands for a gold that is withheld or that annotators did not agree on; an open answer may be any of these."""
_GROUP = (
    "the recipe's group column {column!r} is not in this file: groups are found in the texts unless you name another"
)


def fitted(recipe: Recipe, table: Table, named: Columns, place: str) -> tuple[Table, Columns, RecipeUsed]:
    """The table as the layout of the recipe that it has means it, its columns, and what is said of the recipe.

    `named` are the columns that the user named.

    Of several layouts that fit, the first counts.

    A log or data set whose own format says what is prompt and answer is read by that if no layout fits, and so is every
    file of a recipe without layouts; unless the golds are other words than the recipe's labels. Raises InputError if no
    layout fits, with the columns that are missing and those that are there.
    """
    there = [layout for layout in recipe.layouts if not _missing(layout, table, named)]
    fitting = [layout for layout in there if named.answer or not _is_contradicted([layout], table, layout.answer)]
    if fitting:
        return _by_layout(recipe, fitting[0], table, named)
    roles = dict(table.defaults)
    by_format = table.for_any and ("prompt" in roles or "template" in roles) and "answer" in roles
    if not by_format and recipe.layouts:
        reason = _foreign_golds(recipe, there[0], table, there[0].answer) if there else _misfit(recipe, table, named)
        raise InputError(reason, place)
    has_labels = by_format and not named.answer and "choices" not in roles  # options are labels in other words
    if has_labels and _is_contradicted(recipe.layouts, table, roles["answer"]):
        layout = max(recipe.layouts, key=lambda layout: len(layout.labels))
        raise InputError(_foreign_golds(recipe, layout, table, roles["answer"]), place)
    form = f"{table.format} ({'the format says what is what' if by_format else 'columns as they are called'})"
    note = f"the recipe {recipe.name!r} was asked for, but nothing in this file shows that it is {recipe.title}"
    used = _used(recipe, form, "the file itself", confirmed=False)
    return replace(table, notes=(*table.notes, note)), named, used


def _by_layout(recipe: Recipe, layout: Layout, table: Table, named: Columns) -> tuple[Table, Columns, RecipeUsed]:
    """The rows that belong to the benchmark, with golds as the layout means them, and the columns."""
    rows, notes = table.rows, list(table.notes)
    if layout.rows:
        rows = [row for row in rows if all(_plain(row, column) == value for column, value in layout.rows.items())]
        which = ", ".join(f"{column}={value}" for column, value in layout.rows.items())
        notes.append(f"{len(rows):,} of {len(table.rows):,} rows are those of the recipe ({which})")
    if named.answer is None:
        rows, more = _with_golds(rows, layout)
        notes += more
    group, id_ = (column if column and exists(table, column) else None for column in (layout.group, layout.id))
    if layout.group and group is None and named.group is None:
        notes.append(_GROUP.format(column=layout.group))
    own_prompt = named.prompt or named.template
    columns = replace(
        named,
        prompt=named.prompt if own_prompt else layout.prompt,
        template=named.template if own_prompt else layout.template,
        answer=named.answer or layout.answer,
        answer_part=named.answer_part or (None if named.answer else layout.answer_part),
        choices=named.choices or layout.choices,
        group=named.group or group,
        id=named.id or id_,
    )
    read = replace(table, rows=rows, notes=tuple(notes))
    return read, columns, _used(recipe, layout.form, layout.checked)


def _with_golds(rows: list[Row], layout: Layout) -> tuple[list[Row], list[str]]:
    """The rows that have a gold, written as `_gold` does; and a note on those that have none."""
    kept: list[Row] = []
    aside: Counter[str] = Counter()
    blank = 0
    for row in rows:
        value = cell(row.values, layout.answer)
        plain = as_plain(value)
        code = None if plain is None else plain.strip()
        if code is not None and _is_unlabelled(code, layout):
            aside[code] += 1
            continue
        gold = _gold(value, code, layout)
        blank += layout.blank is not None and gold is layout.blank
        # A new top-level value stands before a dotted path of the same name.
        kept.append(row if gold is value else Row(row.place, {**row.values, layout.answer: gold}))
    notes = []
    if aside:
        shown = ", ".join(repr(value) for value in sorted(aside))
        notes.append(f"{aside.total():,} rows without a gold ({layout.answer} is {shown}) are set aside")
    if blank:
        notes.append(f"{blank:,} items have no answer on purpose; their gold is {layout.blank!r}")
    return kept, notes


def _is_unlabelled(code: str, layout: Layout) -> bool:
    """True for a code that means that there is no gold; 0 does where options are counted from 1."""
    return layout.gold != "open answer" and (code in _UNLABELLED or (code == "0" and layout.gold == "index from 1"))


def _gold(value: Any, code: str | None, layout: Layout) -> Any:
    """The gold in a form that can be read in one way only: the name of a label, the letter or text of an option.

    `code` is the value as text, None where it is no plain value. What the layout does not foresee stays as it is.
    """
    if layout.blank is not None and value is not MISSING:
        members = list(value.values()) if isinstance(value, dict) else [value]
        if all(map(is_blank, members)):  # also `{"text": [], "answer_start": []}`
            return layout.blank
    if code is not None and layout.gold in _FIRST and code.isdecimal() and code.isascii() and len(code) < 3:
        return chr(ord("A") + int(code) - _FIRST[layout.gold]) if int(code) < 26 else value
    return layout.labels.get(code, value) if code is not None else value


def _missing(layout: Layout, table: Table, named: Columns) -> list[str]:
    """The columns that the layout needs, beyond those that the user names, and the table lacks."""
    needed = list(layout.rows)
    if not (named.prompt or named.template):
        fields = [field for _, field, _, _ in string.Formatter().parse(layout.template or "") if field]
        needed += [layout.prompt] if layout.prompt else fields
    needed += [] if named.answer else [layout.answer]
    needed += (layout.choices or "").split(",") if layout.choices and not named.choices else []
    return [column for column in dict.fromkeys(needed) if not exists(table, column)]


def _is_contradicted(layouts: Sequence[Layout], table: Table, column: str) -> bool:
    """Whether the golds are words, and none of them is a label of the layouts, all of which know their labels.

    Letters and numbers may be codes of any labels.
    """
    if any(layout.gold != "labels" for layout in layouts):
        return False
    known = {text.casefold() for of in layouts for text in (*of.labels, *of.labels.values())}
    golds = {gold.strip().casefold() for row in table.rows if (gold := _plain(row, column)) is not None}
    return bool(golds and known) and not golds & known and all(len(gold) > 2 and gold[:1].isalpha() for gold in golds)


def _foreign_golds(recipe: Recipe, layout: Layout, table: Table, column: str) -> str:
    """One line: which golds the recipe knows, and which are there, in the `column` that has them."""
    known = ", ".join(repr(label) for label in dict.fromkeys(layout.labels.values()))
    there = dict.fromkeys(gold[:_SHOWN] for row in table.rows if (gold := _plain(row, column)) is not None)
    shown = ", ".join(repr(gold) for gold in list(there)[:3])
    return (
        f"the recipe {recipe.name!r} does not fit: its golds are {known}, but column {column!r} has {shown}. "
        "Name the columns yourself, or leave out --recipe"
    )


def _plain(row: Row, column: str) -> str | None:
    return as_plain(cell(row.values, column))


def _used(recipe: Recipe, form: str, checked: str, *, confirmed: bool = True) -> RecipeUsed:
    same = ("name", "title", "citation", "licence", "expected", "peculiarities")
    said: dict[str, Any] = {field: getattr(recipe, field) for field in same}
    return RecipeUsed(**said, form=form, checked=checked, confirmed=confirmed)


def _misfit(recipe: Recipe, table: Table, named: Columns) -> str:
    """One line: for the form that comes closest, which columns are missing, and which are there."""
    lacking = [(layout, _missing(layout, table, named)) for layout in recipe.layouts]
    closest, missing = min(lacking, key=lambda pair: len(pair[1]))
    others = [layout.form for layout, _ in lacking if layout is not closest]
    also = f" It also knows: {'; '.join(others)}." if others else ""
    absent = ", ".join(repr(column) for column in missing)
    return (
        f"the recipe {recipe.name!r} does not fit: its form {closest.form!r} has {absent}, missing here.{also} "
        f"Columns here: {listed(table.columns)}. Name the columns yourself, or leave out --recipe"
    )
