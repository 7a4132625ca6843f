"""Temporal discounting: which question follows which answer, and what each answer is worth."""

import json
import re
from dataclasses import replace
from itertools import product

import pytest

from hansproof.generators.cognitive_tasks.dataset import DATASET

OFFERS = (101, 102, 110, 120, 150)
"""Every factor that a series may offer, in per cent."""


def item(story=""):
    return DATASET.item(f"temporal-discounting{story}", 7, 0)


def played(asked, prefers):
    """The game after `prefers(view, prompt)` (sooner or not) has answered every question; and its prompts."""
    game, prompts = DATASET.episode(asked), []
    while not game.done:
        view = game.view
        prompts.append(game.prompt)
        game.step(view.sooner if prefers(view, game.prompt) else view.later)
    return game, prompts


def scripted(answers):
    """Answers in the order of the questions, S for sooner and L for later."""
    left = iter(answers.replace(" ", ""))
    return lambda view, prompt: next(left) == "S"


@pytest.mark.parametrize(
    ("answers", "points", "factor"),
    [("SSS", 5, 150), ("SSL", 4, 150), ("SL", 3, 120), ("LS", 2, 110), ("LLS", 1, 102), ("LLL", 0, 101)],
)
def test_a_series_is_worth_0_to_5_points_by_where_the_preference_switches(answers, points, factor):
    # The two other series are worth 0, and the four last questions are answered so that they are worth nothing.
    game, prompts = played(item(), scripted(f"{answers} LLL LLL LLL S"))
    assert game.records() == [
        {
            "score": points,
            "gain": points,
            "large_gain": 0,
            "loss": 0,
            "present_bias": 0,
            "subadditivity": 0,
            "delay_speedup": 0,
            "delay_length": 0,
        }
    ]
    offered = [
        int(sum_) for sum_ in re.findall(r"receive (\d+) dollars in 12 months", "".join(prompts[: len(answers)]))
    ]
    assert offered == [{"": 550, "S": 600, "SS": 750, "L": 510, "LL": 505}[answers[:n]] for n in range(len(answers))]
    assert f"receive {5 * factor} dollars in 24 months" in prompts[-4]


def test_the_second_series_is_ten_times_as_large_and_the_third_is_paid():
    _, prompts = played(item(), scripted("SSS SSS SSS SSSS"))
    assert "receive 5,000 dollars today" in prompts[3]
    assert [sum_ for sum_ in ("5,500", "6,000", "7,500") if sum_ in "".join(prompts[3:6])] == [
        "5,500",
        "6,000",
        "7,500",
    ]
    assert "You have to pay money, and may choose between two sums at two times." in prompts[6]
    assert "you pay 500 dollars today" in prompts[6]
    assert "you pay 550 dollars in 12 months" in prompts[6]


@pytest.mark.parametrize(
    ("last", "column", "sums"),
    [
        ("SLLS", "present_bias", ("receive 500 dollars in 12 months", "receive 600 dollars in 24 months")),
        ("LSLS", "subadditivity", ("receive 500 dollars today", "receive 700 dollars in 24 months")),
        ("LLSS", "delay_speedup", ("take the 500 dollars today", "receive the 500 dollars and another 100 dollars")),
        (
            "LLLL",
            "delay_length",
            ("receive the 600 dollars", "receive the 600 dollars today, and pay a fee of 100 dollars"),
        ),
    ],
)
def test_each_of_the_last_four_questions_is_worth_a_point(last, column, sums):
    # First series: not 1.1 times, but 1.2 times, which makes the last questions; all three series: 3 + 0 + 0 points.
    game, prompts = played(item(), scripted(f"SL LLL LLL {last}"))
    (record,) = game.records()
    assert [record.pop(name) for name in ("score", "gain", "large_gain", "loss")] == [4, 3, 0, 0]
    assert [name for name, point in record.items() if point] == [column]
    asked = prompts[-4 + ["present_bias", "subadditivity", "delay_speedup", "delay_length"].index(column)]
    assert all(text in asked for text in sums)


def test_whoever_never_waits_is_asked_with_the_largest_factor():
    game, prompts = played(item(), scripted("SSS SSS SSS SSSS"))
    assert "receive 750 dollars in 24 months" in prompts[-4]
    assert "receive 1,000 dollars in 24 months" in prompts[-3]
    # Three series of 5, and all but the last question, where a point is for waiting.
    assert game.records()[0]["score"] == 18
    assert played(item(), scripted("SSS SSS SSS SSSL"))[0].records()[0]["score"] == 19
    assert played(item(), scripted("LLL LLL LLL LLLS"))[0].records()[0]["score"] == 0


