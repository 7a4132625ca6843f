"""Sentences that are counted without asking nupunkt, which would say the same, or by asking it once a line."""

import nupunkt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hansproof.audit.texts.readability import count_sentences


def plainly(line: str) -> int:
    return sum(any(letter.isalpha() for letter in sentence) for sentence in nupunkt.sent_tokenize(line))


@pytest.mark.parametrize(
    "line",
    ["No end at all", "One end.", "Is it?!", "Ends (so it does).", "...", "12.", "a.b", "e.g. this", "A. B! C?", ""],
)
def test_a_line_has_as_many_sentences_as_nupunkt_finds(line):
    assert count_sentences([line]).tolist() == [plainly(line)]


WORDS = ("Mr", "U.S", "e.g", "etc", "a", "I", "1", "12", "(a)", "IV", "Foo", "bar", "Inc", "p.m", "J", "!", "...", ".",
         '"', "x?", "He", "the", "(see", "end)", '"Go', 'it"', "-", "3.5", "Ph.D", "Fig", "é", "Ünder")  # fmt: skip
BETWEEN = (" ", " ", ". ", ". ", ". ", ".  ", "? ", "... ", ".\t", ". . . ", '." ', ".) ", "\n", ".\u00a0")
START = ("", "1. ", "  2. ", "12. ", "a. ", "(1). ", " ")
one_line = st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(BETWEEN)), max_size=12)


@given(st.sampled_from(START), one_line, st.sampled_from(["", ".", "end."]))
@settings(max_examples=500, deadline=None)
def test_lines_of_all_kinds_have_as_many_sentences_as_nupunkt_finds_in_the_whole(start, middle, end):
    text = start + "".join(word + between for word, between in middle) + end
    assert count_sentences([text]).tolist() == [sum(map(plainly, text.splitlines()))]


def test_nupunkt_is_asked_once_about_a_line_that_several_texts_have(monkeypatch):
    asked, split = [], nupunkt.sent_tokenize
    monkeypatch.setattr(nupunkt, "sent_tokenize", lambda line: asked.append(line) or split(line))
    assert count_sentences([f"Is {at} odd?\nCount twice. Answer seldom." for at in range(9)]).tolist() == [3] * 9
    assert asked == ["Count twice. Answer seldom."]


def test_the_number_of_an_item_is_part_of_its_sentence():
    assert count_sentences(["1. Boil it\n2. Drain it.\n12. Eat\n3."]).tolist() == [3]


def test_nupunkt_is_not_asked_about_a_line_without_a_second_sentence(monkeypatch):
    monkeypatch.setattr(nupunkt, "sent_tokenize", lambda line: pytest.fail(line))
    assert count_sentences(["No end at all", "One end...", "12. 13."]).tolist() == [1, 1, 0]
