"""What may be done at a turn, and which replies name it: worked replies, odd ones and hostile ones."""

import time

import pytest

from hansproof.generators.answering.moves import Choice, Number
from hansproof.generators.errors import InputError

LETTERS = Choice(("J", "P"))
SHARE = Number(0, 1)


def test_a_move_says_in_words_what_may_be_done():
    assert (LETTERS.options, LETTERS.actions) == ("J or P", ("J", "P"))
    assert Choice(("J", "K", "P")).options == "J, K or P"
    assert (SHARE.options, SHARE.actions) == ("a number from 0 to 1", None)


@pytest.mark.parametrize(
    ("reply", "action"),
    [
        ("J", "J"),
        (" P.\n", "P"),
        ("Machine P", "P"),
        ("I choose machine J.", "J"),
        ("**J**", "J"),
        ("J paid more than P so far.\n\nAnswer: J", "J"),
        ("P first, then J?\n**Final answer:** P\n", "P"),
        ("Answer: J\nOn second thoughts, I take it back.\nAnswer: P", "P"),
        ("My choice is: machine J, because P pays less.", None),
        ("Answer:\n\nP", "P"),
        ("> answer = `P`", "P"),
        ("J pays 61, P pays 40.\nSo I would go for J.", "J"),
        ("I choose J because P has paid less.", "J"),
        ("I choose machine J since P has paid 40.5.", "J"),
        ("I choose J because P has paid less. Or P?", None),
        ("P pays 40.\n\n**J**", "J"),
        ("J\n\nMachine P paid less so far.", None),
        ("J\n\nI choose P because J paid less.", None),
        ("J\nP", None),
        ("J is better than P.\nP is worse.", None),
        ("I would not play J.", None),
        ("Don't choose J.", None),
        ("J is never the better one.", None),
        ("It is not hard, J.", "J"),
        ("Answer: J (machine J, not P)", "J"),
        ("Answer: J (better than P)", "J"),
        ("Answer: J (or P)", None),
        ("Answer: J or P (not K)", None),
        ("Answer: p", "P"),
        ("Machine P looks better than J, so P.", None),
        ("J or P", None),
        ("not J", None),
        ("K", None),
        ("j", "J"),
        ("**p.**", "P"),
        ("so j", None),
        ("Just play on", None),
        ("", None),
    ],
)
def test_a_choice_is_read_from_a_reply(reply, action):
    reading = LETTERS.read(reply)
    assert reading.said == action
    assert bool(reading.reason) is (action is None)


@pytest.mark.parametrize(
    ("reply", "action"),
    [
        ("0.7", "0.7"),
        (".70", "0.7"),
        ("1", "1"),
        ("0", "0"),
        ("0,65", "0.65"),
        ("70%", "0.7"),
        ("70 %.", "0.7"),
        ("I am 0.8 sure.", "0.8"),
        ("About 0.8, on a scale from 0 to 1.", "0.8"),
        ("On the scale 0-1: 0.25", "0.25"),
        ("P(J) = 0.3 * 0.8 / 0.38 = 0.63", "0.63"),
        ("0.24 / (0.24 + 0.14) ≈ 0.63", "0.63"),
        ("The prior is 0.3.\nEstimate: 0.63", "0.63"),
        ("The prior is 0.3 and the rest 0.7.\n\n**Answer:** 0.9\n", "0.9"),
        ("0.123456789", "0.123457"),
        ("0.857 (85.7%)", "0.857"),
        ("0.8571 (about right)\nAnswer: 0.8571 (85.7 %)", "0.8571"),
        ("0.857 (86.7%)", None),
        ("0.857 (7%)", None),
        ("The prior is 0.3.\n\n0.63", "0.63"),
        ("The prior is 0.3.\nP = 0.24 / 0.38 = 0.63", "0.63"),
        ("0.63\n\nThe prior was 0.3.", None),
        ("0.3\n\n0.63", None),
        ("0.63\n\nThat is, 63 %.", "0.63"),
        ("7/10", None),
        ("1e-1", "0.1"),
        ("About 9e-1.", "0.9"),
        ("2.5e-1", "0.25"),
        ("5E-01", "0.5"),
        ("1e−1", "0.1"),
        ("1e+0", "1"),
        ("1E0", "1"),
        ("0.7e0", "0.7"),
        ("1e-400", "0"),
        ("50e-2 %", "0.005"),
        ("0.5 percent", "0.005"),
        ("50 percent", "0.5"),
        ("50 per cent.", "0.5"),
        ("-0", "0"),
        ("-0.0", "0"),
        ("0,700", "0.7"),
        ("The 2nd of 2-armed machines: 0.7", "0.7"),
        ("'0.7'", "0.7"),
        ("gpt-4 says 0.7...", "0.7"),
        ("1e+1", None),
        ("1e999", None),
        ("1e-1e-1", None),
        ("1e- 1", None),
        ("e-1", None),
        ("0.٥", None),
        ("0٫5", None),
        ("０.７", None),
        ("0·5", None),
        ("0.5½", None),
        ("0.6-0.7", None),
        ("100%%", None),
        ("5 ‰", None),
        ("5٪", None),
        ("1,000,5%", None),
        ("10,000,5 %", None),
        ("1_0", None),
        ("0x1", None),
        ("between 0 and 1e-1", None),
        ("between 0.6 and 0.7", None),
        ("7", None),
        ("-0.2", None),
        ("1.5", None),
        ("0.7.3", None),
        ("Answer: I don't know", None),
        ("certain", None),
        ("", None),
    ],
)
def test_a_number_is_read_from_a_reply(reply, action):
    reading = SHARE.read(reply)
    assert reading.said == action
    assert bool(reading.reason) is (action is None)


