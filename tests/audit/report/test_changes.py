"""Items that changed: prompt, gold answer and what was read, whole in the table, bounded and escaped on the page."""

import re
from dataclasses import replace

import numpy as np
import pytest
from read_pages import tables

from hansproof.audit.models.comparison import compare_sides
from hansproof.audit.models.sides import beside, sides_of
from hansproof.audit.replies.grid import MISSING, NOT_ASKED, RIGHT, UNCLEAR, WRONG, Grid, Series
from hansproof.audit.replies.judged_reply import NO_REPLY, Read
from hansproof.audit.report.comparison_page import render_comparison
from hansproof.audit.report.comparison_words import changed_rows
from hansproof.generators.item import Item

READS = {RIGHT: Read("yes", ""), WRONG: Read("no", ""), UNCLEAR: Read(None, "names no option"), MISSING: None}


def compared(*columns, series=None, prompt="Is {} so?", accepted=None):
    """Sides of as many items as the columns have, with what was read from each reply."""
    items = tuple(
        Item(
            f"i{place}", prompt.format(place), None, "yes", f"g{place}", "original",
            {"subset": "s"} | ({"accepted": accepted} if accepted else {}),
        )
        for place in range(len(columns[0]))
    )  # fmt: skip
    named = tuple(series or (Series("mine"), Series("yours")))
    read = tuple(tuple(READS.get(code) for code in column) for column in columns)
    grid = Grid("quiz", items, named, np.array(columns, dtype=np.int8).T, read=read)
    return compare_sides(grid, *sides_of(named))


def rows_of(comparison):
    heading, *rows = changed_rows(comparison)
    return [dict(zip(heading, row, strict=True)) for row in rows]


def test_a_row_says_what_was_asked_and_what_was_read_from_each_side():
    ours = [RIGHT, RIGHT, RIGHT, WRONG, RIGHT] + [RIGHT] * 30
    rows = rows_of(compared(ours, [WRONG, UNCLEAR, MISSING, RIGHT, RIGHT] + [RIGHT] * 30))
    assert [(row["id"], row["prompt"], row["answer"], row["a_read"], row["b_read"], row["better"]) for row in rows] == [
        ("i0", "Is 0 so?", "yes", "yes", "no", "A"),
        ("i1", "Is 1 so?", "yes", "yes", "unclear (names no option)", "A"),
        ("i2", "Is 2 so?", "yes", "yes", "missing", "A"),
        ("i3", "Is 3 so?", "yes", "no", "yes", "B"),
    ]
    (row, *_) = rows_of(compared(ours, [WRONG] * 35, accepted=["yes", "aye"]))
    assert row["answer"] == "yes | aye"


def test_json_has_each_reading_with_its_reason():
    changed = compared([RIGHT] * 30, [UNCLEAR] * 15 + [MISSING] * 15).record()["a_better"]
    assert changed[0]["a_read"] == ({"said": "yes", "reason": ""},)
    assert changed[0]["b_read"] == ({"said": None, "reason": "names no option"},)
    assert changed[20]["b_read"] == ({"said": None, "reason": NO_REPLY.reason},)


def test_a_long_reading_is_whole_in_json_and_in_the_table_and_the_page_shows_both_ends():
    long = f"first {'very ' * 200}last"
    grid = Grid(
        "quiz",
        tuple(Item(f"i{k}", "?", None, "yes", f"g{k}", "", {"subset": "s"}) for k in range(30)),
        (Series("a"), Series("b")),
        np.array([[RIGHT] * 30, [WRONG] * 30], dtype=np.int8).T,
        read=((Read("yes", ""),) * 30, (Read(long, ""),) * 30),
    )
    comparison = compare_sides(grid, *sides_of(grid.series))
    assert comparison.record()["a_better"][0]["b_read"] == ({"said": long, "reason": ""},)
    assert rows_of(comparison)[0]["b_read"] == long
    shown = tables(render_comparison(comparison))["Items right with A, wrong with B"][0]
    assert [cell for cell in shown if cell.startswith("first very") and "…" in cell and cell.endswith("very last")]
    assert max(map(len, shown)) <= 80


def test_of_several_runs_the_shares_stand_and_each_reading_is_counted():
    series = [*(Series("mine", run=str(run)) for run in range(3)), Series("yours")]
    columns = [RIGHT] * 30, [UNCLEAR] * 30, [RIGHT] * 15 + [NOT_ASKED] * 15, [WRONG] * 30
    comparison = compared(*columns, series=series)
    rows = rows_of(comparison)
    assert (rows[0]["a"], rows[0]["a_read"]) == (pytest.approx(2 / 3), "yes (2), unclear (names no option) (1)")
    assert (rows[20]["a"], rows[20]["a_read"]) == (0.5, "yes (1), unclear (names no option) (1)")
    assert rows[0]["b_read"] == "no"
    shown = tables(render_comparison(comparison))["Items right more often with A"]
    assert shown[0][-4:] == ["yes (2), unclear (names no option) (1)", "no", "0.667", "0"]


def test_where_only_right_and_wrong_are_known_the_page_has_no_column_of_readings():
    grid = Grid(
        "quiz",
        tuple(Item(f"i{k}", "?", None, "yes", f"g{k}", "", {}) for k in range(30)),
        (Series("a"), Series("b")),
        np.array([[RIGHT] * 30, [WRONG] * 30], dtype=np.int8).T,
    )
    comparison = compare_sides(grid, *sides_of(grid.series))
    assert comparison.a_better[0].a_read == ()
    page = render_comparison(comparison)
    assert "Read from A" not in page
    assert ">Condition<" not in page
    assert ">Gold answer<" in page


def test_texts_are_escaped_and_shortened_on_the_page_and_whole_in_the_table():
    prompt = "<script>alert({})</script> " + "long and winding " * 500 + "<b>what is asked?</b>"
    comparison = compared([RIGHT] * 300, [WRONG] * 300, prompt=prompt)
    page = render_comparison(comparison)
    assert "<script>" not in page
    assert "<b>" not in page.split("Items that changed")[1]
    (caption,) = [name for name in tables(page) if name.startswith("Items right with A")]
    assert caption == "Items right with A, wrong with B, the first 100 of 300"
    rows = tables(page)[caption]
    assert len(rows) == 100
    shown = rows[7][1]
    assert re.fullmatch(r"<script>alert\(7\)</script> long and .* … .*<b>what is asked\?</b>", shown)
    assert len(shown) <= 220
    assert len(page) < 150_000
    assert rows_of(comparison)[7]["prompt"] == prompt.format(7)


def test_grids_beside_each_other_keep_what_was_read_if_both_know_it():
    items = (Item("i", "?", None, "yes", "g", "", {}),)
    first = Grid("quiz", items, (Series("a"),), np.array([[RIGHT]], dtype=np.int8), read=((Read("yes", ""),),))
    second = replace(first, series=(Series("b"),), read=((NO_REPLY,),))
    assert beside(first, second).read == ((Read("yes", ""),), (NO_REPLY,))
    assert beside(first, replace(second, read=())).read == ()


def test_the_page_leaves_out_a_part_that_all_changed_items_have_in_common():
    comparison = compared([RIGHT] * 40, [WRONG] * 40)
    assert len(tables(render_comparison(comparison))["Items right with A, wrong with B"][0]) == 7
    parted = replace(
        comparison, a_better=(*comparison.a_better[:-1], replace(comparison.a_better[-1], condition="twist"))
    )
    rows = tables(render_comparison(parted))["Items right with A, wrong with B"]
    assert [rows[0][1], rows[-1][1]] == ["original", "twist"]
