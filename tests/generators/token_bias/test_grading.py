"""How replies are graded: the single option, the single yes or no, the whole number; hostile replies too."""

import gc
import time

import pytest

from hansproof.generators.registry import dataset
from hansproof.generators.token_bias.scorer import LAST, read_number, read_option, read_yes_no

OPTIONS = ("(a)", "(b)")
ANSWERS = ("yes", "no")
FAMILY = dataset("token-bias")


@pytest.mark.parametrize(
    ("reply", "said", "last"),
    [
        ("(a)", "(a)", "(a)"),
        ("**(B)** is likelier.", "(b)", "(b)"),
        ("( a )", "(a)", "(a)"),
        ("b", "(b)", "(b)"),
        ("Option B.", "(b)", "(b)"),
        ("The answer is: **b**", "(b)", "(b)"),
        ("(a), because (a) is in (a)", "(a)", "(a)"),
        ("(b) implies (a), so (a)", None, "(a)"),
        ("neither", None, None),
        ("not (a)", None, None),
        ("It isn’t option (b)", None, None),
        ("The answer is a matter of taste", None, None),
        ("(c)", None, None),
        ("", None, None),
        ("b) Sam will ring.", "(b)", "(b)"),
        ("**B.** Sam will ring.", "(b)", "(b)"),
        ("a) Sam sings.\nb) Sam sings to relax.", None, "(b)"),
        ("The answer is \\boxed{\\text{A}}", "(a)", "(a)"),
        ("Final answer: $b$", "(b)", "(b)"),
        ("Option B is more probable than what else is said.", "(b)", "(b)"),
        ("Option B is not more probable.", None, None),
        ("A person sings. I. e., a singer.", None, None),
    ],
)
def test_options(reply, said, last):
    reading = read_option(reply, OPTIONS)
    assert (reading.said, reading.others[LAST]) == (said, last)
    assert bool(reading.reason) is (said is None)


@pytest.mark.parametrize(
    ("reply", "said", "last"),
    [
        ("No.", "no", "no"),
        ("[Yes]", "yes", "yes"),
        ("ＹＥＳ", "yes", "yes"),
        ("**NO**, it does not follow. No!", "no", "no"),
        ("Yes. There is no doubt.", None, "no"),
        ("nobody knows, not even a no-one", None, None),
        ("It is not a yes", None, None),
        ("It follows.", None, None),
    ],
)
def test_yes_and_no(reply, said, last):
    reading = read_yes_no(reply, ANSWERS)
    assert (reading.said, reading.others[LAST]) == (said, last)


@pytest.mark.parametrize(
    ("reply", "said", "last"),
    [
        ("7", "7", "7"),
        ("5 + 1 + 1 = **7**", "7", "7"),
        ("\\boxed{7}", "7", "7"),
        ("You need 7 races: 5 heats, 1 final, 1 more.", None, "7"),
        ("Thus, **7 races** are required to find the fastest 3 horses.", "7", "7"),
        ("you would need 7 races to definitively determine the fastest 3 zebras.", None, "7"),
        ("7.0", "7", "7"),
        ("about 7.5", None, None),
        ("about 10,5", None, None),
        ("1.250,75", None, None),
        ("7, or 10,5", None, "7"),
        ("1,234", "1234", "1234"),
        ("007", "7", "7"),
        ("-7", "-7", "-7"),
        ("the top-3", "3", "3"),
        ("A1 beats B2 in the 6th", None, None),
        ("Seven races.", "7", "7"),
        ("no one knows", None, None),
        ("", None, None),
    ],
)
def test_the_whole_number_that_is_given_and_the_last_one(reply, said, last):
    reading = read_number(reply)
    assert (reading.said, reading.others[LAST]) == (said, last)


@pytest.mark.slow
@pytest.mark.parametrize(
    "part", ["9999999999", "(a)", "yes ", "9,", "( ", "\ud800\u202e", "not ", "1 race ", "b)\n", "\\boxed{", "option "]
)
def test_hostile_replies_take_linear_time(part):
    def seconds(times):
        gc.disable()  # what other tests have left in memory is nothing to look through here
        start = time.process_time()
        for subset in ("syllogism", "horses", "letters", "conjunction-persona"):
            item = FAMILY.item(subset, 1, 0)
            FAMILY.scorer.score(item, FAMILY.scorer.read(item, part * times))
        gc.enable()
        return time.process_time() - start

    # Eight times the text takes eight times as long, or 64 times where every place looks at all others.
    assert min(seconds(80_000) for _ in range(2)) < 24 * max(min(seconds(10_000) for _ in range(2)), 0.01)


def test_an_endless_number_is_no_answer():
    assert read_number("1" * 5_000).said is None


@pytest.mark.parametrize("subset", ["syllogism", "balanced-horses", "letters", "conjunction-persona"])
def test_each_kind_of_item_is_graded_by_its_own_rule(subset):
    item = FAMILY.item(subset, 1, 0)
    right = FAMILY.scorer.score(item, FAMILY.scorer.read(item, f"I would say {item.answer}"))
    assert right.right is True
    unparsed = FAMILY.scorer.read(item, "Hm.")
    assert (unparsed.said, FAMILY.scorer.score(item, unparsed).right) == (None, False)
