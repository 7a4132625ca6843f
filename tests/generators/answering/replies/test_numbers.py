"""Numbers in replies: plain answers, stated ones, and the only one; and what a number is worth."""

from decimal import Decimal
from fractions import Fraction
from time import process_time

import pytest

from hansproof.generators.answering.numbers import read_number, same_number, value


@pytest.mark.parametrize(
    ("text", "worth"),
    [
        ("12", 12), ("-3", -3), ("−3", -3), ("$1,250.50", "1250.5"), ("1.250,5", "1250.5"), ("10,5", "10.5"),
        ("1 000 000", 1_000_000), ("1\u2009000", 1000), ("1\u00a0000,5", "1000.5"), ("1/2", "0.5"), ("-3/4", "-0.75"),
        ("1 1/2", "1.5"), (".5", "0.5"), ("*.5.", "0.5"), ("8.", 8), ("(7)", 7), ("+4", 4),
    ],
)  # fmt: skip
def test_what_a_number_is_worth(text, worth):
    assert value(text) == Decimal(worth)


@pytest.mark.parametrize("text", ["", "x", "1,2,3", "12,34", "1/0", "1/2/3", "12 34", "nan", "inf", "9" * 500, "1 00"])
def test_what_is_no_number(text):
    assert value(text) is None or text == "12,34"
    assert not same_number(text, "7")


def test_fractions_are_worth_what_exact_arithmetic_says():
    for above in range(1, 30):
        for below in (1, 2, 4, 5, 8, 10, 16, 25):
            assert value(f"{above}/{below}") == Decimal(above) / Decimal(below) == Fraction(above, below)


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("Answer: 12\nI used 3 steps.", "12"), ("#### 12", "12"),
        ("#### Step 2\nIt is 12.", "12"),
        ("Answer: 1\nAnswer: 2", "2"), ("The answer is x = 3 + 4 = 7.", "7"),
        ("Answer: 7 (in 3 steps)", "7"), ("Some say the answer is 5.\nIt is 6", "6"),
        ("It is 5 or so", "5"),
        ("The answer is clear. It is 5.", "5"), ("The answer is not 5 but 6.", "6"),
        ("\\boxed{5} in 2 ways", "5"),
        ("The total is **18** dollars", "18"), ("2^3 = 8", "8"),
        ("Answer: 5 are lost.\nSo 6", "6"),
        ("Answer: there are about 6 left", "6"), ("See https://x.org/22: it is 9", "9"),
        ("Thus, **7 races** are required to find the fastest 3 horses", "7"), ("Seven races.", "7"),
        ("5 + 1 + 1 = 7 races are needed in all", "7"), ("7 races.\n\nFirst 5, then 2.", "7"),
        ("8 apples. She had 5 and got 3.", "8"), ("**5** + **3** = **8** apples", "8"),
        ("960.\n\nQ: Logan has 14 soaps.", "960"), ("Let us see.\n\nProblem: 5 and 3?\nAnswer: 8", "8"),
        ("\\boxed{5} is wrong, \\boxed{6} is right", "6"), ("5, and 3 more.\n**Bob has 8 apples.**", "8"),
    ],
)  # fmt: skip
def test_a_plain_or_stated_number_is_read(reply, said):
    assert read_number(reply) == (said, "")


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("none", "names no number"), ("2^10", "gives a power"), ("Answer: 10^{2}", "gives a power"),
        ("1,2,3", "may be several numbers"), ("Answer: 5 or 6", "gives several numbers"), ("1/0", "may be several"),
        ("12 and then 13", "several numbers: 12, 13"), ("12\n13\nnone", "several numbers: 12, 13"),
        ("you would need 7 races to determine the fastest 3 zebras", "several numbers: 7, 3"),
        ("You need seven races for the fastest 3.", "several numbers: 7, 3"),
        ("Some say the answer is 5. It is 6", "several numbers: 5, 6"), ("x^2 is 9", "several numbers: 2, 9"),
        ("There are 4 boxes. The number of boxes is 4. Each holds 3.", "several numbers: 4, 3"),
        ("Each holds 3. The number of boxes is 4.", "several numbers: 3, 4"),
        ("3 * 2 = 6 for two, and 4 * 2 = 8 for more", "several numbers: 3, 2, 6, 8"),
        ("Answer: Ann has 48/2 = 24 eggs in May. In all she has 24+48 = 72.", "several numbers"),
        ("- **5 races** first\n- **1 race** of winners", "several numbers: 5, 1"),
        ("7 races.\nThe fastest is 1.", "several numbers: 7, 1"), ("#### 3. Add up\nIt has 8", "several numbers: 3, 8"),
        ("The answer is not 5. We get 6.", "several numbers: 5, 6"),
        ("Answer: The 3 of them share 12, so each has 4.", "several numbers: 3, 12, 4"),
        ("Answer: 3 million", "partly in words"), ("$1.25 thousand", "partly in words"), ("1 dozen", "partly in words"),
        ("The answer is two hundred.", "names no number"), ("Thirty two races", "names no number"),
        ("Answer: one hundred and five", "names no number"), ("two and a half", "names no number"),
        ("It is two thirds.", "names no number"), ("The answer is not 41.", "says what it is not"),
        ("Is it 41?", "asks"),
        ("Answer: 5\nWait, it is 6", "goes back on its answer"), ("The answer is 3 + 4.", "gives several numbers"),
    ],
)  # fmt: skip
def test_what_is_no_clear_number_says_why(reply, reason):
    said, why = read_number(reply)
    assert said is None
    assert reason in why


@pytest.mark.parametrize(
    "piece",
    ["1 ", "1,", "1.", "1/", "1 000 ", "9", "answer: ", "answer: 1\n", "\\boxed{", "#### 1\n", "Wait, 2 ", "= ", "a "],
)
def test_two_megabytes_are_read_in_two_seconds(piece):
    begun = process_time()
    for begins in ("", "Answer: "):
        read_number(f"{begins}{piece * (1_000_000 // len(piece))} word 5")
        read_number(f"{begins}{piece * (250 // len(piece))} word 5")
    assert process_time() - begun < 2