def read_off(prompt):
    """The sums of both options, the smaller first, by reading the text."""
    return sorted(int(text.replace(",", "")) for text in re.findall(r"Option \w: .*?([\d,]+) dollars", prompt))


def test_every_possible_run_scores_what_its_thresholds_say():
    """A second way to the score: a player with one threshold a series waits exactly for offers that reach it, which it
    reads off the prompt; each offer that it turns down, of five, is a point."""
    asked, scores, runs = item(), set(), set()
    thresholds = (*OFFERS, 999)
    for gain, large, loss in product(thresholds, repeat=3):
        for last in product((False, True), repeat=4):
            turns = iter(last)

            def prefers(view, prompt, limits=(gain, large, loss), turns=turns):
                plain = "receive money, and may choose" in prompt or "pay money, and may choose" in prompt
                if not plain or "24 months" in prompt:
                    return next(turns)
                less, more = read_off(prompt)
                limit = limits[2 if "have to pay" in prompt else less == 5000]
                return more * 100 < limit * less

            game, _ = played(asked, prefers)
            expected = sum(offer < limit for limit in (gain, large, loss) for offer in OFFERS)
            expected += sum(last[:3]) + (not last[3])
            (record,) = game.records()
            assert record["score"] == expected
            scores.add(expected)
            runs.add(game.transcript.actions)
    assert len(runs) == 6**3 * 2**4  # all the runs that there are
    assert scores == set(range(20))


@pytest.mark.parametrize(
    ("yearly", "gain", "loss", "last"),
    # What a dollar in a year is worth today: one from each interval between the factors.
    [(1, 0, 5, 1), (0.985, 1, 5, 1), (0.95, 2, 5, 1), (0.87, 3, 0, 1), (0.75, 4, 0, 1), (0.5, 5, 0, 3)],
)
def test_an_exponential_discounter_scores_by_its_rate(yearly, gain, loss, last):
    def discounted(amount, months):
        return amount * yearly ** (months / 12)

    def prefers(view, prompt):
        return discounted(view.sooner_sum, view.sooner_months) > discounted(view.later_sum, view.later_months)

    # It turns down what is worth less than 500 today, pays late as soon as that is cheaper, and is consistent: of the
    # last four it answers all as it did before, which is worth a point for waiting; or three for never waiting.
    game, _ = played(item(), prefers)
    assert game.records()[0]["score"] == gain + gain + loss + last


def test_random_answers_are_expected_to_score_nine_and_a_half():
    # A series: (5 + 4) / 8 + 3 / 4 + 2 / 4 + (1 + 0) / 8 = 2.5; three of them and four half points.
    assert DATASET.scorer.chance(item()) == {
        "temporal-discounting-score": 9.5,
        "temporal-discounting-gains": 5,
        "temporal-discounting-losses": 2.5,
    }


def test_gains_and_losses_have_measures_of_their_own():
    # Never waits for a gain, pays as late as possible: 5 + 4 points for gains, none for losses, and one anomaly.
    asked, (game, _) = item(), played(item(), scripted("SSS SSL LLL LLLL"))
    scored = DATASET.scorer.score(asked, DATASET.scorer.read(asked, json.dumps(game.transcript.actions)))
    assert {name.rpartition("-")[2]: measure.value for name, measure in scored.measures.items()} == {
        "score": 10,
        "gains": 9,
        "losses": 0,
    }


def test_earlier_answers_do_not_show_in_later_prompts():
    _, sooner = played(item(), scripted("SSL LLL LLL LLLL"))
    _, never = played(item(), scripted("SSS LLL LLL LLLL"))
    assert sooner[3:] == never[3:]


def test_either_option_may_come_first_at_each_question():
    orders = [
        item_.metadata["sooner_first"] for item_ in (DATASET.item("temporal-discounting", 7, n) for n in range(400))
    ]
    assert {len(order) for order in orders} == {13}
    for column in zip(*orders, strict=True):
        assert 160 <= sum(column) <= 240  # 4 standard deviations
    for sooner_first in (True, False):
        asked = replace(item(), metadata={**item().metadata, "sooner_first": [sooner_first] * 13})
        for prompt in played(asked, scripted("SSS SSS SSS SSSS"))[1][:3]:
            assert (prompt.index("500 dollars today") < prompt.index("in 12 months")) == sooner_first


def test_a_wrong_draw_is_a_fault():
    asked = item()
    assert DATASET.check(asked) == []
    short = replace(asked, metadata={**asked.metadata, "sooner_first": [True] * 12})
    assert DATASET.check(short) == ["there is not one order of options for each of 13 questions"]
    same = replace(asked, metadata={**asked.metadata, "options": ["B", "B"]})
    assert DATASET.check(same) == ["the options are not two letters"]
