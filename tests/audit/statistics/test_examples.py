"""The examples in the docstrings are true, and none is lost."""

import doctest

import pytest

from hansproof.audit.statistics import effective_size, paired_tests, power


@pytest.mark.parametrize(("module", "examples"), [(effective_size, 6), (paired_tests, 7), (power, 4)])
def test_the_examples_of_the_docstrings_are_true(module, examples):
    assert doctest.testmod(module) == (0, examples)
