"""The columns of a comparison are described once; screen, page, help, JSON and CSV hold to it."""

import re
from typing import NamedTuple

import numpy as np
import pytest
from click.testing import CliRunner

from hansproof.audit.models.comparison import compare_sides
from hansproof.audit.models.sides import sides_of
from hansproof.audit.replies.grid import RIGHT, WRONG, Grid, Series
from hansproof.audit.report.comparison_page import render_comparison
from hansproof.audit.report.comparison_words import CHANGED, changed_rows
from hansproof.audit.report.document import Cell, Column, filled, sections, tabulated
from hansproof.audit.report.score_rows import cells_at, paths
from hansproof.audit.report.terms import CONTRASTS, PAGE, SCREEN, comparison_columns, legend
from hansproof.command_line import command_line
from hansproof.generators.item import Item


def compared(*, runs=1, grouped=True):
    """Sixty items in two subsets, in pairs or alone; A and B differ in some."""
    rng = np.random.default_rng(4)
    items = tuple(
        Item(f"i{place}", "?", None, "yes", f"g{place // (1 + grouped)}", "original", {"subset": f"s{place % 2}"})
        for place in range(60)
    )
    series = [Series(model, "direct", str(run)) for model in ("mine", "yours") for run in range(runs)]
    codes = np.where(rng.random((60, len(series))) < np.repeat([0.8, 0.5], runs), RIGHT, WRONG).astype(np.int8)
    first, second = sides_of(series)
    return compare_sides(Grid("quiz", items, tuple(series), codes), first, second)


def at(record, path):
    for key in path.split("."):
        record = record[key]
    return record


NUMBERS = {
    "items": "items", "groups": "groups", "A": "a", "B": "b", "se": "se", "only A/B": "a_only b_only", "p": "p",
    "McNemar p": "mcnemar_p", "r": "correlation", "detectable": "detectable", "A - B": "difference low high",
}  # fmt: skip
OTHERS = {"Holm p": "p_holm", "equal p": "equivalent_p_holm", "verdict": "verdict"}
"""Column -> what JSON calls its numbers, in the `difference` of a part and beside it."""


def test_json_has_the_numbers_of_every_column():
    part = compared().record()["parts"][0]
    for column in {*SCREEN, *PAGE}:
        numbers = [part["difference"][name] for name in NUMBERS.get(column, "").split()]
        numbers += [part[name] for name in OTHERS.get(column, "").split()]
        assert numbers, column
        assert all(isinstance(number, int | float | str) for number in numbers), column
    assert {*SCREEN} - {*PAGE} == {"A - B", "verdict"}


def test_a_cell_shows_the_numbers_that_json_has():
    comparison = compared()
    part = comparison.parts[0]
    record = comparison.record()["parts"][0]
    shown = {name: CONTRASTS[name].made(part).text for name in (*SCREEN, *PAGE)}
    assert shown["only A/B"] == f"{at(record, 'difference.a_only')}/{at(record, 'difference.b_only')}"
    numbers = [100 * at(record, f"difference.{name}") for name in ("difference", "low", "high")]
    assert [float(text) for text in re.findall(r"[-+]?[\d.]+", shown["A - B"].replace("−", "-"))] == pytest.approx(
        numbers, abs=0.051
    )
    assert shown["Holm p"] == "", "all items are no subset"
    assert shown["verdict"] == record["verdict"]


@pytest.mark.parametrize(
    ("runs", "screen", "page"), [(1, "only A/B", "Only A/B"), (3, "A/B does\nbetter", "A/B does better")]
)
def test_of_runs_it_is_who_does_better(runs, screen, page):
    comparison = compared(runs=runs)
    assert screen in [column.title for column in comparison_columns(SCREEN, comparison)]
    assert f">{page}<" in render_comparison(comparison)


