"""Item analysis of a grid: what is flagged and why, what is refused, and how families and groups count."""

from dataclasses import replace

import numpy as np
import pytest

from hansproof.audit.models import items
from hansproof.audit.models.items import FLAGS, analyse_items
from hansproof.audit.replies.grid import NOT_ASKED, RIGHT, WRONG, Grid, Series
from hansproof.generators.item import Item

OPTIONS = ("north", "south", "east", "west")


def grid(size=60, models=20, bad=(0, 1, 2), seed=0, options=4, prompts=None, series=None, groups=None):
    """Options in one grid; the golds of `bad` are wrong, and able models give the right answer instead."""
    draw = np.random.default_rng(seed)
    p = 1 / (1 + np.exp(-(np.linspace(-1.5, 2.5, models) + draw.normal(0.5, 0.8, size)[:, None])))
    truth = draw.integers(0, options, size)
    other = (truth[:, None] + draw.integers(1, options, (size, models))) % options
    said = np.where(draw.random((size, models)) < p, truth[:, None], other)
    said[list(bad), 6:] = truth[list(bad), None]
    gold = truth.copy()
    gold[list(bad)] = (truth[list(bad)] + 1) % options
    rows = tuple(
        Item(
            id=f"q{place}", prompt=prompts[place] if prompts else f"{draw.integers(10**12)} of {place}?",
            choices=OPTIONS[:options], answer=OPTIONS[gold[place]], group=groups[place] if groups else f"g{place}",
            condition="original", metadata={"subset": "s"},
        )
        for place in range(size)
    )  # fmt: skip
    outcomes = np.where(said == gold[:, None], RIGHT, WRONG).astype(np.int8)
    names = np.array(OPTIONS)[said] if options > 2 else None
    return Grid("bench", rows, tuple(series or [Series(f"m{at}") for at in range(models)]), outcomes, names), truth


def test_wrong_golds_come_first_with_the_answer_that_is_right():
    answered, truth = grid()
    rows = analyse_items(answered).rows
    assert {row.id for row in rows[:3]} == {"q0", "q1", "q2"}
    for row in rows[:3]:
        assert row.flags[0] == "wrong gold"
        assert row.suspected == row.common_wrong == OPTIONS[truth[int(row.id[1:])]]
        posterior = f"{row.wrong_gold:.2f}".removeprefix("0")
        assert f"{row.suspected!r} is the right answer with a posterior of {posterior}" in row.reasons[0]
    assert sum("wrong gold" in row.flags for row in rows[3:]) <= 1
    assert [len(row.flags) for row in rows] == [len(row.reasons) for row in rows]


def test_three_models_are_too_few_and_every_refusal_names_what_it_takes():
    of = analyse_items(grid(models=3, bad=())[0])
    assert [of.reliability, of.subset, of.share_wrong, of.effective_items] == [None] * 4
    assert all(row.discrimination is None and row.slope is None and row.wrong_gold is None for row in of.rows)
    said = " ".join(of.refused)
    for number in (10, 8, 6, 16):
        assert f"answers worth 3.0 independent models; it takes {number}" in said
    assert of.detectable is not None
    assert [row.flags for row in of.rows if row.flags] == []


def test_styles_of_two_models_are_no_twenty_models():
    series = [Series(f"m{at % 2}", f"style{at // 2}") for at in range(20)]
    of = analyse_items(grid(series=series)[0])
    assert of.independent < 4
    assert of.share_wrong is None


def test_two_options_say_nothing_of_golds_but_a_reversed_item_is_seen():
    answered, _ = grid(size=80, models=40, options=2, bad=())
    able = np.arange(40) >= 20
    answered.outcomes[:4] = np.where(able, WRONG, RIGHT)
    of = analyse_items(answered)
    assert {row.id for row in of.rows if "reversed" in row.flags} == {"q0", "q1", "q2", "q3"}
    assert "wrong golds: not said, since only right and wrong are known of these answers" in of.refused


