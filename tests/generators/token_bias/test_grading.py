"""How replies are graded: the single option, the single yes or no, the whole number; hostile replies too."""

import gc
import time

import pytest

from hansproof.generators.registry import dataset

FAMILY = dataset("token-bias")


CASES = [
    ("horses", "Thus, **7 races** are required to find the fastest 3 horses.", "7"),
    ("horses", "you would need 7 races to definitively determine the fastest 3 zebras.", "7"),
    ("horses", "You need 7 races: 5 heats, 1 final, 1 more.", None), ("horses", "about 7.5", "7.5"),
    ("balanced-horses", "So it is (b).", "(b)"), ("balanced-horses", "It takes 1,000 races.", None),
    ("horses", "5 + 1 + 1 = **7**", "7"), ("horses", "1,234", "1234"), ("horses", "no one knows", None),
    ("syllogism", "No.", "no"), ("syllogism", "[Yes]", "yes"), ("syllogism", "Yes. There is no doubt.", "yes"),
    ("syllogism", "It is not a yes", None), ("syllogism", "It follows.", None),
    ("conjunction-persona", "**(B)** is likelier.", "(b)"), ("conjunction-persona", "(b) implies (a), so (a)", "(a)"),
    ("conjunction-persona", "Option B is not more probable.", None), ("conjunction-persona", "(c)", None),
    ("conjunction-persona", "It isn’t option (b)", None), ("conjunction-persona", "Final answer: (b)", "(b)"),
]  # fmt: skip


@pytest.mark.parametrize(("subset", "reply", "said"), CASES)
def test_replies_are_read_by_the_form_of_the_answer(subset, reply, said):
    assert FAMILY.scorer.read(FAMILY.item(subset, 1, 0), reply).said == said


def test_an_option_is_known_by_its_words():
    item = FAMILY.item("conjunction-persona", 1, 0)
    words = item.prompt.split("(b) ")[1].split("\n")[0]
    for reply in (words, f"(b) {words}\n\nOption (a) is less specific, though.", f"I think {words}"):
        assert FAMILY.scorer.read(item, reply).said == "(b)"


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
    assert FAMILY.scorer.read(FAMILY.item("letters", 1, 0), "1" * 5_000).said is None


@pytest.mark.parametrize("subset", ["syllogism", "balanced-horses", "letters", "conjunction-persona"])
def test_each_kind_of_item_is_graded_by_its_own_rule(subset):
    item = FAMILY.item(subset, 1, 0)
    right = FAMILY.scorer.score(item, FAMILY.scorer.read(item, f"I would say {item.answer}"))
    assert right.right is True
    unparsed = FAMILY.scorer.read(item, "Hm.")
    assert (unparsed.said, FAMILY.scorer.score(item, unparsed).right) == (None, False)