@pytest.mark.parametrize("grouped", [True, False])
def test_columns_of_groups_stand_only_where_items_share_groups(grouped):
    names = {column.name for column in comparison_columns(SCREEN, compared(grouped=grouped))}
    assert ({"groups", "McNemar p"} <= names) is grouped
    assert ("groups" in names) is grouped


def test_every_column_goes_in_its_turn():
    turns = {name: CONTRASTS[name].goes for name in SCREEN}
    known = [turn for turn in turns.values() if turn is not None]
    assert len(set(known)) == len(known)
    assert {name for name, turn in turns.items() if turn is None} == {"A", "B", "A - B", "p", "Holm p", "verdict"}


def test_the_help_says_what_the_columns_are():
    shown = CliRunner().invoke(command_line(), ["compare", "--help-all"]).output
    for line in legend().splitlines():
        assert line.strip() in shown
    assert all(re.search(rf"^  {re.escape(name)} ", legend(), re.M) for name in ("A - B", "Holm p", "detectable"))


def test_a_changed_item_has_the_same_columns_in_csv_and_json():
    comparison = compared()
    heading, *rows = changed_rows(comparison)
    record = comparison.record()
    read = ("a_read", "b_read")  # a text in the table, records in JSON; empty, as this grid knows right and wrong alone
    assert [
        dict(zip(heading[:-1], row, strict=False)) | dict.fromkeys(read, ()) for row in rows if row[-1] == "A"
    ] == list(record["a_better"])
    assert heading == [*(column.name for column in CHANGED), "better"]
    assert {row[-1] for row in rows} == {"A", "B"}


class Mean(NamedTuple):
    model: str
    share: float
    clear: "Mean | None" = None


COLUMNS = [
    Column("right\nhere", lambda each: Cell(f"{each.share:.1f}", below="[0, 1]")),
    Column("p", lambda each: ""),
    Column("word", lambda each: "so", holds="words", brief=True),
]
MEANS = [Mean("a 1", 0.5), Mean("a 2", 0.25), Mean("b 1", 1.0)]


def test_a_table_has_the_same_cells_on_screen_and_page_below_the_same_headings():
    columns = filled(COLUMNS, MEANS)
    assert [column.name for column in columns] == ["right here", "word"]  # no record says anything of p
    named = [*sections(MEANS, lambda each: each.model[0] if each.share < 1 else "", lambda each: each.model)]
    assert named == ["a", ("a 1", MEANS[0]), ("a 2", MEANS[1]), ("b 1", MEANS[2])]
    table = tabulated("Means", "model", columns, named)
    assert table.headings == [("Model", True), ("Right here", False), ("Word", True)]
    assert [(row[0].text, len(row)) for row in table.rows] == [("a", 1), ("a 1", 3), ("a 2", 3), ("b 1", 3)]
    assert table.rows[1][1:] == [Cell("0.5", below="[0, 1]"), Cell("so", "left")]
    assert [column.title for column in table.columns] == ["model", "right\nhere", "word"]
    shown = [column.on_screen(cell) for column, cell in zip(table.columns, table.rows[1], strict=True)]
    assert shown == ["a 1", "0.5 [0, 1]", "so"]
    without = tabulated("Means", "model", columns, named, headings=False)
    assert (without.rows[0], without.rows[1:]) == ([], table.rows[1:])


def test_a_row_of_csv_follows_the_paths_of_its_columns_and_is_blank_where_nothing_is_known():
    columns = paths("model right=share clear_right=clear.share first=clear.0")
    whole = Mean("a", float("nan"), Mean("b", 0.5))
    assert cells_at(whole, columns) == {"model": "a", "right": None, "clear_right": 0.5, "first": "b"}
    assert cells_at(Mean("a", 0.5), columns) == {"model": "a", "right": 0.5, "clear_right": None, "first": None}
    assert cells_at({"known": True, "none": float("inf")}, paths("known none other")) == {
        "known": "yes", "none": None, "other": None
    }  # fmt: skip
