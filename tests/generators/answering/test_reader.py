"""The one reader of replies, on tables of replies as models write them (`reply_tables`): none is read as another
answer than it gives, and what a plain reader would call clear and we do not is listed."""

from time import process_time

import pytest
import reply_tables as tables

from hansproof.generators.answering.numbers import same_number
from hansproof.generators.answering.plain_scorer import PLAIN
from hansproof.generators.answering.reader import read_answer
from hansproof.generators.answering.reply import turn
from hansproof.generators.answering.signs import Numbers, options
from hansproof.generators.item import Item

TOPICS = ("SUPPORTS", "REFUTES", "NOT ENOUGH INFO")


def made(choices, golds, lettered=False, prompt="?", **more):
    about = {"dataset": "x", "version": "", "subset": "", "seed": 0, "canary": "", "accepted": golds}
    return Item("i", prompt, choices, golds[0], "i", "", about | {"lettered": lettered} | more)


FRUIT, TOWN = made(tables.FRUIT, ["apple"], lettered=True), made(tables.CITIES, ["Rome"], lettered=True)
POLE, TRUTH = made(("No", "Yes"), ["Yes"]), made(("False", "True"), ["True"])
LOGIC = made(("contradiction", "entailment", "neutral"), ["neutral"])
MOOD = made(("negative", "neutral", "positive"), ["neutral"])
CELL, COUNT = made(tables.CELL, ["ribosome"], lettered=True), made(("1", "2", "3", "4"), ["1"], lettered=True)
CLOSED = [
    (item, *row)
    for item, rows in (
        (FRUIT, tables.LETTERS), (POLE, tables.POLAR), (LOGIC, tables.NLI), (TOWN, tables.TOWNS),
        (TRUTH, tables.TRUE_FALSE), (MOOD, tables.TONE), (CELL, tables.CELLS), (POLE, tables.MORE_POLAR),
        (LOGIC, tables.MORE_NLI), (COUNT, tables.DIGITS), (made(("A", "B", "C"), ["A"]), tables.BARE),
        (made(TOPICS, ["SUPPORTS"]), tables.CLAIMS),
        (made(("equivalent", "not_equivalent"), ["equivalent"]), tables.PAIRS),
        (made(tables.COLOURS, ["red"], lettered=True), tables.OF_COLOURS),
        (made(tables.SHADES, ["red"], lettered=True), tables.OF_SHADES),
        (made(tables.MOULDS, ["none"], lettered=True), tables.OF_MOULDS),
    )
    for row in rows
]  # fmt: skip
OPEN = [
    *((gold, "", reply, meant) for gold, reply, meant in tables.NUMBERS),
    *(("7", tables.RACES, reply, meant) for reply, meant in tables.OF_RACES),
    *(("7", tables.HOURS, reply, meant) for reply, meant in tables.OF_HOURS),
]
UNREAD = [
    (FRUIT, "A) apple - it is not yellow\nB) banana - correct!\nC) cherry - it is red\nD) date palm - it is a tree"),
    (FRUIT, "The answer is C.\n\nHold on, I misread the question. Actually, the answer is A."),
    (POLE, "In my view, no; others may say yes."),
    (TOWN, "The answer is B.\n\nWait. Let me reconsider. Rome is older than Paris. So the answer is A."),
    (TOWN, "Only C fits."),
    (TOWN, "It would be A if it were in Italy; it is in Spain, hence D."),
    (CELL, "answer A"),
    (CELL, "- A: wrong\n- B: wrong\n- C: right\n- D: wrong"),
    (POLE, "Answer - No. He wasn't the cause (yes would require it)."),
    (LOGIC, "entailment? no\ncontradiction? no\nneutral"),
    (LOGIC, "If the man sleeps, he can't run, which is a contradiction."),
]
"""Clear to a reader, and unclear to us. A row that is read by now belongs to a table."""


