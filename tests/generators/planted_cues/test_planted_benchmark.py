"""Planted cues: item i is item i, designs are balanced, plain scikit-learn finds what was planted."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from functools import cache
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import syllapy
from scipy import stats
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import cohen_kappa_score
from sklearn.model_selection import GroupKFold, KFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from slow_part import slow_but

from hansproof.generators.errors import UsageError
from hansproof.generators.item import Item
from hansproof.generators.jsonl import dump
from hansproof.generators.planted_cues.dataset import generate
from hansproof.generators.planted_cues.design import SUBSETS

ROOT = Path(__file__).resolve().parents[3]
WRITTEN = ("paraphrase", "german", "chinese", "japanese", "chinese-cue")
PLAIN = [name for name in SUBSETS if name not in WRITTEN]
CUED = ("unigram", "bigram", "length", "readability")


@cache
def items(subset: str, seed: int = 7, count: int = 800) -> list[Item]:
    return list(generate(subset, seed, count))


def kappa_of_words(subset: str, ngrams: int, grouped: bool = True) -> float:
    """Out-of-fold Cohen's kappa of word presence; the folds keep groups together unless told otherwise."""
    rows = items(subset)
    presence = CountVectorizer(binary=True, min_df=2, ngram_range=(1, ngrams))
    probe = make_pipeline(presence, LogisticRegression(solver="liblinear"))
    return kappa(rows, probe, [row.prompt for row in rows], grouped)


def kappa_of_numbers(subset: str, measure) -> float:
    rows = items(subset)
    values = np.array([[measure(row.prompt)] for row in rows])
    return kappa(rows, make_pipeline(StandardScaler(), LogisticRegression()), values, grouped=True)


def kappa(rows, probe, features, grouped: bool) -> float:
    folds = GroupKFold(5) if grouped else KFold(5, shuffle=True, random_state=0)
    labels = [row.answer for row in rows]
    groups = [row.group for row in rows] if grouped else None
    return cohen_kappa_score(labels, cross_val_predict(probe, features, labels, groups=groups, cv=folds))


def word_count(text: str) -> int:
    return len(text.split())


def syllables_per_word(text: str) -> float:
    words = re.findall("[a-z]+", text.lower())
    return sum(max(1, syllapy.count(word)) for word in words) / len(words)


# -- what an item is -------------------------------------------------------------------------------


@pytest.mark.parametrize("subset", slow_but(SUBSETS, "bigram", "duplicates", "paraphrase", "chinese-cue"))
def test_item_i_is_the_same_whatever_is_asked_for(subset):
    all_of_them = items(subset)[:250]
    assert list(generate(subset, 7, 30)) == all_of_them[:30]
    assert list(generate(subset, 7, 30, start=213)) == all_of_them[213:243]
    assert list(generate(subset, 7, 0, start=5)) == []


@pytest.mark.parametrize("subset", slow_but(SUBSETS, "bigram", "duplicates", "paraphrase", "chinese-cue"))
def test_neighbouring_seeds_share_no_text(subset):
    first = {row.prompt for row in items(subset)}
    assert not first & {row.prompt for row in generate(subset, 8, 200)}
    assert len(first) >= 799 or SUBSETS[subset].copies > 1


@pytest.mark.parametrize("hash_seed", slow_but("012", "1"))
def test_another_process_makes_the_same_bytes_under_any_hash_seed(hash_seed):
    code = (
        "import sys; from hashlib import sha256; from hansproof.generators.jsonl import dump;"
        "from hansproof.generators.planted_cues.design import SUBSETS;"
        "from hansproof.generators.planted_cues.dataset import generate;"
        "print(sha256(b''.join(dump(generate(s, 7, 40)) for s in SUBSETS)).hexdigest())"
    )
    env = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)}
    run = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    here = sha256(b"".join(dump(items(subset)[:40]) for subset in SUBSETS)).hexdigest()
    assert run.stdout.strip() == here