def test_a_reason_says_what_is_wrong_and_what_to_give():
    assert LETTERS.read("J or P").reason == "one line names several choices: 'J', 'P'"
    assert LETTERS.read("J\nNo, P").reason == "different lines name different choices: 'J', 'P'"
    assert LETTERS.read("I would not play J.").reason == "says not 'J'"
    assert SHARE.read("0.7\n0.3 was the prior").reason == "different lines give different numbers: 0.3, 0.7"
    assert SHARE.read("7").reason == "'7' is not a legal action; give a number from 0 to 1"
    assert SHARE.read("0.٥").reason == "'0.٥' is not a number that can be read; give a number from 0 to 1"
    assert SHARE.read("0.6 or 0.7").reason == "one line gives several numbers: 0.6, 0.7"


def test_large_numbers_are_read_with_separators_and_per_cent_only_as_shares():
    assert Number(0, 5000).read("I would take $1,100.").said == "1100"
    assert Number(0, 100).read("70 %").said == "70"


@pytest.mark.parametrize("action", ["j", "J ", "", "J or P", "JP", "x" * 10_000])
def test_a_choice_refuses_everything_else_and_names_what_is_legal(action):
    with pytest.raises(InputError, match=r"^'.{0,60} is not a legal action; choose J or P$"):
        LETTERS.canonical(action)


@pytest.mark.parametrize("action", ["1.01", "-1", "nan", "inf", "1e-3", "0x1", "٣", "½", "0,5", "", "9" * 100_000])
def test_a_number_refuses_everything_else_and_names_what_is_legal(action):
    with pytest.raises(InputError, match=r"^'.{0,60} is not a legal action; give a number from 0 to 1$"):
        SHARE.canonical(action)


def test_transcripts_keep_one_form_of_a_number():
    assert [SHARE.canonical(text) for text in ("0.70", "1.0", "0", "0.0000001", "+.5", "-0.0")] == [
        *("0.7", "1", "0", "0", "0.5", "0")
    ]
    assert Number(-1, 1).canonical("-0.0000001") == "0"


@pytest.mark.parametrize("move", [LETTERS, SHARE])
@pytest.mark.parametrize(
    "piece",
    ["Answer: ", "answer:\n", "0.5 ", "J ", "9", "=", "\n", "1,234", "1-", "1e", "5 % ", "* ", "\u202e", "\ud800"],
)
def test_hostile_replies_take_linear_time_and_raise_nothing(move, piece):
    start = time.process_time()
    for reply in (piece * (200_000 // len(piece)), "9" * 200_000 + piece, f"Answer{' ' * 200_000}{piece}"):
        move.read(reply)
    assert time.process_time() - start < 5
