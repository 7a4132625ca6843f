"""How far any reader of the texts alone can go, where texts occur with more than one answer."""

import random

import pytest

from audit.run import audit
from audit.verdict.unpredictable import why_unpredictable

BOTH = [(text, answer) for text in range(300) for answer in ("yes", "no")]


def test_texts_with_both_answers_give_nothing_away():
    # At best half of the items are right, and chance is a half.
    assert why_unpredictable(BOTH, 0.5, 0.2) == (
        "the answers are unpredictable from the text: 300 of 300 texts occur with more than one answer, so that no "
        "reader of the text alone exceeds kappa .00, below the threshold of .20. If that is not by design, the golds "
        "contradict each other, or the prompts are not complete."
    )


def test_texts_with_one_answer_raise_the_ceiling():
    # 270 texts twice, with both answers, and 60 once: 330 of 600 right, a = .55, kappa .10. Its error: 60 texts have
    # 1 - .55 = .45, 270 have 1 - 2 x .55 = -.10, so sqrt(60 x .2025 + 270 x .01) / 600 = .00642, and
    # (.55 + 1.96 x .00642 - .5) / .5 = .125.
    some = BOTH[:540] + [(text, "yes") for text in range(300, 360)]
    assert "270 of 330 texts occur with more than one answer" in why_unpredictable(some, 0.5, 0.2)
    assert "exceeds kappa .13" in why_unpredictable(some, 0.5, 0.2)
    assert why_unpredictable(some, 0.5, 0.12) == ""


def test_the_ceiling_is_that_of_kappa_and_not_of_accuracy():
    # Each text three times with "no" and once with "yes": 75 % are right, which is what "no" alone gets.
    rare = [(text, answer) for text in range(100) for answer in ("no", "no", "no", "yes")]
    assert why_unpredictable(rare, 0.75**2 + 0.25**2, 0.2) == ""  # .33: a bound, if not a sharp one
    assert why_unpredictable(rare, 0.7, 0.2) != ""  # (.75 - .7) / .3 = .17


@pytest.mark.parametrize("items", [[("a", "yes"), ("b", "no")] * 30, [(text, "yes") for text in range(60)]])
def test_texts_of_one_answer_each_can_be_predicted(items):
    assert why_unpredictable(items, 0.5, 0.2) == ""
    assert why_unpredictable(items, 1.0, 0.2) == ""  # one answer only: kappa is undefined


def texts(count):
    words = ["river", "stone", "quiet", "market", "lamp", "window", "garden", "paper", "copper", "engine", "winter"]
    draw = random.Random(3)
    return [" ".join(draw.choice(words) for _ in range(8)) for _ in range(count)]


@pytest.mark.parametrize("kind", ["labels", "options"])
def test_an_audit_says_so_and_asks_for_no_more_items(kind):
    rows = [{"prompt": text, "answer": answer} for text in texts(100) for answer in ("yes", "no")]
    if kind == "options":
        # The order of the options is nothing that a probe could see.
        rows = [
            {"prompt": row["prompt"], "choices": ["a lamp", "a door"][:: 1 - 2 * (i % 2)], "answer": i // 2 % 2}
            for i, row in enumerate(rows)
        ]
    result = audit(rows, permutations=99, splits=2)
    assert (result.verdict, result.findable) == ("CLEAN", [])
    assert result.reason.startswith("the answers are unpredictable from the text: 100 of 100 texts occur with more")


def test_texts_that_differ_in_a_capital_are_two():
    rows = [
        {"prompt": form, "answer": answer}
        for text in texts(100)
        for form, answer in ((text, "yes"), (text.title(), "no"))
    ]
    result = audit(rows, permutations=99, splits=2)
    assert (result.verdict, result.vector) == ("LEAKS", "format")