@pytest.mark.parametrize("subset", PLAIN)
def test_texts_are_two_to_four_sentences_and_a_question(subset):
    for row in items(subset):
        prompt = " ".join(row.prompt.split()) if subset.startswith("format") else row.prompt
        assert re.fullmatch(r"(?:[A-Z][^.?{}<>]*\. ){2,4}[A-Z][^.?{}<>]*\?", prompt), prompt
        assert not re.search(r"\ba [aeiou]|\ban [^aeiouAEIOU]|  | [,.]|,,", prompt), prompt
        assert row.choices == ("no", "yes")


@pytest.mark.parametrize("subset", SUBSETS)
def test_ids_are_stable_and_groups_unique_but_for_templates(subset):
    rows = items(subset)
    assert rows[17].id == f"planted-cues/2.0.0/{subset}/000017"
    assert len({row.group for row in rows}) == (SUBSETS[subset].templates or 800)


# -- the design ------------------------------------------------------------------------------------


@pytest.mark.parametrize("subset", ["none", *CUED])
def test_labels_are_balanced_in_blocks_of_twenty(subset):
    answers = [row.answer for row in items(subset)]
    assert {answers[i : i + 20].count("yes") for i in range(0, 800, 20)} == {10}


@pytest.mark.parametrize("subset", CUED)
def test_an_ideal_reader_of_the_cue_reaches_the_strength(subset):
    # 8 of 10 items of a label in each block show it: p_o = .8, p_e = .5, kappa = .3 / .5
    rows = items(subset)
    read = cohen_kappa_score([row.answer for row in rows], [row.metadata["cue"] for row in rows])
    assert read == pytest.approx(0.6, abs=1e-12)


@pytest.mark.parametrize("strength", [0.0, 0.25, 0.333, 1.0])
def test_any_strength_is_reached_on_average(strength):
    rows = list(generate("unigram", 3, 1000, strength=strength))
    read = cohen_kappa_score([row.answer for row in rows], [row.metadata["cue"] for row in rows])
    assert read == pytest.approx(strength, abs=0.03)
    assert {row.metadata["strength"] for row in rows} == {strength}


def test_the_cue_in_the_metadata_is_the_one_in_the_text():
    for row in items("unigram"):
        assert ("usually" in row.prompt) == (row.metadata["cue"] == "yes")
        assert ("often" in row.prompt) == (row.metadata["cue"] == "no")
    for row in items("bigram"):
        assert all(row.prompt.split().count(word) <= 1 for word in ("old", "new"))
        pairs = {"yes": {"old bridge", "new mill"}, "no": {"new bridge", "old mill"}}
        assert set(re.findall(r"\b(?:old|new) \w+", row.prompt)) == pairs[row.metadata["cue"]]
    for row in items("length"):
        assert row.prompt.count(".") == {"yes": 4, "no": 2}[row.metadata["cue"]]


def test_a_template_has_one_answer_and_half_of_them_say_yes():
    answers: dict[str, set[str]] = {}
    for row in items("template-only"):
        answers.setdefault(row.group, set()).add(row.answer)
    assert Counter(tuple(given) for given in answers.values()) == {("no",): 50, ("yes",): 50}


def test_weaker_templates_say_their_answer_less_often():
    rows = list(generate("template-only", 3, 1000, strength=0.5))
    read = cohen_kappa_score([row.answer for row in rows], [row.metadata["cue"] for row in rows])
    assert read == pytest.approx(0.5, abs=0.11)  # standard error .027


def test_strength_is_the_uniform_kappa_of_the_majority_in_imbalance():
    assert Counter(row.answer for row in items("imbalance")) == {"no": 600, "yes": 200}
    even = Counter(row.answer for row in generate("imbalance", 1, 200, strength=0.0))
    assert even == {"no": 100, "yes": 100}
    assert {row.answer for row in generate("imbalance", 1, 200, strength=1.0)} == {"no"}


@pytest.mark.parametrize("subset", SUBSETS)
def test_an_items_number_says_nothing_about_its_label(subset):
    answers = [row.answer for row in items(subset)]
    for table in (
        [Counter(answers[k::2]) for k in range(2)],
        [Counter(b for a, b in pairwise(answers) if a == label) for label in ("no", "yes")],
    ):
        cells = [[row["no"], row["yes"]] for row in table]
        assert stats.chi2_contingency(cells).pvalue > 1e-3


