"""Items that are not ours: labels, options by text or letter, numbers, several golds."""

import polars
import pytest

from hansproof.audit.harnesses.reply import Reply
from hansproof.audit.reading.loading import load
from hansproof.audit.replies.foreign_items import items_of, items_of_replies
from hansproof.audit.replies.scorers import THIRD_PARTY, scorer_of
from hansproof.generators.item import Item


def made(choices, *golds, lettered=False):
    about = {"dataset": "x", "version": "", "subset": "", "seed": 0, "canary": "", "accepted": list(golds)}
    return Item("i", "?", choices, golds[0] if golds else None, "i", "", about | {"lettered": lettered})


COLOURS = ("red", "dark blue", "blue", "grey")


def test_several_options_are_told_as_the_reason():
    reading = THIRD_PARTY.read(made(COLOURS, "blue", lettered=True), "Answer: A or B")
    assert (reading.said, reading.reason) == (None, "names several choices: 'red', 'dark blue'")


@pytest.mark.parametrize(
    ("options", "reply", "said"),
    [
        # Options of one character are no letters, unless they may be taken for the letter of another option.
        (("1", "2", "3", "4"), "ANSWER: B", "2"), (("7", "8"), "A", "7"), (("7", "8"), "8", "8"),
        (("+", "-"), "(B)", "-"), (("x", "y", "z"), "ANSWER: C", "z"), (("x", "y", "z"), "y", "y"),
        (("B", "A"), "A", "A"), (("b", "a"), "b", "b"), (("B", "A"), "ANSWER: B", "B"),
    ],
)  # fmt: skip
def test_short_options_are_read_by_letter_where_no_letter_means_two(options, reply, said):
    assert THIRD_PARTY.read(made(options, options[0], lettered=True), reply).said == said


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("There is no universally agreed-upon answer.", None), ("There is no doubt about it: yes.", "Yes"),
        ("The answer is no because it is not.", "No"), ("No universal answer, so no.", "No"), ("no", "No"),
        ("the answer would be 'No'.", "No"), ("Yes, he did no harm", "Yes"),
        ("No idea", None), ("No information is given.", None),
    ],
)  # fmt: skip
def test_no_in_front_of_a_thing_is_no_answer(reply, said):
    assert THIRD_PARTY.read(made(("No", "Yes"), "Yes"), reply).said == said


@pytest.mark.parametrize(
    ("labels", "reply", "said"),
    [
        (("false", "true"), "Yes.", "true"), (("false", "true"), "No", "false"), (("No", "Yes"), "True", "Yes"),
        (("No", "Yes"), "Answer: false", "No"), (("False", "True", "Unknown"), "yes", "True"),
        (("false", "no", "true", "yes"), "yes", "yes"), (("false", "no", "true"), "yes", None),
    ],
)  # fmt: skip
def test_yes_is_true_where_only_one_pair_is_among_the_labels(labels, reply, said):
    assert THIRD_PARTY.read(made(labels, labels[0]), reply).said == said


def test_an_index_is_no_letter_and_the_reason_says_so():
    reading = THIRD_PARTY.read(made(COLOURS, "blue", lettered=True), "2")
    assert (reading.said, reading.reason) == (None, "is a number, and options are named by letter or by words")


@pytest.mark.parametrize(
    ("reply", "right"),
    [
        ("Answer: Paris\n\nIt lies on the Seine.", True), ("\\boxed{Paris}, of course.\nDone.", True),
        ('{"answer": "Paris", "sure": true}', True), ("<answer>Paris</answer>\nDone.", True),
        ("Answer: Rome\n\nAnd not\nParis", False), ("Paris\n\nRome is in Italy.", False),
    ],
)  # fmt: skip
def test_a_plain_answer_to_an_open_question_comes_before_the_last_line(reply, right):
    item = made(None, "Paris")
    assert THIRD_PARTY.score(item, THIRD_PARTY.read(item, reply)).right is right


def test_letters_are_not_read_where_options_are_labels():
    assert THIRD_PARTY.read(made(("No", "Yes"), "Yes"), "A").said is None
    assert THIRD_PARTY.read(made(("A", "B"), "B"), "The answer is B").said == "B"


@pytest.mark.parametrize(
    ("golds", "reply", "right"),
    [
        (("Paris",), "The answer is: **Paris**.", True),
        (("Paris",), "I think\nparis", True),
        (("Paris",), "Paris or London", False),
        (("the UK", "Britain"), "Britain!", True),
        (("1234.5",), "So we get 12 + 1222.5 = $1,234.50.", True),
        (("18",), "#### 18", True),
        (("18",), "18 apples, or 19", False),
        (("-3",), "−3", True),
        (("18",), "none", False),
        (("3",), "v2.3.1", False),
        (("3",), "3\nas of 2.3.1", True),
        (("5",), "10,5", False),
        (("10.5",), "So it is 10,5.", True),
        (("10,5",), "10.5", True),
        (("105",), "10,5", False),
        (("-0.125",), "−0,125", True),
        (("1250",), "1,250", True),
        (("1250.5",), "1.250,5", True),
        (("10.5",), "$10{,}5$", True),
        (("6",), "5, 6", False),
    ],
)
def test_open_answers_and_numbers(golds, reply, right):
    item = made(None, *golds)
    assert THIRD_PARTY.score(item, THIRD_PARTY.read(item, reply)).right is right


def test_a_gold_that_lists_numbers_is_a_text():
    item = made(None, "1,2,3")
    assert THIRD_PARTY.score(item, THIRD_PARTY.read(item, "The answer is 1,2,3.")).right
    assert not THIRD_PARTY.score(item, THIRD_PARTY.read(item, "123")).right