def test_the_tables_are_large_and_few_rows_are_unclear_to_us_alone():
    assert len(CLOSED) + len(OPEN) > 650
    assert len(UNREAD) < 20


@pytest.mark.parametrize(("item", "reply", "meant"), CLOSED)
def test_a_reply_is_read_as_what_it_says(item, reply, meant):
    reading = PLAIN.read(item, reply)
    assert reading.said == meant
    assert bool(reading.reason) is (meant is None)


@pytest.mark.parametrize(("gold", "prompt", "reply", "meant"), OPEN)
def test_a_number_is_read_as_what_it_says(gold, prompt, reply, meant):
    said = PLAIN.read(made(None, [gold], prompt=prompt), reply).said
    assert (said is None) is (meant is None)
    assert meant is None or same_number(said, meant)


@pytest.mark.parametrize(("item", "reply"), UNREAD)
def test_what_is_unclear_to_us_alone_is_never_read_wrongly(item, reply):
    assert PLAIN.read(item, reply).said is None


PRINTED = "Which is likelier?\n(a) Ann teaches.\n(b) Ann teaches and paints."


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("(b) Ann teaches and paints.", "(b)"), ("Ann teaches and paints.", "(b)"), ("Ann teaches.", "(a)"),
        ("(a) Ann teaches.\n\nOption (b) adds that she paints.", "(a)"),
        ("(a) Ann teaches.\n(b) Ann teaches and paints.\n\nSo the correct answer is:\n\n(a) Ann teaches.", "(a)"),
        ("Option (a) Ann teaches is more probable than option (b) Ann teaches and paints.", "(a)"),
        ("(b) The more specific option (a) carries less probability.", "(b)"),
        ("(a) Ann teaches and paints.", None), ("The correct answer is neither (a) nor (b).", None),
        ("Both are likely.", None), ("(a) Ann teaches.\n(b) Ann teaches and paints.", None),
        ("Is (b) true?", None), ("I would choose (a) if she painted.", None),
    ],
)  # fmt: skip
def test_letters_are_known_by_the_words_that_the_prompt_prints(reply, said):
    assert PLAIN.read(made(("(a)", "(b)"), ["(a)"], prompt=PRINTED), reply).said == said


@pytest.mark.parametrize(
    ("gold", "reply", "right"),
    [
        ("A: liar\nB: knight", "B: knight\nA: liar", True), ("A: liar; B: knight", "A: liar\nB: knight", True),
        ("A: liar\nB: knight", "If A lies, B is right.\nConclusion:\nA: liar\nB: knight", True),
        ("A: liar\nB: knight", "A is a liar, B is a knight.", True), ("A: liar\nB: knight", "A: liar\nB: liar", False),
        ("A: liar\nB: knight", "A: liar", None), ("A: liar\nB: knight", "A: liar\nA: knight\nB: knight", None),
        ("A: liar\nB: knight", "A is clearly a liar (he lies)\nB: a knight - he does not", True),
        ("A: liar\nB: knight", "A is not a liar\nB is a knight", None),
        ("A: liar\nB: knight", "A: liar\nB: unknown", None),
        ("A: liar\nB: knight", "A is a liar and B is a knight.", True), ("A, C", "Answer: A, and C", True),
        ("St. Louis", "The answer is St. Louis.", True), ("J. K. Rowling", "J.K. Rowling", True),
        ("Paris", "Sorry", None),
        ("3.5 km", "The answer is 3.5 km.", True), (".5", "The answer is 5.", False), ("3.5 km", "35 km", False),
        ("Rome", "Answer: I don't know", None), ("The Hague", "hague", True), ("Rome", "I cannot answer that.", None),
        ("A, C", "C, A", True), ("A, C", "A and C", True), ("A, C", "A, B", False), ("red\nblue", "Blue\nRed", True),
    ],
)  # fmt: skip
def test_several_lines_and_labels_are_right_in_any_order(gold, reply, right):
    item = made(None, [gold])
    reading = PLAIN.read(item, reply)
    assert (None if reading.said is None else PLAIN.score(item, reading).right) is right