# -- the independent solver: scikit-learn on the texts alone ---------------------------------------


@pytest.mark.parametrize("ngrams", [1, 2])
def test_nothing_is_found_where_nothing_was_planted(ngrams):
    assert abs(kappa_of_words("none", ngrams)) < 0.12
    assert abs(kappa_of_words("imbalance", ngrams)) < 0.12


def test_no_length_or_readability_where_none_was_planted():
    for subset in ("none", "unigram", "bigram"):
        assert abs(kappa_of_numbers(subset, word_count)) < 0.14
        assert abs(kappa_of_numbers(subset, syllables_per_word)) < 0.14


def test_single_words_find_the_unigram():
    assert 0.4 < kappa_of_words("unigram", 1) <= 0.62


def test_only_pairs_of_words_find_the_bigram():
    assert abs(kappa_of_words("bigram", 1)) < 0.12
    assert 0.4 < kappa_of_words("bigram", 2) <= 0.62


def test_the_number_of_words_finds_the_length():
    assert 0.4 < kappa_of_numbers("length", word_count) <= 0.62
    assert abs(kappa_of_numbers("length", syllables_per_word)) < 0.12


def test_syllables_find_the_readability_better_than_words_do():
    read = kappa_of_numbers("readability", syllables_per_word)
    assert 0.5 < read <= 0.62
    assert kappa_of_words("readability", 1) < read - 0.1
    assert abs(kappa_of_numbers("readability", word_count)) < 0.14


@pytest.mark.parametrize("ngrams", [1, 2])
def test_templates_are_found_by_random_folds_only(ngrams):
    assert kappa_of_words("template-only", ngrams, grouped=False) > 0.8
    assert abs(kappa_of_words("template-only", ngrams)) < 0.25  # 100 templates: standard error .1


# -- templates and their absence -------------------------------------------------------------------

FUNCTION_WORDS = ENGLISH_STOP_WORDS - {"a", "an", "the"}


def skeleton(text: str) -> tuple[str, ...]:
    """Function words kept, articles dropped, every other word a slot numbered by its first occurrence."""
    slots: dict[str, str] = {}
    words = [word for word in re.findall(r"\w+|[.,?]", text.lower()) if word not in ("a", "an", "the")]
    return tuple(
        word if word in FUNCTION_WORDS or not word.isalpha() else slots.setdefault(word, f"X{len(slots)}")
        for word in words
    )


def test_templates_are_found_untold_by_their_function_words():
    by_skeleton: dict[tuple[str, ...], set[str]] = {}
    for row in items("template-only"):
        by_skeleton.setdefault(skeleton(row.prompt), set()).add(row.group)
    assert len(by_skeleton) == 100
    assert all(len(groups) == 1 for groups in by_skeleton.values())


@pytest.mark.parametrize(
    "subset", [name for name in PLAIN if not SUBSETS[name].templates and SUBSETS[name].copies == 1]
)
def test_elsewhere_no_two_items_have_one_skeleton_or_share_a_sentence(subset):
    rows = items(subset)
    assert len({skeleton(row.prompt) for row in rows}) > 790
    sentences = Counter(sentence for row in rows for sentence in set(re.split(r"(?<=[.?]) ", row.prompt)))
    assert max(sentences.values()) <= 2


# -- refusals --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"subset": "trigram"}, r"has no subset 'trigram'\. Did you mean 'bigram'\? Known: none, unigram, bigram"),
        ({"count": -1}, r"count and start must be 0 or more, not -1 and 0"),
        ({"start": -3}, r"count and start must be 0 or more, not 5 and -3"),
        ({"strength": 1.5}, r"a strength must be between 0 and 1, not 1\.5"),
        ({"strength": float("nan")}, r"a strength must be between 0 and 1, not nan"),
    ],
)
def test_impossible_wishes_are_refused_at_once(arguments, message):
    wishes = {"subset": "none", "seed": 1, "count": 5, **arguments}
    with pytest.raises(UsageError, match=message):
        generate(**wishes)
