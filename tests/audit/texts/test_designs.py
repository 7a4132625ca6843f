"""What a probe sees, against plain scikit-learn pipelines fitted on the training rows."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.preprocessing import StandardScaler, normalize

from hansproof.audit.texts.feature_table import FeatureTable
from hansproof.audit.texts.ngrams import anova_f, best_columns
from hansproof.audit.texts.tokens import encoding, fold
from hansproof.audit.texts.vectors import THIRTEEN, by_name

NGRAMS = [vector.name for vector in THIRTEEN if vector.kind == "ngram"]
WORDS = ["more", "than", "half", "of", "people", "said", "yes", "no", "never", "always", "green", "red", "blue"]


def made_texts(n: int = 90) -> tuple[list[str], np.ndarray]:
    """Texts of drawn words; the answer leans on one of them."""
    draw = np.random.default_rng(3)
    texts = [" ".join(draw.choice(WORDS, size=draw.integers(3, 14))) + f" only{i}" for i in range(n)]
    y = np.array([int("green" in text) if draw.random() < 0.9 else 2 for text in texts], dtype=np.int64)
    texts[5] = "nothing in common here"
    return texts, y


def design(table, vector, train, y, **more):
    """All rows of a table as `vector`, as the training rows see it: the rows to predict are all."""
    return table.parts(vector, train, np.arange(len(table.texts)), y, **more)


def gpt2_pieces(n: int):
    def tokens(text: str) -> list[tuple[int, ...]]:
        ids = encoding().encode_ordinary(fold(text))
        return [(token,) for token in ids] + (list(pairwise(ids)) if n == 2 else [])

    return tokens


def plain_design(name: str, texts: list[str], train: np.ndarray) -> tuple[np.ndarray, list]:
    """The vector as one would write it with scikit-learn; all rows, and the n-grams of its columns."""
    vector = by_name(name)
    how = (
        {"strip_accents": "unicode", "ngram_range": (1, vector.n)}
        if vector.level == "word"
        else {"analyzer": gpt2_pieces(vector.n)}
    )
    kind = TfidfVectorizer if vector.weighting == "tfidf" else CountVectorizer
    vectorizer = kind(min_df=2, binary=vector.weighting == "presence", **how)
    vectorizer.fit([texts[row] for row in train])
    X = vectorizer.transform(texts)
    if vector.weighting == "tf":
        X = normalize(X.astype(float), norm="l1")
    names = [key for key, _ in sorted(vectorizer.vocabulary_.items(), key=lambda entry: entry[1])]
    return X.toarray(), names


def our_names(table: FeatureTable, level: str, columns: np.ndarray) -> list:
    if level == "word":
        return [table.ngram_text("word", column) for column in columns]
    counted = table.levels["gpt2"]
    return [tuple(int(counted.token_ids[part]) for part in counted.parts(column)) for column in columns]


@pytest.mark.parametrize("name", NGRAMS)
def test_a_design_is_what_scikit_learn_makes_of_the_training_rows(name):
    texts, y = made_texts()
    table = FeatureTable.build(texts, dense=())
    train = np.arange(0, len(texts), 2)
    made = design(table, by_name(name), train, y[train])
    expected, names = plain_design(name, texts, train)
    ours = our_names(table, by_name(name).level, made.columns)
    assert sorted(ours) == sorted(names)
    order = [ours.index(name) for name in names]
    np.testing.assert_allclose(made.held.toarray()[:, order], expected, rtol=0, atol=1e-14)


@pytest.mark.parametrize("name", NGRAMS)
def test_a_design_is_sparse_float64_with_sorted_int32_indices(name, texts):
    table = FeatureTable.build(texts, dense=())
    train = np.arange(len(texts))
    X = design(table, by_name(name), train, train % 2).held
    assert (X.data.dtype, X.indices.dtype) == (np.float64, np.int32)
    looked_at_afresh = csr_matrix((X.data, X.indices, X.indptr), shape=X.shape)
    assert looked_at_afresh.has_canonical_format
    assert np.all(np.isfinite(X.data))


# A column that only differs between the classes is infinite in ours and numerical noise in f_classif.
@pytest.mark.filterwarnings("ignore:Features:UserWarning", "ignore::RuntimeWarning:sklearn")
@pytest.mark.parametrize("name", NGRAMS)
def test_selection_keeps_what_select_k_best_keeps(name):
    texts, y = made_texts()
    table = FeatureTable.build(texts, dense=())
    train = np.arange(0, len(texts), 2)
    k = 10
    made = design(table, by_name(name), train, y[train], max_features=k)
    expected, names = plain_design(name, texts, train)
    scores = SelectKBest(f_classif, k=k).fit(expected[train], y[train]).scores_
    assert made.held.shape == (len(texts), k)
    ours = our_names(table, by_name(name).level, made.columns)
    kept = [names.index(name) for name in ours]
    assert np.isfinite(scores[kept]).all()
    np.testing.assert_allclose(np.sort(scores[kept]), np.sort(np.nan_to_num(scores))[-k:], rtol=1e-9)
    # The weights are those of before the selection.
    np.testing.assert_allclose(made.held.toarray(), expected[:, kept], rtol=0, atol=1e-14)


@pytest.mark.parametrize("name", [vector.name for vector in THIRTEEN])
def test_held_out_texts_change_nothing_in_the_training_rows(name):
    texts, y = made_texts()
    train = np.arange(40)
    changed = texts[:40] + ["more than green ﬁsh only1 only2 half!" * 3] * 50
    before, after = (FeatureTable.build(given) for given in (texts, changed))
    first, second = (design(table, by_name(name), train, y[train], max_features=30) for table in (before, after))
    if level := by_name(name).level:
        assert our_names(before, level, first.columns) == our_names(after, level, second.columns)
    np.testing.assert_array_equal(first.held.toarray()[:40], second.held.toarray()[:40])


@pytest.mark.parametrize("name", [vector.name for vector in THIRTEEN])
def test_parts_are_rows_of_the_design(name):
    texts, y = made_texts()
    table = FeatureTable.build(texts)
    train, held = np.arange(0, 60), np.array([89, 70, 61])
    made = design(table, by_name(name), train, y[train], max_features=30)
    whole = made.held.toarray()
    parts = table.parts(by_name(name), train, held, y[train], max_features=30)
    np.testing.assert_array_equal(parts.train.toarray(), whole[train])
    np.testing.assert_array_equal(parts.held.toarray(), whole[held])
    np.testing.assert_array_equal(parts.columns, made.columns)
    with pytest.raises(ValueError, match="60 training rows, but 3 answers"):
        table.parts(by_name(name), train, held, y[held])


def test_upstream_counts_makes_tf_and_presence_raw_counts():
    texts, y = made_texts()
    table = FeatureTable.build(texts, levels=("word",), dense=())
    train = np.arange(60)
    tf, presence, tfidf = (
        design(table, by_name(f"word-2-{weighting}"), train, y[train], upstream_counts=True)
        for weighting in ("tf", "presence", "tfidf")
    )
    np.testing.assert_array_equal(tf.held.toarray(), table.counts("word").toarray()[:, tf.columns])
    np.testing.assert_array_equal(presence.held.toarray(), tf.held.toarray())
    assert tf.held.max() > 1
    plain = design(table, by_name("word-2-tfidf"), train, y[train])
    np.testing.assert_array_equal(tfidf.held.toarray(), plain.held.toarray())


def test_weights_by_hand():
    # Training rows 0-2: 'red' in all three, 'hat' in two, 'big' in one (so out), row 3 is held out.
    table = FeatureTable.build(["red red hat", "red hat big", "red", "hat big big", "big"], levels=("word",), dense=())
    train, y = np.array([0, 1, 2]), np.array([0, 1, 0])
    tf = design(table, by_name("word-1-tf"), train, y)
    assert [table.ngram_text("word", column) for column in tf.columns] == ["hat", "red"]
    np.testing.assert_allclose(tf.held.toarray(), [[1 / 3, 2 / 3], [1 / 2, 1 / 2], [0, 1], [1, 0], [0, 0]])
    hat, red = np.log(4 / 3) + 1, 1.0
    tfidf = design(table, by_name("word-1-tfidf"), train, y).held.toarray()
    np.testing.assert_allclose(tfidf[0], np.array([hat, 2 * red]) / np.hypot(hat, 2 * red))
    np.testing.assert_allclose(tfidf[3:], [[1, 0], [0, 0]])


def test_a_design_leaves_the_table_as_it_was(texts):
    table = FeatureTable.build(texts, dense=())
    before = table.counts("word").toarray()
    train = np.arange(len(texts))
    for vector in THIRTEEN[:12]:
        design(table, vector, train, train % 3, max_features=4).held.data[:] = -1
    np.testing.assert_array_equal(table.counts("word").toarray(), before)


def test_no_vocabulary_in_training_gives_no_columns():
    table = FeatureTable.build(["alpha", "beta", "alpha beta", "alpha beta"], levels=("word",), dense=())
    made = design(table, by_name("word-2-tfidf"), np.array([0, 1]), np.array([0, 1]))
    assert made.held.shape == (4, 0)


def test_dense_vectors_are_standardised_on_training_rows():
    texts, y = made_texts()
    table = FeatureTable.build(texts, levels=(), dense=("readability", "length"))
    train = np.arange(0, 90, 3)
    for name in ("readability", "length"):
        made = design(table, by_name(name), train, y[train])
        values = table.numbers[name][:, made.columns]
        expected = StandardScaler().fit(values[train]).transform(values)
        varied = values[train].std(axis=0) > 1e-9
        np.testing.assert_allclose(made.held.toarray()[:, varied], expected[:, varied], rtol=1e-9, atol=1e-12)
        assert len(made.columns) == made.held.shape[1]


def test_a_number_that_most_texts_lack_is_scaled_and_keeps_its_zeros():
    values = np.array([[1.0, 0, 5], [2, 0, 5], [3, 4, 5], [4, 0, 5], [5, 2, 6]])
    table = replace(FeatureTable.build([""] * 5, levels=(), dense=("length",)), numbers={"length": values})
    made = design(table, by_name("length"), np.arange(4), np.array([0, 1, 0, 1]))
    assert made.columns.tolist() == [0, 2, 1]
    expected = np.column_stack(
        [(values[:, 0] - 2.5) / values[:4, 0].std(), np.zeros(5), values[:, 1] / values[:4, 1].std()]
    )
    np.testing.assert_allclose(made.held.toarray(), expected, rtol=1e-12)
    assert made.held.nnz == 5 + 2


def test_a_constant_number_becomes_zeros_even_where_held_out_texts_differ():
    table = FeatureTable.build(["one two.", "two one.", "a b c d 1 2"], levels=(), dense=("length",))
    dense = design(table, by_name("length"), np.array([0, 1]), np.array([0, 1])).held.toarray()
    np.testing.assert_array_equal(dense, np.zeros((3, 4)))


def test_answers_that_do_not_belong_to_the_training_rows_are_refused(texts):
    table = FeatureTable.build(texts, levels=("word",), dense=())
    with pytest.raises(ValueError, match="2 training rows, but 3 answers"):
        design(table, by_name("word-1-tf"), np.array([0, 1]), np.array([0, 1, 1]))
    with pytest.raises(ValueError, match="without the dense vector 'readability'"):
        design(table, by_name("readability"), np.array([0, 1]), np.array([0, 1]))


@given(st.integers(0, 10_000), st.integers(2, 4), st.booleans())
@settings(max_examples=60, deadline=None)
def test_f_values_are_those_of_f_classif(seed, k, fractions):
    draw = np.random.default_rng(seed)
    X = draw.poisson(0.7, size=(40, 12)) * (draw.random((40, 12)) if fractions else 1.0)
    y = np.concatenate((np.arange(k), draw.integers(0, k, 40 - k)))
    ours = anova_f([csr_matrix(X[:30]), csr_matrix(X[30:])], y, 12)
    np.testing.assert_allclose(ours, f_classif(X, y)[0], rtol=1e-8, atol=1e-12)


def test_a_perfect_cue_comes_first_and_a_constant_column_last():
    y = np.array([0, 0, 0, 1, 1, 1])
    X = csr_matrix(np.column_stack([np.full(6, 0.1), [0, 1, 0, 1, 1, 0], y / 3, y / 7, [1, 0, 1, 0, 1, 0]]))
    scores = anova_f([X], y, 5)
    assert np.isnan(scores[0])
    assert scores[2] == scores[3] == np.inf
    assert best_columns(scores, 2).tolist() == [2, 3]
    assert best_columns(scores, 4).tolist() == [1, 2, 3, 4]


def test_equal_scores_are_kept_in_column_order():
    assert best_columns(np.array([np.nan, 2.0, 1.0, 2.0, 2.0]), 2).tolist() == [1, 3]


def test_one_class_has_no_f_values():
    assert np.isnan(anova_f([csr_matrix(np.eye(3))], np.zeros(3, dtype=np.int64), 3)).all()


def test_a_table_without_a_level_says_so(texts):
    with pytest.raises(ValueError, match="built without the level 'word'"):
        FeatureTable.build(texts, levels=()).counts("word")


@pytest.mark.parametrize(("constant", "n"), [(0.1, 1000), (0.7, 600), (2.0, 800)])
def test_a_column_that_is_constant_in_training_is_empty_whatever_it_is_in_the_rows_held_out(constant, n):
    values = np.log1p(np.full((n + 10, 2), np.expm1(constant)))
    values[:, 1] = np.arange(n + 10)
    values[n:, 0] += 1
    table = FeatureTable(["x"] * (n + 10), {}, {"length": values})
    parts = table.parts(by_name("length"), np.arange(n), np.arange(n, n + 10), np.arange(n) % 2)
    assert parts.held[:, 0].nnz == parts.train[:, 0].nnz == 0
    assert np.abs(parts.held.toarray()).max() < 3
