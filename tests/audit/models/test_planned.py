"""A plan in words and as a table: what a small pilot is told, and that rows say what they are."""

from dataclasses import replace
from math import inf, isnan, nan

import numpy as np
import pytest
from read_pages import tables

from hansproof.audit.models.planning import Design, measured_design, plan
from hansproof.audit.models.sides import Balanced
from hansproof.audit.report.comparison_page import render_plan
from hansproof.audit.report.plan_words import TITLE, Planned, used


def columns(planned):
    return [*planned.rows()[0]]


def cells(planned):
    return [[*row.values()] for row in planned.rows()]


def pilot(items, group_size=1, seed=1):
    draw = np.random.default_rng(seed)
    apart = draw.choice([-1.0, 0.0, 1.0], size=items, p=[0.2, 0.6, 0.2])
    design = measured_design(Balanced([apart], 1, True), np.arange(items) // group_size, 0.5)
    return Planned(
        needs=(plan(design, difference=0.05),),
        shows=(plan(design, items=items),),
        origin=f"measured on {items} items",
        between=("a", "b"),
        items=items,
    )


@pytest.mark.parametrize(
    ("items", "group_size", "warned"), [(29, 1, True), (30, 1, False), (60, 12, True), (60, 10, False), (12, 3, True)]
)
def test_a_pilot_that_could_not_be_tested_says_so(items, group_size, warned):
    made = pilot(items, group_size)
    assert bool(made.warning) == warned
    assert made.record()["warning"] == (made.warning or None)
    if warned:
        groups = f" in {items // group_size} independent groups" if group_size > 1 else ""
        assert f"It has {items} items{groups}, and not the 30 items in 6 independent groups" in made.warning
        assert made.warning[1:] in render_plan(made)


def test_a_pilot_with_missing_replies_says_so():
    made = replace(pilot(60), missing=20)
    assert made.warning.startswith(
        "20 of 60 items of the pilot lack a reply and count as wrong, so it asks for too few"
    )
    assert replace(pilot(12), missing=3).warning.count("; ") == 1


def test_a_supposed_plan_has_no_pilot_to_warn_of():
    made = Planned((plan(Design(0.2, nan, nan), difference=0.03),), (), "supposed")
    assert (made.warning, made.title, columns(made)) == ("", TITLE, ["difference in points", "items"])
    assert cells(made) == [["3", "1,742"]]
    assert made.notes() == ["items right with only one of the two: 20.0 %, supposed"]


def test_rows_say_what_they_ask_for_and_between_what():
    made = pilot(60, 2)
    needs, shows = cells(made)
    assert columns(made) == ["difference in points", "items", "groups", "only one right in %", "between"]
    assert needs[0] == "5"
    assert needs[4].endswith(" items")
    assert shows[1] == "60"
    assert shows[4].endswith(" points")
    header, *rows = made.table()
    first, second = (dict(zip(header, row, strict=True)) for row in rows)
    assert (first["asked"], second["asked"]) == ("items", "difference")
    assert first["low"] <= first["items"] <= first["high"]
    assert second["low"] <= second["difference"] <= second["high"]
    (shown,) = tables(render_plan(made)).values()
    assert [row[0] for row in shown][-2:] == [needs[0], shows[0]]


def test_json_and_table_have_the_same_numbers_without_noise():
    made = pilot(80, 2)
    noisy = Planned((plan(Design(0.1 + 0.2, nan, nan), difference=0.01 * 7),), (), "supposed")  # 0.30000000000000004
    for planned in (made, noisy):
        header, *rows = planned.table()
        for row, record in zip(rows, planned.record()["plans"], strict=True):
            cells = dict(zip(header, row, strict=True))
            both = {name: record[name] for name in ("difference", "items", "groups", "discordant_used")}
            both |= {name: record["design"][name] for name in ("discordant", "group_size", "icc")}
            assert {name: cells[name] for name in both} == both
            assert all(len(str(number)) < 16 for number in both.values())
    assert (record["design"]["discordant"], record["difference"]) == (0.3, 0.07)
    assert isnan(record["design"]["low"])
    assert record["design"]["seen"] is None
    assert made.record()["plans"][0]["design"]["seen"]["differing"] == made.record()["plans"][0]["design"]["discordant"]


def test_the_same_numbers_asked_both_ways_are_two_kinds_of_rows():
    row = plan(Design(0.2, nan, nan), difference=0.03)
    made = Planned((row,), (row,), "supposed")
    assert [line[0] for line in made.table()] == ["asked", "items", "difference"]


def test_what_has_no_end_is_blank_in_the_table_and_said_on_the_screen():
    made = Planned((plan(Design(0.2, 0.1, 0.3), difference=0.0),), (), "supposed")
    assert made.needs[0].items == inf
    assert made.table()[1][2] is None
    assert cells(made)[0][1:] == ["no number", "no number and no number items"]
    few = Planned((), (plan(Design(0.2, 0.1, 0.3), items=2),), "supposed")
    assert isnan(few.shows[0].difference)
    assert cells(few)[0] == ["none", "2", "none and none points"]


def test_a_pilot_of_means_of_runs_has_no_interval_and_says_so():
    design = Design(0.2, nan, nan)
    made = Planned((plan(design, difference=0.03),), (), "measured on 40 items", ("a", "b"), 40, runs=True)
    assert "between" not in columns(made)
    share, why = made.notes()
    assert share.startswith(
        "mean squared difference of the two scores, which are means of runs: 20.0 %, measured on 40"
    )
    assert why == "no interval of that share: it is of means of runs"
    assert made.record()["discordant_is"] == "mean squared difference of means of runs"
    single = replace(made, runs=False)
    assert single.notes() == [
        "items right with only one of the two: 20.0 %, measured on 40 items",
        "no interval of that share: it is of too few groups",
    ]


def test_a_strangers_name_is_escaped_on_the_page():
    made = pilot(12)
    text = render_plan(Planned(made.needs, made.shows, made.origin, ("<script>", "b"), 12), ["<b>.jsonl"], ["<i>"])
    assert "<script>" not in text
    assert "<b>.jsonl" not in text
    assert "&lt;script&gt;" in text


def test_each_row_says_the_share_that_it_was_reckoned_with():
    # Five and three points take 5 and 3 % of items that differ, however few are supposed.
    few = Planned(tuple(plan(Design(0.01, nan, nan), difference=each) for each in (0.05, 0.03)), (), "supposed")
    assert [row[-1] for row in cells(few)] == ["5.0", "3.0"]
    assert few.notes()[0].startswith("items right with only one of the two: supposed; each row has the share")
    assert [row["discordant_used"] for row in few.record()["plans"]] == pytest.approx([0.05, 0.03])
    header, *rows = few.table()
    assert [row[header.index("discordant_used")] for row in rows] == pytest.approx([0.05, 0.03])
    # One row has no column, and the note has its share, not that which is too small for it.
    single = replace(few, needs=few.needs[:1])
    assert (columns(single), single.notes()[0]) == (
        ["difference in points", "items"], "items right with only one of the two: 5.0 %, supposed"
    )  # fmt: skip
    assert isnan(used(plan(Design(0.2, nan, nan), items=2)))


def test_the_rows_of_a_pilot_say_how_many_more_items_differ_at_a_larger_difference():
    made = pilot(60)
    for row in (*made.needs, *made.shows):
        shift, alternative = row.difference, row.design.at(row.difference)
        assert used(row) == pytest.approx(alternative.differing)
        assert used(row) == pytest.approx(alternative.variance + shift**2)
    assert used(made.shows[0]) > used(made.needs[0])


@pytest.mark.parametrize(("size", "words"), [(2.0, "2"), (7.3333, "7.33"), (1000.0, "1,000"), (999_999.0, "999,999")])
def test_large_groups_are_counted_in_full(size, words):
    made = Planned((plan(Design(0.2, nan, nan, size, 0.1), difference=0.1),), (), "supposed")
    assert any(note.startswith(f"groups of {words} items") for note in made.notes())


def test_a_pilot_without_an_interval_says_what_so_many_items_show():
    design = Design(0.2, nan, nan, group_size=2, icc=0.3)
    row = plan(design, items=500)
    assert row.difference == plan(replace(design, low=0.1, high=0.3), items=500).difference
    assert isnan(row.low)
    assert isnan(row.high)
