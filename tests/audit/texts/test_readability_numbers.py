import socket
from collections import Counter
from math import sqrt

import nltk
import numpy as np
import nupunkt
import pytest
import syllapy
from nltk.tokenize import NLTKWordTokenizer

from hansproof.audit.texts.readability import MEASURES, count_sentences, readability, scrabble_value
from hansproof.audit.texts.tokens import cut, fold


def measured(*texts: str) -> list[dict[str, float]]:
    return [dict(zip(MEASURES, row, strict=True)) for row in readability(texts, cut(texts))]


def plainly_counted(text: str) -> list[float]:
    """The nine numbers of one text, written down plainly."""
    tokenise = NLTKWordTokenizer().tokenize
    words = [token for run in fold(text).split() for token in tokenise(run) if token.isalpha()]
    if not words:
        return [0.0] * 9
    split = [sentence for line in text.splitlines() for sentence in nupunkt.sent_tokenize(line)]
    sentences = max(1, sum(any(letter.isalpha() for letter in sentence) for sentence in split))
    syllables = [max(1, syllapy.count(word)) for word in words]
    w, w3 = len(words), sum(number >= 3 for number in syllables)
    occurring = Counter(nltk.FreqDist(words).values())
    return [
        206.835 - 1.015 * w / sentences - 84.6 * sum(syllables) / w,
        0.4 * (w / sentences + 100 * w3 / w),
        0.9986 * sqrt(30 * w3 / sentences + 5) + 2.8795,
        20 - syllables.count(1) * 150 / w / 10,
        sum(map(scrabble_value, words)) / w,
        w,
        w / sentences,
        len(set(words)) / w,
        1e4 * (sum(m * m * v for m, v in occurring.items()) - w) / w**2,
    ]


def test_a_sentence_of_six_short_words_by_hand():
    # W = 6, S = 1, six syllables, 'the' twice; letters the 6, cat 5, sat 3, on 2, the 6, mat 5.
    (numbers,) = measured("The cat sat on the mat.")
    assert numbers == pytest.approx({
        "flesch reading ease": 206.835 - 1.015 * 6 - 84.6,  # 116.145
        "gunning fog": 2.4,
        "smog": 0.9986 * sqrt(5) + 2.8795,
        "forcast": 5.0,
        "scrabble": 27 / 6,
        "words": 6,
        "words per sentence": 6,
        "type-token ratio": 5 / 6,
        "yule's k": 1e4 * (4 * 1 + 4 - 6) / 36,
    })  # fmt: skip


def test_long_words_by_hand():
    # Two sentences of two words each: 1 + 4 and 1 + 5 syllables.
    (numbers,) = measured("What ability. No university!")
    assert numbers["gunning fog"] == pytest.approx(0.4 * (2 + 100 * 2 / 4))
    assert numbers["smog"] == pytest.approx(0.9986 * sqrt(30 * 2 / 2 + 5) + 2.8795)
    assert numbers["forcast"] == pytest.approx(20 - 150 * (2 / 4) / 10)
    assert numbers["flesch reading ease"] == pytest.approx(206.835 - 1.015 * 2 - 84.6 * 11 / 4)


def test_yules_k_of_words_that_all_differ_is_zero_and_of_one_word_repeated_near_its_bound():
    different, repeated = measured("one two three four", "ho " * 100)
    assert different["yule's k"] == 0
    assert repeated["yule's k"] == pytest.approx(1e4 * (100**2 - 100) / 100**2)


def test_all_nine_numbers_agree_with_counting_one_text_at_a_time(texts):
    np.testing.assert_allclose(readability(texts, cut(texts)), [plainly_counted(text) for text in texts], rtol=1e-12)


def test_a_text_without_words_is_nine_zeros():
    np.testing.assert_array_equal(
        readability(["", "  ", "12 - 34 !?", "x1 y2"], cut(["", "  ", "12 - 34 !?", "x1 y2"])), 0
    )


def test_words_are_counted_whatever_their_case_and_accents():
    (numbers,) = measured("Café cafe CAFÉ")
    assert numbers["type-token ratio"] == pytest.approx(1 / 3)


@pytest.mark.parametrize(("word", "value"), [("quiz", 22), ("Jazz", 29), ("café", 8), ("", 0), ("日本", 0)])
def test_scrabble_values(word, value):
    assert scrabble_value(word) == value


def test_scrabble_values_cover_the_alphabet():
    assert sum(scrabble_value(letter) for letter in "abcdefghijklmnopqrstuvwxyz") == 87


def test_sentences_end_at_line_ends_and_not_after_abbreviations():
    some = ["Dr. Smith came. He left.", "one line\nanother line", "1\n2\n---\nfour", "", "no stop", "A.\r\nB."]
    assert count_sentences(some).tolist() == [2, 2, 1, 0, 1, 2]


def test_every_word_has_a_syllable():
    (numbers,) = measured("hmm xyz 日本 the")
    assert numbers["words"] == 4
    assert numbers["flesch reading ease"] <= 206.835 - 1.015 * 4 - 84.6  # four syllables or more


def test_readability_needs_no_network(monkeypatch):
    def refuse(*_: object) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(nltk, "download", refuse)
    assert measured("An entirely unheard-of sentence, floccinaucinihilipilification.")[0]["words"] > 0
