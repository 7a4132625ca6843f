"""The format vector sees what counting words does not, and nothing of the words themselves."""

import time

import numpy as np
import pytest

from hansproof.audit.probes.crossfit import Fitting, crossfit
from hansproof.audit.probes.task import LabelTask
from hansproof.audit.texts.feature_table import FeatureTable
from hansproof.audit.texts.formatting import FORMATS, format_numbers
from hansproof.audit.texts.vectors import by_name

WORDS = ["river", "stone", "cloud", "garden", "letter", "window", "bridge", "market"]


def sentence(rng):
    return " ".join(rng.choice(WORDS, 8)).capitalize() + "."


def numbers(text):
    row = format_numbers([text])[0]
    return {name: float(value) for name, value in zip(FORMATS, row, strict=True) if value}


CASES = {
    "capitals": str.title,
    "accents": lambda text: text.replace("e", "é"),
    "decomposed accents": lambda text: text.replace("e", "e\u0301"),
    "four line breaks instead of three": lambda text: text.replace("\n\n\n", "\n\n\n\n"),
    "double blanks": lambda text: text.replace(" ", "  ", 1),
    "final full stop": lambda text: text.removesuffix("."),
    "curly quotes": lambda text: text.replace("'", "’"),
    "tab": lambda text: text.replace(" ", "\t", 1),
    "invisible character": lambda text: text.replace(" ", " \u200b", 1),
    "full-width forms": lambda text: text.replace(".", "．"),
    "carriage returns": lambda text: text.replace("\n", "\r\n"),
    "trailing blank": lambda text: text + " ",
    "final line break": lambda text: text + "\n",
    "em dash": lambda text: text.replace("--", "—"),
    "ellipsis": lambda text: text.replace("...", "…"),
    "list markers": lambda text: text.replace("\n\n\n", "\n\n\n- "),
    "blank beside a mark": lambda text: text.replace("->", " -> "),
    "no-break space": lambda text: text.replace(" ", "\u00a0", 1),
}


@pytest.mark.parametrize("case", CASES)
def test_a_difference_of_format_separates_two_answers(case):
    rng = np.random.default_rng(5)
    texts = [f"'{sentence(rng)}' a->b -- {sentence(rng)}\n\n\nso... {sentence(rng)}" for _ in range(80)]
    y = np.arange(80) % 2
    texts = [CASES[case](text) if answer else text for text, answer in zip(texts, y, strict=True)]
    table = FeatureTable.build(texts, levels=(), dense=("format",))
    scores = crossfit(LabelTask.of(table, y, 2), np.arange(80), [by_name("format")], Fitting(1), scheme="random")
    assert (scores[0].predicted == y).mean() == 1


def test_words_alone_change_nothing():
    texts = [
        "The cat, “Tom”, sat on 2 mats.\n\n- Why?  Because — it's WARM…",
        "A extraordinarily, “Bo”, ran by 77 huts.\n\n- So?  Whereas — he's UNWELL…",
    ]
    first, second = format_numbers(texts)
    np.testing.assert_array_equal(first, second)


def test_numbers_by_hand():
    text = "One TWO.  three\n\n\n\nFour "
    assert numbers(text) == pytest.approx(
        {
            "share of capitalised words": 2 / 4,
            "share of words in capitals": 1 / 4,
            "share of capitals in mid-sentence": 1 / 4,  # TWO
            "share of sentences that begin with a capital": 2 / 3,
            "first word capitalised": 1,
            "number of line breaks": np.log(5),
            "number of “.”": np.log(2),
            "marks with a blank after": np.log(2),
            "double blanks": np.log(2),
            "longest run of blanks": np.log(3),
            "longest run of line breaks": np.log(5),
            "empty lines": np.log(4),
            "blanks at the end": np.log(2),
            "begins with a letter": 1,
            "ends with a letter": 1,
        }
    )
    assert numbers("1,000.5") == pytest.approx(
        {
            "number of “,”": np.log(2),
            "number of “.”": np.log(2),
            "numbers in digits": np.log(4),
            "commas within numbers": np.log(2),
            "full stops within numbers": np.log(2),
            "begins with a digit": 1,
            "ends with a digit": 1,
        }
    )
    assert numbers("") == {}
    assert numbers("\ud800") == pytest.approx({"number of other symbols": np.log(2)})
    assert numbers("p\u0430y")["Greek or Cyrillic letters beside Latin ones"] == np.log(2)


def test_the_neighbouring_text_changes_nothing():
    texts = ["", "a b\n", " c", "\n\nD.", "", "...", " ", "x"]
    np.testing.assert_array_equal(format_numbers(texts), np.concatenate([format_numbers([text]) for text in texts]))
    assert format_numbers([]).shape == (0, len(FORMATS))
    assert len(set(FORMATS)) == len(FORMATS)


def test_five_thousand_texts_take_seconds_at_most():
    rng = np.random.default_rng(1)
    texts = ["\n".join(sentence(rng) for _ in range(7)) for _ in range(5000)]
    started = time.process_time()
    format_numbers(texts)
    assert time.process_time() - started < 3  # .5 s alone
