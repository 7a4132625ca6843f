"""The sentence of the ladder, word by word."""

from __future__ import annotations

import msgspec
import pytest
from made_ladder import ladder, rung

from hansproof.audit.shortcuts.ladder import in_words
from hansproof.audit.tasks.options.option_shortcuts import OPTIONS

NOT = ladder().ngram
RUNGS = ladder().rungs


def said(best, enough, rungs=RUNGS, ngram=NOT, margin=0.1):
    return in_words(rungs, best, enough, ngram, margin)


def test_one_word_is_named_with_its_answer_and_the_best_kappa():
    assert said("bigrams", "ngram") == (
        "One word is enough: “not” → “contradiction” (261 of 312 items with it), kappa .31 of .33."
    )
    assert said("ngram", "ngram").endswith("kappa .31.")


@pytest.mark.parametrize(
    ("changes", "opening"),
    [
        ({"level": "gpt2", "ngram": " not"}, "One token is enough: “␣not” → "),
        ({"words": 2, "ngram": "is not"}, "One pair of words is enough: “is not” → "),
        ({"level": "gpt2", "words": 2, "ngram": "\n\n"}, "One pair of tokens is enough: “⏎⏎” → "),
        ({"chosen": 0.4}, "One word is enough: “not” (chosen in 40 % of the training sets) → "),
        ({"label": "x" * 99}, f"One word is enough: “not” → “{'x' * 60}…” (261"),
    ],
)
def test_the_ngram_is_called_what_it_is(changes, opening):
    assert said("bigrams", "ngram", ngram=msgspec.structs.replace(NOT, **changes)).startswith(opening)


def test_a_part_of_the_prompt_is_named():
    part = [rung("constant", 0.0), rung("partial", 0.3, sees="the hypothesis alone"), rung("bigrams", 0.33)]
    assert said("bigrams", "partial", part) == "The hypothesis alone is enough: kappa .30 of .33."


def test_words_that_are_needed_are_compared_with_the_best_simpler_rung():
    assert said("bigrams", "bigrams") == (
        "Words and pairs of words are needed: kappa .33; the best simpler kind (unigrams) reaches .32."
    )
    simple = [rung("constant", 0.0), rung("ngram", 0.12), rung("unigrams", 0.33)]
    assert said("unigrams", "unigrams", simple) == (
        "Single words are enough: kappa .33; the best single n-gram, “not”, reaches .12."
    )


def test_length_alone_and_little_to_predict():
    rungs = [rung("constant", 0.0), rung("length", 0.06), rung("bigrams", 0.07)]
    assert said("bigrams", "length", rungs) == (
        "Little can be predicted; of that, the length of the text is enough: kappa .06 of .07."
    )


def test_without_a_significant_rung_the_highest_is_named():
    assert said("bigrams", None) == (
        "No simple cue was shown: of 7 kinds, none is significantly above kappa 0; the highest is .33 (bigrams)."
    )


def test_held_out_groups_and_positions_of_options_are_said():
    assert in_words(RUNGS, "bigrams", None, NOT, 0.1, grouped=True).startswith(
        "No simple cue that carries over to other groups was shown: of 7 kinds"
    )
    options = [rung("constant", 0.0), rung("position", 0.3), rung("bigrams", 0.31)]
    sentence = in_words(options, "bigrams", "position", None, 0.1, OPTIONS)
    assert sentence == "The position of the option is enough: kappa .30 of .31."


def test_a_simpler_rung_that_reaches_more_and_is_not_significant_is_not_called_the_best_below():
    rungs = [rung("constant", 0.0), rung("unigrams", 0.9), rung("bigrams", 0.64)]
    assert said("bigrams", "bigrams", rungs) == "Words and pairs of words are needed: kappa .64."
