"""A cue of two forms changes the numbers of the items it marks, and of no others."""

import numpy as np

from hansproof.audit.probes.injected_cues import NumberBed, lengthened, reformatted
from hansproof.audit.probes.logistic import REGULARISATIONS
from hansproof.audit.texts.feature_table import FeatureTable

TEXTS = [f"Item {number} is here. It has {'many ' * (number % 7)}words." for number in range(80)]


def test_a_longer_text_ends_with_the_last_sentence_of_another():
    texts = ["One. Two a.", "Three. Four b!", "五。六。"]
    longer = lengthened(texts, np.random.default_rng(1))
    assert [new.startswith(old + " ") for new, old in zip(longer, texts, strict=True)] == [True] * 3
    added = [new[len(old) + 1 :] for new, old in zip(longer, texts, strict=True)]
    assert sorted(added) == sorted(["Two a.", "Four b!", "六。"])
    assert added != ["Two a.", "Four b!", "六。"]
    assert all(addition not in old for addition, old in zip(added, texts, strict=True))


def test_a_text_without_a_sentence_is_added_whole():
    assert sorted(lengthened(["", "x"], np.random.default_rng(1))) == [" x", "x "]


def test_another_format_is_the_same_to_a_reader():
    assert reformatted(["a b c", "word"]) == ["a  b c\n", "word\n"]


def test_only_the_marked_items_take_other_numbers():
    table = FeatureTable.build(TEXTS, levels=(), dense=("readability",))
    bed = NumberBed(table, "readability", lengthened(TEXTS, np.random.default_rng(1)))
    y, fold = np.arange(80) // 2 % 2, np.arange(80) % 4
    cue = bed.probabilities(y, fold, y == 1, REGULARISATIONS[0])
    none = bed.probabilities(y, fold, np.zeros(80, dtype=bool), REGULARISATIONS[0])
    assert (cue.argmax(axis=1) == y).mean() > 0.9
    assert (none.argmax(axis=1) == y).mean() < 0.7