FILLER = "It is worth a second look at all that was said before. " * 12


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (f"B is right. {FILLER}", "blue"), (f"{FILLER} The answer, after all of this, is simply option B.", "blue"),
        (f"Answer: A. {FILLER} Answer: B", None), (f"Answer: B\n{FILLER}\nAnswer:\n\nB", "blue"),
        (f"ANSWER: B. {FILLER}", "blue"), ("Reasoning first. Solution: b", "blue"), ("Prediction: b", "blue"),
        ("No Doubt, B.", "blue"),
        (f"The more likely option is b\n{FILLER}", "blue"),
        (f"İt took time. {FILLER} My answer is B.", "blue"), (f"Answer: B. {FILLER} Wait, A is right.", None),
    ],
)  # fmt: skip
def test_an_answer_is_read_wherever_it_stands_in_a_long_reply(reply, said):
    assert read_answer(reply, options(("red", "blue"), True))[0] == said


def test_nothing_is_read_past_the_turn_that_was_asked():
    assert turn("960.\n\nQ: Logan has 14 soaps.\nA: 14") == "960.\n"
    assert read_answer("B\n\nQ: What is next?\nAnswer: D", options(tables.COLOURS, True)) == ("blue", "")
    assert read_answer("Question: which?\nAnswer: D", options(tables.COLOURS, True)) == ("green", "")
    assert read_answer("Let us see.\n\nProblem: 5 and 3?\nAnswer: 8", Numbers()) == ("8", "")
    assert read_answer("B<|im_end|>\n<|im_start|>user\nAnswer: D", options(tables.COLOURS, True)) == ("blue", "")
    assert read_answer("<think>The answer is A.</think>\nblue", options(tables.COLOURS, True)) == ("blue", "")


def test_both_ends_of_a_long_reply_are_read():
    hm = "hm\n" * 1_000_000
    form = options(tables.COLOURS, True)
    assert read_answer(f"Answer: B\n{hm}", form) == read_answer(f"{hm}Answer: B", form) == ("blue", "")
    assert read_answer(f"{hm}Answer: B\n{hm}", form) == (None, "names no choice")


PIECES = [
    "(A), ", "(A) or ", "answer: A, ", "A\n", "red or ", "red, ", "It is red. ", "not red ", "Answer: red\n", "red? ",
    "A. red\n", "Wait, ", "Actually, red. ", "\\boxed{", "<answer>", "**", "(", " ", "_", "not A but ", "if red ",
    "the answer to the ", "1 000 ", "no doubt ", "[[", "a" * 500 + " ", "\U00020000", "\u0130", '{"answer": ', "#",
    "\n",
    "** 1 ", "1,", "1/", "1 + ", "5 apples + ", "one hundred and ", "minus ", "\\frac{1}{", "= ", "A: liar\n", "; ",
]  # fmt: skip
FORMS = {
    "option": made(tables.COLOURS, ["red"], lettered=True), "label": POLE, "number": made(None, ["7"]),
    "text": made(None, ["Paris"]), "lines": made(None, ["A: liar\nB: knight"]),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("piece", PIECES)
@pytest.mark.parametrize("form", FORMS)
def test_twice_the_reply_takes_twice_as_long_in_every_form(form, piece):
    def seconds(size):
        begun = process_time()
        PLAIN.score(FORMS[form], PLAIN.read(FORMS[form], f"Answer: {piece * (size // len(piece))} word 5"))
        return process_time() - begun

    # What is read in a twentieth of a second is nothing whose time matters; what is quadratic takes seconds.
    assert any(seconds(50_000) < 2.8 * max(seconds(25_000), 0.05) for _ in range(5))
    assert seconds(2_000_000) < 4
