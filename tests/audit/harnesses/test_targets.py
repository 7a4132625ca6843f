"""A target that is a list of texts is read as Python writes it, and nothing else is."""

import ast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hansproof.audit.harnesses.lm_eval import target_of


@settings(suppress_health_check=[HealthCheck.too_slow])  # the first text lists all of Unicode
@given(st.lists(st.text(max_size=20), min_size=1, max_size=6))
def test_every_list_of_texts_is_read_as_it_was(texts):
    assert target_of({"target": str(texts), "doc": {"aliases": texts}}) == texts


@given(st.text(alphabet="[]'\", \\xnab0é\n", max_size=30))
def test_whatever_stands_there_is_a_list_of_python_or_stays(text):
    taken = target_of({"target": text})
    if isinstance(taken, list):
        assert taken == ast.literal_eval(text.strip())
        assert all(isinstance(each, str) for each in taken)
    else:
        assert taken == text


@pytest.mark.parametrize(
    "target",
    ["[]", "['a'", "['a', 1]", "[['a']]", "('a', 'b')", "['a' 'b']", "['\\d']", "[f'{x}']", "['\\UFFFFFFFF']", "['a',]",
     "[__import__('os')]", "['a']; 1", "['" + "(" * 100_000, None, 3, ["a"], {"a": 1}],
)  # fmt: skip
def test_anything_else_stays_as_it_is(target):
    assert target_of({"target": target}) == target


def test_a_text_of_the_document_is_no_list():
    row = {"target": "['a', 'b']", "doc": {"code": "x", "outputs": [{"stdout": " ['a', 'b']\n"}]}}
    assert target_of(row) == "['a', 'b']"
    assert target_of(row | {"doc": {"code": "['a'"}}) == ["a", "b"]
    assert target_of(row | {"doc": None}) == ["a", "b"]