def test_any_accepted_gold_counts_and_none_is_not_applicable():
    item = made(COLOURS, "red", "grey")
    assert [THIRD_PARTY.score(item, THIRD_PARTY.read(item, each)).right for each in COLOURS] == [
        True,
        False,
        False,
        True,
    ]
    assert THIRD_PARTY.chance(item) == {"answer": 0.5}
    assert THIRD_PARTY.score(made(None), THIRD_PARTY.read(made(None), "x")).right is None
    assert (THIRD_PARTY.chance(made(None)), THIRD_PARTY.chance(made(None, "x"))) == ({}, {})


def loaded(**columns):
    return items_of(load(polars.DataFrame(columns), name="mine"))


def test_a_benchmark_of_labels_of_options_and_of_open_answers_becomes_items():
    n = 40
    questions = [f"Is number {k} even?" for k in range(n)]
    labels = loaded(question=questions, answer=["yes", "no"] * 20, template_id=[f"t{k // 2}" for k in range(n)])
    assert (labels[3].choices, labels[3].answer) == (("no", "yes"), "no")
    assert (labels[3].metadata["dataset"], labels[3].metadata["lettered"]) == ("mine", False)
    assert len({row.id for row in labels}) == n
    choices = [[f"w{k}", f"v{k}", f"u{k}"] for k in range(n)]
    options = loaded(
        id=[f"q{k}" for k in range(n)], question=questions, choices=choices, answer=[k % 3 for k in range(n)]
    )
    assert (options[4].id, options[4].choices, options[4].answer) == ("q4", ("w4", "v4", "u4"), "v4")
    assert options[4].metadata["lettered"] is True
    opened = loaded(question=questions, answer=[f"It is {k}" for k in range(n)])
    assert (opened[2].choices, opened[2].answer) == (None, "It is 2")
    assert scorer_of(opened) is THIRD_PARTY


def test_two_items_with_yes_and_no_are_labels_and_splits_are_subsets():
    few = loaded(question=["A?", "B?"], answer=["Yes", "No"], split=["train", "test"])
    assert [(row.choices, row.metadata["subset"]) for row in few] == [(("No", "Yes"), "train"), (("No", "Yes"), "test")]


def test_json_names_the_scorer_by_its_module_so_that_it_stays_where_it_is():
    assert type(THIRD_PARTY).__module__ == "hansproof.audit.replies.scorers"


PRINTED = "Which is more likely?\n(a)\nHe is a clerk.\n(b)\nHe is a clerk and paints."


def judged(item, reply):
    reading = THIRD_PARTY.read(item, reply)
    return "unclear" if reading.said is None else THIRD_PARTY.score(item, reading).right


@pytest.mark.parametrize("gold", ["(a) He is a clerk", "He is a clerk."])
def test_a_gold_that_repeats_an_option_of_its_prompt_is_an_option(gold):
    asked = {"question": [PRINTED, "Is it sound?", "And now?"], "answer": [gold, "[No]", "Paris is far"]}
    of_table = items_of(load(polars.DataFrame(asked), name="mine"))
    logged = Reply(place="x", reply="", id="1", prompt=PRINTED, golds=(gold,))
    for item in (of_table[0], items_of_replies([logged])[0]):
        assert (item.choices, item.answer) == (("He is a clerk", "He is a clerk and paints"), "He is a clerk")
        replies = "(a)", "A. It is simpler.", "(b) He is a clerk and paints.", "Not (b)", "He is a clerk and paints"
        assert [judged(item, reply) for reply in replies] == [True, True, False, "unclear", False]
    assert not of_table[2].metadata["lettered"]


@pytest.mark.parametrize("gold", ["(b) He is a clerk", "He is a baker", "b"])
def test_a_gold_that_is_no_printed_option_is_none(gold):
    (item,) = items_of(load(polars.DataFrame({"question": [PRINTED], "answer": [gold]}), name="mine"))[:1]
    assert "He is a clerk" not in item.metadata["accepted"]


@pytest.mark.parametrize(
    ("gold", "reply", "becomes"),
    [
        ("Paris", "It lies on the Seine, so it must be Paris.", "unclear"), ("Paris", "Rome", False),
        ("Paris", "Answer: Rome", False), ("Paris", "Long ago.\nThe answer is Rome.", False),
        ("Paris", "Answer: Paris, of course", "unclear"), ("Paris", "I think\nParis", True),
        ("art", "Answer: party", False), ("the", "Answer: other", False), ("?", "Answer: Rome", False),
        ("Paris", "It is the city\nwhere the Seine flows", "unclear"),
        ("of the sun", "Let me think.\nOf the sun!", True),
        ("A: liar\nB: knight", "Here it is:\n\n**A: liar**\n\nB: knight", True),
        ("A: liar\nB: knight", "Here it is:\n\nA: liar\n\nB: knight", True),
        ("A: liar\nB: knight", "Here it is:\nA: knight\nB: knight", False), ("A: liar", "A: knight", False),
    ],
)  # fmt: skip
def test_a_reply_that_is_longer_than_its_open_gold_and_does_not_state_it_is_unclear(gold, reply, becomes):
    assert judged(made(None, gold), reply) == becomes


def test_a_gold_in_brackets_is_named_without_them():
    assert judged(made(("[No]", "[Yes]"), "[No]"), "No, it does not follow.") is True


def test_the_line_behind_one_that_announces_an_answer_is_a_plain_answer():
    reply = (
        "(a) is one thing.\n(b) adds to it.\nTherefore, I select:\n\n(a) red.\n\nThis is simpler, whereas option "
        "(b) is a more specific scenario that is less likely to occur."
    )
    assert THIRD_PARTY.read(made(("red", "red and blue"), "red", lettered=True), reply).said == "red"
