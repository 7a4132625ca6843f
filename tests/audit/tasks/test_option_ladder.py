"""The ladder of options: a planted shortcut is named by the simplest rung that has it, and learnt in training only."""

import made_options
import numpy as np
import pytest
import scipy.sparse as sp

from hansproof.audit.probes.crossfit import Fitting, crossfit, draw_folds
from hansproof.audit.probes.kappas import RefitWidening
from hansproof.audit.settings import make_settings
from hansproof.audit.shortcuts.shared_folds import SharedFolds, chosen_in_training
from hansproof.audit.tasks.options.option_crossfit import OptionTask, choice_kappa
from hansproof.audit.tasks.options.option_rows import OptionPool
from hansproof.audit.tasks.options.option_shortcuts import (
    of_rules,
    options_ladder,
    rules_on,
    single_option_ngram,
    within_items,
)
from hansproof.audit.tasks.options.views import tables, views
from hansproof.audit.texts.feature_table import FeatureTable
from hansproof.generators.stream import Stream

N = 120
VIEWS = ("word-1-presence", "word-2-presence", "format", "readability", "option-cues", "question-cues")
STRETCH = RefitWidening(1.0, 1.0, 30)


def pool_of(rows):
    made = made_options.benchmark(rows)
    return OptionPool.of(made, made.options)


def ladder_of(rows, *, ordered=True, candidates=None):
    pool = pool_of(rows)
    fitting = Fitting(42, workers=1) if candidates is None else Fitting(42, candidates, workers=1)
    groups = np.arange(pool.n)
    task = OptionTask(tables(pool, groups), pool)
    used = [view for view in views(pool) if view.name in VIEWS]
    scores = crossfit(task, groups, used, fitting, scheme="grouped", folds=3, splits=1)
    settings = make_settings(splits=1, permutations=99, folds=3)
    return options_ladder(SharedFolds(task, groups, scores, STRETCH, fitting, settings), task, ordered=ordered)


def same_length(rows):
    """Every option with as many characters, so that no rule of length tells anything."""
    for row in rows:
        row["choices"] = [text[:28].ljust(28, "x") for text in row["choices"]]
    return rows


def rung(ladder, name):
    [wanted] = [rung for rung in ladder.rungs if rung.name == name]
    return wanted


def test_a_word_of_right_options_is_one_ngram():
    rows = same_length(made_options.rows(N))
    for n, row in enumerate(rows):
        at = row["answer"] if n % 5 else (row["answer"] + 1) % 4
        row["choices"] = [
            f"{text} {'surely' if place == at else 'hardly'}" for place, text in enumerate(row["choices"])
        ]
    ladder = ladder_of(rows)
    assert (ladder.enough, ladder.ngram.label) == ("ngram", "the right option")
    assert ladder.ngram.ngram.strip() == "surely"
    assert (ladder.ngram.count, ladder.ngram.count_label) == (120, 96)
    # Right in 96 of 120: (.8 - .25) / .75.
    assert rung(ladder, "ngram").kappa == pytest.approx(0.7333, abs=1e-4)
    assert ladder.sentence.startswith("One word is enough: “surely” → “the right option” (96 of 120 options with it)")


def test_a_word_of_wrong_options_is_avoided():
    rows = same_length(made_options.rows(N))
    for row in rows:
        row["choices"] = [
            f"{text} {'truly' if place == row['answer'] else 'never'}" for place, text in enumerate(row["choices"])
        ]
        row["choices"][row["answer"]] = row["choices"][row["answer"]].replace("truly", row["choices"][0][:5])
    ladder = ladder_of(rows)
    assert (ladder.ngram.ngram.strip(), ladder.ngram.label) == ("never", "a wrong option")
    assert (ladder.ngram.count, ladder.ngram.count_label) == (3 * N, 3 * N)
    assert rung(ladder, "ngram").kappa == 1


def test_the_longest_option_and_a_position_are_simpler_than_any_word():
    longest = ladder_of(made_options.rows(N, lambda text: f"{text} and a few more", 0.6))
    assert longest.enough == "length"
    assert "longest" in rung(longest, "length").sees
    second = made_options.rows(N)
    for n, row in enumerate(second):
        row["answer"] = 1 if n % 3 else row["answer"]
    by_position = ladder_of(second)
    assert by_position.enough == "position"
    assert rung(by_position, "position").kappa > 0.5
    assert "position" not in {rung.name for rung in ladder_of(second, ordered=False).rungs}


def test_a_word_shared_with_the_question_is_likeness():
    rows = made_options.rows(N)
    for n, row in enumerate(rows):
        asked = row["question"].removesuffix(f", case {n}?").split()[-3:]
        free = [word for word in made_options.WORDS if word not in asked]
        others = Stream(3, "likeness").child(n).sample(free, 9)
        row["choices"] = (
            [
                " ".join(
                    [
                        *others[3 * place : 3 * place + 2],
                        asked[n % 3] if place == row["answer"] else others[3 * place + 2],
                    ]
                )
                for place in range(3)
            ]
            if row["answer"] < 3
            else row["choices"]
        )
    rows = [row for row in rows if row["answer"] < 3]
    ladder = ladder_of(rows)
    assert ladder.enough == "overlap"
    assert rung(ladder, "overlap").sees == "most like the question most often"