def test_dead_items_and_copies_are_flagged_but_matched_items_are_no_copies():
    prompts = [f"How far is it from town {chr(97 + at % 26) * (3 + at)} to the river?" for at in range(60)]
    prompts[5], prompts[6] = "Which way does the moss grow?", "which way does the  moss grow?"
    answered, _ = grid(prompts=prompts, bad=())
    answered.outcomes[9], answered.outcomes[10] = RIGHT, WRONG
    of = {row.id: row for row in analyse_items(answered).rows}
    same = answered.items[5].answer == answered.items[6].answer
    assert (of["q5"].copy_of, of["q6"].copy_of) == ("", "q5" if same else "")
    assert "all right" in of["q9"].flags
    assert "all wrong" in of["q10"].flags


def test_items_of_a_group_count_as_one_part():
    whole = analyse_items(grid(bad=())[0])
    grouped = analyse_items(grid(bad=(), groups=[f"g{at // 6}" for at in range(60)])[0])
    assert (whole.groups, grouped.groups) == (60, 10)
    assert grouped.reliability != whole.reliability
    assert grouped.effective_items < 10 < whole.effective_items


def test_items_that_nobody_was_asked_are_left_out():
    answered, _ = grid(bad=())
    answered.outcomes[:7] = NOT_ASKED
    answered.outcomes[7, :10] = NOT_ASKED
    of = analyse_items(answered)
    assert (of.items, of.compared, len(of.rows)) == (53, 52, 53)
    assert next(row for row in of.rows if row.id == "q7").models == 10


def test_flags_are_in_their_order():
    order = [FLAGS.index(row.flags[0]) for row in analyse_items(grid()[0]).rows if row.flags]
    assert order == sorted(order)


@pytest.mark.parametrize("models", [8, 20])
def test_the_same_answers_give_the_same_analysis(models):
    assert analyse_items(grid(models=models)[0]) == analyse_items(grid(models=models)[0])


def test_more_wrong_golds_than_any_benchmark_has_are_another_reason_why_models_part(monkeypatch):
    answered, _ = grid()
    real = items.suspect_golds
    monkeypatch.setattr(items, "suspect_golds", lambda *given: replace(real(*given), share_wrong=0.28))
    of = analyse_items(answered)
    assert [note for note in of.refused if note.startswith("wrong golds: not said, since 28% of the items would be")]
    assert {(row.wrong_gold, row.ambiguous) for row in of.rows} == {(None, None)}
    assert not {"wrong gold", "ambiguous"} & set(of.flagged)


def test_models_that_the_items_do_not_tell_apart_say_nothing_of_golds_and_slopes():
    answered, _ = grid(bad=())
    answered.outcomes[:] = np.where(np.random.default_rng(1).random((60, 20)) < 0.6, RIGHT, WRONG)
    of = analyse_items(answered)
    assert of.reliability.low <= 0
    assert any("these items do not tell the models apart" in note for note in of.refused)
    assert {(row.slope, row.discrimination, row.wrong_gold) for row in of.rows} == {(None, None, None)}


def test_holes_leave_models_comparable_but_no_reliability_of_the_few_whole_items():
    answered, _ = grid(bad=(), size=120)
    answered.outcomes[np.random.default_rng(1).random((120, 20)) < 0.15] = NOT_ASKED
    of = analyse_items(answered)
    assert of.compared < 30
    assert of.reliability is None
    assert f"reliability: not said from {of.compared} items that all models were asked; it takes 30" in of.refused
    assert of.detectable < 0.3


def test_copies_of_a_model_do_not_make_small_differences_visible():
    answered, _ = grid(bad=(), models=8)
    copied = Grid(
        "bench", answered.items, tuple(Series(f"m{at}") for at in range(20)),
        np.hstack([answered.outcomes, np.repeat(answered.outcomes[:, :1], 12, axis=1)]),
    )  # fmt: skip
    assert analyse_items(copied).detectable == pytest.approx(analyse_items(answered).detectable, abs=0.05)
