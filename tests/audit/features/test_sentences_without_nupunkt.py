"""Lines of a single sentence are counted without nupunkt, which would say the same."""

import nupunkt
import pytest

from audit.features.readability.sentences import count_sentences


@pytest.mark.parametrize(
    "line",
    ["No end at all", "One end.", "Is it?!", "Ends (so it does).", "...", "12.", "a.b", "e.g. this", "A. B! C?", ""],
)
def test_a_line_has_as_many_sentences_as_nupunkt_finds(line):
    expected = sum(any(letter.isalpha() for letter in sentence) for sentence in nupunkt.sent_tokenize(line))
    assert count_sentences([line]).tolist() == [expected]


def test_nupunkt_is_not_asked_about_a_line_without_a_second_sentence(monkeypatch):
    monkeypatch.setattr(nupunkt, "sent_tokenize", lambda line: pytest.fail(line))
    assert count_sentences(["No end at all", "One end...", "12. 13."]).tolist() == [1, 1, 0]
