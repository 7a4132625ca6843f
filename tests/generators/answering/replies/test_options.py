"""Letters that answer plainly, letters that are hinted at, and letters that are words, denied or listed."""

from time import process_time

import pytest

from hansproof.generators.answering.options import read_option

FOUR = ("red", "blue", "grey", "green")
TEN = tuple(f"option number {n}" for n in range(10))


def read(reply):
    return read_option(reply, FOUR, True)


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
    assert read(reply) == (1, "")


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
    assert read(reply) == (1, "")


@pytest.mark.parametrize(
    "reply",
    [
        "", "Z", "Answer: Z", "(E)", "red or grey", "A rose by any other name", "I think so", "I don't know", "Plan B",
        "Not (B)", "The answer is not B", "It isn't B", "(B) is wrong", "Option B cannot be right.", "B. is not right",
        "Neither (A) nor (B)", "an answer a child would give", "answers A", "A. red\nB. blue", "Vitamin B helps.",
    ],
)  # fmt: skip
def test_words_denials_and_lists_are_no_letters(reply):
    assert read(reply)[0] is None


@pytest.mark.parametrize(
    ("reply", "named"),
    [
        ("A\nB", "AB"), ("The answer is A, B", "AB"), ("Answer: A or B", "AB"), ("Both (A) and (B)", "AB"),
        ("(A)/(C)", "AC"), ("It is A.\nNo: (B), (C) or D", "BCD"), ("The answer is A\nThe answer is B", "AB"),
        ("(a) is more probable than (b)", "AB"), ("I prefer (a) to (b).", "AB"), ("P(a) >= P(b)", "AB"),
        ("both (a) and (b)", "AB"),
    ],
)  # fmt: skip
def test_several_options_are_all_told(reply, named):
    place, reason = read(reply)
    assert place is None
    assert set(reason.removeprefix("names several choices: ").split(", ")) == {
        repr(FOUR["ABCD".index(x)]) for x in named
    }


@pytest.mark.parametrize(
    "reply", ["B. blue, not grey", "B. It is blue.", "(B) Blue because of the sea", "B: I think", "(b) it does"]
)
def test_a_letter_in_front_of_other_words(reply):
    assert read(reply) == (1, "")


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
        "I can't answer: A lack of data",
        "I think the answer is A bit of a trick.",
        "Ce n'est pas (A).",
        "(A) ist falsch.",
        "Die Antwort ist nicht (A)",
        "Keine der Antworten: A",
    ],
)
def test_letters_that_are_not_meant_are_not_read(reply):
    assert read(reply)[0] is None


@pytest.mark.parametrize(
    "reply",
    [
        "Answer: I don't know", "Answer: I am not sure.", "Answer: I, however, think so", "The answer I choose is hard",
        "Therefore, I.", "I. Analysis", "I is a word", "It is I who am right",
    ],
)  # fmt: skip
def test_i_is_a_word(reply):
    assert read_option(reply, TEN, True)[0] is None
    assert read_option("Answer: I", TEN, True) == (8, "")
    assert read_option("I", TEN, True) == (8, "")
    assert read_option("It is (I)", TEN, True) == (8, "")


@pytest.mark.parametrize(
    "reply",
    [
        "The answer is A.\nHmm, no. Option C is correct: C is correct", "Answer: A\nWait, B is correct.",
        "The answer is A. However, it must be C.", "It's A. No wait, B.", "A. Actually, B.", "A: B",
        "A\n\nHmm, on reflection: B", "The answer is A... no, the answer is B", "Blue. Wait, red.",
    ],
)  # fmt: skip
def test_an_answer_that_is_taken_back_is_none(reply):
    place, reason = read(reply)
    assert place is None
    assert reason.startswith("names several choices: ")


def test_what_others_say_takes_nothing_back():
    assert read("Many would say the answer is B.\nI pick C.") == (2, "")
    assert read("B. Many think that the answer is A, but no.") == (1, "")


def test_what_a_reply_runs_on_with_is_not_read():
    assert read("B\n\nQ: What is next?\nAnswer: D") == (1, "")
    assert read("Question: which?\nAnswer: D") == (3, "")
    assert read("B<|im_end|>\n<|im_start|>user\nAnswer: D") == (1, "")
    assert read("<think>The answer is A.</think>\nblue") == (1, "")


PIECES = [
    "(A), ", "(A) or ", "answer: A, ", "A\n", "red or ", "red, ", "It is red. ", "not red ", "Answer: red\n", "red? ",
    "A. red\n", "Wait, ", "Actually, red. ", "\\boxed{", "<answer>", "**", "(", " ", "_", "not A but ", "if red would ",
    "the answer to the ", "1 000 ", "no doubt ", "[[", "a" * 500 + " ", "\U00020000", "\u0130", "{\"answer\": ", "#",
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("piece", PIECES)
def test_two_megabytes_are_read_in_two_seconds(piece):
    read("x")
    begun = process_time()
    read(piece * (2_000_000 // len(piece)))
    assert process_time() - begun < 2


def test_both_ends_of_a_long_reply_are_read():
    hm = "hm\n" * 1_000_000
    assert read(f"Answer: B\n{hm}") == read(f"{hm}Answer: B") == (1, "")
    assert read(f"{hm}Answer: B\n{hm}") == (None, "names no choice")


def test_a_word_decides_before_words_on_earlier_lines():
    assert read("Blue tempts.\nI pick A.\nThe day is dull.") == (0, "")
    assert read("Blue tempts.") == (1, "")


def test_only_letters_of_options_count():
    assert read_option("Answer: J", TEN[:9], True)[0] is None
    assert read_option("Answer: J", TEN, True) == (9, "")
    assert read_option("Answer: \u00c4", [f"option number {n}" for n in range(26)], True)[0] is None
    assert read_option("Answer: B", FOUR, False) == (None, "names no choice")
    assert read_option("answer: b.", ("C", "B", "A"), False) == (1, "")
