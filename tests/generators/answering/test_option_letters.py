"""Letters that answer plainly, letters that are hinted at, and letters that are words, denied or listed."""

from time import process_time

import pytest

from generators.answering.option_letters import letters_of

FOUR = ("red", "blue", "grey", "green")


@pytest.mark.parametrize(
    "reply",
    [
        "B", "b", "(b)", " B.\n", "**B**", "### B", "B. Blue.", "B) blue", "Answer: B",
        "answer: b", "Answer - B", "B:",
        "Answer = (B)", "**Answer: B**", "**Answer:** B", "The answer is B, since A is dull.",
        "The answer would be option B.",
        "The correct answer is **B. blue**", "Final answer: [B]", "\\boxed{B}", "So $\\boxed{\\text{(B)}}$.",
        "<answer>B</answer>", "<ANSWER> (B). </ANSWER>", "So:\n\nB", "### Final answer\nB", "A is dull.\nANSWER: B",
        "A) red: no.\nB) blue: yes.\nAnswer: B", "A) red is out.\nSo the answer is B.",
        "The answer is not A.\nThe answer is B.",
        "First I said A:\nA\nAnswer: B",
        "The answer is B.\n\nI hope that this helps!", "Answer:\r\nB\r\n",
    ],
)  # fmt: skip
def test_a_plain_answer(reply):
    assert letters_of(reply, FOUR).plain == (1,)


@pytest.mark.parametrize(
    "reply",
    [
        "option B, of course", "Choice B it is", "It's B", "It’s B!", "I pick B", "I would go with (B).", "B is right",
        "option b", "Hence B.", "Therefore, B", "I am confident: **B**", "all in all **B.**", "blue (B)",
        "Option A is wrong. Option C is wrong. So it is B.", "(A) is wrong, so (B)", "Answer: B because grey is dull",
        "Not (A), but (B)", "A is right.\nNo: B is right.", "B) is the correct one",
    ],
)  # fmt: skip
def test_a_hint(reply):
    letters = letters_of(reply, FOUR)
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
    letters = letters_of(reply, FOUR)
    assert (letters.plain, letters.hinted) == ((), ())


@pytest.mark.parametrize(
    ("reply", "plain", "hinted"),
    [
        ("A\nB", (0, 1), ()), ("The answer is A, B", (0, 1), (0, 1)), ("Answer: A or B", (), (0, 1)),
        ("Both (A) and (B)", (), (0, 1)), ("(A)/(C)", (), (0, 2)), ("It is A.\nNo: (B), (C) or D", (), (1, 2, 3)),
    ],
)  # fmt: skip
def test_several_letters_are_all_told(reply, plain, hinted):
    letters = letters_of(reply, FOUR)
    assert (tuple(letters.plain), tuple(letters.hinted)) == (plain, hinted)


@pytest.mark.parametrize("reply", ["B. blue, not grey", "B. It is blue.", "(B) Blue because of the sea", "B: I think"])
def test_a_letter_in_front_of_other_words(reply):
    letters = letters_of(reply, FOUR)
    assert (letters.plain, letters.front) == ((), (1,))


@pytest.mark.parametrize(
    "reply",
    [
        "(A) doesn't work.",
        "(A) isn't right",
        "(A) has to be wrong.",
        "(A) would be wrong.",
        "Option A (red) is wrong.",
        "Option A: wrong.",
        "A) red - incorrect",
        "Choice A contradicts the text.",
        "(A) cannot hold",
        "It cannot be (A).",
        "I rule out (A).",
        "We can eliminate option A.",
        "I doubt that A is correct",
        "It is unclear if A is correct.",
        "I do not choose: A",
        "Which is wrong: A",
        "The wrong answer is A.",
        "An incorrect answer: A",
        "A) is tempting.",
        "(A) does not fit\n(C) nor this\n(D) it may",
        "(a) red\n(b) blue\n(c) grey",
        "Option A fails.\nOption D fails.",
        "Grade: A",
        "Vitamin: C",
        "Confidence: A",
        "Source: (C) 2020 Foo",
        "(d) Rayleigh scattering explains it",
        "I can't answer: A lack of data",
        "I think the answer is A bit of a trick.",
        "Ce n'est pas (A).",
        "(A) ist falsch.",
        "Die Antwort ist nicht (A)",
        "Keine der Antworten: A",
        "<think>The answer is A.</think>\nblue",
    ],
)
def test_letters_that_are_not_meant_are_not_read(reply):
    assert letters_of(reply, FOUR)[:3] == ((), (), ())


@pytest.mark.parametrize(
    "reply",
    [
        "Answer: I don't know", "Answer: I am not sure.", "Answer: I, however, think so", "The answer I choose is hard",
        "Therefore, I.", "I. Analysis", "I is a word", "It is I who am right",
    ],
)  # fmt: skip
def test_i_is_a_word(reply):
    assert letters_of(reply, "abcdefghij")[:3] == ((), (), ())
    assert letters_of("Answer: I", "abcdefghij").plain == (8,)
    assert letters_of("I", "abcdefghij").plain == (8,)
    assert letters_of("It is (I)", "abcdefghij").hinted == (8,)


@pytest.mark.parametrize(
    "reply",
    [
        "The answer is A.\nHmm, no. Option C is correct: C is correct", "Answer: A\nWait, B is correct.",
        "Many would say the answer is B.\nI pick C.", "The answer is A. However, it must be C.",
        "B. Many think that the answer is A, but no.",
    ],
)  # fmt: skip
def test_an_answer_that_is_taken_back_is_none(reply):
    assert len(letters_of(reply, FOUR).plain) > 1


def test_what_a_reply_runs_on_with_is_not_read():
    assert letters_of("B\n\nQ: What is next?\nAnswer: D", FOUR).plain == (1,)
    assert letters_of("Question: which?\nAnswer: D", FOUR).plain == (3,)


@pytest.mark.parametrize("reply", ["(A), " * 40_000, "(A) or " * 40_000, "answer: A, " * 20_000, "A\n" * 100_000])
def test_long_replies_take_no_longer_by_the_letter(reply):
    begun = process_time()
    letters_of(reply, FOUR)
    assert process_time() - begun < 10  # a chain that is walked from each of its letters takes minutes


def test_what_follows_a_hint_begins_with_its_line():
    assert letters_of("Blue tempts.\nI pick A.\nGrey is dull.", FOUR).rest == "I pick A.\nGrey is dull."
    assert letters_of("Blue tempts.", FOUR).rest == "Blue tempts."


def test_only_letters_of_options_count():
    assert letters_of("Answer: J", "abcdefghi").plain == ()
    assert letters_of("Answer: J", "abcdefghij").plain == (9,)
    assert letters_of("Answer: Ä", "abcdefghijklmnopqrstuvwxyz").plain == ()
