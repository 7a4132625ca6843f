"""From a benchmark with options and a planted cue to one without: cost, honesty, floors, orders of rows."""

from __future__ import annotations

import json
import random

import made_options
import numpy as np
import pytest

from hansproof.audit.reading.loading import load
from hansproof.audit.repair.harden import harden
from hansproof.audit.repair.options import OptionItems
from hansproof.audit.run import audit
from hansproof.audit.settings import make_settings
from hansproof.generators.errors import NotAssessedError, UsageError
from hansproof.generators.stream import Stream

pytestmark = pytest.mark.slow  # whole audits, each in seconds

QUICK = {"splits": 2, "permutations": 99, "folds": 3, "workers": 1}


def first(rows, share):
    """The same items with the right option first in this share of them."""
    for n, row in enumerate(rows):
        if Stream(3, "first").child(n).below(1000) < 1000 * share:
            gold = row["choices"].pop(row["answer"])
            row["choices"].insert(0, gold)
            row["answer"] = 0
    return rows


def longer(text):
    return f"{text} {text.split()[0]} {text.split()[1]}"


def surely(text):
    return f"{text.rpartition(' ')[0]} surely"  # as many words as before


def shows_nothing(result):
    return not result.held_out_after.is_faulty


@pytest.fixture(scope="module")
def placed():
    return harden(first(made_options.rows(300), 0.5), **QUICK)


def test_a_position_costs_no_item_but_an_order(placed):
    result, source = placed.result, first(made_options.rows(300), 0.5)
    assert result.before.verdict == "IMBALANCED"
    assert result.goal == "clean"
    assert [(step.kind, step.rule) for step in result.steps] == [("positions", "reorder the options")]
    assert result.kept == 300
    assert shows_nothing(result)
    rows = [json.loads(line) for line in placed.rows.splitlines()]
    for old, new in zip(source, rows, strict=True):
        assert new["choices"]["ABCD".index(new["answer"])] == old["choices"][old["answer"]]
        assert sorted(new["choices"]) == sorted(old["choices"])
    golds = np.bincount(["ABCD".index(row["answer"]) for row in rows], minlength=4)
    assert golds.max() < 105  # 75 each; the standard deviation is 7.5


def test_reordered_items_are_listed_with_their_orders(placed):
    source = first(made_options.rows(300), 0.5)
    rows = [json.loads(line) for line in placed.rows.splitlines()]
    assert placed.result.reordered == len(placed.removed) > 250
    for change in placed.removed:
        number = int(change.place.split()[1]) - 1
        assert rows[number]["choices"] == [source[number]["choices"][place] for place in change.order]
        assert (change.step, change.why) == (1, "reorder the options")
    untouched = {f"row {n + 1}" for n in range(300)} - {change.place for change in placed.removed}
    assert all(
        rows[number]["choices"] == source[number]["choices"]
        for number in (int(place.split()[1]) - 1 for place in untouched)
    )


def test_an_order_depends_on_the_texts_and_not_on_the_rows(placed):
    source = random.Random(1).sample(first(made_options.rows(300), 0.5), 300)
    assert by_prompt(harden(source, **QUICK).rows) == by_prompt(placed.rows)


def by_prompt(rows):
    return {row["prompt"]: (row["choices"], row["answer"]) for row in map(json.loads, rows.splitlines())}


def test_options_that_speak_of_each_other_stay_where_they_are():
    rows = first(made_options.rows(120), 0.6)
    for row in rows[:30]:
        row["choices"][3] = "none of the above"
    for row in rows[30:40]:
        row["question"] += " If unsure, take option B."
    done = harden(rows, **QUICK)
    assert done.result.reordered > 60
    assert {int(change.place.split()[1]) for change in done.removed if change.order is not None} <= set(range(41, 121))


