"""The benchmark of what an audit says it finds: the cues that it writes into texts are as strong as they should be."""

import importlib

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from hansproof.audit.probes.injected_cues import Draws
from hansproof.audit.result.numbers import Findable


@pytest.fixture
def injected(scripts):
    return importlib.import_module("injected_cues")


@pytest.mark.parametrize(("kind", "words"), [("1 word per answer", 2), ("50 words per answer", 100)])
def test_a_reader_of_the_written_words_has_the_kappa_of_the_cue(injected, kind, words):
    random = np.random.default_rng(3)
    draws = Draws.draw(random.permutation(np.repeat([0, 1], 2000)), random)
    cue = Findable(kind=kind, kappa=0.4)
    [*texts] = injected.written(["the same text"] * 4000, cue, draws, random)
    added = [next(iter({*text.split()} - {"the", "same", "text"})) for text in texts]
    assert len(set(added)) == words
    most = {word: np.bincount(draws.y[[other == word for other in added]]).argmax() for word in set(added)}
    assert cohen_kappa_score(draws.y, [most[word] for word in added]) == pytest.approx(0.4, abs=0.05)


def test_parts_of_a_file_are_drawn_anew_and_keep_texts_and_answers_together(injected):
    texts, y = [str(number) for number in range(50)], np.arange(50)
    first, second = (injected.FilePart.draw(texts, y, 20, 1, number) for number in (0, 1))
    assert first.texts != second.texts
    for part in (first, second):
        assert [int(text) for text in part.texts] == part.y.tolist()
        assert len(set(part.texts)) == 20
