"""The survey of single n-grams: what is significant, what templates and looking at many do not make so."""

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

from hansproof.audit.shortcuts.single_ngrams import FEWEST, MOST_LABELS, survey_ngrams
from hansproof.audit.statistics.association import binomial_tail
from hansproof.audit.texts.feature_table import FeatureTable

WORDS = [f"w{number:03d}" for number in range(150)]


def texts(n, seed=0, length=6):
    random = np.random.RandomState(seed)
    return [" ".join(random.choice(WORDS, length)) for _ in range(n)], random


def survey(prompts, y, groups=None, labels=("no", "yes"), **options):
    table = FeatureTable.build(prompts, levels=options.pop("levels", ["word"]), dense=())
    groups = np.arange(len(prompts)) if groups is None else groups
    return survey_ngrams(table, np.asarray(y), list(labels), np.asarray(groups), **options)


@pytest.fixture(scope="module")
def planted():
    prompts, random = texts(400)
    y = random.permutation(np.arange(400) % 2)
    cue = np.where(random.rand(400) < 0.9, y, 1 - y)  # "usually" stands with 9 of 10 yes, "rarely" with 9 of 10 no
    return [f"{text} {('rarely', 'usually')[c]}" for text, c in zip(prompts, cue, strict=True)], y


def test_a_planted_word_is_significant_and_nothing_else(planted):
    result = survey(*planted)
    assert {test.ngram: test.label for test in result.worst} == {"usually": "yes", "rarely": "no"}
    assert (result.significant, result.unit, result.units) == (2, "item", 400)
    assert [(label.label, label.significant) for label in result.labels] == [("no", 1), ("yes", 1)]


def test_p_is_corrected_by_holm_as_in_statsmodels(planted):
    prompts, y = planted
    result = survey(prompts, y)
    table = FeatureTable.build(prompts, levels=["word"], dense=())
    X = table.presence("word").toarray()[:, table.presence("word").toarray().sum(axis=0) >= FEWEST]
    X = np.unique(X, axis=1)  # n-grams in the very same items are one
    p = np.array([binomial_tail(X.sum(axis=0), X[y == c].sum(axis=0), (y == c).mean()) for c in (0, 1)])
    rejected, corrected, _, _ = multipletests(p.ravel(), 0.05, "holm")
    assert (result.ngrams, result.tests) == (X.shape[1], p.size)
    assert sorted(test.p_corrected for test in result.worst) == pytest.approx(sorted(corrected[rejected]))


def test_a_word_is_compared_with_the_base_rate_and_not_with_one_half():
    prompts, random = texts(600)
    y = (random.rand(600) < 0.8).astype(int)
    prompts = [f"{text} indeed" if k % 2 else text for k, text in enumerate(prompts)]
    # 80 % of the items with "indeed" have the answer yes, as have all others: against 1/2 that would be z = 10.
    assert survey(prompts, y).significant == 0


def test_templates_do_not_inflate_a_word():
    # "above" stands in one template of 60 items, all of them yes; 60 more templates of one item have both answers.
    prompts, random = texts(120)
    prompts[:60] = [f"{text} above" for text in prompts[:60]]
    y = np.concatenate([np.ones(60, int), random.randint(0, 2, 60)])
    together = np.concatenate([np.zeros(60, int), np.arange(1, 61)])
    assert "above" in {test.ngram for test in survey(prompts, y).worst}
    grouped = survey(prompts, y, together)
    assert (grouped.significant, grouped.unit, grouped.units) == (0, "group", 61)


def test_matched_pairs_that_share_a_word_say_nothing_of_it_and_a_word_of_one_side_says_all():
    prompts, _ = texts(80)
    pairs = [side for k, text in enumerate(prompts) for side in (f"{text} indeed", f"{text} indeed never")]
    result = survey(pairs, np.tile([1, 0], 80), np.repeat(np.arange(80), 2))
    (never,) = result.worst
    assert (never.ngram, never.label, never.count, never.hits) == ("never", "no", 80, 80)
    assert (never.applicability, never.productivity, never.coverage) == (80, 1, 1)
    assert never.p == pytest.approx(0.5**80)


def test_one_in_twenty_benchmarks_without_a_cue_shows_a_word_at_most():
    alarms = 0
    for seed in range(60):
        prompts, random = texts(200, seed)
        alarms += survey(prompts, random.randint(0, 2, 200)).significant > 0
    assert alarms <= 6  # 3 expected at most; more than 6 has a probability of 3 %


def test_neither_the_order_of_the_items_nor_the_names_of_the_answers_change_a_number(planted):
    prompts, y = planted
    turned = survey(prompts[::-1], y[::-1])
    assert turned == survey(prompts, y)
    renamed = survey(prompts, y, labels=("0", "1"))
    assert [test.z for test in renamed.worst] == [test.z for test in turned.worst]


def test_white_space_and_both_levels_are_seen():
    prompts, random = texts(300)
    y = random.randint(0, 2, 300)
    prompts = [f"{text}\n\nend" if answer else f"{text}\nend" for text, answer in zip(prompts, y, strict=True)]
    worst = survey(prompts, y, levels=["word", "gpt2"]).worst
    assert any(test.level == "gpt2" and "\n" in test.ngram for test in worst)


def test_ngrams_of_the_same_items_are_one_and_named_together():
    prompts, random = texts(300)
    y = random.randint(0, 2, 300)
    prompts = [f"{text} as well" if answer else text for text, answer in zip(prompts, y, strict=True)]
    (test,) = survey(prompts, y).worst
    assert {test.ngram, *test.also} >= {"as", "well", "as well"}


def test_the_most_common_answers_are_tested_and_rare_ones_are_not():
    prompts, _ = texts(600)
    y = np.concatenate([np.repeat(np.arange(25), 23)[:575], np.full(22, 25), np.full(3, 26)])
    result = survey(prompts, y, labels=[f"a{c}" for c in range(27)])
    assert len(result.labels) == MOST_LABELS
    assert result.tests == MOST_LABELS * result.ngrams


def test_nothing_to_test_is_none():
    assert survey(["?!" for _ in range(40)], np.arange(40) % 2) is None
    assert survey([f"a{k} word" for k in range(8)], np.arange(8) % 2) is None


def test_chances_that_differ_from_row_to_row_are_those_of_the_rows_with_the_ngram():
    # Items of two options say "either", items of five do not: by the mean chance of .2 to .5 the word would look right.
    prompts, random = texts(700)
    y, groups, sizes = [], [], []
    for item in range(200):
        k = 2 if item < 100 else 5
        gold = random.randint(k)
        y += [int(place == gold) for place in range(k)]
        groups += [item] * k
        sizes += [k] * k
    prompts = [f"{text} either" if k == 2 else text for text, k in zip(prompts, sizes, strict=True)]
    chance = 1 / np.array(sizes)
    rates = np.stack([1 - chance, chance], axis=1)
    assert "either" in {test.ngram for test in survey(prompts, y, groups, ("wrong", "right"), alpha=0.5).worst}
    assert survey(prompts, y, groups, ("wrong", "right"), rates=rates).significant == 0


def test_chances_that_are_all_alike_change_nothing(planted):
    prompts, y = planted
    plain, told = survey(prompts, y), survey(prompts, y, rates=np.full((400, 2), 0.5))
    assert told == plain
