"""Blind strategies: what they get on the frozen files, by hand on small puzzles, and on every form of answer."""

from functools import cache
from pathlib import Path

import pytest

from generators.answering.scorer import ANSWER, Reading
from generators.item import Item
from generators.jsonl import read
from generators.knights_knaves.dataset import DATASET

ROOT = Path(__file__).resolve().parents[4]
SCORER = DATASET.scorer
BLIND = {strategy.name: strategy for strategy in SCORER.blind}


@cache
def frozen(subset):
    return list(read(ROOT / "datasets" / "knights-knaves" / "1.0.0" / f"{subset}.jsonl"))


def share(strategy, items):
    """In sample: learned from the items that are answered."""
    guesses = BLIND[strategy].answers(items, items)
    rights = [SCORER.score(item, Reading(guess)).right for item, guess in zip(items, guesses, strict=True)]
    return sum(rights) / len(items)


def puzzle(index, statements, kinds, solution, **more):
    names = ["A", "B", "C"][: len(statements)]
    terms = ["knight", "knave"]
    data = {"names": names, "terms": terms, "statements": statements, "kinds": kinds, "solutions": [solution]}
    answer = "; ".join(f"{name}: {terms['KN'.index(kind)]}" for name, kind in zip(names, solution))
    choices = None
    if "asked" in more:
        answer, choices = terms["KN".index(solution[names.index(more["asked"])])], tuple(terms)
    wording = dict.fromkeys(("opening", "line", "denial", "closing"), 0)
    data |= {"n": len(names), "set": "S", **wording, **more}
    return Item(f"x/1/y/{index:06d}", "Who is who?", choices, answer, "g", "c", data)


def guess(strategy, item, learned=()):
    return BLIND[strategy].answers(list(learned), [item])[0]


@pytest.mark.parametrize(
    ("strategy", "subset", "expected"),
    [
        ("all-liars", "S-3", 0.315),
        ("constant", "S-3", 0.315),
        ("kind-of-statement", "S-3", 0.40),
        ("single-statement", "S-3", 0.62),
        ("profile", "S-3", 0.80),
        ("kind-of-statement", "wide-3", 0.46),
        ("constant", "balanced-3", 0.25),
        ("constant", "balanced-6", 0.145),
        ("denied-share", "balanced-6", 0.195),
        ("denying-statements", "balanced-6", 0.24),
        ("plain-claims", "balanced-6", 0.26),
        ("accused", "balanced-3", 0.325),
        ("constant", "identity-3", 0.5),
        ("constant", "identity-6", 0.5),
        ("place", "identity-6", 0.52375),
        ("constant", "number-3", 1 / 3),
        ("kinds", "number-3", 0.48167),
        ("constant", "none-3", 1.0),
    ],
)
def test_what_is_known_of_the_frozen_release(strategy, subset, expected):
    assert share(strategy, frozen(subset)) == pytest.approx(expected, abs=5e-6)


def test_the_cut_between_honest_and_lying_puzzles_is_learned():
    # One denial in three mentions goes with KK, two in three with NN: the cut is at one third.
    few = [puzzle(i, ["(A & ~B)", "A"], ["conjunction", "accusation"], "KK") for i in range(3)]
    many = [puzzle(i, ["(~A & ~B)", "A"], ["conjunction", "accusation"], "NN") for i in range(3)]
    for strategy in ("denied-share", "denials"):
        assert [guess(strategy, item, few + many) for item in (few[0], many[0])] == [few[0].answer, many[0].answer]
    assert guess("denied-share", few[0]) == "A: knave; B: knave"
    first, second = puzzle(0, ["~B", "A"], ["accusation"] * 2, "KK"), puzzle(1, ["~B", "~A"], ["accusation"] * 2, "NN")
    assert [guess("denying-statements", item, [first, second]) for item in (first, second)] == [
        first.answer,
        second.answer,
    ]


