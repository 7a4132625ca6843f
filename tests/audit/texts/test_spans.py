"""Where n-grams stand in the original text, whatever folding did to its length."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hansproof.audit.texts.feature_table import FeatureTable
from hansproof.audit.texts.tokens import WORD, encoding, fold


def highlighted(text: str, level: str, *ngrams: str) -> list[str]:
    """What of `text` would be highlighted for the n-grams, in order."""
    table = FeatureTable.build([text, text, *ngrams, *ngrams], dense=())
    names = [table.ngram_text(level, column) for column in range(table.counts(level).shape[1])]
    columns = [names.index(ngram) for ngram in ngrams]
    return [text[start:end] for start, end, _ in table.spans(level, 0, columns)]


def test_a_word_is_found_at_every_place():
    assert highlighted("More than half. MORE of it, moreover more!", "word", "more") == ["More", "MORE", "more"]


def test_a_bigram_reaches_over_what_is_between_its_words():
    assert highlighted("More -- than half, more than all", "word", "more than") == ["More -- than", "more than"]


def test_overlapping_ngrams_are_all_listed():
    assert highlighted("no no no", "word", "no", "no no") == ["no", "no no", "no", "no no", "no"]


@pytest.mark.parametrize("accented", ["Café", "Cafe\u0301", "CAFÉ", "CAFE\u0301"])
def test_accents_are_highlighted_with_their_letters(accented):
    assert highlighted(f"İİ ﬁﬁ {accented} ok", "word", "cafe") == [accented]


def test_characters_that_become_several_are_highlighted_whole():
    assert highlighted("xx ﬁne Ⅷ xx", "word", "fine") == ["ﬁne"]
    assert highlighted("xx ﬁne Ⅷ xx", "word", "viii") == ["Ⅷ"]


def test_gpt2_tokens_carry_their_space():
    assert highlighted("Is more than Half", "gpt2", " more") == [" more"]
    assert highlighted("Is more than Half", "gpt2", " more than") == [" more than"]


def test_parts_of_a_character_highlight_the_whole_of_it():
    text = "a 👍🏽 b"
    table = FeatureTable.build([text, text], levels=("gpt2",), dense=())
    spans = table.spans("gpt2", 0, range(table.unigrams("gpt2")))
    tokens = encoding().encode_ordinary(text)
    assert len(spans) == len(tokens) > len(text)
    assert {text[start:end] for start, end, _ in spans} >= {" 👍", "🏽", "a", " b"}
    assert all(end > start for start, end, _ in spans)


def test_no_columns_have_no_spans(texts):
    table = FeatureTable.build(texts, dense=())
    assert table.spans("word", 0, []) == table.spans("gpt2", 0, []) == []


@given(st.text(max_size=30))
@settings(max_examples=200, deadline=None)
def test_there_are_as_many_spans_as_counts_and_each_folds_to_its_word(text):
    table = FeatureTable.build([text, text], dense=())
    for level in ("word", "gpt2"):
        counts = table.counts(level)
        spans = table.spans(level, 0, range(counts.shape[1]))
        assert len(spans) == counts[0].sum()
        assert spans == sorted(spans)
        assert all(0 <= start < end <= len(text) for start, end, _ in spans)
    for start, end, column in table.spans("word", 0, range(table.unigrams("word"))):
        word = table.ngram_text("word", column)
        # A character that folds to several words' letters is highlighted with each of them.
        assert word in fold(text[start:end])
        assert WORD.fullmatch(word)
