import subprocess
import sys

import pytest

from hansproof.audit.texts.vectors import FURTHER, GRADES, THIRTEEN, by_name
from hansproof.generators.errors import UsageError


def test_there_are_thirteen_vectors_in_a_fixed_order():
    assert [vector.name for vector in THIRTEEN] == [
        "word-1-tf", "word-1-tfidf", "word-1-presence", "word-2-tf", "word-2-tfidf", "word-2-presence",
        "gpt2-1-tf", "gpt2-1-tfidf", "gpt2-1-presence", "gpt2-2-tf", "gpt2-2-tfidf", "gpt2-2-presence",
        "readability",
    ]  # fmt: skip
    assert [vector.name for vector in (*FURTHER, GRADES)] == ["length", "format", "grades"]


def test_every_name_and_every_label_occurs_once():
    vectors = (*THIRTEEN, *FURTHER, GRADES)
    assert len({vector.name for vector in vectors}) == len({vector.label for vector in vectors}) == 16


def test_a_vector_is_found_by_its_name():
    vector = by_name("word-2-tfidf")
    assert (vector.level, vector.n, vector.weighting, vector.label) == ("word", 2, "tfidf", "word 1-2-grams, TF-IDF")
    assert by_name("length").kind == "dense"


def test_an_unknown_name_is_answered_with_the_nearest_and_all_known_ones():
    with pytest.raises(
        UsageError, match=r"no feature vector 'word-2-tf-idf'\. Did you mean 'word-2-tfidf'\? Known: word-1-tf, "
    ):
        by_name("word-2-tf-idf")


def test_names_are_read_without_importing_anything_heavy():
    code = "import sys, audit.texts.vectors; print(sorted({'numpy', 'scipy', 'sklearn'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
