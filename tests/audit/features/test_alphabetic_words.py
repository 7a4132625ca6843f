"""The short cut past nltk's tokeniser must never be seen in the result."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.tokenize import NLTKWordTokenizer

from audit.features.alphabetic import WordFinder, plain_words

tokenise = NLTKWordTokenizer().tokenize
CORES = [
    "word",
    "a",
    "d",
    "s",
    "ll",
    "tis",
    "can",
    "cannot",
    "wanna",
    "wanna-be",
    "e-mail",
    "5g",
    "x_1",
    "ß",
    "日本",
    "x2-y",
]
OPENINGS = ["", '"', "(", "[", "“", "'", "''", "‘", "<"]
STOPS = ["", *".,;:?!", "...", "--"]
CLOSINGS = ["", '"', ")", "]", "”", "'", "’", ">"]


def nltk_words(run: str) -> list[str]:
    return [token for token in tokenise(run) if token.isalpha()]


@pytest.mark.parametrize("core", CORES)
def test_every_way_to_wrap_a_word_gives_what_nltk_gives(core):
    wrapped = {
        opening + core + clitic + stop + closing
        for opening, clitic, stop, closing in product(OPENINGS, ["", "'s", "n't"], STOPS, CLOSINGS)
    }
    plain = {run: plain_words(run) for run in sorted(wrapped)}
    differing = [run for run, words in plain.items() if words is not None and words != nltk_words(run)]
    assert differing == []


@given(st.text(alphabet="abcdlmnstverw'’\"“”()[]<>.,;:?!-_19é日`&", max_size=10))
@settings(max_examples=600, deadline=None)
def test_any_run_gives_what_nltk_gives(run):
    assert WordFinder().words(run) == nltk_words(run)


def test_most_runs_of_plain_prose_need_no_tokeniser(plausible):
    runs = [run for text in plausible for run in text.lower().split()]
    assert sum(plain_words(run) is None for run in runs) < len(runs) / 10


@pytest.mark.parametrize(
    ("run", "words"),
    [("don't", ["do"]), ("cannot", ["can", "not"]), ("o.k.", []), ("and/or", []), ("etc.", ["etc"])],
)
def test_words_by_hand(run, words):
    assert WordFinder().words(run) == words
