"""Cheap cues as numbers, and the rules that they make."""

import made_options
import numpy as np
import pytest

from hansproof.audit.tasks.options.option_rows import OptionPool
from hansproof.audit.tasks.options.option_shortcuts import judged, rules_on
from hansproof.audit.tasks.options.views import AGAINST, ALONE, cue_values, ranks_within, shown_ngram, tables, views

NAMES = (*ALONE, *AGAINST)


def pool_of(*items):
    made = made_options.benchmark([dict(zip(("question", "choices", "answer"), item, strict=True)) for item in items])
    return OptionPool.of(made, made.options)


def column(pool, name):
    """The values of one cue by option."""
    return dict(zip(pool.texts, cue_values(pool)[:, NAMES.index(name)].tolist(), strict=True))


def test_ranks_run_from_least_to_most_and_equal_values_share_theirs():
    ranks = ranks_within(np.array([3.0, 1.0, 2.0, 5.0, 5.0, 1.0, 7.0, 7.0]), np.array([0, 3, 6, 8]))
    assert ranks.tolist() == [1, 0, 0.5, 0.75, 0.75, 0, 0.5, 0.5]


def test_likeness_is_the_cosine_of_words_weighted_by_rarity():
    sklearn = pytest.importorskip("sklearn.metrics.pairwise")
    options = ["red round ball", "red round cube", "green tree"]
    pool = pool_of(("Which red thing rolls?", options, 0), ("Other?", ["blue sky", "grey sky"], 1))
    words = sorted({word for text in pool.texts for word in text.split()})
    counts = np.array([[text.split().count(word) for word in words] for text in pool.texts], dtype=float)
    of_items = np.stack([counts[pool.item == item].sum(axis=0) for item in range(pool.n)])
    weights = counts * np.log((1 + pool.n) / (1 + (of_items > 0).sum(axis=0)))
    rows = [pool.texts.index(text) for text in options]
    cosine = sklearn.cosine_similarity(weights[rows])
    ours = column(pool, "likeness to the other options")
    assert [ours[text] for text in options] == pytest.approx((cosine.sum(axis=1) - 1) / 2)
    assert column(pool, "share of its words in the question")["red round ball"] == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("all or none of the above", "All of the above"),
        ("all or none of the above", "None of these"),
        ("all or none of the above", "Both A and B"),
        ("absolutes", "It is always cold"),
        ("hedges", "It may be cold"),
        ("negations", "It isn't cold"),
    ],
)
def test_words_that_mark_an_option_are_seen(name, text):
    values = column(pool_of(("Which?", [text, "It is cold here"], 0)), name)
    assert values == {text: 1.0, "It is cold here": 0.0}


def rules(pool, ordered=True):
    fold = np.arange(pool.n) % 3
    values = tables(pool)["question"].numbers["rules"]
    return {
        rule.rule: rule
        for rule in (judged(of, pool, np.arange(pool.n)) for of in rules_on(pool, values, fold, ordered))
        if rule.applies
    }


def test_the_longest_option_is_a_rule_with_accuracy_kappa_and_interval():
    made = [made_options.item(n) for n in range(60)]
    pool = pool_of(*((question, [*texts[:gold], texts[gold] + " long" * (n % 4 > 0), *texts[gold + 1 :]], gold)
                     for n, (question, texts, gold) in enumerate(made)))  # fmt: skip
    rule = rules(pool)["the longest (words)"]
    # 45 of 60 golds are the longest by a word; in the other 15 items all are as long, and a guess is worth 1/4.
    assert rule.accuracy == pytest.approx((45 + 15 / 4) / 60)
    assert rule.kappa == pytest.approx((rule.accuracy - 0.25) / 0.75)
    assert (rule.applies, rule.learnt) == (45, False)
    assert rule.low < rule.kappa < rule.high


def test_the_most_common_position_is_learnt_elsewhere():
    # Each of three folds has golds at its own place only: what is common elsewhere is never right here.
    items = [made_options.item(n, k=3) for n in range(30)]
    pool = pool_of(*((question, texts, 0) for question, texts, _ in items))
    moved = np.arange(30) % 3
    parted = OptionPool(pool.texts, pool.questions, pool.start, pool.start[:-1] + moved, pool.source)
    assert [rules(of)["the most common position (learnt)"].accuracy for of in (parted, pool)] == [0, 1]


def test_options_without_an_order_have_no_positions():
    pool = pool_of(*(made_options.item(n) for n in range(12)))
    assert any(name.startswith("option ") for name in rules(pool))
    assert not any("position" in name or name.startswith("option ") for name in rules(pool, ordered=False))


def test_a_repeated_option_that_is_never_right_is_found_elsewhere():
    made = [made_options.item(n) for n in range(60)]
    pool = pool_of(*((question, [*texts, "nothing at all"], gold) for question, texts, gold in made))
    rule = rules(pool)["most often right elsewhere (learnt)"]
    assert rule.applies == 60
    assert rule.accuracy == pytest.approx(1 / 4)


def test_marked_words_say_what_the_question_and_the_other_options_have():
    pool = pool_of(("Is the heron grey?", ["grey heron", "green heron", "green lizard"], 0))
    built = tables(pool)
    asked = dict(zip(pool.texts, built["question"].texts, strict=True))
    own = dict(zip(pool.texts, built["others"].texts, strict=True))
    assert asked == {
        "grey heron": "_q_grey _q_heron", "green heron": "green _q_heron", "green lizard": "green lizard",
    }  # fmt: skip
    assert own == {"grey heron": "_o_grey heron", "green heron": "green heron", "green lizard": "green _o_lizard"}
    assert shown_ngram("_q_grey _o_lizard") == "grey [in question] lizard [only here]"


def test_whole_options_are_seen_only_where_they_repeat():
    apart = pool_of(*(made_options.item(n) for n in range(30)))
    repeated = pool_of(
        *((question, ["yes", "no", *texts], gold + 2) for question, texts, gold in map(made_options.item, range(30)))
    )
    assert [view.name for view in views(apart) if view.table == "whole"] == []
    assert [view.name for view in views(repeated) if view.table == "whole"] == ["whole"]
