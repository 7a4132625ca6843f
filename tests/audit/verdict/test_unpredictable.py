"""How far any reader of the texts alone can go, where texts occur with more than one answer."""

import random
from collections import Counter

import pytest
from sklearn.metrics import cohen_kappa_score

from hansproof.audit.run import audit
from hansproof.audit.verdict.reasons import why_unpredictable

BOTH = [(text, answer) for text in range(300) for answer in ("yes", "no")]


def shares(items):
    return {answer: count / len(items) for answer, count in Counter(answer for _, answer in items).items()}


def test_texts_with_both_answers_give_nothing_away():
    # Whatever is answered, half is right, and chance is a half: kappa is 0.
    assert why_unpredictable(BOTH, shares(BOTH), 0.2) == (
        "the answers are unpredictable from the text: 300 of 300 texts occur with more than one answer, so that no "
        "reader of the text alone reaches a kappa of .20. If that is not by design, the golds "
        "contradict each other, or the prompts are not complete."
    )


@pytest.mark.parametrize(("pairs", "alone"), [(270, 60), (150, 40), (32, 9), (50, 12), (30, 7), (150, 56)])
def test_nobody_reaches_what_no_reader_is_said_to_reach(pairs, alone):
    # "yes" where a text stands alone and "no" elsewhere: the margins of that reader are not those of the golds.
    items = [(text, answer) for text in range(pairs) for answer in ("yes", "no")]
    items += [(pairs + text, "yes") for text in range(alone)]
    reader = ["yes" if text >= pairs else "no" for text, _ in items]
    best = cohen_kappa_score(reader, [answer for _, answer in items])
    assert why_unpredictable(items, shares(items), best - 0.001) == ""
    assert why_unpredictable(items, shares(items), best) == ""  # other texts might have more
    assert "more than one answer" in why_unpredictable(items, shares(items), best + 0.12)


def test_some_texts_that_stand_alone_leave_less_than_the_threshold():
    # 270 pairs and 60 texts with "yes": p(yes) = .55. At .2 a pair is worth 1 - .8 x .45 x 2 = .28, a text alone
    # 1 - .8 x .55 = .56; mean (270 x .28 + 60 x .56) / 600 = .182, error
    # sqrt(270 x .084^2 + 60 x .378^2) / 600 = .0054, and .182 + 1.96 x .0054 = .193 < .2.
    some = BOTH[:540] + [(text, "yes") for text in range(300, 360)]
    assert "270 of 330 texts occur with more than one answer" in why_unpredictable(some, shares(some), 0.2)
    assert why_unpredictable(some, shares(some), 0.12) == ""


def test_the_ceiling_is_that_of_kappa_and_not_of_accuracy():
    # Each text three times with "no" and once with "yes": 75 % are right, which is what "no" alone gets; kappa is 0.
    rare = [(text, answer) for text in range(100) for answer in ("no", "no", "no", "yes")]
    assert why_unpredictable(rare, shares(rare), 0.2) != ""


@pytest.mark.parametrize("items", [[("a", "yes"), ("b", "no")] * 30, [(text, "yes") for text in range(60)]])
def test_texts_of_one_answer_each_can_be_predicted(items):
    assert why_unpredictable(items, shares(items), 0.2) == ""  # with one answer only, kappa is undefined


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


def test_a_cue_that_may_reach_the_threshold_is_no_trace_though_texts_contradict_each_other():
    rows = [{"prompt": text, "answer": answer} for text in texts(120)[:32] for answer in ("yes", "no")]
    rows += [{"prompt": f"{text} often", "answer": "yes"} for text in texts(120)[32:41]]
    result = audit(rows, permutations=199, splits=2)
    assert (result.verdict, "more than one answer" in result.reason) == ("INCONCLUSIVE", False)