def test_options_in_the_prompt_are_not_reordered_and_items_go_instead():
    rows = [
        {
            "prompt": "\n".join([row["question"], *(f"{n}. {text}" for n, text in enumerate(row["choices"], 1))]),
            "answer": row["answer"] + 1,
        }
        for row in first(made_options.rows(400), 0.5)
    ]
    done = harden(rows, **QUICK)
    result = done.result
    assert result.not_reordered == "the prompts print the options"
    assert (result.goal, result.reordered) == ("no fault shown", 0)
    assert [step.rule for step in result.steps] == ["balance the positions of the right options"]
    # Of 400 golds 250 stand first: with as many others, 150, first ones make up 32.5 % (half the threshold) at 72.
    assert result.kept == pytest.approx(222, abs=25)


@pytest.mark.parametrize(
    ("cue", "word"),
    [pytest.param(longer, "the longest", id="the longest option"), pytest.param(surely, "surely", id="a word")],
)
def test_a_planted_cue_costs_what_it_must_cost_and_then_nothing_is_seen(cue, word):
    result = harden(made_options.rows(480, cue, 0.4), **QUICK).result
    assert result.before.verdict == "LEAKS"
    assert result.goal == "clean"
    assert (result.steps[0].kind, word in result.steps[0].rule) == ("cue", True)
    assert result.kept == pytest.approx(480 * 0.6, abs=48)
    assert result.held_out_before.first.kappa > 0.2
    assert abs(result.held_out_after.first.kappa) < 0.2
    assert shows_nothing(result)


def test_matching_on_the_strongest_probe_does_without_a_named_cue():
    result = harden(made_options.rows(300, surely, 0.5), steps=["match"], **QUICK).result
    assert {step.kind for step in result.steps} == {"match"}
    assert result.kept == pytest.approx(300 * 0.5, abs=50)
    assert shows_nothing(result)


def test_nothing_is_lost_where_no_fault_is_shown():
    rows = made_options.rows(150)
    done = harden(rows, **QUICK)
    assert (done.result.goal, done.result.kept, done.removed) == ("nothing to repair", 150, [])
    assert [json.loads(line) for line in done.rows.splitlines()] == rows


def test_a_floor_stops_before_the_step_that_goes_below_it():
    result = harden(made_options.rows(200, surely, 0.6), keep_at_least=0.9, steps=["cue"], **QUICK).result
    assert (result.goal, result.kept, result.steps) == ("not reached", 200, [])
    assert "would leave fewer items than allowed" in result.reason


def test_steps_of_labels_and_options_that_cannot_be_read_are_refused():
    with pytest.raises(UsageError, match="none of these steps helps here; name some of positions, cue, match"):
        harden(made_options.rows(40), steps=["answers"], **QUICK)
    rows = [
        {**row, "choices": "; ".join(row["choices"]), "answer": "ABCD"[row["answer"]]} for row in made_options.rows(40)
    ]
    with pytest.raises(NotAssessedError, match="Write each as a list"):
        harden(rows, **QUICK)


def test_items_that_cannot_be_used_are_listed_and_gone():
    rows = made_options.rows(150)
    rows[7]["answer"] = 9
    done = harden(rows, **QUICK)
    assert (done.result.items, done.result.kept) == (149, 149)
    assert [(gone.place, gone.part, gone.why) for gone in done.removed] == [
        ("row 8", "unusable", "the gold is none of the options")
    ]


def test_small_groups_stay_whole_and_parts_share_none():
    rows = [{**row, "group": str(n // 2)} for n, row in enumerate(made_options.rows(200, surely, 0.5))]
    items = OptionItems(load(rows), make_settings(), 0.4, 1)
    assert not set(items.groups[items.chosen]) & set(items.groups[~items.chosen])
    kept = {change.place for change in harden(rows, **QUICK).removed}
    gone = {f"row {n + 1}" in kept for n in range(200)}
    assert gone == {True, False}
    assert all((f"row {n + 1}" in kept) == (f"row {n + 2}" in kept) for n in range(0, 200, 2))


def test_what_is_left_is_what_anyone_audits():
    done = harden(made_options.rows(200, surely, 0.5), steps=["cue"], **QUICK)
    again = audit([json.loads(line) for line in done.rows.splitlines()], **QUICK)
    assert (again.verdict, again.items) == (done.result.after.verdict, done.result.kept)
