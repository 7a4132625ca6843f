"""Letters that answer plainly, letters that are hinted at, and letters that are words, denied or listed."""

import pytest

from generators.answering.option_letters import letters_of


@pytest.mark.parametrize(
    "reply",
    [
        "B", "b", "(b)", " B.\n", "**B**", "### B", "B. blue, not grey", "B) blue", "Answer: B",
        "answer: b", "Answer - B", "B) is the correct one",
        "Answer = (B)", "**Answer: B**", "**Answer:** B", "The answer is B, since A is dull.",
        "The answer would be option B.",
        "The correct answer is **B. blue**", "Final answer: [B]", "\\boxed{B}", "So $\\boxed{\\text{(B)}}$.",
        "<answer>B</answer>", "<ANSWER> (B). </ANSWER>", "So:\n\nB", "### Final answer\nB", "A is dull.\nANSWER: B",
        "A) red: no.\nB) blue: yes.\nAnswer: B", "A) red is out.\nSo the answer is B.",
        "B. Many think that the answer is A, but no.", "The answer is not A.\nThe answer is B.",
        "First I said A:\nA\nAnswer: B",
        "The answer is B.\n\nI hope that this helps!", "Answer:\r\nB\r\n",
    ],
)  # fmt: skip
def test_a_plain_answer(reply):
    assert letters_of(reply, 4).plain == (1,)


@pytest.mark.parametrize(
    "reply",
    [
        "option B, of course", "Choice B it is", "It's B", "It’s B!", "I pick B", "I would go with (B).", "B is right",
        "option b", "Hence B.", "Therefore, B", "I am confident: **B**", "all in all **B.**", "blue (B)",
        "Option A is wrong. Option C is wrong. So it is B.", "(A) is wrong, so (B)", "Answer: B because grey is dull",
        "Not (A), but (B)", "A is right.\nNo: B is right.",
    ],
)  # fmt: skip
def test_a_hint(reply):
    letters = letters_of(reply, 4)
    assert (letters.plain, letters.hinted) == ((), (1,))


@pytest.mark.parametrize(
    "reply",
    [
        "", "Z", "Answer: Z", "(E)", "red or grey", "A rose by any other name", "I think so", "I don't know", "Plan B",
        "Not (B)", "The answer is not B", "It isn't B", "(B) is wrong", "Option B cannot be right.", "B. is not right",
        "Neither (A) nor (B)", "an answer a child would give", "answers A", "A. red\nB. blue", "Vitamin B helps.",
    ],
)  # fmt: skip
def test_words_denials_and_lists_are_no_letters(reply):
    letters = letters_of(reply, 4)
    assert (letters.plain, letters.hinted) == ((), ())


@pytest.mark.parametrize(
    ("reply", "plain", "hinted"),
    [
        ("A\nB", (0, 1), ()), ("The answer is A, B", (0, 1), (0, 1)), ("Answer: A or B", (), (0, 1)),
        ("Both (A) and (B)", (), (0, 1)), ("(A)/(C)", (), (0, 2)), ("It is A.\nNo: (B), (C) or D", (), (1, 2, 3)),
    ],
)  # fmt: skip
def test_several_letters_are_all_told(reply, plain, hinted):
    letters = letters_of(reply, 4)
    assert (tuple(letters.plain), tuple(letters.hinted)) == (plain, hinted)


def test_what_follows_a_hint_begins_with_its_line():
    assert letters_of("Blue tempts.\nI pick A.\nGrey is dull.", 4).rest == "I pick A.\nGrey is dull."
    assert letters_of("Blue tempts.", 4).rest == "Blue tempts."


def test_only_letters_of_options_count():
    assert letters_of("Answer: J", 9).plain == ()
    assert letters_of("Answer: J", 10).plain == (9,)
    assert letters_of("Answer: Ä", 26).plain == ()
