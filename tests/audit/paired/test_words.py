"""What is said below a comparison."""

from dataclasses import replace

import numpy as np
import pytest

from audit.paired.difference import difference_of
from audit.paired.words import strained


def test_a_usual_interval_needs_no_word():
    a, b = np.repeat([1.0, 0.0], [60, 40]), np.tile([1.0, 0.0], 50)
    assert strained(difference_of(a, b, np.arange(100))) == ""


@pytest.mark.parametrize(("half", "said"), [(0.25, False), (0.28, True), (0.34, True), (0.12, True), (0.196, False)])
def test_an_interval_far_from_two_standard_errors_is_explained(half, said):
    usual = difference_of(np.repeat([1.0, 0.0], 50), np.tile([1.0, 0.0], 50), np.arange(100))
    rough = replace(usual, se=0.1, low=-half, high=half)
    assert ("go by the interval" in strained(rough)) is said
    assert strained(replace(rough, se=float("nan"))) == strained(replace(rough, low=float("nan"))) == ""
