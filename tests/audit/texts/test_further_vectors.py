import socket

import nltk
import numpy as np
import textstat

from hansproof.audit.texts.readability import GRADES, LENGTHS, grades, length


def test_grades_are_textstats_own(texts):
    numbers = grades(texts)
    assert numbers.shape == (len(texts), len(GRADES))
    np.testing.assert_array_equal(numbers, [[getattr(textstat, name)(text) for name in GRADES] for text in texts])
    assert np.all(np.isfinite(numbers))


def test_grades_by_hand():
    # 12 words, 2 sentences, 37 letters, 39 characters, no word of 7 letters, 8 of up to three.
    numbers = dict(zip(GRADES, grades(["The cat is on the mat. The dog is under the table."])[0], strict=True))
    assert (numbers["lexicon_count"], numbers["sentence_count"], numbers["letter_count"]) == (12, 2, 37)
    np.testing.assert_allclose(numbers["automated_readability_index"], 4.71 * 39 / 12 + 0.5 * 6 - 21.43)
    np.testing.assert_allclose(numbers["coleman_liau_index"], 5.88 * 37 / 12 - 29.6 * 2 / 12 - 15.8, atol=0.3)
    assert numbers["lix"] == 6
    assert numbers["rix"] == 0


def test_grades_need_no_corpus_and_no_network(monkeypatch):
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a download was tried")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(nltk, "download", refuse)
    assert grades(["Floccinaucinihilipilification is entirely unheard of here."]).shape == (1, 8)


def test_no_texts_have_no_grades():
    assert grades([]).shape == (0, 8)


def test_length_by_hand():
    lengths = length(["One 2 three. Four 55!", "", "\ud800 ٣"])
    assert dict(zip(LENGTHS, lengths[0], strict=True)) == {"characters": 21, "words": 5, "sentences": 2, "digits": 3}
    assert lengths[1].tolist() == [0, 0, 0, 0]
    assert lengths[2].tolist() == [3, 2, 0, 1]
