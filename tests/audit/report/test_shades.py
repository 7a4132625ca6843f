"""The shades of kappas and the words for them."""

from __future__ import annotations

import pytest

from hansproof.audit.report.drawing import LEGEND, shade, strength


@pytest.mark.parametrize(
    ("value", "key"),
    [
        (-0.2, "hn"),
        (-0.004, "h0"),
        (0.0, "h0"),
        (0.09, "h0"),
        (0.1, "h1"),
        (0.29, "h2"),
        (0.7, "h7"),
        (1.0, "h9"),
        (None, "hx"),
        (float("nan"), "hx"),
    ],
)
def test_a_shade_is_a_tenth_of_the_kappa_as_shown(value, key):
    assert shade(value) == key


def test_every_shade_has_a_legend_with_the_word_of_its_middle():
    keys = {key: text for keys, text in LEGEND for key in keys}
    for step in range(10):
        middle = step / 10 + 0.05
        assert keys[shade(middle)].endswith(strength(middle))
    assert keys[shade(-0.3)] == "below 0"


@pytest.mark.parametrize(
    ("value", "word"),
    [
        (-0.2, "nothing beyond chance"), (0.0, "nothing beyond chance"),
        (0.2, "slight"), (0.201, "fair"), (0.4, "fair"), (0.6, "moderate"),
        (0.8, "substantial"), (0.81, "almost perfect"), (None, "undefined"),
    ],
)  # fmt: skip
def test_the_words_are_those_of_landis_and_koch(value, word):
    assert strength(value) == word