def test_fixed_rules_by_hand():
    item = puzzle(0, ["~B", "(A & ~C)", "C:(~A)"], ["accusation", "conjunction", "nested"], "NNN")
    assert guess("first-truthful", item) == "A: knight; B: knave; C: knave"
    assert guess("last-truthful", item) == "A: knave; B: knave; C: knight"
    assert guess("accused", item) == "A: knight; B: knave; C: knight"
    assert guess("plain-claims", item) == "A: knave; B: knave; C: knave"
    # A is affirmed once and denied once; B is denied; C is denied and named.
    assert guess("reputation", item) == "A: knave; B: knave; C: knave"
    praised = puzzle(0, ["B", "(B & ~A)", "(~A = C)"], ["accusation", "conjunction", "equivalence"], "NNN")
    assert guess("reputation", praised) == "A: knave; B: knight; C: knight"
    plain = puzzle(0, ["B", "(~A = B)"], ["accusation", "equivalence"], "KN")
    assert guess("plain-claims", plain) == "A: knight; B: knight"


def test_guesses_for_single_characters_are_put_together():
    learned = [
        puzzle(0, ["A", "~A"], ["self", "accusation"], "KN"),
        puzzle(1, ["B", "B"], ["accusation", "self"], "NK"),
    ]
    item = puzzle(2, ["A", "B"], ["self", "self"], "NN")
    assert guess("kind-of-statement", item, learned) == "A: knight; B: knight"
    # Never seen: what most characters are, liars at a tie.
    assert guess("kind-of-statement", puzzle(3, ["#1(A,B)", "B"], ["count", "self"], "NN"), learned) == (
        "A: knave; B: knight"
    )
    assert guess("place", item, [learned[0]]) == "A: knight; B: knave"
    # An accusation with a denial is another statement than one without.
    mixed = [*learned, puzzle(4, ["B", "A"], ["accusation", "accusation"], "KK")]
    assert guess("single-statement", puzzle(5, ["B", "~A"], ["accusation"] * 2, "NN"), mixed) == "A: knight; B: knave"


def test_the_profile_of_a_character_counts_what_others_say_of_it():
    # Both say an accusation without denial; whom nobody denies is a knight, who is denied once is a knave.
    honest = puzzle(0, ["B", "A"], ["accusation", "accusation"], "KK")
    accused = puzzle(1, ["B", "~A"], ["accusation", "accusation"], "NN")
    learned = [honest, accused]
    assert guess("profile", honest, learned) == honest.answer
    assert guess("profile", accused, learned) == accused.answer


def test_large_puzzles_name_characters_beyond_the_alphabet():
    item = frozen("large-30")[0]
    assert any("AA" in notation or "AB" in notation for notation in item.metadata["statements"])
    reputed = guess("reputation", item).split("; ")
    last = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    balance = 0
    for notation in item.metadata["statements"]:
        for sign in notation.replace("(", " ").replace(")", " ").replace(",", " ").replace(":", " ").split():
            balance += {"AA": 1, "~AA": -1}.get(sign, 0)
    assert reputed[len(last)].endswith("knight" if balance > 0 else "knave")


@pytest.mark.parametrize("subset", ["character", "number", "solutions"])
def test_every_strategy_answers_every_form_in_its_canonical_form_or_not_at_all(subset):
    items = [DATASET.item(subset, 3, index) for index in range(30)]
    one_assignment = subset not in ("number", "solutions")
    for name, strategy in BLIND.items():
        guesses = strategy.answers(items[:20], items[20:])
        assert len(guesses) == 10
        for item, answer in zip(items[20:], guesses, strict=True):
            if answer is None:
                assert not one_assignment, name
                continue
            score = SCORER.score(item, Reading(answer))
            assert score.measures.keys() == SCORER.chance(item).keys() - {ANSWER}
            if item.choices:
                assert answer in item.choices
            elif one_assignment:
                assert SCORER.read(item, answer.replace("; ", "\n")).said == answer


def test_strategies_are_named_once_and_those_that_learn_say_so():
    assert len(BLIND) == len(SCORER.blind)
    items = frozen("balanced-3")
    for name, strategy in BLIND.items():
        by_lesson = [
            strategy.answers([item for item in items if (item.metadata["knights"] > 1) is honest], items)
            for honest in (True, False)
        ]
        assert strategy.learns == (by_lesson[0] != by_lesson[1]), name
        assert strategy.description[0].islower()
