"""Which parameters of a test belong to the quick part of a run, and which to the slow one (`-m slow`)."""

import pytest


def slow_but(values, *quick):
    """The values as parameters of a test: `quick` ones are always run, the others are marked as slow."""
    values = list(values)
    assert set(quick) <= set(values), "a quick parameter that does not exist"
    return [
        value
        if value in quick
        else pytest.param(*(value if type(value) is tuple else (value,)), marks=pytest.mark.slow)
        for value in values
    ]
