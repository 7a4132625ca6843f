"""Probes of options: what they learn, that nothing leaks over folds, and why the question is not joined."""

from dataclasses import replace

import made_options
import numpy as np
import pytest

from hansproof.audit.probes.crossfit import Fitting, crossfit, crossfit_folds
from hansproof.audit.probes.logistic import REGULARISATIONS, Training, fit
from hansproof.audit.probes.refitting import Limit
from hansproof.audit.tasks.options.option_crossfit import OptionTask, choice_kappa, smallest_found
from hansproof.audit.tasks.options.option_rows import OptionPool, joined_by_options, shown_items
from hansproof.audit.tasks.options.views import tables, views
from hansproof.audit.texts.feature_table import FeatureTable
from hansproof.audit.texts.grouping import no_groups
from hansproof.audit.texts.vectors import by_name

FITTING = Fitting(42, workers=1)


def bed_of(rows):
    made = made_options.benchmark(rows)
    pool = OptionPool.of(made, made.options)
    return OptionTask(tables(pool), pool)


def view(bed, name):
    return next(entry for entry in views(bed.pool) if entry.name == name)


def test_a_word_of_right_options_is_found_and_nothing_without_it():
    for cue, least, most in ((lambda text: f"{text} surely", 0.95, 1.0), (None, -0.25, 0.25)):
        bed = bed_of(made_options.rows(90, cue))
        (scores,) = crossfit(bed, np.arange(90), [view(bed, "word-1-presence")], FITTING, scheme="t", folds=3, splits=1)
        assert least <= choice_kappa(scores.matched[0, bed.pool.gold], bed.pool.size) <= most
        assert np.add.reduceat(scores.matched[0], bed.pool.start[:-1]) == pytest.approx(1)


def test_a_cue_that_differs_from_fold_to_fold_is_not_carried_over():
    # The mark is unique to each fold, so a probe that sees it in training has seen its own test items.
    fold = np.arange(60) % 3
    rows = made_options.rows(60)
    bed = bed_of(rows)
    marks = ["".join(f"mark{fold[item]}" if row in bed.pool.gold else "" for row in [row]) for row, item in
             enumerate(bed.pool.item)]  # fmt: skip
    table = FeatureTable.build(marks, levels=("word",), dense=())
    marked = replace(bed, tables={"option": table})
    (scores,) = crossfit_folds(marked, [view(bed, "word-1-presence")], FITTING, [fold])
    assert scores.matched[0] == pytest.approx(0.25)


def test_a_question_joined_to_its_options_adds_the_same_to_all_of_them():
    bed = bed_of(made_options.rows(60))
    pool = bed.pool
    joined = FeatureTable.build(
        [f"{pool.questions[item]} {text}" for text, item in zip(pool.texts, pool.item.tolist(), strict=True)],
        levels=("word",), dense=(),
    )  # fmt: skip
    y = pool.answers(pool.gold)
    counts = joined.parts(by_name("word-1-presence"), np.arange(len(y)), np.arange(len(y)), y)
    model = fit(Training(counts.train, y), REGULARISATIONS[0])
    asked = FeatureTable.build([pool.questions[item] for item in pool.item.tolist()], levels=("word",), dense=())
    known = {joined.ngram_text("word", int(column)): place for place, column in enumerate(counts.columns)}
    share = np.zeros(len(y))
    for column, word in enumerate(asked.levels["word"].words):
        if word in known:
            share += asked.presence("word")[:, column].toarray().ravel() * model.weights[known[word], 0]
    assert np.ptp(share) > 0
    assert max(np.ptp(share[first : first + 4]) for first in pool.start[:-1]) == pytest.approx(0)


def test_items_that_share_half_of_their_options_stay_together():
    rows = made_options.rows(40)
    shared = ["a red barn", "a blue barn"]
    for place in (3, 4):
        rows[place]["choices"][:2] = shared
    rows[9]["choices"][:1] = shared[:1]
    made = made_options.benchmark(rows)
    pool = OptionPool.of(made, made.options)
    groups = joined_by_options(pool, replace(no_groups(40), source="found"))
    number = dict(zip(pool.source, groups.index.tolist(), strict=True))
    assert number[3] == number[4]
    assert len(set(number.values())) == 39
    assert "share options" in groups.how


def test_an_option_of_most_items_joins_nothing():
    rows = made_options.rows(40)
    for row in rows:
        row["choices"] = [*row["choices"][:2], "none of the above", "all of the above"]
        row["answer"] %= 2
    made = made_options.benchmark(rows)
    pool = OptionPool.of(made, made.options)
    assert joined_by_options(pool, no_groups(40)).index.max() == 39


def test_an_item_is_shown_with_its_options_in_an_order_of_their_own():
    rows = [{"question": "Which?", "choices": list(order), "answer": 0} for order in ("abcd", "dcba")]
    made = made_options.benchmark(rows)
    first, second = shown_items(OptionPool.of(made, made.options))
    assert first == second
    assert first.startswith("Which?\n- ")


def test_an_injected_word_is_found_from_a_smaller_kappa_than_fifty_words():
    bed = bed_of(made_options.rows(150))
    single, fifty = smallest_found(bed, np.arange(150), FITTING, {"word-1-presence": Limit(0.1, 0.05)}, 3)
    assert 0.1 < single.kappa < 0.3
    assert fifty.kappa is None or fifty.kappa > single.kappa
