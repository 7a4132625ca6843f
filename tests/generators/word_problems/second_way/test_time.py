"""No text goes back in time, by a table of days, hours and events of its own."""

import pytest
from slow_part import slow_but
from told_stories.plain_clock import moments, steps_back

from hansproof.generators.word_problems.dataset import DATASET, PLANS

SEED = 43


@pytest.mark.parametrize("subset", slow_but(PLANS, "transfer-comparison"))
def test_no_text_goes_back_in_time(subset):
    told = 0
    for index in range(250):
        prompt = DATASET.item(subset, SEED, index).prompt
        assert steps_back(prompt) == [], prompt
        told += len(moments(prompt))
    assert told == 0 if subset == "plain" else told > 100  # short sentences say no times


@pytest.mark.parametrize("subset", ["counterbalanced-additive", "nonlinear"])
def test_most_texts_with_their_sentences_in_another_order_do(subset):
    back = looked = 0
    for index in range(0, 400, 2):
        first, *told, asked = DATASET.item(subset, SEED, index).prompt.split(". ")
        if len(told) > 3:
            looked += 1
            back += bool(steps_back(". ".join([first, *told[::-1], asked])))
    assert back / looked > 0.6


@pytest.mark.parametrize(
    ("text", "back"),
    [
        ("Ann came on Tuesday. Ann left on Monday.", 1),
        ("Ann came on Monday evening. Ann left on Monday morning.", 1),
        ("Ann came on Monday evening. Ann left on Tuesday morning.", 0),
        ("Ann had 3 in May. Ann had 4 in March.", 1),
        ("Ann had 3 after the first act. Ann had 4 at the second rehearsal.", 1),
        ("Ann had 3 at lunchtime. Ann gave 2 because the first lesson was near.", 0),
    ],
)
def test_worked_orders(text, back):
    assert len(steps_back(text)) == back