def test_nothing_planted_is_nothing_said():
    ladder = ladder_of(made_options.rows(N))
    assert ladder.enough is None
    assert ladder.sentence.startswith("No simple cue was shown: of ")
    assert rung(ladder, "constant").kappa == 0


def test_trees_are_a_rung_of_their_own_and_the_others_are_fitted_without_them():
    from hansproof.audit.probes.logistic import REGULARISATIONS, TREES

    rows = made_options.rows(60, lambda text: f"{text} surely")
    plain, mixed = ladder_of(rows), ladder_of(rows, candidates=(*REGULARISATIONS, TREES))
    assert [rung.name for rung in mixed.rungs] == [*(rung.name for rung in plain.rungs), "trees"]
    for name in ("unigrams", "question"):
        assert rung(mixed, name).kappa == rung(plain, name).kappa


def test_z_within_items_is_that_of_mantel_and_haenszel_in_statsmodels():
    statsmodels = pytest.importorskip("statsmodels.stats.contingency_tables")
    rows = [row for k in (2, 3, 5) for row in made_options.rows(20, k=k, seed=k)]
    pool = pool_of(rows)
    random = np.random.RandomState(0)
    having = (random.rand(len(pool.texts)) < 0.4).astype(float)
    off, variance = within_items(sp.csr_matrix(having[:, None]), pool)
    y = pool.answers(pool.gold).astype(bool)
    strata = []
    for item in range(pool.n):
        rows_of = pool.item == item
        strata.append([
            [np.sum(having[rows_of & y] == 1), np.sum(having[rows_of & y] == 0)],
            [np.sum(having[rows_of & ~y] == 1), np.sum(having[rows_of & ~y] == 0)],
        ])  # fmt: skip
    test = statsmodels.StratifiedTable(np.moveaxis(np.array(strata, dtype=float), 0, 2)).test_null_odds(
        correction=False
    )
    assert off.sum() ** 2 / variance.sum() == pytest.approx(test.statistic)


def test_an_ngram_of_all_options_of_its_items_tells_nothing():
    texts = [f"always {word}" for word in "abcdefgh"] * 5
    rows = [{"question": f"{n}?", "choices": texts[4 * n : 4 * n + 4], "answer": n % 4} for n in range(10)]
    pool = pool_of(rows)
    table = FeatureTable.build(["same words"] * len(pool.texts), dense=())
    scores, named = single_option_ngram(table, pool, [np.arange(10) % 2])
    assert named is None
    assert scores.matched == pytest.approx(0.25)


def test_an_ngram_that_turns_round_from_fold_to_fold_is_not_carried_over():
    # In one half of the items the word marks the right option, in the other a wrong one: what training learns is wrong.
    rows = made_options.rows(80)
    for n, row in enumerate(rows):
        place = row["answer"] if n % 2 else (row["answer"] + 1) % 4
        row["choices"][place] += " turncoat"
    pool = pool_of(rows)
    fold = np.array(pool.source) % 2
    scores, _ = single_option_ngram(FeatureTable.build(pool.texts, dense=()), pool, [fold])
    hits = scores.matched[0, pool.gold]
    # Trained on wrong options the word is avoided where it is right, and the other way round.
    assert choice_kappa(hits[fold == 1], pool.size[fold == 1]) == pytest.approx(-1 / 3)
    assert choice_kappa(hits[fold == 0], pool.size[fold == 0]) == pytest.approx(-1 / 3)


def test_a_rule_is_chosen_on_other_items_than_those_it_chooses_for():
    # The right option is the longest in one half of the items and the shortest in the other: training is always wrong.
    rows = made_options.rows(60)
    for n, row in enumerate(rows):
        row["choices"] = [
            "word " * (4 if (place == row["answer"]) == bool(n % 2) else 2) + f"{n} {place}" for place in range(4)
        ]
        if n % 2 == 0:
            row["choices"][row["answer"]] = f"x {n}"
    pool = pool_of(rows)
    fold = np.array(pool.source) % 2
    groups = np.arange(pool.n)
    values = tables(pool, groups)["question"].numbers["rules"]
    known = [
        rule for rule in rules_on(pool, values, fold, True) if rule.name.startswith(("the longest", "the shortest"))
    ]
    scores, _ = of_rules("length", pool, [known], [fold])
    assert choice_kappa(scores.matched[0, pool.gold], pool.size) == pytest.approx(-1 / 3)


def test_a_view_is_chosen_by_its_validation():
    pool = pool_of(made_options.rows(60, lambda text: f"{text} surely"))
    groups = np.arange(60)
    task = OptionTask(tables(pool, groups), pool)
    used = [view for view in views(pool) if view.name in ("readability", "word-1-presence")]
    scores = crossfit(task, groups, used, Fitting(42, workers=1), scheme="grouped", folds=3, splits=1)
    assert all(len(entry.validations) == 3 for entry in scores)
    folds = draw_folds(task.strata(task.gold), groups, 42, "grouped", 3, 1)
    chosen, often = chosen_in_training(task, "unigrams", scores, folds)
    assert (chosen.matched == next(of for of in scores if of.vector == often).matched).all()
    assert often.name == "word-1-presence"
