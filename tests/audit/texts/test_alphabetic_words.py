"""Words by our own rules are nltk's words, on every run."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.tokenize import NLTKWordTokenizer

from hansproof.audit.texts.readability import words

tokenise = NLTKWordTokenizer().tokenize
CORES = ["word", "d", "s", "ll", "tis", "can", "cannot", "wanna", "wanna-be", "e-mail", "5g", "x_1", "日本", "3,000"]
CLITICS = ["'s", "n't", "N'T", "'ll", "'d", "'tis", "'twas", "'n", "'ye"]
MARKS = [*"\"'`“”‘’„«»()[]{}<>.,:;?!@#$%&*-–—_/\\", "''", "``", "..", "...", ",,", "--"]
PIECES = [*CORES, *CLITICS, *MARKS, "more'n", "d'ye", "gimme", "gonna", "gotta", "lemme", "5", "é"]

QUICK = ["cannot", "5g"]
"""A word that is two, and one with a digit: the others differ from these in their letters alone."""


def nltk_words(run: str) -> list[str]:
    return [token for token in tokenise(run) if token.isalpha()]


@pytest.mark.parametrize(
    "core", [*QUICK, *(pytest.param(core, marks=pytest.mark.slow) for core in CORES if core not in QUICK)]
)
def test_a_word_between_any_two_marks_is_what_nltk_makes_of_it(core):
    runs = [f"{before}{core}{clitic}{after}" for before in MARKS for clitic in ("", "'s", "n't") for after in MARKS]
    assert [run for run in runs if words(run) != nltk_words(run)] == []


@given(st.lists(st.sampled_from(PIECES), max_size=7).map("".join))
@settings(max_examples=2000, deadline=None)
def test_any_run_gives_what_nltk_gives(run):
    assert words(run) == nltk_words(run)


@pytest.mark.parametrize(
    ("run", "expected"),
    [
        ("don't", ["do"]),
        ("cannot", ["can", "not"]),
        ("o.k.", []),
        ("and/or", []),
        ("etc.", ["etc"]),
        ("'dad,'", ["dad"]),
        ("school’s", ["school", "s"]),
        ("gonna'twas", ["gon", "na", "was"]),
    ],
)
def test_words_by_hand(run, expected):
    assert words(run) == expected == nltk_words(run)
