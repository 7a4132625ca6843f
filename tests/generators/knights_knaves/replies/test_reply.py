"""Hostile and friendly replies, each with what a careful human marker would read in it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hansproof.generators.errors import InputError
from hansproof.generators.knights_knaves.replies import read_identity, read_number, read_reply

AB, TERMS = ("A", "B"), ("knight", "knave")


def world(text: str, names: tuple[str, ...] = AB, terms: tuple[str, str] = TERMS) -> str:
    """The one solution read, or the reason why there is none."""
    reading = read_reply(text, names, terms)
    return reading.solutions[0] if reading.kind == "identities" else reading.reason or reading.kind


@pytest.mark.parametrize(
    "text",
    [
        "A: knight\nB: knave",
        "a: KNIGHT\nb: Knave",
        "B: knave\nA: knight",
        "A: knight\r\nB: knave\r\n",
        "A: knight\rB: knave",
        "A: knight.\nB: knave.",
        "CONCLUSION:\nA: knight\nB: knave",
        "CONCLUSION: A: knight\nB: knave",
        "**Final answer:** A: knight\nB: knave",
        "### Conclusion\n\n**A**: knight\n**B**: knave\n\nThis settles it.",
        "**A: knight**\n**B: knave**",
        "*A*: _knight_\n*B*: _knave_",
        "- A: knight\n- B: knave",
        "* A: knight\n* B: knave",
        "• A: knight\n• B: knave",
        "1. A: knight\n2. B: knave",
        "1) **A** is a knight\n2) **B** is a knave",
        "> A: knight\n> B: knave",
        "A: a knight\nB: a knave",
        "A is a knight.\nB is a knave.",
        "A is knight\nB is knave",
        "A: not a knave\nB: not a knight",
        "A is not a knave.\nB is not a knight.",
        "A: knight\n\nB: knave",
        "```\nA: knight\nB: knave\n```",
        "A：knight\nB：knave。",
        "Ａ：ｋｎｉｇｈｔ\nＢ：ｋｎａｖｅ",
        "A — knight\nB — knave",
        "A -> knight\nB → knave",
        "A = knight\nB = knave",
        "A : knight ;\nB : knave ,",
        "A: knight (always tells the truth)\nB: knave (lies)",
        "\ufeffA: knight\nB\u200b: knave",
        "A:\u00a0knight\nB:\u3000knave",
        "A: kni\u00adght\nB: knave",
        "Character A: knight\nCharacter B: knave",
        "(A): knight\n[B]: knave",
        '"A": "knight"\n"B": "knave"'.replace('"knight"', "knight").replace('"knave"', "knave"),
        "| Character | Identity |\n|---|---|\n| A | knight |\n| B | knave |",
        "| A | knight |\n|:--|--:|\n| B | **knave** |",
        "| Who | Says | Is |\n|---|---|---|\n| A | B lies | Knight |\n| B | A lies | Knave |",
        "| A | B |\n|---|---|\n| knight | knave |",
        "| | A | B |\n|-|-|-|\n| Identity | knight | knave |",
        "A: knight\nB: knave\nSo in short:\nA: Knight\nB: not a knight",
        "A: knight\nA: knight\nB: knave",
        "Suppose\nA: knave\nThat fails. So:\nA: knight\nB: knave",
        "B is a knave.\nA cannot lie, so\nA: knight\nB: knave",
        "A is a knight, B is a knave.",
        "Answer: A: knight; B: knave",
        "A: knight | B: knave",
        "**A is a knight and B is a knave.**",
        "A is a knight and B is a knight?\nNo.\nA: knight\nB: knave",
        "A: B is a knave.\nB: A is a knave.\nHence\nA: knight\nB: knave",
        "A: I am a knight.\nHence\nA: knight\nB: knave",
        "There is no solution with A a knave.\nA: knight\nB: knave",
        "Case 1.\nNo solution.\nCase 2.\nA: knight\nB: knave",
        "A: knight\nB: knave\nYou're welcome to ask for more!",
        "A: knight\nB: knave\n\nA is a knight.",
        "अ\nA: knight\nB: knave।",
        "A: knight۔\nB: knave،",
        "✅ A: knight\n✅ B: knave",
    ],
)
def test_these_replies_all_say_knight_then_knave(text: str) -> None:
    assert world(text) == "KN"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the reply is empty"),
        (" \n\t\n", "the reply is empty"),
        ("I cannot solve this.", "no line identifies a character"),
        ("A: knight", "the longest block identifies 1 of 2 characters"),
        ("A: knight\nbut then\nB: knave", "the longest block identifies 1 of 2"),
        ("A: knight\nB: unknown", "the longest block identifies 1 of 2"),
        ("A: knight\nB: knave\nor\nA: knave\nB: knight", "2 blocks of answers do not agree"),
        ("A: knight\nB: knave\nA: knave\nB: knight", "2 blocks of answers do not agree"),
        ("A: knight\nA: knave\nB: knave", "gives one character both identities"),
        ("A: knight\nB: knave\nWait.\nB: knight", "line 4 contradicts the block"),
        ("A: knight or knave\nB: knave", "the longest block identifies 1 of 2"),
        ("A: knight/knave\nB: knight/knave", "no line identifies a character"),
        ("A: <knight or knave>\nB: <knight or knave>", "no line identifies a character"),
        ("A: knight?\nB: knave?", "no line identifies a character"),
        ("A: knight (if B is a knave)\nB: knave", "1 of 2"),
        ("A: knight (not a knave)\nB: knave", "1 of 2"),
        ("A: knightly\nB: knave", "1 of 2"),
        ("A: knight-errant\nB: knave", "1 of 2"),
        ("AA: knight\nAB: knave", "no line identifies"),
        ("C: knight\nD: knave", "no line identifies"),
        ("A knight\nB knave", "no line identifies"),
        ("A says that\nB is a knave", "1 of 2"),
        ("If A is a knight\nthen B is a knave", "no line identifies"),
        ("A: truth-teller\nB: liar", "no line identifies"),
        ("A: knight\nB: knave\nNo solution.", "identifies the characters, then says that there is no solution"),
        ("No solution.\nMultiple solutions.", "says both"),
        ("| A | B |\n|--|--|\n| knight | knight |\n| knight | knave |", "no line identifies"),
        ("A is a knight, B is a knave.\nA is a knight, B is a knight.", "2 blocks of answers do not agree"),
    ],
)
def test_these_replies_are_unparsed_with_their_reason(text: str, reason: str) -> None:
    reading = read_reply(text, AB, TERMS)
    assert (reading.kind, reading.identities, reading.solutions) == ("unparsed", None, ())
    assert reason in reading.reason


@pytest.mark.parametrize(
    "text",
    [
        "no solution",
        "Answer: No solution.",
        "**There is no solution.**",
        "CONCLUSION: no solutions",
        "A: knight\nNo solution",
    ],
)
def test_no_solution_is_an_answer(text: str) -> None:
    assert read_reply(text, AB, TERMS).kind == "none"


@pytest.mark.parametrize(
    "text",
    ["several solutions", "Multiple solutions.", "Answer: more than one solution", "CONCLUSION:\nNo unique solution!"],
)
def test_several_solutions_is_an_answer_without_a_list(text: str) -> None:
    reading = read_reply(text, AB, TERMS)
    assert (reading.kind, reading.solutions) == ("several", ())


def test_several_solutions_may_be_listed_as_blocks_before_or_after() -> None:
    blocks = "A: knight\nB: knave\n\nSecond:\nA: knave\nB: knight"
    before = read_reply(f"Several solutions:\n{blocks}", AB, TERMS)
    after = read_reply(f"{blocks}\nSeveral solutions", AB, TERMS)
    assert before.solutions == after.solutions == ("KN", "NK")
    assert before.kind == after.kind == "several"
    twisted = read_reply("Several solutions:\nA: knight\nA: knave\nB: knave", AB, TERMS)
    assert twisted.reason == "a listed solution gives one character both identities"


@pytest.mark.parametrize(
    "text",
    [
        "A: knight\nB: knave\n\nA: knave\nB: knight",
        "A: knave\nB: knight\nA: knight\nB: knave",
        "Try\nA: knight\nB: knight\nNo.\nSolution 1:\nA: knight\nB: knave\n\n**Solution 2:**\nA: knave\nB: knight",
        "A: knight; B: knave | A: knave; B: knight",
        "A: knight\nB: knave\n\nor\n\nA: knave\nB: knight\n\nA: knave\nB: knight",
    ],
)
def test_where_every_solution_is_asked_for_the_last_blocks_are_the_list(text: str) -> None:
    reading = read_reply(text, AB, TERMS, several=True)
    assert (reading.kind, reading.solutions) == ("several", ("KN", "NK"))


def test_where_every_solution_is_asked_for_one_block_or_none_is_still_an_answer() -> None:
    assert read_reply("A: knight\nB: knave", AB, TERMS, several=True).solutions == ("KN",)
    assert read_reply("Case 1\nA: knight\nB: knave\nfails.\nno solution", AB, TERMS, several=True).reason
    assert read_reply("`no solution`", AB, TERMS, several=True).kind == "none"


def test_of_one_character_the_last_line_counts() -> None:
    reading = read_identity("B is a knave.\nNo: if so, A would lie.\n**B**: knight.", "B", TERMS)
    assert (reading.identities, reading.line) == ({"B": "knight"}, 3)
    assert read_identity("B: knight\nNo, wait.\nB: knave", "B", TERMS).solutions == ("N",)
    assert read_identity("B: knight\n\nB: knight", "B", TERMS).solutions == ("K",)
    assert read_identity("B: knight\nB: knave", "B", TERMS).reason == "gives the character both identities"
    assert read_identity("A: knight", "B", TERMS).reason == "no line identifies a character"


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("none", "none"),
        ("**Several**", "several"),
        ("one case fails.\nAnswer: `one`.", "one"),
        ("None\nno:\nONE", "one"),
        ("Exactly one solution.", "one"),
        ("There are several solutions!", "several"),
        ("no solution", "none"),
        ("No assignment fits.", "none"),
        ("There is no assignment that fits.", "none"),
        ("zero", "none"),
        ("Exactly one assignment fits.", "one"),
        ("several (two or more)", "several"),
        ("Several assignments fit.", "several"),
        ("one or several", ""),
        ("one (or several)", ""),
        ("`none`, `one` or `several`", ""),
        ("", ""),
        ("x" * 1_000_000 + "\nseveral", "several"),
        ("none of them\n" * 50_000, ""),
    ],
)
def test_the_number_of_solutions_is_the_last_line_that_is_nothing_else(text: str, number: str) -> None:
    assert read_number(text) == number


def test_truth_teller_is_read_with_hyphen_space_or_neither() -> None:
    terms = ("truth-teller", "liar")
    for word in ("truth-teller", "Truth Teller", "truthteller", "truth‑teller", "not a liar"):
        assert world(f"A: {word}\nB: liar", AB, terms) == "KN"


def test_identities_keep_the_puzzles_words_and_order_and_the_line_is_the_last_of_the_answer() -> None:
    reading = read_reply("So:\nzoe: TETTE\nAbe: jabba\nThank you", ("Abe", "Zoe"), ("jabba", "tette"))
    assert reading.identities == {"Abe": "jabba", "Zoe": "tette"}
    assert list(reading.identities) == ["Abe", "Zoe"]
    assert reading.line == 3


def test_names_that_begin_alike_or_hold_marks_are_told_apart() -> None:
    names = ("Ann", "Anna", "Ann-Marie", "d'Arc", "C++", "Émile", "Dr. No")
    text = "Ann: knight\nAnna: knave\nAnn-Marie: knight\nd’Arc: knave\nC++: knight\nE\u0301mile: knave\nDr. No: knight"
    assert world(text, names) == "KNKNKNK"


@pytest.mark.parametrize(
    "noise",
    ["A" * 1_000_000, "A: " * 333_333, "(" * 1_000_000, "A: knight, " * 90_000, " " * 1_000_000, "\n" * 1_000_000,
     "A: knight \n" * 90_000, "| " * 500_000, "a\u0301\u0323" * 300_000, "not " * 250_000, "- " * 500_000,
     "A is a knight and " * 55_000, "| A | knight |\n" * 60_000],
)  # fmt: skip
def test_a_megabyte_of_noise_before_the_answer_does_not_hide_it(noise: str) -> None:
    assert world(f"{noise}\nSo:\nA: knight\nB: knave") == "KN"


@given(st.text(alphabet="AB:knightave \n|*-.,()1<>", max_size=200))
def test_any_text_gives_a_reading_that_is_whole_or_explained(text: str) -> None:
    reading = read_reply(text, AB, TERMS)
    assert (reading.kind == "identities") == (reading.identities is not None)
    assert (reading.kind == "unparsed") == bool(reading.reason)
    assert reading.identities is None or list(reading.identities) == ["A", "B"]


@given(
    st.lists(st.booleans(), min_size=1, max_size=30),
    st.sampled_from([("knight", "knave"), ("truth-teller", "liar"), ("jabba", "tette")]),
    st.sampled_from(["{}: {}", "**{}**: {}", "- {} is a {}.", "| {} | {} |", "{}：{}。", "* *{}* — {}"]),
    st.sampled_from(["", "Let me think.\n", "CONCLUSION:\n", "A says that B lies.\n\n"]),
)
def test_a_rendered_answer_block_is_read_back(
    knights: list[bool], terms: tuple[str, str], form: str, lead: str
) -> None:
    names = tuple(f"P{i}" for i in range(len(knights)))
    block = "\n".join(form.format(name, terms[0] if knight else terms[1]) for name, knight in zip(names, knights))
    assert world(lead + block, names, terms) == "".join("K" if knight else "N" for knight in knights)


@pytest.mark.parametrize(
    ("names", "terms", "message"),
    [
        ((), TERMS, "not all different"),
        (("A", "a"), TERMS, "not all different"),
        (("A", " "), TERMS, "not all different"),
        (AB, ("knight",), "not two different words"),
        (AB, ("Knight", "knight"), "not two different words"),
    ],
)
def test_names_or_terms_that_cannot_be_told_apart_are_refused(
    names: tuple[str], terms: tuple[str], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        read_reply("A: knight", names, terms)
